"""Numbers in few digits."""

from __future__ import annotations

from math import floor, isfinite, log10

__all__ = ["round_constant", "round_weight", "say_number", "say_product"]

#: Denominators of fractions that are easier to read than decimals.
_UNITS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)


def round_weight(value: float, digits: int) -> float:
    """Return the nearest number of so many digits.

    Examples
    --------
    >>> from miter.splits.digits import round_weight
    >>> round_weight(0.012345, 2), round_weight(6789.0, 2)
    (0.012, 6800.0)
    """
    return float(f"{value:.{digits - 1}e}")


def round_constant(value: float, digits: int) -> float:
    """Return the nearest number of so many digits that loses none before its decimal point.

    Examples
    --------
    >>> from miter.splits.digits import round_constant
    >>> round_constant(0.012345, 3), round_constant(6789.4, 3)
    (0.0123, 6789.0)
    """
    if value == 0 or not isfinite(value):
        return value
    return round(value, max(digits - 1 - floor(log10(abs(value))), 0))


def say_number(value: float) -> str:
    """Write a number that was rounded before.

    Examples
    --------
    >>> from miter.splits.digits import say_number
    >>> say_number(2.50), say_number(12000.0), say_number(-0.0)
    ('2.5', '12000', '0')
    """
    return f"{value + 0.0:.12g}"


def say_product(factor: float, word: str, *, as_fraction: bool = False) -> str:
    """Say a positive factor and what it multiplies.

    Parameters
    ----------
    factor : float
        Above 0.
    word : str
        What it multiplies.
    as_fraction : bool
        Write small factors as whole numbers over round ones.

    Examples
    --------
    >>> from miter.splits.digits import say_product
    >>> say_product(1.0, "age"), say_product(0.05, "age"), say_product(0.04, "age", as_fraction=True)
    ('age', '0.05 age', '2 age/50')
    """
    if as_fraction and (fraction := whole_fraction(factor)) is not None:
        whole, unit = fraction
        word = word if unit == 1 else f"{word}/{unit}"
        factor = whole
    return word if factor == 1 else f"{say_number(factor)} {word}"


def whole_fraction(factor: float) -> tuple[int, int] | None:
    """Return a whole number up to 9 and a round one whose quotient is the factor, if there are."""
    for unit in _UNITS:
        whole = round(abs(factor) * unit)
        if 1 <= whole <= 9 and abs(whole / unit - abs(factor)) <= 1e-12 * abs(factor):
            return whole, unit
    return None
