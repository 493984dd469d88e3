"""The learners of the frontier: each is fitted to rows, and tells accuracy and reading."""

from __future__ import annotations

import re
import subprocess
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import cross_val_predict
from sklearn.tree import DecisionTreeClassifier

import miter
from readable_parts.reading import reading_of, reading_of_sklearn


@dataclass(frozen=True, eq=False)
class Halves:
    """Rows to learn and rows to be asked about, as Miter reads them and as numbers."""

    train: miter.Data
    test: miter.Data
    X: NDArray[np.float64]
    X_test: NDArray[np.float64]


#: Accuracy, terms, terms on the way of a row to be asked about.
Result = tuple[float, float, float]


def _own(make: Callable[[], Any], halves: Halves) -> Result:
    model = make().fit(halves.train)
    codes = model.predict_codes(halves.test.X)
    return _accuracy(codes, halves), *reading_of(model.tree_, halves.test.X)


def _accuracy(codes: NDArray[Any], halves: Halves) -> float:
    return float(np.mean(codes == halves.test.labels))


def _pruned_cart(halves: Halves, max_path: float = np.inf) -> Result:
    """Prune scikit-learn's tree by cross-validation, among the trees that are short enough."""
    X, y = halves.X, halves.train.labels
    full = DecisionTreeClassifier(random_state=0)
    alphas = np.unique(full.cost_complexity_pruning_path(X, y).ccp_alphas)
    alphas = alphas[np.unique(np.linspace(0, len(alphas) - 1, 30).astype(int))]
    best, chosen = -1.0, None
    for alpha in np.maximum(alphas, 0.0)[::-1]:
        tree = DecisionTreeClassifier(ccp_alpha=alpha, random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            right = float(np.mean(cross_val_predict(tree, X, y, cv=5) == y))
        tree.fit(X, y)
        if reading_of_sklearn(tree, X)[1] <= max_path and right > best + 1e-9:
            best, chosen = right, tree
    assert chosen is not None
    codes = chosen.predict(halves.X_test)
    return _accuracy(codes, halves), *reading_of_sklearn(chosen, halves.X_test)


def _binary(X: NDArray[np.float64], X_test: NDArray[np.float64]) -> tuple[NDArray[np.int64], ...]:
    """Return yes-or-no columns: above each of eight quantiles of the training rows."""
    train, test = [], []
    for c in range(X.shape[1]):
        for cut in np.unique(np.quantile(X[:, c], np.arange(1, 9) / 9, method="midpoint")):
            if 0 < np.mean(X[:, c] > cut) < 1:
                train.append(X[:, c] > cut)
                test.append(X_test[:, c] > cut)
    return np.column_stack(train).astype(int), np.column_stack(test).astype(int)


def _optimal(depth: int, halves: Halves) -> Result:
    """Find the optimal tree of a depth over yes-or-no columns (STreeD)."""
    from pystreed import STreeDClassifier

    X, X_test = _binary(halves.X, halves.X_test)
    model = STreeDClassifier(max_depth=depth, time_limit=30)
    model.fit(X, halves.train.labels)
    root = model.get_tree()

    def count(node: Any, rows: NDArray[np.int64]) -> tuple[int, int]:
        if node.is_leaf_node():
            return 0, 0
        right = X_test[rows, node.feature] == 1
        below = [count(node.left_child, rows[~right]), count(node.right_child, rows[right])]
        return 1 + below[0][0] + below[1][0], len(rows) + below[0][1] + below[1][1]

    terms, on_way = count(root, np.arange(len(X_test)))
    return _accuracy(model.predict(X_test), halves), float(terms), on_way / len(X_test)


def _ripper(halves: Halves) -> Result:
    """Learn rules for one class after the other, the rarest first (RIPPER)."""
    import pandas as pd
    import wittgenstein

    names = [f"x{c}" for c in range(halves.X.shape[1])]
    X, X_test = (pd.DataFrame(x, columns=names) for x in (halves.X, halves.X_test))
    y = halves.train.labels
    order = np.argsort(np.bincount(y, minlength=halves.train.schema.n_classes), kind="stable")
    order = [c for c in order.tolist() if (y == c).any()]
    answer = np.full(len(X_test), order[-1])
    is_open, left = np.ones(len(X_test), bool), np.ones(len(y), bool)
    terms, on_way = 0, np.zeros(len(X_test))
    for label in order[:-1]:
        if len(np.unique(y[left])) < 2:
            break
        model = wittgenstein.RIPPER(random_state=0)
        model.fit(X[left], y[left] == label, pos_class=True)
        size = sum(len(rule.conds) for rule in model.ruleset_.rules)
        terms += size
        on_way[is_open] += size
        hit = np.array(model.predict(X_test), bool) & is_open
        answer[hit], is_open = label, is_open & ~hit
        left &= ~np.array(model.predict(X), bool)
    return _accuracy(answer, halves), float(terms), float(on_way.mean())


def _ebm(halves: Halves) -> Result:
    """Explainable boosting: a term is a curve or a table, counted as one for each class."""
    from interpret.glassbox import ExplainableBoostingClassifier

    n_classes = halves.train.schema.n_classes
    interactions = 10 if n_classes == 2 else 0
    model = ExplainableBoostingClassifier(interactions=interactions, random_state=0, n_jobs=1)
    model.fit(halves.X, halves.train.labels)
    terms = len(model.term_names_) * max(n_classes - 1, 1)
    return _accuracy(model.predict(halves.X_test), halves), float(terms), float(terms)


WEKA = Path("/usr/share/java/weka.jar")


def _lmt(halves: Halves) -> Result:
    """Weka's logistic model trees; a row reads the tests on its way and the terms of its leaf."""
    with tempfile.TemporaryDirectory() as folder:
        train, test = Path(folder) / "train.arff", Path(folder) / "test.arff"
        classes = ",".join(map(str, range(halves.train.schema.n_classes)))
        for path, x, y in (
            (train, halves.X, halves.train.labels),
            (test, halves.X_test, halves.test.labels),
        ):
            head = [f"@attribute x{c} numeric" for c in range(x.shape[1])]
            rows = [
                ",".join([*map(repr, row), str(label)])
                for row, label in zip(x.tolist(), y.tolist(), strict=True)
            ]
            lines = ["@relation r", *head, f"@attribute y {{{classes}}}", "@data", *rows]
            path.write_text("\n".join(lines) + "\n")
        command = ["java", "-Xmx1g", "-cp", str(WEKA), "weka.classifiers.trees.LMT"]
        command += ["-t", str(train), "-T", str(test)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    right = float(re.findall(r"Correctly Classified Instances\s+\d+\s+([\d.]+)", said)[-1]) / 100
    model, _, leaves = said.partition("LM_1:")
    n_leaves = max(len(re.findall(r"LM_\d+:\d+/\d+", model)), 1)
    n_terms = len(re.findall(r"\] \*|\*", leaves.partition("Time taken")[0]))
    return right, float(n_terms + n_leaves - 1), n_terms / n_leaves + np.log2(n_leaves)


def _tree(kind: type, **parameters: Any) -> Callable[[Halves], Result]:
    return partial(_own, lambda: kind(random_state=0, n_threads=1, **parameters))


_readable = partial(_tree, miter.ReadableTreeClassifier)

OWN: dict[str, Callable[[Halves], Result]] = {
    "readable": _readable(),
    "readable, real weights": _readable(whole_numbers=False),
    **{f"readable, path {most}": _readable(max_path=most) for most in (2, 3, 5, 8, 12)},
    "univariate": _tree(miter.UnivariateTreeClassifier),
    "linear machines": _tree(miter.LinearMachineTreeClassifier),
    "linear machines, 3 columns": _tree(miter.LinearMachineTreeClassifier, max_features=3),
    "linear combinations": _tree(miter.LinearCombinationTreeClassifier),
}
PEERS: dict[str, Callable[[Halves], Result]] = {
    "CART, pruned": _pruned_cart,
    **{f"CART, path {most}": partial(_pruned_cart, max_path=most) for most in (2, 3, 5)},
    "optimal tree, depth 3": partial(_optimal, 3),
    "optimal tree, depth 4": partial(_optimal, 4),
    "RIPPER": _ripper,
    "EBM": _ebm,
    "LMT": _lmt,
}
LEARNERS = OWN | PEERS
