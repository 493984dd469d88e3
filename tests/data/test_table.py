import numpy as np
import pytest

from miter.data import Column, Data, Schema, play_tennis
from miter.errors import DataError

SCHEMA = Schema((Column("a", "numeric"), Column("b", "numeric")), ("no", "yes"))


def make(**changes):
    parts = {
        "X": np.array([[1.0, np.nan], [3.0, 4.0], [5.0, np.nan]]),
        "y": np.array([0, 1, 1], np.int32),
        "weight": np.array([1.0, 2.0, 0.5]),
    }
    return Data(SCHEMA, **(parts | changes))


def test_take_keeps_rows_together():
    some = make().take(np.array([2, 1]))
    assert some.X[:, 0].tolist() == [5, 3]
    assert some.y.tolist() == [1, 1]
    assert some.weight.tolist() == [0.5, 2]


def test_counts():
    assert make().class_counts().tolist() == [1, 2.5]
    assert make(weight=None).class_counts().tolist() == [1, 2]
    assert make().missing_counts().tolist() == [0, 2]


def test_weights_of_rows():
    assert make().weight_of().tolist() == [1, 2, 0.5]
    assert make().weight_of(np.array([2, 0])).tolist() == [0.5, 1]
    assert make(weight=None).weight_of(np.array([2, 0])).tolist() == [1, 1]


def test_a_class_without_rows_is_counted_as_zero():
    assert make(y=np.zeros(3, np.int32), weight=None).class_counts().tolist() == [3, 0]


def test_shapes_must_agree():
    with pytest.raises(DataError, match=r"shape \(3, 1\), the schema 2 columns"):
        make(X=np.zeros((3, 1)))
    with pytest.raises(DataError, match="2 labels for 3 rows"):
        make(y=np.zeros(2, np.int32))
    with pytest.raises(DataError, match="1 weights for 3 rows"):
        make(weight=np.ones(1))


def test_rows_without_labels_say_so():
    with pytest.raises(DataError, match="no labels"):
        _ = make(y=None).labels
    assert play_tennis().labels.tolist()[:3] == [1, 1, 0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"y": np.array([0, 2, 1], np.int32)}, "the label of row 1 is 2; give whole codes"),
        ({"y": np.array([0, 1, -1], np.int32)}, "the label of row 2 is -1"),
        ({"y": np.array([0.0, 0.5, 1.0])}, "the label of row 1 is 0.5"),
        ({"y": np.array([0.0, np.nan, 1.0])}, "the label of row 1 is nan"),
        ({"y": np.array([0.0, 1.0, 1.0])}, r"float64; give whole codes, as y.astype\('int32'\)"),
        ({"weight": np.array([1, -2, 1.0])}, "the weight of row 1 is -2.0; give a finite number"),
        ({"weight": np.array([1, 2, np.nan])}, "the weight of row 2 is nan"),
        ({"weight": np.array([np.inf, 2, 1])}, "the weight of row 0 is inf"),
    ],
)
def test_labels_and_weights_are_checked(changes, message):
    with pytest.raises(DataError, match=message):
        make(**changes)


SYMBOLS = Schema((Column("a", "numeric"), Column("s", "symbolic", ("p", "q"))), ("no", "yes"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"X": [[1.0, 0.0]] * 3}, "the matrix is of the type list"),
        ({"X": np.zeros((3, 2), object)}, "the matrix is of the type object"),
        ({"X": np.zeros((3, 2), np.int64)}, "the matrix is of the type int64"),
        ({"X": np.array([[1, 0], [-np.inf, 0], [1, 0]])}, "column 'a' holds -inf in row 1"),
        ({"X": np.array([[1, 0], [2, 2.0], [1, 0]])}, "'s' holds the code 2 in row 1; give posit"),
        ({"X": np.array([[1, 0], [2, 1.0], [1, -1]])}, "'s' holds the code -1 in row 2"),
        ({"X": np.array([[1, np.nan], [2, 0.5], [1, 1]])}, "'s' holds the code 0.5 in row 1"),
        ({"X": np.array([[1, np.nan], [2, np.inf], [1, 1]])}, "'s' holds the code inf in row 1"),
        ({"y": [0, 1, 1]}, "the labels are of the type list; give a NumPy array"),
        ({"y": np.array([[0], [1], [1]])}, r"the labels have the shape \(3, 1\)"),
        ({"weight": [1, 1, 1]}, "the weights are of the type list"),
        ({"weight": np.ones((3, 2))}, r"the weights have the shape \(3, 2\), not \(3,\)"),
        ({"copies": np.array([1, np.nan, 1])}, "the number of copies of row 1 is nan"),
        ({"costs": np.ones((3, 3))}, r"the costs have the shape \(3, 3\), not \(3, 2\)"),
        ({"costs": np.array([[0, 1], [1, 0], [-2, 0]])}, "the cost of row 2 is -2"),
        ({"costs": np.array([[0, 1], [1, np.nan], [2, 0]])}, "the cost of row 1 is nan"),
    ],
)
def test_cells_and_amounts_are_checked(changes, message):
    right = {"X": np.array([[1.0, 0.0], [np.nan, 1.0], [3.0, np.nan]])}
    Data(SYMBOLS, **right)
    with pytest.raises(DataError, match=message):
        Data(SYMBOLS, **(right | changes))


def test_a_table_is_described_in_one_line():
    assert repr(make()) == "<Data: 3 rows, 2 columns, class 'class': 1 no, 2 yes>"
    assert repr(make(y=None)) == "<Data: 3 rows, 2 columns, no classes>"
    many = Schema(
        SCHEMA.columns[:1], tuple(map(str, range(60))), "a\nlong name for the target, is it"
    )
    assert repr(Data(many, np.zeros((1, 1)), np.array([3], np.int32))) == (
        "<Data: 1 row, 1 column, class 'a long name for the t...': "
        "0 0, 0 1, 0 2, 1 3, 0 4, 0 5, and 54 more>"
    )
