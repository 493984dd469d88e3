"""Tables of many kinds, none of which any setting was chosen with; each is drawn anew by a seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from sklearn import datasets

from miter import from_frame
from miter.data import Data

N_TEST_ROWS = 3000
Rows = tuple[object, NDArray]


@dataclass(frozen=True)
class Kind:
    """A kind of table.

    Parameters
    ----------
    make : callable
        From a number of rows and a generator to columns and labels.
    n_rows : int
        To learn; all others are tested.
    n_all : int, optional
        Rows of a real table, which is shuffled; None: as many are generated as are asked for.
    is_slow : bool
        Weka's LMT takes minutes.
    """

    make: Callable[[int, Generator], Rows]
    n_rows: int
    n_all: int | None = None
    is_slow: bool = False


def table(name: str, seed: int) -> tuple[Data, Data]:
    """Return rows to learn and rows to test."""
    kind, random = KINDS[name], np.random.default_rng([seed, len(name), *name.encode()])
    n_all = kind.n_all or kind.n_rows + N_TEST_ROWS
    X, y = kind.make(n_all, random)
    order = random.permutation(n_all)
    rows = from_frame(X, y)
    return rows.take(order[: kind.n_rows]), rows.take(order[kind.n_rows :])


def flipped(y: NDArray, share: float, random: Generator, n_classes: int = 2) -> NDArray:
    """Replace a share of the labels by chance."""
    return np.where(random.random(len(y)) < share, random.integers(n_classes, size=len(y)), y)


def xor(n: int, random: Generator) -> Rows:
    X = random.uniform(-1, 1, (n, 6))
    return X, flipped((X[:, 0] * X[:, 1] > 0).astype(int), 0.1, random)


def checkerboard(n: int, random: Generator) -> Rows:
    X = random.uniform(0, 4, (n, 4))
    return X, (X[:, 0].astype(int) + X[:, 1].astype(int)) % 2


def rings(n: int, random: Generator) -> Rows:
    X = random.normal(size=(n, 4))
    far = np.hypot(X[:, 0], X[:, 1])
    return X, flipped((far > 0.8).astype(int) + (far > 1.6), 0.05, random, 3)


def moons(n: int, random: Generator) -> Rows:
    return datasets.make_moons(n, noise=0.25, random_state=int(random.integers(2**31)))


def spirals(n: int, random: Generator) -> Rows:
    turn, arm = 3 * np.sqrt(random.random(n)), random.integers(2, size=n)
    angle = 2 * turn + np.pi * arm
    X = np.column_stack([turn * np.cos(angle), turn * np.sin(angle)])
    return X + 0.1 * random.normal(size=X.shape), arm


def rules_of_symbols(n: int, random: Generator) -> Rows:
    codes = random.integers(4, size=(n, 8))
    y = (codes[:, 0] == 1) & (codes[:, 1] != 2) | (codes[:, 2] == codes[:, 3]) & (codes[:, 4] > 1)
    return np.array(list("abcd"), object)[codes], flipped(y.astype(int), 0.05, random)


def symbol_of_many_values(n: int, random: Generator) -> Rows:
    concept = np.random.default_rng(5)
    names, worth = concept.permutation(200), concept.normal(scale=1.5, size=200)
    towns, numbers = random.zipf(1.3, n) % 200, random.normal(size=(n, 4))
    score = worth[towns] + numbers[:, 0] - numbers[:, 1] + random.logistic(size=n)
    town = np.array([f"town {names[one]}" for one in towns], object)
    return np.column_stack([town, numbers.astype(object)]), (score > 0).astype(int)


def parity(n: int, random: Generator) -> Rows:
    bits = random.integers(2, size=(n, 8))
    return bits.astype(float), flipped(bits[:, :3].sum(axis=1) % 2, 0.05, random)


def few_different_rows(n: int, random: Generator) -> Rows:
    concept = np.random.default_rng(6)
    kinds, label = concept.integers(3, size=(15, 4)), concept.integers(3, size=15)
    which = random.integers(15, size=n)
    return kinds[which].astype(float), flipped(label[which], 0.4, random, 3)


def rare_class(n: int, random: Generator) -> Rows:
    X = random.normal(size=(n, 8))
    return X, (X[:, 0] + X[:, 1] + 0.3 * random.normal(size=n) > 3.4).astype(int)


def wide(n: int, random: Generator) -> Rows:
    X = random.normal(size=(n, 2000))
    return X, flipped((X[:, 0] > 0).astype(int) + (X[:, 1] > 0.5), 0.1, random, 3)


def wide_sum(n: int, random: Generator) -> Rows:
    y = random.integers(2, size=n)
    return random.normal(size=(n, 2000)) + 0.25 * y[:, None] * (np.arange(2000) < 200), y


def tiny(n: int, random: Generator) -> Rows:
    y = random.integers(3, size=n)
    return random.normal(size=(n, 4)) + 1.5 * np.eye(4)[y], y


def tiny_cut(n: int, random: Generator) -> Rows:
    X = random.normal(size=(n, 5))
    return X, flipped((X[:, 2] > 0.2).astype(int), 0.1, random)


def heavy_noise(n: int, random: Generator) -> Rows:
    X = random.normal(size=(n, 10))
    return X, flipped((X[:, :5].sum(axis=1) > 0).astype(int), 0.7, random)


def heavy_noise_cut(n: int, random: Generator) -> Rows:
    X = random.normal(size=(n, 10))
    return X, flipped(((X[:, 0] > 0) & (X[:, 1] > -0.5)).astype(int), 0.6, random)


def many_classes(n: int, random: Generator) -> Rows:
    centres, y = np.random.default_rng(7).normal(size=(60, 10)), random.integers(60, size=n)
    return centres[y] + 0.45 * random.normal(size=(n, 10)), y


def many_classes_in_boxes(n: int, random: Generator) -> Rows:
    X = random.random((n, 5))
    return X, (6 * X[:, 0]).astype(int) + 6 * (5 * X[:, 1]).astype(int)


def clusters(n: int, random: Generator) -> Rows:
    return datasets.make_classification(
        n, 20, n_informative=6, n_redundant=4, n_classes=3, n_clusters_per_class=3, flip_y=0.05,
        random_state=int(random.integers(2**31)),
    )  # fmt: skip


def friedman(n: int, random: Generator) -> Rows:
    X = random.random((n, 10))
    worth = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2
    worth += 10 * X[:, 3] + 5 * X[:, 4] + random.normal(size=n)
    return X, np.digitize(worth, [12, 16])


def squares(n: int, random: Generator) -> Rows:
    X = random.normal(size=(n, 10))
    return X, ((X**2).sum(axis=1) > 9.34).astype(int)


def shells(n: int, random: Generator) -> Rows:
    X = random.normal(size=(n, 5))
    return X, np.digitize((X**2).sum(axis=1), [2.67, 4.35, 6.63])


def boxes(n: int, random: Generator) -> Rows:
    concept, X = np.random.default_rng(8), random.random((n, 8))
    column, cut = concept.integers(5, size=31), concept.uniform(0.3, 0.7, size=31)
    node, label = np.zeros(n, int), concept.integers(3, size=32)
    for _ in range(5):
        node = 2 * node + 1 + (X[np.arange(n), column[node]] > cut[node])
    return X, flipped(label[node - 31], 0.05, random, 3)


def heavy_tails(n: int, random: Generator) -> Rows:
    X = random.normal(size=(n, 8))
    y = X[:, 0] + X[:, 1] - X[:, 2] + 0.5 * random.normal(size=n) > 0
    return np.sign(X) * np.expm1(3 * np.abs(X)), y.astype(int)


def holes(n: int, random: Generator) -> Rows:
    X = random.normal(size=(n, 8))
    y = X[:, 0] + X[:, 1] - X[:, 2] > 0
    return np.where(random.random(X.shape) < 0.3, np.nan, X), y.astype(int)


def words(n: int, random: Generator) -> Rows:
    topics = np.random.default_rng(9).gamma(0.15, size=(4, 300))
    y = random.integers(4, size=n)
    return random.poisson(20 * topics[y] / topics[y].sum(axis=1, keepdims=True)).astype(float), y


def symbols_and_numbers(n: int, random: Generator) -> Rows:
    numbers, codes = random.normal(size=(n, 5)), random.integers(3, size=(n, 4))
    slope = np.array([1.5, -1.5, 0])[codes[:, 0]]
    score = slope * numbers[:, 0] + numbers[:, 1] + (codes[:, 1] == 2)
    y = score + 0.5 * random.logistic(size=n) > 0.3
    names = np.array(["low", "middle", "high"], object)[codes]
    return np.column_stack([numbers.astype(object), names]), y.astype(int)


def odd_scales(n: int, random: Generator) -> Rows:
    X = random.normal(size=(n, 6))
    y = X[:, 0] - X[:, 1] + 0.3 * random.normal(size=n) > 0
    X = X * [1e9, 1e-9, 1, 1, 1, 1] + [1e12, 0, 0, 0, 0, 0]
    X[:, 5] = np.arange(n)  # a running number says nothing
    return X, y.astype(int)


def _bundled(load: Callable[..., object]) -> Callable[[int, Generator], Rows]:
    return lambda n, random: load(return_X_y=True)


KINDS = {
    "xor": Kind(xor, 500),
    "checkerboard": Kind(checkerboard, 1000),
    "rings": Kind(rings, 500),
    "moons": Kind(moons, 300),
    "spirals": Kind(spirals, 600),
    "rules of symbols": Kind(rules_of_symbols, 600),
    "symbol of 200 values": Kind(symbol_of_many_values, 1000),
    "parity of 3 in 8": Kind(parity, 400),
    "15 different rows": Kind(few_different_rows, 1000),
    "rare class": Kind(rare_class, 3000),
    "wide, two columns": Kind(wide, 200, is_slow=True),
    "wide, sum of 200": Kind(wide_sum, 200, is_slow=True),
    "tiny": Kind(tiny, 30),
    "tiny, one cut": Kind(tiny_cut, 40),
    "heavy noise, slanted": Kind(heavy_noise, 1000),
    "heavy noise, boxes": Kind(heavy_noise_cut, 1000),
    "60 classes": Kind(many_classes, 1800, is_slow=True),
    "30 classes in boxes": Kind(many_classes_in_boxes, 1500, is_slow=True),
    "clusters": Kind(clusters, 800),
    "friedman": Kind(friedman, 500),
    "squares": Kind(squares, 1000),
    "shells": Kind(shells, 800),
    "boxes": Kind(boxes, 1000),
    "heavy tails": Kind(heavy_tails, 500),
    "holes": Kind(holes, 500),
    "words": Kind(words, 300, is_slow=True),
    "symbols and numbers": Kind(symbols_and_numbers, 500),
    "odd scales": Kind(odd_scales, 400),
    "digits": Kind(_bundled(datasets.load_digits), 900, 1797, is_slow=True),
    "cancer": Kind(_bundled(datasets.load_breast_cancer), 285, 569),
    "wine": Kind(_bundled(datasets.load_wine), 89, 178),
    "iris": Kind(_bundled(datasets.load_iris), 75, 150),
}
