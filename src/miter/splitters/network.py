"""Networks with one hidden layer: a curved boundary between two groups of classes (ID-MLP).

Yildiz and Alpaydin, *Univariate and Multivariate Decision Trees*, section 3.1, Tables 2 to 4.

Differs from the paper, beside what `miter.splitters.units` tells:

- Default training minimises the logistic loss with weight decay from two starts and keeps the
  better network; the decay is chosen at the node, by five-fold cross-validation.
- By default there are five to twenty hidden units; as published half as many as inputs, even one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from miter.checks import check_number, check_whole
from miter.splitters.units import UnitSplitter

__all__ = ["NetworkSplitter"]

#: Penalties that are tried where none is given.
PENALTIES = (10.0, 3.0, 1.0, 0.3)
#: Hidden units, where their number is not given: fewer than three cannot enclose anything.
LEAST_HIDDEN, MOST_HIDDEN = 5, 20
#: Hidden units = half of the inputs, in the native core.
HALF = -1


@dataclass(frozen=True)
class NetworkSplitter(UnitSplitter):
    """Trains a network that tells two groups of classes apart.

    Parameters
    ----------
    training : {"optimal", "gradient"}
        Logistic loss and weight decay, minimised by L-BFGS; or stochastic gradient descent on the
        squared error of sigmoids, inputs scaled to 0..1, as published.
    hidden : int, optional
        Hidden units. None: half as many as inputs; with optimal training 5 to 20.
    l2 : float, optional
        Half of this times the squared weights is added to the loss, a sum over rows. None: chosen
        at the node.
    n_init : int
        Optimal training: networks that are trained, of which the one with the least loss is kept.
    learning_rate, epochs : float, int
        Of gradient descent.

    Examples
    --------
    >>> from miter.data import monks
    >>> from miter.growing.loop import grow
    >>> from miter.splitters import NetworkSplitter
    >>> tree = grow(monks(1), NetworkSplitter())
    >>> type(tree.splits[0]).__name__, tree.n_leaves
    ('Network', 2)
    """

    training: str = "optimal"
    hidden: int | None = None
    l2: float | None = None
    n_init: int = 2
    learning_rate: float = 0.5
    epochs: int = 50

    def __post_init__(self) -> None:
        self.check()
        check_number("l2", self.l2, above=0, optional=True)
        check_whole("hidden", self.hidden, 1, optional=True)
        check_whole("n_init", self.n_init, 1)

    def unit_options(self) -> dict[str, Any]:
        """Return the settings of a unit with hidden ones."""
        penalties = PENALTIES if self.l2 is None else (float(self.l2),)
        return {
            "n_hidden": HALF if self.hidden is None else int(self.hidden),
            "least_hidden": 1 if self.is_published else LEAST_HIDDEN,
            "most_hidden": 2**30 if self.is_published else MOST_HIDDEN,
            "l2": list(penalties),
            "n_init": int(self.n_init),
        }
