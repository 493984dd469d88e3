"""Importances of every learner beside permutation importance on rows held out.

Half of each set is learned; on the other half every column is shuffled in turn, and what accuracy
it costs is its permutation importance. Printed are Spearman's rank correlations with
`feature_importances_`, by learner and set, and what columns of pure noise get beside the true ones.

    python experiments/importances.py [--quick]
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from resumable import read_joined
from scipy.stats import spearmanr
from sklearn.inspection import permutation_importance

import miter
from miter.data import Data, from_frame

SETS = (
    "german",
    "heart-statlog",
    "ionosphere",
    "magic",
    "pima",
    "segment",
    "vehicle",
    "vowel",
    "waveform",
    "wine",
)
LEARNERS: dict[str, Callable[[], Any]] = {
    "univariate": lambda: miter.UnivariateTreeClassifier(random_state=0),
    "linear_machine": lambda: miter.LinearMachineTreeClassifier(random_state=0),
    "linear_combination": lambda: miter.LinearCombinationTreeClassifier(random_state=0),
    "perceptron": lambda: miter.PerceptronTreeClassifier(random_state=0),
    "network": lambda: miter.NetworkTreeClassifier(random_state=0),
    "hybrid": lambda: miter.HybridTreeClassifier(random_state=0),
    "forest": lambda: miter.LinearMachineForestClassifier(30, random_state=0),
}
MOST_ROWS = 3000


def halves(name: str) -> tuple[Data, Data]:
    """Return rows to learn and rows to test, of a set or of a part of it."""
    data = read_joined(name)
    order = np.random.default_rng(0).permutation(data.n_rows)[:MOST_ROWS]
    return data.take(order[::2]), data.take(order[1::2])


def by_permutation(model: Any, test: Data, n_repeats: int) -> NDArray[np.float64]:
    """Return what accuracy it costs to shuffle each column."""

    def accuracy(model: Any, rows: NDArray[Any], labels: NDArray[np.int32]) -> float:
        return float((model.predict_codes(rows) == labels).mean())

    found = permutation_importance(
        model, test.X, test.labels, scoring=accuracy, n_repeats=n_repeats, random_state=0
    )
    return np.asarray(found.importances_mean)


def noisy(n_rows: int, seed: int) -> Data:
    """Return three columns that count, and five of noise."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 8))
    return from_frame(X, X[:, 0] + X[:, 1] - X[:, 2] + 0.5 * random.normal(size=n_rows) > 0)


def correlations(
    make: Callable[[], Any], names: tuple[str, ...], n_repeats: int
) -> Iterator[float]:
    """Go through the sets: the rank correlation of both importances."""
    for name in names:
        train, test = halves(name)
        model = make().fit(train)
        shuffled = by_permutation(model, test, n_repeats)
        yield float(spearmanr(model.feature_importances_, shuffled).statistic)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="three sets, fewer repetitions")
    arguments = parser.parse_args()
    names = SETS[1:6:2] if arguments.quick else SETS
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    warnings.simplefilter("ignore")
    print(f"{'':20}" + "".join(f"{name[:9]:>10}" for name in (*names, "mean", "noise")))
    for learner, make in LEARNERS.items():
        found = list(correlations(make, names, 3 if arguments.quick else 20))
        of_noise = make().fit(noisy(1000, 0)).feature_importances_
        share = of_noise[3:].max() / of_noise[:3].min()
        figures = [*found, float(np.nanmean(found)), share]
        print(f"{learner:20}" + "".join(f"{figure:10.2f}" for figure in figures), flush=True)


if __name__ == "__main__":
    main()
