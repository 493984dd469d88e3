"""Every learner on tables of 2,000 rows of which 10, 30 or 100 are different.

python experiments/few_different_rows.py [--quick] [--json] [--fresh] [--learner NAME]

Each different row has its own probabilities of three classes, so that the accuracy of any answer is
known, and that of the best, the Bayes rate. *By chance*: the probabilities are drawn at random, and
are often nearly equal. Then what can be learned from the table is less: of a row that is there
twenty times the most common class is not always the most probable one. That rule, *majority*,
stands beside; no learner that looks at each different row for itself has a better one. *Clear*: one
class, drawn for each different row, has 0.7, the others 0.15 each, and twenty rows tell it. Means
over tables. A run that was killed goes on where it stopped.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from resumable import Store, option_parser
from sklearn.tree import DecisionTreeClassifier

import miter

N_DIFFERENT = (10, 30, 100)
GENERATORS = ("by chance", "clear")
#: Of the class of a row, where it is clear.
MOST_PROBABLE = 0.7
N_ROWS, N_TABLES = 2000, 5


class Majority:
    """The most common class of each different row."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> Majority:
        """Count."""
        kinds, which = np.unique(X, axis=0, return_inverse=True)
        counts = np.zeros((len(kinds), y.max() + 1))
        np.add.at(counts, (which.ravel(), y), 1)
        self.answers = dict(zip(map(tuple, kinds), counts.argmax(axis=1), strict=True))
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return classes; rows that were not counted get the first."""
        return np.array([self.answers.get(tuple(row), 0) for row in X])


LEARNERS: dict[str, Callable[[int], Any]] = {
    "majority": lambda seed: Majority(),
    "scikit-learn's tree": lambda seed: DecisionTreeClassifier(random_state=seed),
    "univariate": lambda seed: miter.UnivariateTreeClassifier(random_state=seed),
    "linear_machine": lambda seed: miter.LinearMachineTreeClassifier(random_state=seed),
    "linear_combination": lambda seed: miter.LinearCombinationTreeClassifier(random_state=seed),
    "perceptron": lambda seed: miter.PerceptronTreeClassifier(random_state=seed),
    "network": lambda seed: miter.NetworkTreeClassifier(random_state=seed),
    "hybrid": lambda seed: miter.HybridTreeClassifier(random_state=seed),
    "forest": lambda seed: miter.LinearMachineForestClassifier(random_state=seed),
}


def table(
    generator: str, n_different: int, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return rows, labels, and each different row with the probabilities of its classes."""
    random = np.random.default_rng(seed)
    kinds = np.unique(random.integers(0, 4, (2 * n_different, 4)), axis=0)
    kinds = random.permutation(kinds)[:n_different].astype(float)
    shares = random.dirichlet(np.ones(3), len(kinds))
    if generator == "clear":
        shares = np.full(shares.shape, (1 - MOST_PROBABLE) / 2)
        shares[np.arange(len(kinds)), random.integers(0, 3, len(kinds))] = MOST_PROBABLE
    which = random.integers(0, len(kinds), N_ROWS)
    y = (random.random(N_ROWS)[:, None] > shares[which].cumsum(axis=1)).sum(axis=1)
    return kinds[which], y, kinds, shares


def accuracy(learner: str, generator: str, n_different: int, seed: int) -> float:
    """Return the accuracy on as many rows as one likes."""
    X, y, kinds, shares = table(generator, n_different, seed)
    answers = LEARNERS[learner](seed).fit(X, y).predict(kinds)
    return float(shares[np.arange(len(kinds)), answers].mean())


def bayes_rate(generator: str, n_different: int, seed: int) -> float:
    """Return the accuracy of the most probable classes."""
    return float(table(generator, n_different, seed)[3].max(axis=1).mean())


def measure(
    learners: list[str], generator: str, n_tables: int, store: Store
) -> dict[str, dict[int, dict[str, float]]]:
    """Return the accuracy of each learner in per cent, by the number of different rows."""
    tasks: dict[Any, Callable[[], float]] = {
        (learner, generator, n, seed): partial(accuracy, learner, generator, n, seed)
        for learner in learners
        for n in N_DIFFERENT
        for seed in range(n_tables)
    }
    found = store.find(tasks)
    seeds = range(n_tables)
    best = {n: np.array([bayes_rate(generator, n, seed) for seed in seeds]) for n in N_DIFFERENT}
    report: dict[str, dict[int, dict[str, float]]] = {
        "Bayes rate": {n: {"accuracy": 100 * best[n].mean(), "behind": 0.0} for n in N_DIFFERENT}
    }
    for learner in learners:
        own = {
            n: np.array([found[learner, generator, n, seed] for seed in seeds]) for n in N_DIFFERENT
        }
        report[learner] = {
            n: {"accuracy": 100 * own[n].mean(), "behind": 100 * (best[n] - own[n]).mean()}
            for n in N_DIFFERENT
        }
    return report


def main() -> None:
    """Print the tables."""
    parser = option_parser(__doc__.splitlines()[0], learners=LEARNERS)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    store = Store("few_different_rows", fresh=arguments.fresh, by_code=True)
    learners, n_tables = arguments.learner or [*LEARNERS], 2 if arguments.quick else N_TABLES
    report = {generator: measure(learners, generator, n_tables, store) for generator in GENERATORS}
    if arguments.json:
        print(json.dumps(report, indent=2))
        return
    print("Accuracy, and points behind the Bayes rate, by the number of different rows")
    for generator, of_learner in report.items():
        print(f"{generator:24}" + "".join(f"{n:>16}" for n in N_DIFFERENT))
        for learner, of in of_learner.items():
            cells = (f"{of[n]['accuracy']:9.2f} {of[n]['behind']:6.2f}" for n in N_DIFFERENT)
            print(f"  {learner:22}" + "".join(cells))


if __name__ == "__main__":
    main()
