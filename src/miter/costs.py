"""What each mistake costs: the matrix of `.costs` files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from miter.data.labels import label_text
from miter.data.lines import read_lines
from miter.data.schema import Label
from miter.data.tokens import COST, split_words
from miter.errors import DataError, did_you_mean

__all__ = ["read_costs"]


def read_costs(path: str | PathLike[str], classes: Sequence[Label]) -> NDArray[np.float64]:
    r"""Read a cost matrix.

    Each line says what it costs to predict one class where another is true, as
    ``good, bad: 5``; a bar opens a comment. What no line mentions costs nothing.

    Parameters
    ----------
    path : str or path
        The file, gzipped if its name ends with .gz.
    classes : sequence of label
        The classes, in the order of rows and columns.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        Cost of predicting the class of the row where that of the column is true.

    Raises
    ------
    DataError
        With the file and the line, when a line cannot be understood or a cost makes no sense.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from miter.costs import read_costs
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "credit.costs")
    ...     _ = path.write_text("good, bad: 5 | a bad customer is called good\nbad, good: 1\n")
    ...     read_costs(path, ("good", "bad"))
    array([[0., 5.],
           [1., 0.]])
    """
    position = {label_text(label): code for code, label in enumerate(classes)}
    costs = np.zeros((len(classes), len(classes)))
    lines: dict[tuple[int, int], int] = {}
    for number, line in enumerate(read_lines(Path(path)), 1):
        place = f"{path}, line {number}"
        words = list(split_words(line, COST, place))
        if not words:
            continue
        predicted, actual, cost = _parse(words, position, place)
        if (predicted, actual) in lines:
            raise DataError(
                f"{place}: the cost of {words[0][0]!r} for {words[1][0]!r} is given before, in "
                f"line {lines[predicted, actual]}; take one of the lines out"
            )
        lines[predicted, actual] = number
        costs[predicted, actual] = cost
    return costs


def _parse(
    words: list[tuple[str, str]], position: dict[str, int], place: str
) -> tuple[int, int, float]:
    delimiters = [delimiter for _, delimiter in words]
    if delimiters[:2] != [",", ":"] or len(words) != 3 or delimiters[2] not in {"", "."}:
        raise DataError(f"{place}: not of the form 'predicted, actual: cost'; write it so")
    (predicted, _), (actual, _), (text, _) = words
    for name in (predicted, actual):
        if name not in position:
            raise DataError(f"{place}: there is no class {name!r}; {did_you_mean(name, position)}")
    cost = _parse_cost(text, place)
    if predicted == actual and cost != 0:
        raise DataError(
            f"{place}: predicting {predicted!r} where it is true is no mistake, but costs {text}; "
            "give 0, or take the line out"
        )
    return position[predicted], position[actual], cost


def _parse_cost(text: str, place: str) -> float:
    try:
        cost = float(text)
    except ValueError:
        cost = math.nan
    if not (math.isfinite(cost) and cost >= 0):
        raise DataError(f"{place}: the cost is {text!r}; give a number, 0 or more")
    return cost
