"""Class labels: distinct and sorted for training, matched with known classes later."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.columns.where import IN_MEMORY, Where
from miter.data.files.cells import number_text
from miter.data.schema import Label
from miter.errors import DataError

__all__ = [
    "check_classes",
    "encode_labels",
    "is_missing",
    "label_text",
    "match_labels",
    "typed_labels",
]

#: From so many different numbers on, a target may be a quantity.
MANY_FRACTIONS, MANY_WHOLE = 10, 100

# Known by name, because pandas is never imported here.
_MISSING_TYPES = frozenset({"NoneType", "NAType", "NaTType"})


def is_missing(cell: object) -> bool:
    """Whether a cell is None, NaN, or one of the missing values of pandas."""
    if isinstance(cell, (float, np.floating)):
        return bool(cell != cell)
    return type(cell).__name__ in _MISSING_TYPES


def label_text(label: Label) -> str:
    """Write a label as a text file would: 1 for the number 1.0, True for a boolean.

    Examples
    --------
    >>> from miter.data.labels import label_text
    >>> label_text(1.0), label_text(True), label_text("yes")
    ('1', 'True', 'yes')
    """
    if isinstance(label, float):
        return number_text(label)
    return str(label)


def typed_labels(texts: Sequence[str]) -> tuple[Label, ...]:
    """Return the classes of a text file as a frame would have them: whole numbers, booleans, texts.

    Examples
    --------
    >>> from miter.data.labels import typed_labels
    >>> typed_labels(["0", "1"]), typed_labels(["False", "True"]), typed_labels(["01", "2"])
    ((0, 1), (False, True), ('01', '2'))
    """
    if texts and {*texts} <= {"False", "True"}:
        return tuple(text == "True" for text in texts)
    if texts and all(_is_whole_text(text) for text in texts):
        return tuple(map(int, texts))
    return tuple(texts)


def _is_whole_text(text: str) -> bool:
    """Whether a whole number is written as Python would write it, and is exact as a float."""
    digits = text.removeprefix("-")
    is_plain = digits.isascii() and digits.isdigit() and len(digits) <= 15
    return is_plain and str(int(text)) == text


def check_classes(target: str, classes: Sequence[Label], n_rows: int) -> None:
    """Refuse a target that is a quantity: fractions, or whole numbers that hardly come back.

    Examples
    --------
    >>> from miter.data.labels import check_classes
    >>> check_classes(
    ...     "price", [n + 0.5 for n in range(50)], 60
    ... )  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    miter.errors.DataError: Unknown label type: continuous. 'price' holds 50 different numbers ...
    """
    try:
        numbers = [float(label) for label in classes if not isinstance(label, bool)]
    except ValueError:
        return
    n_classes = len(numbers)
    is_whole = all(number.is_integer() for number in numbers)
    if n_classes <= MANY_FRACTIONS or (is_whole and n_classes <= max(MANY_WHOLE, n_rows / 2)):
        return
    raise DataError(
        f"Unknown label type: continuous. {target!r} holds {n_classes:,} different numbers in "
        f"{n_rows:,} rows, such as {label_text(classes[0])}: a quantity, and Miter learns classes; "
        "make bands of it, as pandas.qcut(y, 4) does, or name another target"
    )


def encode_labels(y: Any, where: Where = IN_MEMORY) -> tuple[tuple[Label, ...], NDArray[np.int32]]:
    """Return the classes, sorted, and the class code of each row.

    Parameters
    ----------
    y : sequence of labels
        A list, array or series of texts, whole numbers, booleans or floats.
    where : Where
        Says where a row is.

    Returns
    -------
    classes : tuple of label
        The distinct labels as plain Python values.
    codes : ndarray of shape (n_rows,), int32
        Positions in `classes`.

    Examples
    --------
    >>> from miter.data.labels import encode_labels
    >>> encode_labels(["no", "yes", "no"])
    (('no', 'yes'), array([0, 1, 0], dtype=int32))
    """
    labels = _as_array(y)
    _check_present(labels, where)
    if labels.dtype.kind in "biuf":
        distinct, codes = np.unique(labels, return_inverse=True)
        return tuple(distinct.tolist()), codes.astype(np.int32)
    cells = labels.tolist()
    _check_types(cells)
    cells = [cell.item() if isinstance(cell, np.generic) else cell for cell in cells]
    classes = tuple(sorted(set(cells)))
    position = {label: code for code, label in enumerate(classes)}
    return classes, np.fromiter(map(position.__getitem__, cells), np.int32, len(cells))


def match_labels(
    y: Any, classes: Sequence[Label], where: Where = IN_MEMORY
) -> NDArray[np.int32] | None:
    """Return the codes of labels under known classes; None if every label is missing.

    Labels are matched as text, so that the class 1 of a frame is the '1' of a text file.

    Examples
    --------
    >>> from miter.data.labels import match_labels
    >>> match_labels([2, 1], ("1", "2"))
    array([1, 0], dtype=int32)
    """
    labels = _as_array(y).tolist()
    if all(map(is_missing, labels)):
        return None
    known = {label_text(label): code for code, label in enumerate(classes)}
    codes = np.fromiter(
        (-1 if is_missing(label) else known.get(label_text(label), -1) for label in labels),
        np.int32,
        len(labels),
    )
    if (codes < 0).any():
        row = int((codes < 0).argmax())
        shown = "missing" if is_missing(labels[row]) else repr(labels[row])
        raise DataError(
            f"the label of {where.say(row)} is {shown}; the classes are "
            f"{', '.join(map(repr, classes))}; mend the label, or leave the row out"
        )
    return codes


def _as_array(y: Any) -> NDArray[Any]:
    if isinstance(y, str):
        raise DataError(f"y is the text {y!r}; give the labels themselves, one for each row")
    labels = y if isinstance(y, np.ndarray) else _from_sequence(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise DataError(f"y has the shape {labels.shape}; give one label for each row")
    return labels


def _from_sequence(y: Any) -> NDArray[Any]:
    if hasattr(y, "to_pylist"):  # Arrow, whose own conversion loses the nulls of dictionaries
        y = y.to_pylist()
    labels = np.asarray(y)
    if labels.dtype.kind in "US":
        # NumPy writes numbers among texts as texts; objects keep what they were.
        labels = np.asarray(y, dtype=object)
    return labels


def _check_present(labels: NDArray[Any], where: Where) -> None:
    if labels.dtype.kind == "f":
        missing = np.isnan(labels)
    elif labels.dtype.kind == "O":
        missing = np.fromiter(map(is_missing, labels), bool, len(labels))
    else:
        return
    if missing.any():
        raise DataError(
            f"the label of {where.say(int(missing.argmax()))} is missing; "
            "leave the row out, or give it a label"
        )


def _check_types(cells: list[Any]) -> None:
    # One cell of each type stands for all of that type.
    examples = {type(cell): cell for cell in cells}
    groups = {_group(cell) for cell in examples.values()}
    if len(groups) > 1:
        raise DataError(f"the labels mix {' and '.join(sorted(groups))}; make them all of one type")


def _group(cell: object) -> str:
    if isinstance(cell, str):
        return "texts"
    if isinstance(cell, (bool, np.bool_)):
        return "booleans"
    if isinstance(cell, (int, float, np.integer, np.floating)):
        return "numbers"
    what = "dates" if isinstance(cell, (date, timedelta)) else f"{type(cell).__name__} objects"
    raise DataError(
        f"the labels are {what}, such as {cell!r}; turn them into texts or whole numbers"
    )
