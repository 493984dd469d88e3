import base64

import numpy as np
import pytest

from miter.model_file import arrays
from miter.model_file.arrays import plain_array, plain_matrix, read_array, read_matrix
from miter.model_file.fields import FieldError


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (np.array([0, 255]), "uint8"),
        (np.array([-1, 127]), "int8"),
        (np.array([256]), "uint16"),
        (np.array([-200]), "int16"),
        (np.array([2**31 - 1, -(2**31)]), "int32"),
        (np.array([3.0, 4.0]), "uint8"),
        (np.array([0.5]), "float64"),
        (np.array([-0.0]), "float64"),
        (np.array([1e300, 5e-324, 2.0**40]), "float64"),
        (np.array([], np.int32), "uint8"),
    ],
    ids=str,
)
def test_smallest_type_that_holds_every_bit(values, kind):
    plain = plain_array(values)
    assert plain["type"] == kind
    back = read_array(plain, np.float64 if values.dtype.kind == "f" else np.int32)
    assert back.astype(values.dtype).tobytes() == values.tobytes()


def test_what_no_type_holds():
    with pytest.raises(ValueError, match="no type"):
        plain_array(np.array([2**40 + 1, 2**63 - 1]))


def text(content):
    return base64.b64encode(content).decode()


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ([], "stands where an object"),
        ({"type": "uint8"}, "the field 'base64' is missing"),
        ({"type": "float64", "base64": ""}, "type: 'float64' is no type"),
        ({"type": "int64", "base64": ""}, "type: 'int64' is no type"),
        ({"type": "object", "base64": ""}, "type: 'object' is no type"),
        ({"type": ["uint8"], "base64": ""}, "type: ['uint8'] is no type"),
        ({"type": "uint8", "base64": 3}, "base64: 3 is not a text"),
        ({"type": "uint8", "base64": "AA=A"}, "base64: "),
        ({"type": "uint8", "base64": "Ä"}, "base64: "),
        ({"type": "uint8", "base64": "A A="}, "base64: "),
        ({"type": "int16", "base64": text(b"abc")}, "base64: "),
    ],
    ids=str,
)
def test_what_is_no_array(value, sentence):
    with pytest.raises(FieldError) as caught:
        read_array(value, np.int32)
    assert sentence in str(caught.value)


def test_matrix():
    matrix = np.random.default_rng(0).integers(0, 3, (40, 9)) / 4
    assert read_matrix(plain_matrix(matrix), matrix.shape).tobytes() == matrix.tobytes()
    assert read_matrix(plain_matrix(np.zeros((2, 3))), (2, 3)).tolist() == [[0.0] * 3] * 2


@pytest.mark.parametrize(
    "change",
    [
        {"steps": plain_array(np.array([0, 1, 9]))},
        {"steps": plain_array(np.array([0, 1]))},
        {"steps": plain_array(np.array([1, -1, 0]))},
        {"steps": plain_array(np.array([2**31 - 1] * 3))},
        {"values": plain_array(np.array([1.0]))},
        {"steps": None},
        {"more": 1},
    ],
    ids=str,
)
def test_what_is_no_matrix(change):
    with pytest.raises(FieldError):
        read_matrix(plain_matrix(np.array([[1.0, 2.0, 3.0]])) | change, (1, 3))


def test_matrix_of_nothing_but_zeros_is_no_way_to_fill_the_memory(monkeypatch):
    nothing = plain_matrix(np.zeros((1, 1)))
    with pytest.raises(FieldError, match="more than any model has"):
        read_matrix(nothing, (2**31, 2**20))
    monkeypatch.setattr(arrays, "MOST_CELLS", 5)
    with pytest.raises(ValueError, match="more than can be loaded again"):
        plain_matrix(np.zeros((2, 3)))
