"""Our forest beside scikit-learn's on classic sets, and on tables that nobody chose settings with.

python experiments/forest.py [--quick] [--json] [--fresh] [--only SECTION] [--learner NAME]

Sections: sets (26 of them, 5x2cv), tables (noisy labels, a rare class, wide, few different rows,
many symbols, missing values; our single trees run beside). Seconds are those of the processor. A
run that was killed goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

import numpy as np
from lmdt_parts import comparison, learners, sets
from lmdt_parts.comparison import Comparison
from numpy.random import Generator
from resumable import Section, option_parser, report_sections

from miter.data import Column, Data, Schema

FORESTS = (learners.OUR_FOREST, learners.RANDOM_FOREST, learners.EXTRA_TREES)
MACHINE = replace(learners.OURS, name="machine")
UNIVARIATE = learners.Learner("univariate", learners.of_miter("UnivariateTreeClassifier"))


def table(X: np.ndarray, y: np.ndarray, n_values: int = 0) -> Data:
    """Return numbers, or symbols of so many values, with their classes."""
    values = tuple(f"v{value}" for value in range(n_values))
    kind = ("symbolic", values) if n_values else ("numeric",)
    columns = tuple(Column(f"x{place}", *kind) for place in range(X.shape[1]))
    return Data(Schema(columns, tuple(range(y.max() + 1))), X.astype(float), y.astype(np.int32))


def mislabelled(y: np.ndarray, share: float, random: Generator) -> np.ndarray:
    """Return labels of which a share is drawn anew from all classes but the right one."""
    others = (y + random.integers(1, y.max() + 1, len(y))) % (y.max() + 1)
    return np.where(random.random(len(y)) < share, others, y)


def slanted(random: Generator, noise: float, n_rows: int = 1600) -> Data:
    """Return two classes on two sides of a plane through four of ten columns."""
    X = random.normal(size=(n_rows, 10))
    return table(X, mislabelled((X[:, :4].sum(axis=1) > 0).astype(int), noise, random))


def boxes(random: Generator, noise: float, n_rows: int = 1600) -> Data:
    """Return classes that two columns tell together and none of them alone, and a third."""
    X = random.random((n_rows, 10))
    y = ((X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)).astype(int) + (X[:, 2] > 0.7)
    return table(X, mislabelled(y, noise, random))


def heaps(random: Generator, noise: float, n_rows: int = 1600) -> Data:
    """Return six heaps of rows that overlap, a class each."""
    y = random.integers(6, size=n_rows)
    X = random.normal(scale=1.2, size=(6, 12))[y] + random.normal(size=(n_rows, 12))
    return table(X, mislabelled(y, noise, random))


def rare(random: Generator, n_rows: int = 1600) -> Data:
    """Return one row in twenty-five of another class."""
    X = random.normal(size=(n_rows, 8))
    score = X[:, 0] + X[:, 1] * X[:, 2] + random.normal(scale=0.5, size=n_rows)
    return table(X, (score > np.quantile(score, 0.96)).astype(int))


def wide(random: Generator, n_rows: int = 400, n_columns: int = 2000) -> Data:
    """Return three heaps in 30 of 2,000 columns; half of the rows are 200."""
    y = random.integers(3, size=n_rows)
    X = random.normal(size=(n_rows, n_columns))
    X[:, :30] += random.normal(scale=0.6, size=(3, 30))[y]
    return table(X, y)


def few_different(random: Generator, n_different: int, n_rows: int = 1600) -> Data:
    """Return rows of which few are different, each with its own shares of three classes."""
    which = random.choice(n_different, n_rows, p=random.dirichlet(np.ones(n_different)))
    X = random.integers(4, size=(n_different, 5))[which]
    shares = random.dirichlet(np.ones(3), n_different)[which]
    return table(X, (random.random(n_rows)[:, None] > shares.cumsum(axis=1)).sum(axis=1))


def symbols(random: Generator, n_rows: int = 1600) -> Data:
    """Return 15 symbols of 30 values; those of five add to the odds of three classes."""
    X = random.integers(30, size=(n_rows, 15))
    odds = random.normal(size=(5, 30, 3))
    score = sum(odds[place, X[:, place]] for place in range(5)) + random.gumbel(size=(n_rows, 3))
    return table(X, score.argmax(axis=1), n_values=30)


def missing(random: Generator, n_rows: int = 1600) -> Data:
    """Return rows with three cells in ten missing."""
    X = random.normal(size=(n_rows, 8))
    y = (X[:, 0] + X[:, 1] - X[:, 2] > 0).astype(int) + (X[:, 3] > 1)
    X[random.random(X.shape) < 0.3] = np.nan
    return table(X, y)


TABLES: dict[str, Callable[[Generator], Data]] = {
    "slanted, 20 % wrong": partial(slanted, noise=0.2),
    "slanted, 40 % wrong": partial(slanted, noise=0.4),
    "boxes": partial(boxes, noise=0.0),
    "boxes, 30 % wrong": partial(boxes, noise=0.3),
    "heaps, 40 % wrong": partial(heaps, noise=0.4),
    "rare class": rare,
    "wide": wide,
    "10 different rows": partial(few_different, n_different=10),
    "100 different rows": partial(few_different, n_different=100),
    "symbols": symbols,
    "missing values": missing,
}


@cache
def load(name: str) -> Data:
    """Return a table."""
    return TABLES[name](np.random.default_rng(0))


COMPARISONS = (
    Comparison(
        "sets",
        "Forests of 100 trees on classic sets, 5x2cv",
        sets.SMALL + sets.LARGER,
        ("iris", "glass", "vote", "segment", "car"),
        FORESTS,
        {},
        experiment="forest",
    ),
    Comparison(
        "tables",
        "Forests of 100 trees and single trees on generated tables, 5x2cv",
        tuple(TABLES),
        ("slanted, 40 % wrong", "rare class"),
        (*FORESTS, UNIVARIATE, MACHINE),
        {},
        experiment="forest",
        load=load,
    ),
)
SECTIONS: dict[str, Section] = {
    one.section: (partial(comparison.measure, one), partial(comparison.as_text, title=one.title))
    for one in COMPARISONS
}


def main() -> None:
    names = (learner.name for one in COMPARISONS for learner in one.learners)
    report_sections(SECTIONS, option_parser(__doc__.splitlines()[0], SECTIONS, names).parse_args())


if __name__ == "__main__":
    main()
