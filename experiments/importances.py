"""Importances of every learner beside permutation importance on rows held out.

Half of each set is learned; on the other half every column is shuffled in turn, and what accuracy
it costs is its permutation importance. Printed are Spearman's rank correlations with
`feature_importances_`, by learner and set; how far two halves of the tested rows agree with each
other, which is what can be asked for; and what columns of pure noise get beside the true ones.

    python experiments/importances.py [--sets small] [--quick]
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from resumable import read_joined
from scipy.stats import spearmanr

import miter
from miter.data import Data, from_frame
from miter.lab import permutation_importances

#: With few rows to test, shuffling twice does not say the same: the small sets tell little.
SETS = {
    "small": (
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
    ),
    "larger": (
        "car",
        "higgs-small",
        "kr-vs-kp",
        "letter",
        "magic",
        "mushroom",
        "pendigits",
        "satimage",
        "segment",
        "waveform-noise",
    ),
}
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


def noisy(n_rows: int, seed: int) -> Data:
    """Return three columns that count, and five of noise."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 8))
    return from_frame(X, X[:, 0] + X[:, 1] - X[:, 2] + 0.5 * random.normal(size=n_rows) > 0)


def correlations(
    make: Callable[[], Any], names: tuple[str, ...], n_repeats: int
) -> Iterator[tuple[float, float]]:
    """Go through the sets: how both importances agree, and how two halves of the tested rows do."""
    for name in names:
        train, test = halves(name)
        model = make().fit(train)
        shuffled, *parts = (
            permutation_importances(model, rows, n_repeats).mean
            for rows in (test, *(test.take(np.arange(i, test.n_rows, 2)) for i in (0, 1)))
        )
        yield _rank_correlation(model.feature_importances_, shuffled), _rank_correlation(*parts)


def _rank_correlation(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    return float(spearmanr(one, other).statistic)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", choices=SETS, default="larger", help="which ten sets")
    parser.add_argument("--quick", action="store_true", help="two sets, fewer repetitions")
    arguments = parser.parse_args()
    names = ("car", "segment") if arguments.quick else SETS[arguments.sets]
    warnings.simplefilter("ignore")
    head = (*(name[:9] for name in names), "mean", "halves", "noise")
    print(f"{'':20}" + "".join(f"{name:>10}" for name in head))
    for learner, make in LEARNERS.items():
        found = np.array(list(correlations(make, names, 2 if arguments.quick else 10)))
        of_noise = make().fit(noisy(1000, 0)).feature_importances_
        share = of_noise[3:].max() / of_noise[:3].min()
        figures = [*found[:, 0], *np.nanmean(found, axis=0), share]
        print(f"{learner:20}" + "".join(f"{figure:10.2f}" for figure in figures), flush=True)


if __name__ == "__main__":
    main()
