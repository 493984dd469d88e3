"""Perceptrons: a hyperplane between two groups of classes (ID-LP).

Yildiz and Alpaydin, *Univariate and Multivariate Decision Trees*, section 3.1, Tables 2 to 4.

Differs from the paper, beside what `miter.splitters.units` tells:

- Default training minimises the logistic loss with an L2 penalty, which is chosen at the node:
  leaving out one row after the other, approximately, tells which does best.
- The paper gives no rate and no number of passes for its gradient descent; those here give about
  its figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from miter.checks import check_number
from miter.splitters.units import UnitSplitter

__all__ = ["PerceptronSplitter"]

#: Penalties that are tried where none is given.
PENALTIES = (10.0, 1.0, 0.1, 0.01)


@dataclass(frozen=True)
class PerceptronSplitter(UnitSplitter):
    """Trains a perceptron that tells two groups of classes apart.

    Parameters
    ----------
    training : {"optimal", "gradient"}
        Logistic loss and an L2 penalty, minimised by L-BFGS; or stochastic gradient descent on the
        squared error of a sigmoid, inputs scaled to 0..1, as published.
    l2 : float, optional
        Half of this times the squared weights is added to the loss, a sum over rows. None: chosen
        at the node; 0.1 where there are more than 256 variables.
    learning_rate, epochs : float, int
        Of gradient descent.

    Examples
    --------
    >>> from miter.data import dnf
    >>> from miter.growing.loop import grow
    >>> from miter.splitters import PerceptronSplitter
    >>> type(grow(dnf(), PerceptronSplitter()).splits[0]).__name__
    'Linear'
    """

    training: str = "optimal"
    l2: float | None = None
    learning_rate: float = 0.2
    epochs: int = 25

    def __post_init__(self) -> None:
        self.check()
        check_number("l2", self.l2, above=0, optional=True)

    def unit_options(self) -> dict[str, Any]:
        """Return the settings of a unit without hidden ones."""
        penalties = PENALTIES if self.l2 is None else (float(self.l2),)
        return {
            "n_hidden": 0,
            "least_hidden": 0,
            "most_hidden": 0,
            "l2": list(penalties),
            "n_init": 1,
        }
