"""The estimators of trees with linear combinations."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from miter import LinearCombinationTreeClassifier, cart_lc, export_text, load, save
from miter.data import monks


# check_array_api_input skips itself unless SciPy's array API mode is on; nothing here uses it.
@pytest.mark.filterwarnings("ignore:Skipping check check_array_api_input")
@parametrize_with_checks([LinearCombinationTreeClassifier(), cart_lc()])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def test_the_settings_of_the_paper():
    model = cart_lc()
    assert (model.criterion, model.l2, model.missing) == ("gain", None, "training")
    assert (model.pruning, model.min_samples_split) == (None, 0.05)
    assert cart_lc("gini", pruning="pessimistic").get_params()["pruning"] == "pessimistic"


@pytest.mark.parametrize(
    ("read", "model", "least"),
    [
        (load_wine, LinearCombinationTreeClassifier(), 0.93),
        (load_wine, cart_lc(), 0.86),
        (load_breast_cancer, LinearCombinationTreeClassifier(), 0.94),
        (load_breast_cancer, cart_lc(), 0.91),
    ],
)
def test_it_predicts(read, model, least):
    assert cross_val_score(model, *read(return_X_y=True), cv=5).mean() > least


def mixed_frame(n_rows=300, seed=0):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "income": random.normal(3000, 500, n_rows),
            "rent": random.normal(1000, 300, n_rows),
            "town": random.choice(["north", "south", "west"], n_rows),
        }
    )
    y = np.where(frame.income - 2 * frame.rent + 300 * (frame.town == "west") > 1100, "yes", "no")
    frame.loc[random.random(n_rows) < 0.05, "rent"] = np.nan
    return frame, y


def test_a_frame_said_aloud_saved_and_loaded(tmp_path):
    X, y = mixed_frame()
    model = cart_lc().fit(X, y)
    assert model.score(X, y) > 0.9
    text = export_text(model)
    assert " income " in text
    assert " rent " in text
    save(model, tmp_path / "model.json")
    for other in (load(tmp_path / "model.json"), pickle.loads(pickle.dumps(model))):
        assert np.array_equal(other.predict_proba(X), model.predict_proba(X))


def test_a_weight_counts_rows():
    X, y = load_wine(return_X_y=True)
    weight = np.random.default_rng(0).integers(1, 4, len(y))
    one = cart_lc().fit(X, y, sample_weight=weight)
    other = cart_lc().fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    assert np.mean(one.predict(X) == other.predict(X)) > 0.98
    assert np.allclose(one.tree_.counts[0], other.tree_.counts[0])


def test_dear_mistakes_are_avoided():
    X, y = load_breast_cancer(return_X_y=True)
    dear = [[0, 20], [1, 0]]  # predicted malignant: cheap; predicted benign though malignant: dear
    costly = LinearCombinationTreeClassifier(costs=np.transpose(dear)).fit(X[::2], y[::2])
    plain = LinearCombinationTreeClassifier().fit(X[::2], y[::2])
    test = X[1::2][y[1::2] == 0]
    assert (costly.predict(test) == 0).mean() >= (plain.predict(test) == 0).mean()
    assert (costly.predict(X) == 0).mean() > (plain.predict(X) == 0).mean()


def test_half_of_the_monks_tell_the_other_half():
    # Yildiz and Alpaydin, Table 2: CART has 91.2 +- 6.9 on these 432 rows.
    data = monks(1)
    order = np.random.default_rng(0).permutation(data.n_rows)
    train, test = data.take(order[:216]), data.take(order[216:])
    tree = cart_lc().fit(train).tree_
    assert np.mean(tree.predict(test.X) == test.labels) > 0.912 - 0.069
