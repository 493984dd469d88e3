"""Words that mean the same in every table: missing, true and false, and the usual scales."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

__all__ = ["FALSE_WORDS", "MISSING_WORDS", "TRUE_WORDS", "find_scale"]

#: Those that pandas knows, and the ? of the classic data sets.
MISSING_WORDS = frozenset(
    (
        *("", "?", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND"),
        *("1.#QNAN", "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
    )
)

TRUE_WORDS = frozenset(("true", "t", "yes", "y", "on", "1"))
FALSE_WORDS = frozenset(("false", "f", "no", "n", "off", "0"))

# Steps of a scale from the lowest to the highest; words for the same step share a line.
_SCALES = (
    (
        ("strongly disagree", "completely disagree", "totally disagree"),
        ("disagree",),
        ("somewhat disagree", "slightly disagree", "rather disagree"),
        ("neutral", "neither agree nor disagree", "undecided", "neither"),
        ("somewhat agree", "slightly agree", "rather agree"),
        ("agree",),
        ("strongly agree", "completely agree", "totally agree"),
    ),
    (
        ("very dissatisfied", "very unsatisfied"),
        ("dissatisfied", "unsatisfied"),
        ("somewhat dissatisfied",),
        ("neutral", "neither satisfied nor dissatisfied"),
        ("somewhat satisfied",),
        ("satisfied",),
        ("very satisfied",),
    ),
    (
        ("never",),
        ("rarely", "seldom"),
        ("sometimes", "occasionally"),
        ("often", "frequently"),
        ("usually", "mostly"),
        ("always",),
    ),
    (
        ("very poor", "very bad", "terrible"),
        ("poor", "bad"),
        ("fair", "average", "okay", "ok"),
        ("good",),
        ("very good",),
        ("excellent",),
    ),
    (("very low",), ("low",), ("medium", "moderate", "middle"), ("high",), ("very high",)),
    (("very small", "tiny"), ("small",), ("medium",), ("large", "big"), ("very large", "huge")),
    (("xxs",), ("xs",), ("s",), ("m",), ("l",), ("xl",), ("xxl", "2xl"), ("xxxl", "3xl")),
    (
        ("not at all important", "unimportant", "not important"),
        ("slightly important",),
        ("somewhat important", "moderately important"),
        ("important",),
        ("very important",),
        ("extremely important",),
    ),
    (("very unlikely",), ("unlikely",), ("neutral",), ("likely",), ("very likely",)),
)


_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
#: 18-29, < 18, under 18 years, 65+, $1,000 to $1,999.
_BAND = re.compile(
    r"(?P<below><=?|≤|under |below |less than |up to )?"
    r"(?P<above>>=?|≥|over |above |more than |at least )?\s*[$€£]?\s*"
    rf"(?P<first>{_NUMBER})(?:\s*(?:-|\u2013|to)\s*[$€£]?\s*(?P<last>{_NUMBER}))?"
    r"\s*(?P<up>\+|or more|or over|and more|and over)?\s*(?P<unit>[a-z%]*)",
    re.IGNORECASE,
)
#: 1 - not at all, 5: very much, 3.
_NUMBERED = re.compile(r"(?P<number>\d|10)(?P<label>(?:\s*[-\u2013:=.)]\s*|\s+)\D.*)?", re.DOTALL)


def find_scale(texts: Iterable[str]) -> list[str] | None:
    """Return texts in the order of a scale; None when they are three steps of none.

    A scale is one of the usual ones, bands of numbers, or has numbers before its steps.

    Examples
    --------
    >>> from miter.data.columns.words import find_scale
    >>> find_scale(["Often", "Always", "Never"])
    ['Never', 'Often', 'Always']
    >>> find_scale(["65+", "18-29", "under 18", "30-64"])
    ['under 18', '18-29', '30-64', '65+']
    >>> find_scale(["3", "1 - never", "5 - always"])
    ['1 - never', '3', '5 - always']
    >>> find_scale(["low", "high"])
    """
    steps = list(texts)
    return None if len(steps) < 3 else _usual(steps) or _bands(steps) or _numbered(steps)


def _usual(texts: Sequence[str]) -> list[str] | None:
    by_word = {" ".join(text.casefold().replace("-", " ").split()): text for text in texts}
    for scale in _SCALES:
        step = {word: rank for rank, words in enumerate(scale) for word in words}
        steps = {step.get(word) for word in by_word}
        # Two words for one step have no order.
        if None not in steps and len(steps) == len(by_word) == len(texts):
            return [by_word[word] for word in sorted(by_word, key=step.__getitem__)]
    return None


def _bands(texts: Sequence[str]) -> list[str] | None:
    found = [_BAND.fullmatch(text) for text in texts]
    bands = [band for band in found if band is not None]
    units = {band["unit"].casefold().removesuffix("s") for band in bands} - {""}
    if len(bands) < len(texts) or len(units) > 1:
        return None
    # Numbers with a unit are no bands, and neither are pairs such as 12-9.
    if not any(band[part] for band in bands for part in ("below", "above", "last", "up")):
        return None
    if any(band["last"] and _number(band["last"]) < _number(band["first"]) for band in bands):
        return None
    return _in_order({text: _place(band) for text, band in zip(texts, bands, strict=True)})


def _place(band: re.Match[str]) -> tuple[float, int]:
    is_above = bool(band["above"] or band["up"])
    return _number(band["first"]), int(is_above) - bool(band["below"])


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def _numbered(texts: Sequence[str]) -> list[str] | None:
    found = [_NUMBERED.fullmatch(text) for text in texts]
    steps = [step for step in found if step is not None]
    if len(steps) < len(texts) or not any(step["label"] for step in steps):
        return None
    return _in_order({text: int(step["number"]) for text, step in zip(texts, steps, strict=True)})


def _in_order(place: Mapping[str, Any]) -> list[str] | None:
    """Return texts by their place; None when two have the same."""
    if len(set(place.values())) < len(place):
        return None
    return sorted(place, key=place.__getitem__)
