"""Importances of every learner beside permutation importance on rows held out.

Half of each set is learned; on the other half every column is shuffled in turn, and what accuracy
it costs is its permutation importance. One halving says little: of two halves of the tested rows
each gives another order of the columns. So sets are halved several times, both importances are
averaged over the halvings, and then ranked. Printed are Spearman's rank correlations of these means
with each other, by learner and set; how far the permutation importances of two halves of the tested
rows agree, averaged in the same way, which is what can be asked for; and what columns of pure noise
get beside the true ones, the least favourable of several tables.

    python experiments/importances.py [--sets small] [--learner NAME] [--quick] [--json] [--fresh]
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from resumable import Store, option_parser, read_joined
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
LEARNERS: dict[str, Callable[[int], Any]] = {
    "univariate": lambda seed: miter.UnivariateTreeClassifier(random_state=seed),
    "linear_machine": lambda seed: miter.LinearMachineTreeClassifier(random_state=seed),
    "linear_combination": lambda seed: miter.LinearCombinationTreeClassifier(random_state=seed),
    "perceptron": lambda seed: miter.PerceptronTreeClassifier(random_state=seed),
    "network": lambda seed: miter.NetworkTreeClassifier(random_state=seed),
    "hybrid": lambda seed: miter.HybridTreeClassifier(random_state=seed),
    "forest": lambda seed: miter.LinearMachineForestClassifier(30, random_state=seed),
}
MOST_ROWS = 3000
N_HALVINGS = 5
N_REPEATS = 10


def halves(name: str, seed: int) -> tuple[Data, Data]:
    """Return rows to learn and rows to test, of a set or of a part of it."""
    data = read_joined(name)
    order = np.random.default_rng(seed).permutation(data.n_rows)[:MOST_ROWS]
    return data.take(order[::2]), data.take(order[1::2])


def noisy(n_rows: int, seed: int) -> Data:
    """Return three columns that count, and five of noise."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 8))
    return from_frame(X, X[:, 0] + X[:, 1] - X[:, 2] + 0.5 * random.normal(size=n_rows) > 0)


@cache
def identity(learner: str) -> str:
    """Return what its results depend on: what it makes of a small table, hashed."""
    model = LEARNERS[learner](0).fit(noisy(400, 0))
    found = model.feature_importances_, model.predict_shares(noisy(400, 1).X)
    return hashlib.sha256(np.concatenate([one.ravel() for one in found]).tobytes()).hexdigest()[:8]


def importances(learner: str, name: str, seed: int, n_repeats: int) -> list[list[float]]:
    """Return the learner's importances, and those by shuffling one and the other tested half."""
    train, test = halves(name, seed)
    model = LEARNERS[learner](seed).fit(train)
    parts = (test.take(np.arange(i, test.n_rows, 2)) for i in (0, 1))
    shuffled = [permutation_importances(model, part, n_repeats, seed).mean for part in parts]
    return [one.tolist() for one in (model.feature_importances_, *shuffled)]


def share_of_noise(learner: str, seed: int) -> float:
    """Return the largest importance of a column of noise, as a part of the least of a true one."""
    found = LEARNERS[learner](seed).fit(noisy(1000, seed)).feature_importances_
    return float(found[3:].max() / found[:3].min())


def measure(learner: str, names: tuple[str, ...], store: Store, *, quick: bool) -> dict[str, Any]:
    """Return the figures of a learner; what is not known yet is run."""
    seeds, n_repeats = range(1 if quick else N_HALVINGS), 2 if quick else N_REPEATS
    key = learner, identity(learner)
    found = store.find(
        {
            (*key, name, seed, n_repeats): partial(importances, learner, name, seed, n_repeats)
            for name in names
            for seed in seeds
        }
    )
    noise = store.find(
        {(*key, "noise", seed): partial(share_of_noise, learner, seed) for seed in seeds}
    )
    agreement, possible = {}, []
    for name in names:
        own, *parts = np.mean([found[*key, name, seed, n_repeats] for seed in seeds], axis=0)
        agreement[name] = _rank_correlation(own, np.mean(parts, axis=0))
        possible.append(_rank_correlation(*parts))
    return {
        "agreement": agreement,
        "mean": float(np.mean(list(agreement.values()))),
        "halves": float(np.mean(possible)),
        "noise": max(noise.values()),
    }


def _rank_correlation(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    return float(spearmanr(one, other).statistic)


def as_row(learner: str, figures: dict[str, Any]) -> str:
    """Write the line of a learner."""
    cells = [*figures["agreement"].values(), *(figures[key] for key in ("mean", "halves", "noise"))]
    return f"{learner:20}" + "".join(f"{cell:10.2f}" for cell in cells)


def main() -> None:
    """Print the table."""
    parser = option_parser(__doc__.splitlines()[0], learners=LEARNERS)
    parser.add_argument("--sets", choices=SETS, default="larger", help="which ten sets")
    arguments = parser.parse_args()
    names = ("car", "segment") if arguments.quick else SETS[arguments.sets]
    store = Store("importances", fresh=arguments.fresh, label="importances: ")
    warnings.simplefilter("ignore")
    report = {}
    head = (*(name[:9] for name in names), "mean", "halves", "noise")
    if not arguments.json:
        print(f"{'':20}" + "".join(f"{name:>10}" for name in head))
    for learner in arguments.learner or LEARNERS:
        report[learner] = measure(learner, names, store, quick=arguments.quick)
        if not arguments.json:
            print(as_row(learner, report[learner]), flush=True)
    if arguments.json:
        print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
