from dataclasses import replace

import numpy as np
import pytest
from sklearn.ensemble import BaggingClassifier
from sklearn.tree import DecisionTreeClassifier

from miter import Pessimistic, TreeClassifier, UnivariateTreeClassifier, id3
from miter.data import Data, monks, play_tennis
from miter.lab.experiments.fingerprint import (
    describe_estimator,
    differences,
    fingerprint,
    hash_data,
)
from miter.prune import CrossValidated
from miter.splitters import UnivariateSplitter


def test_hash_depends_on_everything_that_learners_see():
    data = play_tennis()
    changed_cell = data.X.copy()
    changed_cell[3, 1] = np.nan
    others = [
        replace(data, X=changed_cell),
        replace(data, y=data.labels[::-1].copy()),
        replace(data, weight=np.ones(14)),
        replace(data, schema=replace(data.schema, classes=("No", "Yes?"))),
        data.take(np.arange(13)),
        monks(1),
    ]
    assert len({hash_data(other) for other in [data, *others]}) == 7


def test_hash_does_not_depend_on_how_the_same_values_are_stored():
    data = play_tennis()
    X = data.X.copy()
    X[0, 0], X[1, 1] = np.nan, 0.0
    same = X.copy()
    same[0, 0], same[1, 1] = -np.nan, -0.0
    stored = Data(data.schema, np.asfortranarray(same).astype(np.float32), data.y)
    assert hash_data(stored) == hash_data(replace(data, X=X))


def test_only_what_differs_from_the_defaults_is_described():
    assert describe_estimator(UnivariateTreeClassifier())["parameters"] == {}
    assert describe_estimator(id3()) == describe_estimator(
        UnivariateTreeClassifier(
            "gain",
            symbolic="values",
            missing="node",
            pruning=None,
            min_samples_leaf=1,
            smoothing=0.0,
        )
    )
    machine = DecisionTreeClassifier(max_depth=np.int64(3)), BaggingClassifier(n_jobs=2, verbose=1)
    assert [describe_estimator(one)["parameters"] for one in machine] == [{"max_depth": 3}, {}]


def test_nested_parts_are_described_too():
    nested = BaggingClassifier(DecisionTreeClassifier(max_depth=3))
    described = describe_estimator(nested)["parameters"]["estimator"]
    assert described["parameters"] == {"max_depth": 3}
    tree = TreeClassifier(UnivariateSplitter("gini"), pruning=Pessimistic(), significance=np.nan)
    first, second = (describe_estimator(one) for one in (tree, TreeClassifier(object())))
    assert "gini" in str(first)
    assert "0x" not in str(second)


def test_no_description_tells_where_a_class_is_written():
    tree = TreeClassifier(UnivariateSplitter(), pruning=CrossValidated())
    described = describe_estimator(BaggingClassifier(tree))
    assert described["class"] == "sklearn.ensemble.BaggingClassifier"
    described = described["parameters"]["estimator"]
    assert described["class"] == "miter.TreeClassifier"
    assert described["parameters"]["pruning"]["class"] == "miter.CrossValidated"
    assert described["parameters"]["splitter"]["class"] == "miter.splitters.UnivariateSplitter"
    assert describe_estimator(UnivariateTreeClassifier(class_weight=Data))["parameters"] == {
        "class_weight": "miter.Data"
    }

    class Own(DecisionTreeClassifier):
        pass

    assert describe_estimator(Own())["class"] == f"{__name__}.{Own.__qualname__}"


def test_another_class_is_another_experiment():
    there, here, moved = (
        {"learners": [{"name": "a", "class": name, "parameters": {}}]}
        for name in ("miter.prune.Own", "miter.prune.Other", "miter.Own")
    )
    assert differences(there, here) == [
        "learner 'a' has the class 'miter.Own' there and 'miter.Other' here"
    ]
    assert differences(there, moved) == []
    users = ({"learners": [{"name": "a", "class": name}]} for name in ("own.a.Tree", "own.b.Tree"))
    assert differences(*users) != []


def test_differences():
    there = {
        "seed": 1,
        "sets": [{"name": "a", "hash": "1"}, {"name": "b", "hash": "2"}],
        "learners": [{"name": "x", "class": "T", "parameters": {"d": 1}}],
    }
    here = {
        "seed": 2,
        "sets": [{"name": "a", "hash": "9"}, {"name": "c", "hash": "2"}],
        "learners": [{"name": "x", "class": "T", "parameters": {}}],
    }
    assert differences(there, there) == []
    assert differences(there, here) == [
        "learner 'x' has the parameters {'d': 1} there and {} here",
        "seed is 1 there and 2 here",
        "set 'b' is only there",
        "set 'c' is only here",
        "set 'a' has other rows or columns there",
    ]
    turned = there | {"sets": there["sets"][::-1]}
    assert differences(there, turned) == ["the sets come in another order"]
    assert fingerprint(there) != fingerprint(turned)


@pytest.mark.parametrize("value", [float("inf"), {1: 2}, (1, 2), UnivariateSplitter, None])
def test_any_parameter_can_be_written(value):
    estimator = UnivariateTreeClassifier(class_weight=value)
    fingerprint(describe_estimator(estimator))


def test_differences_of_costs():
    plain, costly, dear = (
        {"sets": [{"name": "a", "hash": "1", **costs}]}
        for costs in ({}, {"costs": [[0, 1], [5, 0]]}, {"costs": [[0, 1], [9, 0]]})
    )
    assert differences(plain, costly) == ["set 'a' has no costs there"]
    assert differences(costly, plain) == ["set 'a' has other costs there"]
    assert differences(costly, dear) == ["set 'a' has other costs there"]
