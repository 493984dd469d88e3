"""A label for one row in a hundred: trees that see all rows beside trees of the labelled ones."""

from __future__ import annotations

from argparse import Namespace
from functools import partial
from typing import Any

import numpy as np
from resumable import Store
from sklearn.tree import DecisionTreeClassifier

from ica_parts.rows import halves
from miter import ICATreeClassifier, LinearMachineTreeClassifier, UnivariateTreeClassifier

SETS = ("pendigits", "satimage")
SHARE = 0.01


def _accuracies(name: str, seed: int) -> dict[str, float]:
    (X, y), (X_test, y_test) = halves(name, seed)
    known = np.random.default_rng(seed).permutation(len(y)) < round(SHARE * len(y))
    partly = np.where(known, y, -1)
    run = {"random_state": seed, "n_threads": 1}
    trees = {
        "ICA, labels afterwards": ICATreeClassifier(unlabelled=-1, **run).fit(X, partly),
        "ICA, labels together": ICATreeClassifier("together", unlabelled=-1, **run).fit(X, partly),
        "scikit-learn's tree": DecisionTreeClassifier(random_state=seed).fit(X[known], y[known]),
        "univariate": UnivariateTreeClassifier(**run).fit(X[known], y[known]),
        "linear machine": LinearMachineTreeClassifier(**run).fit(X[known], y[known]),
    }
    return {way: 100 * tree.score(X_test, y_test) for way, tree in trees.items()}


def measure(arguments: Namespace) -> dict[str, Any]:
    """Train on a half of the rows, of which one in a hundred has a label; test on the other."""
    seeds = range(2 if arguments.quick else 20)
    store = Store("ica_few_labels", fresh=arguments.fresh, label="few labels: ")
    tasks = {(name, seed): partial(_accuracies, name, seed) for name in SETS for seed in seeds}
    found = store.find(tasks)
    report = {}
    for name in SETS:
        runs = [found[name, seed] for seed in seeds]
        report[name] = {
            way: [float(np.mean([r[way] for r in runs])), float(np.std([r[way] for r in runs]))]
            for way in runs[0]
        }
    return report


def as_text(report: dict[str, Any]) -> str:
    """Write the accuracies on the other half."""
    lines = ["One label in a hundred: accuracy on the other half of the rows, %"]
    lines.append(f"  {'':26}" + "".join(f"{name:>18}" for name in report))
    for way in next(iter(report.values())):
        cells = "".join("{:12.1f} +-{:4.1f}".format(*report[name][way]) for name in report)
        lines.append(f"  {way:26}{cells}")
    return "\n".join(lines)
