"""What rows count and what mistakes about them cost, as estimators are told it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from miter.checks import check_number, said
from miter.data.costs import check_row_costs
from miter.data.labels import label_text
from miter.data.schema import Label
from miter.data.table import Data
from miter.errors import DataError, did_you_mean

__all__ = [
    "check_present",
    "check_total",
    "check_weight",
    "class_weights",
    "range_of_costs",
    "scale_costs",
    "weigh",
    "weigh_each",
    "weigh_rows",
    "with_costs",
]


def weigh_rows(data: Data, sample_weight: ArrayLike | None) -> Data:
    """Return the rows that count, with what each of them counts, whatever their labels."""
    if sample_weight is None:
        return _with_weight(data, data.weight)
    given = check_weight(sample_weight, data.n_rows)
    return _with_weight(data, given if data.weight is None else data.weight * given)


def _with_weight(data: Data, weight: NDArray[np.float64] | None) -> Data:
    data = _that_count(data, weight)
    if data.weight is not None:
        with np.errstate(over="ignore"):
            check_total(float(data.weight.sum()), data.n_rows)
    return data


def _that_count(data: Data, weight: NDArray[np.float64] | None) -> Data:
    if weight is None:
        return data
    return replace(data, weight=weight).take(np.flatnonzero(weight > 0))


def weigh(data: Data, sample_weight: ArrayLike | None, class_weight: Any) -> Data:
    """Return the rows that count, with what each of them counts."""
    by_class = None
    if class_weight is not None:
        classes = data.schema.classes
        counts = np.bincount(data.labels, minlength=len(classes))
        by_class = class_weights(class_weight, classes, counts)
    data = weigh_each(data, sample_weight, by_class)
    if data.weight is not None:
        with np.errstate(over="ignore"):
            check_total(float(data.weight.sum()), data.n_rows)
    check_present(len(np.unique(data.labels)), data.n_rows)
    return data


def weigh_each(
    data: Data, sample_weight: ArrayLike | None, by_class: NDArray[np.float64] | None
) -> Data:
    """Return the rows that count; what they weigh together is not looked at.

    Parameters
    ----------
    data : Data
        The rows.
    sample_weight : array, optional
        How often each of them counts.
    by_class : ndarray of shape (n_classes,), optional
        The weight of each class.
    """
    weight = data.weight
    if sample_weight is not None:
        given = check_weight(sample_weight, data.n_rows)
        weight = given if weight is None else weight * given
    if by_class is not None:
        by_row = by_class[data.labels]
        # A class that weighs ten times as much does not have its rows ten times.
        data = replace(data, copies=np.ones(data.n_rows) if weight is None else weight)
        weight = by_row if weight is None else weight * by_row
    return _that_count(data, weight)


def check_present(n_present: int, n_rows: int) -> None:
    """Refuse rows of a single class."""
    if n_present < 2:
        rows = "the row that counts is" if n_rows == 1 else f"the {n_rows} rows that count are"
        raise DataError(
            f"{rows} of {n_present} class; a classifier needs rows of at least two classes"
        )


def with_costs(
    data: Data,
    matrix: NDArray[np.float64] | None,
    row_costs: ArrayLike | None = None,
    *,
    always: bool = False,
) -> Data:
    """Return the rows with what each answer to them costs; costs of rows go before the matrix.

    Where all mistakes cost the same there is nothing to add, unless it is to be added `always`.
    """
    if row_costs is not None:
        n_classes = data.schema.n_classes
        costs = check_row_costs(row_costs, data.labels, n_classes, are_all=not always)
    elif matrix is not None:
        costs = np.ascontiguousarray(matrix.T[data.labels])
    else:
        return data
    data = replace(data, costs=costs)
    low, high = range_of_costs(data)
    return data if low < high or always else replace(data, costs=None)


def range_of_costs(data: Data) -> tuple[float, float]:
    """Return what the cheapest and the dearest mistake about rows cost."""
    assert data.costs is not None
    is_wrong = np.arange(data.schema.n_classes) != data.labels[:, None]
    wrong = data.costs[is_wrong]
    return float(wrong.min(initial=np.inf)), float(wrong.max(initial=-np.inf))


def scale_costs(data: Data) -> tuple[Data, float]:
    """Return the rows with costs of which the mean is 1, and what it was."""
    importance = data.importance()
    if data.costs is None or importance is None:
        return data, 1.0
    mean_cost = float(np.average(importance, weights=data.weight))
    if mean_cost <= 0:
        raise DataError("no mistake about these rows has a cost; leave the costs out")
    return replace(data, costs=data.costs / mean_cost), mean_cost


def check_weight(sample_weight: ArrayLike, n_rows: int) -> NDArray[np.float64]:
    """Return the weight of each row; an error tells of one that is none."""
    weight = np.asarray(sample_weight, float)
    if weight.ndim == 0:
        weight = np.full(n_rows, float(weight))
    if weight.shape != (n_rows,):
        raise ValueError(
            f"sample_weight.shape == {weight.shape}, expected {(n_rows,)}: one weight for each row"
        )
    bad = np.flatnonzero(~(np.isfinite(weight) & (weight >= 0)))
    if len(bad):
        raise ValueError(
            f"sample_weight[{bad[0]}] is {weight[bad[0]]}; give finite weights of 0 or more"
        )
    return weight


def check_total(total: float, n_rows: int) -> None:
    """Refuse weights of which all are 0, or whose sum is too large; warn of a small one."""
    if n_rows == 0:
        raise DataError("the weight of every row is zero; give some rows a weight above zero")
    if not total < 1e100:
        raise DataError(f"the weights sum to {total:.3g}, which is too much; scale them down")
    if total < 0.1 * n_rows:
        warnings.warn(
            f"the weights of {n_rows} rows sum to {total:.3g}; weights count rows, so the "
            "tree will be small. Scale them to sum to the number of rows",
            UserWarning,
            stacklevel=5,
        )


def class_weights(
    class_weight: Any, classes: Sequence[Label], counts: NDArray[np.integer]
) -> NDArray[np.float64]:
    """Return the weight of each class, as scikit-learn means it, from how many rows it has."""
    # scikit-learn's own function takes the texts '0' and '1' for numbers.
    if isinstance(class_weight, str) and class_weight == "balanced":
        weights: NDArray[np.float64] = counts.sum() / (
            np.count_nonzero(counts) * np.maximum(counts, 1)
        )
        return weights
    if not isinstance(class_weight, Mapping):
        raise ValueError(f"class_weight is {said(class_weight)}; give 'balanced', a dict or None")
    known = list(map(label_text, classes))
    for label, weight in class_weight.items():
        if label_text(label) not in known:
            raise ValueError(
                f"class_weight names {label!r}, which is not a class; "
                + did_you_mean(str(label), known)
            )
        check_number(f"class_weight of {label!r}", weight, least=0)
    # As text, because a command line and a file can write the class 1 as '1' only.
    given = {label_text(label): float(weight) for label, weight in class_weight.items()}
    return np.array([given.get(label, 1.0) for label in known])
