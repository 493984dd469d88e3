import json

import numpy as np
import pytest

from miter import BaggedTreesClassifier, TreeClassifier, UnivariateTreeClassifier
from miter.model_file.parameters import plain_learner, read_learner
from miter.prune import PRUNINGS, Pruning, ReducedError
from miter.splitters import SPLITTERS


def written(value):
    """Return what is written of a parameter, whatever it is for; None: it is left out."""
    return plain_learner(TreeClassifier(class_weight=value))["parameters"].get("class_weight")


def there_and_back(value):
    plain = json.loads(json.dumps(plain_learner(TreeClassifier(class_weight=value))))
    return read_learner(plain).class_weight


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        3,
        0.25,
        1e300,
        "gain",
        [0, 2],
        ["a", True],
        {"a": 2.0},
        {0: 1.0, 1: 2.0},
        {True: 1.0, False: 2.0},
        {"pruning": 2.0},
        {"learner": 2.0},
        {"pairs": 2.0},
        {},
        ReducedError(0.1),
    ],
    ids=repr,
)
def test_there_and_back(value):
    assert there_and_back(value) == value


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (np.int64(3), 3),
        (np.float32(0.5), 0.5),
        (np.bool_(True), True),
        (np.array([1, 2]), [1, 2]),
        ((0.5, "a"), [0.5, "a"]),
        ({np.int64(1): np.float64(2)}, {"pairs": [[1, 2.0]]}),
    ],
)
def test_numpy_values_become_plain(value, plain):
    assert written(value) == plain


class Axe(Pruning):
    """A pruner of the user's own."""


@pytest.mark.parametrize(
    "value",
    [object(), Axe(), np.random.RandomState(0), float("nan"), float("inf"), 2**64, {1, 2}, [Axe()]],
    ids=["object", "pruner", "random", "nan", "inf", "huge", "set", "list of pruners"],
)
def test_what_cannot_be_written_is_left_out(value):
    assert "class_weight" not in plain_learner(TreeClassifier(class_weight=value))["parameters"]


@pytest.mark.parametrize("kind", [*PRUNINGS.values(), *SPLITTERS.values()])
def test_every_pruning_and_splitter_can_be_written(kind):
    assert there_and_back(kind()) == kind()


def test_estimator_in_an_estimator():
    inner = UnivariateTreeClassifier("gini", pruning=ReducedError(0.2), max_depth=3, n_threads=1)
    plain = plain_learner(BaggedTreesClassifier(inner, n_estimators=7, voting="average"))
    assert plain["parameters"]["estimator"]["learner"] == "UnivariateTreeClassifier"
    model = read_learner(json.loads(json.dumps(plain)))
    assert (model.n_estimators, model.voting) == (7, "average")
    assert model.estimator.get_params() == inner.set_params(n_threads=None).get_params()


def test_costs_are_written_as_what_they_came_to():
    inner = UnivariateTreeClassifier(costs="some.costs")
    plain = plain_learner(BaggedTreesClassifier(inner), [[0.0, 1.0], [5.0, 0.0]])
    assert plain["parameters"]["estimator"]["parameters"]["costs"] == [[0.0, 1.0], [5.0, 0.0]]


def test_parameters_of_the_users_own_class_are_left_out():
    class MyTree(UnivariateTreeClassifier):
        def __init__(self, criterion="gini", *, shade=0.5):
            super().__init__(criterion)
            self.shade = shade

    plain = plain_learner(MyTree())
    assert plain["learner"] == "UnivariateTreeClassifier"
    assert read_learner(plain).get_params() == UnivariateTreeClassifier("gini").get_params()


def test_what_is_no_learner():
    with pytest.raises(TypeError, match="a dict is none of Miter's learners"):
        plain_learner({})
