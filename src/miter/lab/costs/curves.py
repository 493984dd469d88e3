"""What a classifier costs at every price of its errors: ROC and cost curves.

Drummond and Holte 2006, *Cost curves: an improved method for visualizing classifier performance*.
A point of the ROC curve is a line in the cost plane; the lowest line at each price is what the
classifier costs when its threshold is chosen for that price.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import auc, roc_curve

__all__ = ["CostCurve", "RocCurve", "cost_curve", "roc"]


@dataclass(frozen=True, eq=False)
class RocCurve:
    """True against false positives of one class, for every threshold on its probability.

    Parameters
    ----------
    false_positive_rate, true_positive_rate, thresholds : ndarray
        From 'nothing is called positive' to 'everything is'.
    """

    false_positive_rate: NDArray[np.float64]
    true_positive_rate: NDArray[np.float64]
    thresholds: NDArray[np.float64]

    @property
    def area(self) -> float:
        """Area under the curve: the chance that a positive row is ranked above a negative one."""
        return float(auc(self.false_positive_rate, self.true_positive_rate))

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary a point."""
        return [
            {"false_positive_rate": float(f), "true_positive_rate": float(t)}
            for f, t in zip(self.false_positive_rate, self.true_positive_rate, strict=True)
        ]

    def __str__(self) -> str:
        lines = ["false positives   true positives"]
        lines += [
            f"{point['false_positive_rate']:15.2%}   {point['true_positive_rate']:14.2%}"
            for point in self.to_dicts()
        ]
        return "\n".join([*lines, f"area under the curve: {self.area:.4f}"])


@dataclass(frozen=True, eq=False)
class CostCurve:
    """The least normalised expected cost at every price.

    Parameters
    ----------
    probability_cost : ndarray
        From 0 to 1: the part of all possible cost that positive rows can cause,
        p(+) C(-|+) / (p(+) C(-|+) + p(-) C(+|-)).
    cost : ndarray
        Expected cost as a part of the greatest possible, with the best threshold for the price.
    """

    probability_cost: NDArray[np.float64]
    cost: NDArray[np.float64]

    @property
    def area(self) -> float:
        """Mean cost when every price is equally likely."""
        return float(auc(self.probability_cost, self.cost))

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary a point."""
        return [
            {"probability_cost": float(p), "cost": float(c)}
            for p, c in zip(self.probability_cost, self.cost, strict=True)
        ]

    def __str__(self) -> str:
        every_tenth = self.to_dicts()[:: max(1, len(self.cost) // 10)]
        lines = ["probability cost   expected cost"]
        lines += [f"{p['probability_cost']:16.2f}   {p['cost']:13.4f}" for p in every_tenth]
        return "\n".join([*lines, f"area under the curve: {self.area:.4f}"])


def roc(is_positive: Any, probability: Any) -> RocCurve:
    """Return the ROC curve of probabilities of one class.

    Parameters
    ----------
    is_positive : array of bool
        Whether each row is of the class.
    probability : array of float
        What the classifier says.

    Returns
    -------
    RocCurve

    Examples
    --------
    >>> from miter.lab import roc
    >>> roc([False, False, True, True], [0.1, 0.4, 0.35, 0.8]).area
    0.75
    """
    truth = np.asarray(is_positive, bool)
    if truth.all() or not truth.any():
        raise ValueError("a ROC curve needs rows of the class and rows of others")
    return RocCurve(*roc_curve(truth, np.asarray(probability, float), drop_intermediate=False))


def cost_curve(is_positive: Any, probability: Any, n_points: int = 101) -> CostCurve:
    """Return the cost curve of probabilities of one class.

    Parameters
    ----------
    is_positive : array of bool
        Whether each row is of the class.
    probability : array of float
        What the classifier says.
    n_points : int
        Prices, evenly from 0 to 1.

    Returns
    -------
    CostCurve

    Examples
    --------
    >>> from miter.lab import cost_curve
    >>> cost_curve([False, True], [0.2, 0.9], n_points=3).cost.tolist()
    [0.0, 0.0, 0.0]
    """
    curve = roc(is_positive, probability)
    price = np.linspace(0, 1, n_points)
    missed, false = 1 - curve.true_positive_rate, curve.false_positive_rate
    lines = np.outer(price, missed) + np.outer(1 - price, false)
    return CostCurve(price, lines.min(axis=1))
