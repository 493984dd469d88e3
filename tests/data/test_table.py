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
