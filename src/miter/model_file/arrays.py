"""Arrays as texts: the smallest type that holds every number to the last bit, little-endian."""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.model_file.fields import FieldError, check_keys, inside, shown

__all__ = ["plain_array", "plain_matrix", "read_array", "read_matrix"]

#: What numbers are written as, the smallest type first.
TYPES = ("uint8", "int8", "uint16", "int16", "int32", "float64")
#: A matrix has its zeros only in memory: a few kilobytes can stand for any number of them.
MOST_CELLS = 2**27


def plain_array(values: NDArray[Any]) -> dict[str, str]:
    """Return an array as plain values.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.model_file.arrays import plain_array, read_array
    >>> plain_array(np.array([3.0, 4.0, 300.0]))
    {'type': 'uint16', 'base64': 'AwAEACwB'}
    >>> read_array(_, np.float64)
    array([  3.,   4., 300.])
    """
    bits = values.tobytes()
    with np.errstate(invalid="ignore"):
        for name in TYPES:
            small = values.astype(np.dtype(name).newbyteorder("<"))
            if small.astype(values.dtype).tobytes() == bits:
                return {"type": name, "base64": b64encode(small.tobytes()).decode()}
    raise ValueError("an array holds what no type can")


def read_array(value: Any, kind: type[np.generic]) -> NDArray[Any]:
    """Return the array as numbers of a kind, or raise `FieldError`."""
    check_keys(value, {"type", "base64"})
    name, text = value["type"], value["base64"]
    if name not in TYPES or not np.can_cast(name, kind, "safe"):
        raise FieldError(f"{shown(name)} is no type for numbers of this kind", "type")
    if type(text) is not str:
        raise FieldError(f"{shown(text)} is not a text", "base64")
    try:
        array = np.frombuffer(b64decode(text, validate=True), np.dtype(name).newbyteorder("<"))
    except (binascii.Error, ValueError) as error:
        raise FieldError(str(error), "base64") from None
    return array.astype(kind)


def plain_matrix(matrix: NDArray[np.float64]) -> dict[str, Any]:
    """Return a matrix of which most is zero: the other numbers, and how far apart they are.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.model_file.arrays import plain_matrix, read_matrix
    >>> read_matrix(plain_matrix(np.array([[0.0, 0.5], [2.0, 0.0]])), (2, 2))
    array([[0. , 0.5],
           [2. , 0. ]])
    """
    if matrix.size > MOST_CELLS:
        raise ValueError(f"{matrix.size} counts are more than can be loaded again; prune the trees")
    flat = matrix.ravel()
    places = np.flatnonzero(flat)
    return {
        "steps": plain_array(np.diff(places, prepend=0)),
        "values": plain_array(flat[places]),
    }


def read_matrix(value: Any, shape: tuple[int, int]) -> NDArray[np.float64]:
    """Return the matrix of a shape, or raise `FieldError`."""
    check_keys(value, {"steps", "values"})
    n_cells = shape[0] * shape[1]
    if n_cells > MOST_CELLS:
        raise FieldError(f"{shape[0]} nodes x {shape[1]} classes are more than any model has")
    with inside("steps"):
        steps = read_array(value["steps"], np.int32)
    with inside("values"):
        values = read_array(value["values"], np.float64)
    places = np.cumsum(steps, dtype=np.int64)
    if len(steps) != len(values) or (steps < 0).any() or (len(places) and places[-1] >= n_cells):
        raise FieldError("the steps do not fit the values, or lead too far")
    flat = np.zeros(n_cells)
    flat[places] = values
    return flat.reshape(shape)
