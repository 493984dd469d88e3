"""When a node becomes a leaf."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

from miter.checks import check_number, check_whole, is_whole, said

__all__ = ["Stopping"]


@dataclass(frozen=True)
class Stopping:
    """When a node becomes a leaf although its classes are mixed.

    Parameters
    ----------
    max_depth : int, optional
        Splits on the longest path.
    min_samples_split : int or float
        A node with less weight is not divided; a float is a share of the training set.
    min_samples_leaf : int or float
        Two branches at least must have this weight; a float is a share of the training set.
    significance : float, optional
        Keep a split only if branches and classes depend on each other in a chi-squared test at this
        level.
    min_errors : float
        A node that as a leaf makes no more errors than this is not divided; where mistakes differ
        in cost, a node that costs no more.
    divide_pure : bool
        Divide nodes that make no errors too; set for splitters that do not learn from classes.

    Examples
    --------
    >>> from miter.growing.stopping import Stopping
    >>> Stopping(min_samples_split=0.05).min_split(200)
    10
    """

    max_depth: int | None = None
    min_samples_split: float = 2
    min_samples_leaf: float = 1
    significance: float | None = None
    min_errors: float = 0.0
    divide_pure: bool = False

    def __post_init__(self) -> None:
        check_whole("max_depth", self.max_depth, 0, optional=True)
        _check_amount("min_samples_split", self.min_samples_split, 2)
        _check_amount("min_samples_leaf", self.min_samples_leaf, 1)
        check_number("min_errors", self.min_errors, least=0)
        check_number("significance", self.significance, above=0, below=1, optional=True)

    def in_rows(self, total: float) -> Stopping:
        """Return the same for some of the rows, which together weigh so much: no shares of them."""
        split, leaf = self.min_split(total), self.min_leaf(total)
        return replace(
            self, min_samples_split=max(int(split), 2), min_samples_leaf=max(int(leaf), 1)
        )

    def min_split(self, total: float) -> float:
        """Weight below which a node is not divided."""
        return _amount(self.min_samples_split, total)

    def min_leaf(self, total: float) -> float:
        """Weight that two branches must have."""
        return _amount(self.min_samples_leaf, total)


def _check_amount(name: str, value: float, least: int) -> None:
    whole = is_whole(value)
    good = least <= value < 2**53 if whole else isinstance(value, float) and 0 < value <= 1
    if not good:
        raise ValueError(
            f"{name} is {said(value)}; give a whole number from {least} on, or a share from 0 to 1"
        )


def _amount(value: float, total: float) -> float:
    # Up to rounding, so that 5 % of 200 rows are 10 and not 11.
    return value if is_whole(value) else ceil(value * total - 1e-9)
