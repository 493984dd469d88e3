"""The estimators of perceptron, network and hybrid trees."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from miter import (
    HybridTreeClassifier,
    NetworkTreeClassifier,
    PerceptronTreeClassifier,
    export_text,
    id_hybrid,
    id_lp,
    id_mlp,
    load,
    save,
)
from miter.data import monks

KINDS = [PerceptronTreeClassifier, NetworkTreeClassifier, HybridTreeClassifier]
PUBLISHED = [id_lp, id_mlp, id_hybrid]


# check_array_api_input skips itself unless SciPy's array API mode is on; nothing here uses it.
@pytest.mark.filterwarnings("ignore:Skipping check check_array_api_input")
@parametrize_with_checks([*(kind() for kind in KINDS), id_lp(), id_hybrid()])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize("make", PUBLISHED)
def test_the_settings_of_the_paper(make):
    model = make()
    assert (model.training, model.pruning, model.min_samples_split) == ("gradient", None, 0.05)
    assert make(pruning="pessimistic").pruning == "pessimistic"


@pytest.mark.parametrize(("make", "least"), [*((kind, 0.94) for kind in KINDS), (id_lp, 0.9)])
def test_wine_is_told_apart(make, least):
    X, y = load_wine(return_X_y=True)
    assert cross_val_score(make(random_state=0), X, y, cv=5).mean() > least


@pytest.mark.parametrize("make", [NetworkTreeClassifier, HybridTreeClassifier])
def test_half_of_the_monks_tell_the_other_half(make):
    # Yildiz and Alpaydin, Table 2: ID-MLP has 67.0 +- 2.2 on these 432 rows.
    data = monks(1)
    order = np.random.default_rng(0).permutation(data.n_rows)
    train, test = data.take(order[:216]), data.take(order[216:])
    tree = make(random_state=0).fit(train).tree_
    assert tree.n_nodes == 3
    assert np.mean(tree.predict(test.X) == test.labels) > 0.97


@pytest.mark.parametrize("make", [*KINDS, *PUBLISHED])
def test_a_frame_said_aloud_saved_and_loaded(make, tmp_path):
    random = np.random.default_rng(0)
    X = pd.DataFrame(
        {"age": random.normal(40, 9, 200), "town": random.choice(["Ulm", "Bonn", "Kiel"], 200)}
    )
    y = np.where(X.age + 10 * (X.town == "Ulm") > 42, "old", "young")
    X.loc[::9, "age"] = np.nan
    X.loc[::11, "town"] = None
    model = make(random_state=0).fit(X, y)
    assert model.score(X, y) > 0.8
    text = export_text(model)
    assert " age " in text
    assert "[town = Ulm]" in text
    save(model, tmp_path / "model.json")
    loaded = load(tmp_path / "model.json")
    assert type(loaded) is type(model)
    assert np.array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert loaded.fit(X, y).predict(X).tolist() == model.predict(X).tolist()


@pytest.mark.parametrize("make", KINDS)
def test_a_weight_of_two_is_the_row_twice(make):
    X, y = load_wine(return_X_y=True)
    X, y = X[:, :3], y
    weight = np.random.default_rng(0).integers(1, 3, len(y))
    one = make(random_state=0, max_depth=1).fit(X, y, sample_weight=weight)
    other = make(random_state=0, max_depth=1).fit(
        np.repeat(X, weight, axis=0), np.repeat(y, weight)
    )
    assert np.mean(one.apply(X) == other.apply(X)) > 0.98
