"""A tree family of one's own is one class: it grows, prunes, predicts, shows, saves and loads."""

import numpy as np
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score

from miter import ReducedError, TreeClassifier, export_text, load, save
from miter.splits import Linear, Term
from miter.splitters import Splitter


class RandomHyperplane(Splitter):
    """Cuts the node's rows at the median of a random combination of its columns."""

    def find_split(self, node):
        scale = node.X.std(axis=0)
        weights = np.divide(
            node.random.normal(size=len(scale)), scale, where=scale > 0, out=scale * 0
        )
        terms = tuple(Term.number(column, float(w)) for column, w in enumerate(weights) if w != 0)
        if not terms:
            return None
        return Linear(terms, float(np.median(node.X @ weights)))


def test_the_whole_way(tmp_path):
    X, y = load_breast_cancer(return_X_y=True)
    model = TreeClassifier(RandomHyperplane(), random_state=0).fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.get_depth() > 3

    again = clone(model).fit(X, y)
    assert np.array_equal(model.apply(X), again.apply(X))
    other = TreeClassifier(RandomHyperplane(), random_state=1).fit(X, y)
    assert other.tree_.splits[0] != model.tree_.splits[0]

    pruned = clone(model).set_params(pruning=ReducedError()).fit(X, y)
    assert 1 < pruned.tree_.n_nodes < model.tree_.n_nodes
    assert cross_val_score(clone(model).set_params(pruning="pessimistic"), X, y).mean() > 0.75

    text = export_text(pruned, full=True)
    assert text.count("x0 ") >= 1
    assert "<=" in text

    path = tmp_path / "own.miter"
    save(model, path)
    loaded = load(path)
    assert np.array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert "RandomHyperplane" not in path.read_text()
