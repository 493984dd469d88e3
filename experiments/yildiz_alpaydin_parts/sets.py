"""The paper's 20 sets by its names."""

from __future__ import annotations

from functools import cache

from resumable import data_path, read_joined

from miter import read
from miter.data import Data

#: The folder of each set.
FOLDERS = {
    "Breast": "breast",
    "Bupa": "bupa",
    "Car": "car",
    "Cylinder": "cylinder-bands",
    "Dermatology": "dermatology",
    "Ecoli": "ecoli",
    "Flare": "flare",
    "Glass": "glass",
    "Hepatitis": "hepatitis",
    "Horse": "horse-colic",
    "Iris": "iris",
    "Ironosphere": "ionosphere",
    "Monks": "monks-1",
    "Mushroom": "mushroom",
    "Ocrdigits": "optdigits",
    "Pendigits": "pendigits",
    "Segment": "segment",
    "Vote": "vote",
    "Wine": "wine",
    "Zoo": "zoo",
}
QUICK = ("Bupa", "Dermatology", "Iris", "Monks", "Vote", "Zoo")


@cache
def load(name: str) -> Data:
    """Return a set with the rows that the paper counts.

    Of the digits those of the training files; of Horse those of both files; of Monks all 432 rows
    that there can be, which are the test file of the first problem.
    """
    folder = FOLDERS[name]
    if name == "Horse":
        return read_joined(folder)
    data = read(data_path(folder))
    return read(data_path(folder, ".test"), schema=data.schema) if name == "Monks" else data
