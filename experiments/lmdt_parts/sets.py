"""The sets of the comparisons, each as one table: training and test rows of a source joined."""

from __future__ import annotations

from functools import cache

from resumable import read_joined
from sklearn.datasets import load_breast_cancer

from miter import from_frame
from miter.data import Data

SMALL = (
    "iris",
    "zoo",
    "wine",
    "sonar",
    "glass",
    "ecoli",
    "bupa",
    "ionosphere",
    "dermatology",
    "vote",
    "cancer",
    "pima",
    "vehicle",
    "german",
    "vowel",
)
LARGER = (
    "segment",
    "soybean-large",
    "kr-vs-kp",
    "car",
    "waveform",
    "pendigits",
    "optdigits",
    "satimage",
    "letter",
    "mushroom",
    "magic",
)
QUICK_SMALL = ("iris", "wine", "glass", "vote")
QUICK_LARGER = ("segment", "soybean-large", "kr-vs-kp", "car")


@cache
def load(name: str) -> Data:
    """Return a set."""
    if name == "cancer":
        return from_frame(*load_breast_cancer(return_X_y=True, as_frame=True))
    return read_joined(name)
