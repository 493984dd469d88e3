"""The sets of the comparisons, each as one table: training and test rows of a source joined."""

from __future__ import annotations

from functools import cache

import numpy as np
from resumable import data_path
from sklearn.datasets import load_breast_cancer

from miter import from_frame, read
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
    data = read(data_path(name))
    test_path = data_path(name).with_suffix(".test")
    if not test_path.exists():
        return data
    test = read(test_path, schema=data.schema)
    return Data(data.schema, np.vstack([data.X, test.X]), np.concatenate([data.y, test.y]))
