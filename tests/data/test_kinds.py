import pytest

from miter.data.kinds import Wish, check_kinds
from miter.errors import DataError


def test_names_positions_and_lists():
    names = ["x0", "x1", "x2"]
    wishes = check_kinds({0: "ignored", "x1": ["a", "b"]}, names, by_position=True)
    assert wishes == {"x0": Wish("ignored"), "x1": Wish("ordered", ("a", "b"))}
    assert check_kinds(None, names) == {}


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        ({"ago": "numeric"}, "unknown column 'ago'; did you mean 'age'?"),
        ({"age": "symbol"}, "column 'age' cannot be of the kind 'symbol'; did you mean 'symbolic'"),
        ({"age": 3}, "the kind of column 'age' is 3; give one of numeric"),
        ({"age": [1, 2]}, r"the kind of column 'age' is \[1, 2\]"),
        ({0: "numeric"}, "unknown column 0"),
    ],
)
def test_mistakes_by_name(kinds, message):
    with pytest.raises(DataError, match=message):
        check_kinds(kinds, ["age", "zip"])


@pytest.mark.parametrize("position", [2, -1])
def test_a_position_outside(position):
    with pytest.raises(DataError, match=f"column {position}, but the columns are 0 to 1"):
        check_kinds({position: "numeric"}, ["x0", "x1"], by_position=True)
