"""What rows count and what mistakes about them cost, as estimators are told it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from miter.checks import check_number, said
from miter.data.costs import check_row_costs
from miter.data.labels import label_text
from miter.data.table import Data
from miter.errors import DataError, did_you_mean

__all__ = ["check_weight", "scale_costs", "weigh", "weigh_rows", "with_costs"]


def weigh_rows(data: Data, sample_weight: ArrayLike | None) -> Data:
    """Return the rows that count, with what each of them counts, whatever their labels."""
    if sample_weight is None:
        return _with_weight(data, data.weight)
    given = check_weight(sample_weight, data.n_rows)
    return _with_weight(data, given if data.weight is None else data.weight * given)


def _with_weight(data: Data, weight: NDArray[np.float64] | None) -> Data:
    if weight is None:
        return data
    data = replace(data, weight=weight).take(np.flatnonzero(weight > 0))
    _check_total(data)
    return data


def weigh(data: Data, sample_weight: ArrayLike | None, class_weight: Any) -> Data:
    """Return the rows that count, with what each of them counts."""
    weight = data.weight
    if sample_weight is not None:
        given = check_weight(sample_weight, data.n_rows)
        weight = given if weight is None else weight * given
    if class_weight is not None:
        by_row = _class_weights(class_weight, data)[data.labels]
        # A class that weighs ten times as much does not have its rows ten times.
        data = replace(data, copies=np.ones(data.n_rows) if weight is None else weight)
        weight = by_row if weight is None else weight * by_row
    data = _with_weight(data, weight)
    n_present = len(np.unique(data.labels))
    if n_present < 2:
        one = data.n_rows == 1
        rows = "the row that counts is" if one else f"the {data.n_rows} rows that count are"
        raise DataError(
            f"{rows} of {n_present} class; a classifier needs rows of at least two classes"
        )
    return data


def with_costs(
    data: Data, matrix: NDArray[np.float64] | None, row_costs: ArrayLike | None = None
) -> Data:
    """Return the rows with what each answer to them costs; costs of rows go before the matrix.

    Where all mistakes cost the same there is nothing to add.
    """
    if row_costs is not None:
        costs = check_row_costs(row_costs, data.labels, data.schema.n_classes)
    elif matrix is not None:
        costs = np.ascontiguousarray(matrix.T[data.labels])
    else:
        return data
    is_wrong = np.arange(data.schema.n_classes) != data.labels[:, None]
    return data if np.ptp(costs[is_wrong]) == 0 else replace(data, costs=costs)


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


def _check_total(data: Data) -> None:
    assert data.weight is not None
    with np.errstate(over="ignore"):
        total = data.weight.sum()
    if data.n_rows == 0:
        raise DataError("the weight of every row is zero; give some rows a weight above zero")
    if not total < 1e100:
        raise DataError(f"the weights sum to {total:.3g}, which is too much; scale them down")
    if total < 0.1 * data.n_rows:
        warnings.warn(
            f"the weights of {data.n_rows} rows sum to {total:.3g}; weights count rows, so the "
            "tree will be small. Scale them to sum to the number of rows",
            UserWarning,
            stacklevel=5,
        )


def _class_weights(class_weight: Any, data: Data) -> NDArray[np.float64]:
    """Return the weight of each class, as scikit-learn means it."""
    # scikit-learn's own function takes the texts '0' and '1' for numbers.
    classes = data.schema.classes
    if isinstance(class_weight, str) and class_weight == "balanced":
        counts = np.bincount(data.labels, minlength=len(classes))
        return data.n_rows / (np.count_nonzero(counts) * np.maximum(counts, 1))
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
    weights = {label_text(label): float(weight) for label, weight in class_weight.items()}
    return np.array([weights.get(label, 1.0) for label in known])
