import numpy as np
import pytest

from miter.model_file.parameters import plain_parameters, read_parameters
from miter.prune import PRUNINGS, Pruning, ReducedError


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
        {"pruner": 2.0},
        {"pairs": 2.0},
        {},
        ReducedError(0.1),
    ],
    ids=repr,
)
def test_there_and_back(value):
    assert read_parameters(plain_parameters({"p": value}), {"p": None}) == {"p": value}


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
    assert plain_parameters({"p": value}) == {"p": plain}


class Axe(Pruning):
    """A pruner of the user's own."""


@pytest.mark.parametrize(
    "value",
    [object(), Axe(), np.random.RandomState(0), float("nan"), float("inf"), 2**64, {1, 2}, [Axe()]],
    ids=["object", "pruner", "random", "nan", "inf", "huge", "set", "list of pruners"],
)
def test_what_cannot_be_written_is_left_out(value):
    assert plain_parameters({"p": value, "q": 1}) == {"q": 1}


@pytest.mark.parametrize("name", PRUNINGS)
def test_every_pruner_can_be_written(name):
    pruner = PRUNINGS[name]()
    assert read_parameters(plain_parameters({"p": pruner}), {"p": None}) == {"p": pruner}
