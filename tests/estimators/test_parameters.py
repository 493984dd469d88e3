"""Parameters are declared and documented once, and every learner has them all."""

import inspect

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
