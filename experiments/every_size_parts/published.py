"""The default linear machine tree at the sizes where others published theirs, and a plain tree.

DTSemNet (Panda et al. 2024) is the best published single oblique tree at these numbers of training
rows. Rows are drawn anew for each seed; sets with test rows of their own are tested on those.
"""

from __future__ import annotations

import time
from argparse import Namespace
from functools import lru_cache, partial
from typing import Any

import numpy as np
from lmdt_parts.learners import as_numbers
from resumable import Store, data_path
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from miter import LinearMachineTreeClassifier, read
from miter.data import Data

#: Training rows, whether the set has test rows of its own, how often it is measured, DTSemNet.
SETS = {
    "segment": (1478, False, 5, 96.10),
    "satimage": (3104, True, 5, 87.55),
    "optdigits": (3823, True, 3, 93.3),
    "pendigits": (5995, True, 5, 97.02),
    "letter": (10_500, False, 3, 89.19),
    "adult": (32_561, True, 3, None),
    "covtype": (371_847, False, 2, 82.0),
}
LEARNERS = ("linear machine", "scikit-learn's tree")


@lru_cache(maxsize=1)
def _whole(name: str) -> Data:
    return read(data_path(name))


def training_and_test(name: str, n_rows: int, has_test: bool, seed: int) -> tuple[Data, Data]:
    """Return so many rows drawn at random, and those of the test."""
    data = _whole(name)
    order = np.random.default_rng(seed).permutation(data.n_rows)
    train = data.take(order[:n_rows])
    if not has_test:
        return train, data.take(order[n_rows:])
    return train, read(data_path(name, ".test"), schema=data.schema)


def run(name: str, learner: str, seed: int) -> dict[str, float]:
    """Fit and test once; the seconds are those of the processor during the fit."""
    n_rows, has_test, *_ = SETS[name]
    train, test = training_and_test(name, n_rows, has_test, seed)
    if learner == "linear machine":
        begin = time.process_time()
        tree = LinearMachineTreeClassifier(random_state=seed).fit(train).tree_
        seconds = time.process_time() - begin
        answers = tree.predict(test.X)
    else:
        encoding = as_numbers(train.schema).fit(train.X)
        X = encoding.transform(train.X)
        begin = time.process_time()
        peer = DecisionTreeClassifier(random_state=seed).fit(X, train.labels)
        seconds = time.process_time() - begin
        answers = make_pipeline(encoding, peer).predict(test.X)
    return {"accuracy": 100 * float(np.mean(answers == test.labels)), "seconds": seconds}


def measure(arguments: Namespace) -> list[dict[str, Any]]:
    """Return a line for each set and learner: means over seeds."""
    names = ["segment"] if arguments.quick else [*SETS]
    lines = []
    for learner in LEARNERS:
        store = Store(
            f"published_{learner.replace(' ', '_')}",
            fresh=arguments.fresh,
            label=f"published sizes, {learner}: ",
            by_code=learner == "linear machine",
        )
        tasks = {
            (name, seed): partial(run, name, learner, seed)
            for name in names
            for seed in range(2 if arguments.quick else SETS[name][2])
        }
        with threadpool_limits(1):
            found = store.find(tasks)
        for name in names:
            own = [found[key] for key in tasks if key[0] == name]
            line: dict[str, Any] = {"set": name, "learner": learner, "n_rows": SETS[name][0]}
            line["published"] = SETS[name][3]
            for what in ("accuracy", "seconds"):
                line[what] = [one[what] for one in own]
            lines.append(line)
    return sorted(lines, key=lambda line: names.index(line["set"]))


def as_text(lines: list[dict[str, Any]]) -> str:
    """Return the table."""
    rows = [
        f"{'set':10} {'rows':>8}  {'learner':20} {'accuracy':>8} {'from':>6} {'to':>6}"
        f" {'CPU s':>7}  DTSemNet"
    ]
    for line in lines:
        accuracy, published = line["accuracy"], line["published"]
        rows.append(
            f"{line['set']:10} {line['n_rows']:8,}  {line['learner']:20} {np.mean(accuracy):8.2f} "
            f"{min(accuracy):6.2f} {max(accuracy):6.2f} {np.mean(line['seconds']):7.2f}  "
            f"{'' if published is None else f'{published:.2f}'}"
        )
    return "\n".join(rows)
