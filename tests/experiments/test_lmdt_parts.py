"""What the tables of experiments/lmdt.py rest on: folds, encodings, keys, peers."""

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris

from miter import lmdt91
from miter.data import Column, Data, Schema, led

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def part(monkeypatch):
    """Return a function from the name of a part to its module."""
    monkeypatch.syspath_prepend(PROJECT / "experiments")
    return lambda name: import_module(f"lmdt_parts.{name}")


def test_halves_test_every_row_once_a_repetition(part):
    data = led(101, seed=0)
    found = list(part("halves").halves(data, 2))
    assert [place[:2] for place in found] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    for _, _, train, test in found:
        assert sorted([*train, *test]) == list(range(101))
    assert sorted([*found[0][3], *found[1][3]]) == list(range(101))


def test_a_comparison_needs_all_halvings(part):
    halves = part("halves")
    better = {"set": [[{"accuracy": 0.9}, {"accuracy": 0.91}]] * 5}
    worse = {"set": [[{"accuracy": 0.8}, {"accuracy": 0.8}]] * 5}
    assert halves.compare(better, worse, "set").winner() == 1
    assert halves.compare(better, {"set": worse["set"][:3]}, "set") is None
    assert halves.mean_of(better, "set", "accuracy") == pytest.approx(0.905)


def test_numbers_for_peers(part):
    columns = (Column("size", "numeric"), Column("colour", "symbolic", ("red", "blue")))
    X = np.array([[1.0, 0.0], [3.0, 1.0], [np.nan, np.nan], [5.0, 1.0]])
    encoded = part("learners").as_numbers(Schema(columns)).fit_transform(X)
    assert encoded[:, :2].tolist() == [[1, 0], [0, 1], [0, 1], [0, 1]]  # the mode fills the gap
    assert encoded[2, 2] == 0  # the mean
    assert encoded[:, 2].std() == pytest.approx(1)


def test_a_key_tells_settings_apart(part):
    learner = part("learners").Learner
    keys = [
        learner("lmdt91", lambda seed, a=a: lmdt91(random_state=seed, a=a)).identity()
        for a in (0.995, 0.995, 0.99)
    ]
    assert keys[0] == keys[1] != keys[2]


def test_pruned_cart_is_small(part):
    X, y = load_iris(return_X_y=True)
    model = part("cart").PrunedCart(random_state=0).fit(X, y)
    assert model.tree_.n_leaves <= 6
    assert np.mean(model.predict(X) == y) > 0.95


def test_arff_has_no_names_to_quote(part):
    columns = (Column("a b", "numeric"), Column("c", "symbolic", ("it's", "x,y")))
    data = Data(Schema(columns, ("p q", "r")), np.array([[1.5, 1], [np.nan, np.nan]]), np.arange(2))
    assert part("weka").as_arff(data).splitlines()[1:] == [
        "@attribute a0 numeric",
        "@attribute a1 {v0,v1}",
        "@attribute class {c0,c1}",
        "@data",
        "1.5,v1,c0",
        "?,?,c1",
    ]


def test_figures_from_what_weka_prints(part):
    printed = (
        "Number of Leaves  : \t4\n\nSize of the Tree : \t7\n"
        "Correctly Classified Instances          30               75      %\n"
        "Total Number of Instances               40     \n"
    )
    assert part("weka").parse(printed) == {"accuracy": 0.75, "decisions": 3.0}
