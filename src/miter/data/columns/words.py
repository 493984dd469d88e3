"""Words that mean the same in every table: missing, true and false, and the usual scales."""

from __future__ import annotations

from collections.abc import Iterable

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


def find_scale(texts: Iterable[str]) -> list[str] | None:
    """Return texts in the order of a known scale; None when they are three steps of none.

    Examples
    --------
    >>> from miter.data.columns.words import find_scale
    >>> find_scale(["Often", "Always", "Never"])
    ['Never', 'Often', 'Always']
    >>> find_scale(["low", "high"])
    """
    by_word = {" ".join(text.casefold().replace("-", " ").split()): text for text in texts}
    for scale in _SCALES:
        step = {word: rank for rank, words in enumerate(scale) for word in words}
        steps = {step.get(word) for word in by_word}
        # Two words for one step have no order, and two steps are no scale.
        if None not in steps and len(steps) == len(by_word) >= 3:
            return [by_word[word] for word in sorted(by_word, key=step.__getitem__)]
    return None
