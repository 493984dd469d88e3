"""Checks of parameters: an error names the parameter, its value, and what may stand there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from miter.errors import did_you_mean

__all__ = [
    "check_choice",
    "check_flag",
    "check_mapping",
    "check_number",
    "check_whether",
    "check_whole",
    "draw_seed",
    "is_number",
    "is_whole",
    "said",
]


#: The largest whole number that the native core counts to.
LARGEST_WHOLE = 2**31 - 1
#: A value is said in an error as far as it can be read.
SHOWN_CHARACTERS = 80


def is_whole(value: object) -> bool:
    """Tell whether a value is a whole number; True and False are not."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def is_number(value: object) -> bool:
    """Tell whether a value is a number; True and False are not, nor is NaN."""
    if not isinstance(value, int | float | np.number) or isinstance(value, bool):
        return False
    try:
        return float(value) == float(value)
    except (OverflowError, TypeError):  # a whole number of 310 digits, a complex number
        return False


def said(value: object) -> str:
    """Return a value as an error says it: in a line, whatever it is."""
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # Python does not write whole numbers of more than 4,300 digits
        text = "a whole number of thousands of digits"
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 3] + "..."


def check_whole(name: str, value: Any, least: int, *, optional: bool = False) -> None:
    """Complain unless a parameter is a whole number from `least` on; or None, where it may be.

    Examples
    --------
    >>> from miter.checks import check_whole
    >>> check_whole("n_estimators", 0, 1)
    Traceback (most recent call last):
    ValueError: n_estimators is 0; give a whole number from 1 on
    """
    if optional and value is None:
        return
    if not (is_whole(value) and value >= least):
        _complain(name, value, f"a whole number from {least} on", optional)
    if value > LARGEST_WHOLE:
        _complain(name, value, f"a whole number from {least} to {LARGEST_WHOLE}", optional)


def check_whether(name: str, value: Any) -> None:
    """Complain unless a parameter is yes, no, or for the learner to find out.

    Examples
    --------
    >>> from miter.checks import check_whether
    >>> check_whether("anneal", "yes")
    Traceback (most recent call last):
    ValueError: anneal is 'yes'; give 'auto', True or False
    """
    # Not np.True_: learners ask whether a setting `is True`.
    if not isinstance(value, bool) and not (isinstance(value, str) and value == "auto"):
        raise ValueError(f"{name} is {said(value)}; give 'auto', True or False")


def check_number(
    name: str,
    value: Any,
    *,
    above: float | None = None,
    least: float | None = None,
    below: float | None = None,
    most: float | None = None,
    optional: bool = False,
) -> None:
    """Complain unless a parameter is a finite number within bounds; or None, where it may be.

    Examples
    --------
    >>> from miter.checks import check_number
    >>> check_number("significance", 5, above=0, below=1)
    Traceback (most recent call last):
    ValueError: significance is 5; give a number between 0 and 1
    """
    if optional and value is None:
        return
    is_within = is_number(value) and -inf < value < inf
    is_within = is_within and (above is None or value > above) and (least is None or value >= least)
    if not (is_within and (below is None or value < below) and (most is None or value <= most)):
        _complain(name, value, _say_bounds(above, least, below, most), optional)


def _say_bounds(
    above: float | None, least: float | None, below: float | None, most: float | None
) -> str:
    if above is not None and below is not None:
        return f"a number between {above:g} and {below:g}"
    low = f"above {above:g}" if above is not None else "" if least is None else f"from {least:g}"
    if most is not None:
        return f"a number {low}{' and' * (above is not None)}{' up' * (least is None)} to {most:g}"
    if below is not None:
        return f"a number {low}{' and' * bool(low)} below {below:g}"
    return f"a number {low}{' on' * (least is not None)}".strip()


def check_choice(name: str, value: Any, known: Sequence[Any]) -> None:
    """Complain unless a parameter is one of a few words; None may be among them.

    Examples
    --------
    >>> from miter.checks import check_choice
    >>> check_choice("criterion", "ginny", ("gain", "gini"))
    Traceback (most recent call last):
    ValueError: criterion is 'ginny'; did you mean 'gini' or 'gain'?
    """
    if not (isinstance(value, str) or value is None) or value not in known:
        word = value if isinstance(value, str) else said(value)
        near = did_you_mean(word, [choice for choice in known if choice is not None])
        raise ValueError(f"{name} is {said(value)}; {near}{', or None' * (None in known)}")


def check_flag(name: str, value: Any) -> None:
    """Complain unless a parameter is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} is {said(value)}; give True or False")


def check_mapping(name: str, value: Any, wanted: str) -> None:
    """Complain unless a parameter is a mapping, or None."""
    if not (value is None or isinstance(value, Mapping)):
        raise ValueError(f"{name} is {said(value)}; give {wanted}, or None")


def draw_seed(random_state: Any) -> int:
    """Return a seed that scikit-learn's `random_state` means.

    Examples
    --------
    >>> from miter.checks import draw_seed
    >>> draw_seed("x")
    Traceback (most recent call last):
    ValueError: random_state is 'x'; give a whole number from 0 to 4294967295, a RandomState or None
    """
    try:
        random = check_random_state(random_state)
    except (TypeError, ValueError):
        raise ValueError(
            f"random_state is {said(random_state)}; give a whole number from 0 to {2**32 - 1}, a "
            "RandomState or None"
        ) from None
    return int(random.randint(2**31 - 1))


def _complain(name: str, value: Any, wanted: str, optional: bool) -> None:
    raise ValueError(f"{name} is {said(value)}; give {wanted}{', or None' * optional}")
