"""Parameters are declared and documented once, and every learner has them all."""

import inspect

import numpy as np
import pytest
from sklearn.base import clone

from miter.estimators.parameters import describe_parameters, estimator
from miter.registry import LEARNERS, make_learner


@pytest.mark.parametrize("name", LEARNERS)
def test_every_parameter_is_described(name):
    kind = type(make_learner(name))
    assert describe_parameters(kind).keys() == set(inspect.signature(kind).parameters)


@pytest.mark.parametrize("name", LEARNERS)
def test_a_clone_has_the_same_parameters(name):
    model = make_learner(name)
    assert repr(clone(model)) == repr(model)


SMALL = np.arange(16.0).reshape(8, 2), np.arange(8) % 2
AMISS = {
    "attribute_costs": ("univariate", ["x", 1, [1, 2], np.array([1, 2]), {"x0": "much"}]),
    "categorical_features": ("univariate", ["x", None, 1, 1.5, [[0]], [1.5], {0: "x"}]),
    "class_weight": ("univariate", ["x", 1, np.array([1, 2]), {0: "x"}, {0: None}, {0: -1}]),
    "costs": ("univariate", [10**400, [[0, 10**400], [1, 0]], object()]),
    "kinds": ("univariate", ["x", 1, ["x"], np.array([1, 2])]),
    "random_state": ("univariate", ["x", -1, 1.5, [], 10**400]),
    "verbose": ("univariate", ["x", -1, 1.5, None, [], np.array([1, 2])]),
    "smoothing": ("univariate", [10**400, "inf", None, []]),
    "pruning": ("univariate", [[], 1, np.array([1, 2])]),
    "significance": ("univariate", ["x", [], 10**400]),
    "min_samples_leaf": ("univariate", [10**400, "x", None, [], 0]),
    "max_depth": ("univariate", [2**31, 10**400, 1.5, "x", -1]),
    "max_features": ("linear_machine", [2**31, 0, "x", 1.5]),
    "anneal": ("linear_machine", [1, "x", np.array([1, 2]), None]),
    "learning_rate": ("perceptron", [10**400, "x", []]),
    "l2": ("linear_combination", [10**400, "x", [], -1]),
    "hidden": ("network", [2**31, 1.5, "x", 0]),
    "whole_numbers": ("readable", [1, "x", np.array([1, 2])]),
    "conditions": ("readable", [1, "x", np.array([1, 2])]),
    "bootstrap": ("bagging", ["x", 1, None, np.array([1, 2])]),
    "oob_score": ("bagging", ["x", 1, None, np.array([1, 2])]),
    "n_estimators": ("bagging", [2**31, 0, "x", 1.5]),
}


@pytest.mark.parametrize(
    ("name", "learner", "value"),
    [(name, learner, value) for name, (learner, values) in AMISS.items() for value in values],
)
def test_a_wrong_value_is_refused_by_the_name_of_its_parameter(name, learner, value):
    with pytest.raises(ValueError, match=f"{name}|cost matrix|the cost of") as refused:
        make_learner(learner, {name: value}).fit(*SMALL)
    assert len(str(refused.value)) < 300


def test_what_a_base_says_is_added_once():
    @estimator
    class Wood:
        """A wood.

        Parameters
        ----------
        age, height : int
            In years, and in feet.
        """

        age: int = 10
        height: int = 30

    @estimator
    class Oak(Wood):
        """An oak.

        Parameters
        ----------
        acorns : int
            How many.

        Notes
        -----
        Hard.
        """

        acorns: int = 5
        age: int = 100

    assert Oak.__doc__.splitlines() == [
        "An oak.",
        "",
        "Parameters",
        "----------",
        "acorns : int",
        "    How many.",
        "age, height : int",
        "    In years, and in feet.",
        "",
        "Notes",
        "-----",
        "Hard.",
    ]
    assert describe_parameters(Oak)["age"] == ("int", "In years, and in feet.")
    assert (Oak().age, Wood().age) == (100, 10)
