"""What each mistake costs: the cost matrix, as users give it.

Draper, Brodley and Utgoff 1993, *Goal-directed classification using linear machine decision trees*,
section 3: a misclassification cost function says what it costs to predict p where t is true.

A matrix has predicted classes as rows and true ones as columns.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from miter.checks import is_number, said
from miter.data.files.lines import read_lines
from miter.data.files.tokens import COST, split_words
from miter.data.labels import label_text
from miter.data.schema import Label
from miter.errors import DataError, did_you_mean

__all__ = [
    "ROUNDING",
    "Costs",
    "Focus",
    "cost_matrix",
    "cost_of_predictions",
    "first_of_largest",
    "focus",
    "least_cost",
    "read_costs",
]

#: What differs by no more than this part of itself is equal, but for rounding.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Focus:
    """Costs that draw attention to one class; `focus` makes it.

    Parameters
    ----------
    of : label
        The class.
    ratio : float
        What it costs to miss a row of the class, where a false alarm costs 1.
    others : float
        What it costs to take one of the other classes for another.
    """

    of: Label
    ratio: float = 1.0
    others: float = 0.1


#: What an estimator takes as `costs`.
Costs = Focus | ArrayLike | Mapping[Any, Mapping[Any, float]] | str | PathLike[str]


def focus(of: Label, ratio: float = 1.0, others: float = 0.1) -> Focus:
    """Return costs that draw attention to one class (1993, section 4).

    Parameters
    ----------
    of : label
        The class.
    ratio : float
        What it costs to miss a row of the class, where a false alarm costs 1.
    others : float
        What it costs to take one of the other classes for another.

    Examples
    --------
    >>> from miter.data.costs import cost_matrix, focus
    >>> cost_matrix(focus("road", ratio=5), ("grass", "road", "sky"))
    array([[0. , 5. , 0.1],
           [1. , 0. , 1. ],
           [0.1, 5. , 0. ]])
    """
    for name, value in (("ratio", ratio), ("others", others)):
        if not (is_number(value) and math.isfinite(value) and value >= 0):
            raise ValueError(f"{name} is {said(value)}; give a number, 0 or more")
    return Focus(of, float(ratio), float(others))


def cost_matrix(costs: Any, classes: Sequence[Label]) -> NDArray[np.float64]:
    """Return the matrix of what a user gave, with rows and columns in the order of the classes.

    Parameters
    ----------
    costs : array, mapping, DataFrame, str, path or Focus
        An array in the order of `classes`; ``{predicted: {true: cost}}``, in which what is not
        mentioned costs nothing; a frame with predicted classes as its index and true ones as its
        columns; the name of a `.costs` file; or what `focus` returns.
    classes : sequence of label
        The classes.

    Raises
    ------
    DataError
        When a class is unknown, or a cost makes no sense.

    Examples
    --------
    >>> from miter.data.costs import cost_matrix
    >>> cost_matrix({"good": {"bad": 5}, "bad": {"good": 1}}, ("good", "bad"))
    array([[0., 5.],
           [1., 0.]])
    """
    if isinstance(costs, str | PathLike):
        matrix = read_costs(costs, classes)
    elif isinstance(costs, Focus):
        matrix = _of_focus(costs, classes)
    elif hasattr(costs, "columns") and hasattr(costs, "index"):
        matrix = _of_frame(costs, classes)
    elif isinstance(costs, Mapping):
        matrix = _of_mapping(costs, classes)
    else:
        matrix = _of_array(costs, classes)
    _check(matrix, classes)
    return matrix


def _of_focus(costs: Focus, classes: Sequence[Label]) -> NDArray[np.float64]:
    own = _position(costs.of, classes)
    matrix = np.full((len(classes), len(classes)), costs.others)
    matrix[own] = 1.0
    matrix[:, own] = costs.ratio
    np.fill_diagonal(matrix, 0.0)
    return matrix


def _of_mapping(costs: Mapping[Any, Any], classes: Sequence[Label]) -> NDArray[np.float64]:
    matrix = np.zeros((len(classes), len(classes)))
    for predicted, row in costs.items():
        if not isinstance(row, Mapping):
            raise DataError(
                f"the costs of predicting {predicted!r} are {row!r}; give a mapping from the true "
                "class to the cost"
            )
        for true, cost in row.items():
            matrix[_position(predicted, classes), _position(true, classes)] = _number(cost)
    return matrix


def _of_frame(costs: Any, classes: Sequence[Label]) -> NDArray[np.float64]:
    rows = [_position(label, classes) for label in costs.index]
    columns = [_position(label, classes) for label in costs.columns]
    for names, positions in (("index", rows), ("columns", columns)):
        if sorted(positions) != list(range(len(classes))):
            raise DataError(
                f"the {names} of the cost frame must name each of the {len(classes)} classes once"
            )
    matrix = np.empty((len(classes), len(classes)))
    matrix[np.ix_(rows, columns)] = costs.to_numpy(dtype=float)
    return matrix


def _of_array(costs: Any, classes: Sequence[Label]) -> NDArray[np.float64]:
    try:
        matrix = np.array(costs, float)
    except (OverflowError, TypeError, ValueError):
        raise DataError(
            f"costs is {said(costs)}; give a matrix, a mapping of mappings, a frame, the name of a "
            ".costs file, or miter.data.costs.focus(...)"
        ) from None
    if matrix.shape != (len(classes), len(classes)):
        raise DataError(
            f"the cost matrix has shape {matrix.shape}; there are {len(classes)} classes, so it "
            f"must be {(len(classes), len(classes))}: predicted classes down, true ones across"
        )
    return matrix


def _number(cost: Any) -> float:
    try:
        return float(cost)
    except (OverflowError, TypeError, ValueError):
        return math.nan


def _position(label: Any, classes: Sequence[Label]) -> int:
    for position, known in enumerate(classes):
        if label == known:
            return position
    names = [label_text(known) for known in classes]
    text = str(label)
    if text in names:  # a number given as a text, or the other way round
        return names.index(text)
    raise DataError(f"costs name {label!r}, which is not a class; {did_you_mean(text, names)}")


def _check(matrix: NDArray[np.float64], classes: Sequence[Label]) -> None:
    bad = np.argwhere(~(np.isfinite(matrix) & (matrix >= 0)))
    if len(bad):
        predicted, true = bad[0]
        raise DataError(
            f"the cost of predicting {classes[predicted]!r} where {classes[true]!r} is true is "
            f"{matrix[predicted, true]}; give a number, 0 or more"
        )
    wrong = np.flatnonzero(np.diagonal(matrix))
    if len(wrong):
        raise DataError(
            f"predicting {classes[wrong[0]]!r} where it is true is no mistake, but costs "
            f"{matrix[wrong[0], wrong[0]]:g}; give 0"
        )
    if not matrix.any():
        raise DataError("all costs are 0; give mistakes a cost, or leave the costs out")
    free = [
        label_text(label)
        for row, label in zip(matrix, classes, strict=True)
        if len(classes) > 1 and not row.any()
    ]
    if free:
        warnings.warn(
            f"predicting {free[0]!r} costs nothing whatever is true, so everything may be called "
            "that; give false alarms a small cost",
            UserWarning,
            stacklevel=4,
        )


def check_row_costs(
    costs: ArrayLike, labels: NDArray[np.integer[Any]], n_classes: int, *, are_all: bool = True
) -> NDArray[np.float64]:
    """Return what each answer costs for each row, checked: rows x classes.

    Some mistake must have a cost, if these `are_all` rows.
    """
    matrix = np.array(costs, float)
    if matrix.shape != (len(labels), n_classes):
        raise DataError(
            f"the costs of rows have shape {matrix.shape}; there are {len(labels)} rows and "
            f"{n_classes} classes, so they must be {(len(labels), n_classes)}"
        )
    bad = np.flatnonzero(~(np.isfinite(matrix) & (matrix >= 0)).all(axis=1))
    if len(bad):
        raise DataError(f"the costs of row {bad[0]} are {matrix[bad[0]]}; give numbers, 0 or more")
    wrong = np.flatnonzero(matrix[np.arange(len(labels)), labels])
    if len(wrong):
        raise DataError(f"the right answer to row {wrong[0]} has a cost; give 0")
    if are_all and not matrix.any():
        raise DataError("all costs are 0; give mistakes a cost, or leave the costs out")
    return matrix


def cost_of_predictions(
    y_true: Any, y_pred: Any, costs: Any, classes: Sequence[Label] | None = None
) -> NDArray[np.float64]:
    """Return what the prediction for each row costs; the mean of it is the mean cost.

    Parameters
    ----------
    y_true, y_pred : sequence of label
        True and predicted classes.
    costs : as for `cost_matrix`, or array of shape (n_rows, n_classes)
        What mistakes cost; with an array of rows, what each class costs as an answer to each row.
    classes : sequence of label, optional
        The classes; by default those that occur, sorted.

    Examples
    --------
    >>> from miter.data.costs import cost_of_predictions
    >>> costs = {"good": {"bad": 5}, "bad": {"good": 1}}
    >>> cost_of_predictions(["bad", "good"], ["good", "good"], costs).mean()
    np.float64(2.5)
    """
    y_true, y_pred = np.asarray(y_true), np.asarray(y_pred)
    if len(y_true) != len(y_pred):
        raise DataError(f"{len(y_true)} true classes, but {len(y_pred)} predictions")
    if classes is None:
        classes = np.unique(np.concatenate([y_true, y_pred])).tolist()
    place = {label: code for code, label in enumerate(classes)}
    true = np.array([_place(label, place) for label in y_true.tolist()], np.int64)
    predicted = np.array([_place(label, place) for label in y_pred.tolist()], np.int64)
    shape = np.shape(costs) if isinstance(costs, np.ndarray | list) else ()
    if len(shape) == 2 and shape[0] != len(classes):
        by_row = check_row_costs(costs, true, len(classes))
        return by_row[np.arange(len(true)), predicted]
    return cost_matrix(costs, classes)[predicted, true]


def _place(label: Any, place: Mapping[Any, int]) -> int:
    if label not in place:
        raise DataError(f"{label!r} is not a class; {did_you_mean(str(label), map(str, place))}")
    return place[label]


def least_cost(probabilities: NDArray[np.float64], matrix: NDArray[np.float64]) -> NDArray[Any]:
    """Return the class code with the least expected cost for each row of probabilities.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.data.costs import least_cost
    >>> least_cost(np.array([[0.8, 0.2]]), np.array([[0.0, 5.0], [1.0, 0.0]]))
    array([1])
    """
    return first_of_largest(-(probabilities @ matrix.T))


def first_of_largest(merit: NDArray[np.float64]) -> NDArray[Any]:
    """Return for each row the first of the classes of the largest merit.

    Merits that differ by a rounding error only are equal: the order in which they were summed must
    not decide, which is another one in every language that a tree is exported to.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.data.costs import first_of_largest
    >>> first_of_largest(np.array([[0.3, 0.1 + 0.2], [0.3, 0.31]]))
    array([0, 1])
    """
    highest = merit.max(axis=1, keepdims=True)
    return (merit >= highest - ROUNDING * np.maximum(1.0, np.abs(highest))).argmax(axis=1)


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
    >>> from miter.data.costs import read_costs
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
