"""The MLC++ examples of the lecture (2D5362, Lecture 3) on Monks-1, beside its own figures.

python experiments/lecture.py [--quick] [--json] [--fresh]

The lecture shows one run each; ours are means over many seeds, with the deviation over seeds.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from resumable import Key, Store, data_path, options

from miter import BaggedTreesClassifier, evaluate, id3, read
from miter.lab import bootstrap_error, learning_curve

SIZES = (1, 20, 40, 60, 80, 100, 120)
LECTURE_CURVE = (50.41, 35.82, 27.80, 26.25, 25.34, 19.79, 21.25)
BAGS = ((10, "normalised_gain"), (50, "normalised_gain"), (100, "normalised_gain"), (25, "gain"))


def main() -> None:
    arguments = options(__doc__.splitlines()[0])
    n_seeds = 5 if arguments.quick else 50
    train = read(data_path("monks-1"))
    test = read(data_path("monks-1", ".test"), schema=train.schema)
    learner = id3("normalised_gain")

    def single() -> float:
        return 100 * evaluate(learner.fit(train), test).error

    def bootstrap(seed: int) -> float:
        return 100 * bootstrap_error(learner, train, n_samples=20, seed=seed).error

    def curve(seed: int) -> list[float]:
        return (100 * learning_curve(learner, train, SIZES, n_repeats=20, seed=seed).mean).tolist()

    def bag(seed: int, n_trees: int, criterion: str) -> float:
        bagged = BaggedTreesClassifier(id3(criterion), n_estimators=n_trees, random_state=seed)
        right = bagged.fit(train).predict(test) == np.array(test.schema.classes)[test.labels]
        return 100 * float(1 - right.mean())

    tasks: dict[Key, Callable[[], Any]] = {"single": single}
    for seed in range(n_seeds):
        tasks["bootstrap", seed] = partial(bootstrap, seed)
        tasks["curve", seed] = partial(curve, seed)
        for n_trees, criterion in BAGS:
            tasks[f"{n_trees} trees, {criterion}", seed] = partial(bag, seed, n_trees, criterion)
    found = Store("lecture", fresh=arguments.fresh).find(tasks)

    def of_seeds(what: str) -> list[Any]:
        return [found[what, seed] for seed in range(n_seeds)]

    bags = [f"{n_trees} trees, {criterion}" for n_trees, criterion in BAGS]
    report = {
        "n_seeds": n_seeds,
        "single": found["single"],
        "bootstrap": summary(of_seeds("bootstrap")),
        "curve": [summary(column) for column in np.array(of_seeds("curve")).T],
        "bags": {name: summary(of_seeds(name)) for name in bags},
    }
    print(json.dumps(report, indent=2) if arguments.json else as_text(report))


def summary(values) -> dict[str, float]:
    low, high = np.percentile(values, [2.5, 97.5])
    return {
        "mean": float(np.mean(values)),
        "deviation": float(np.std(values, ddof=1)),
        "low": float(low),
        "high": float(high),
    }


def as_text(report) -> str:
    def said(row) -> str:
        middle = f"[{row['low']:5.2f}, {row['high']:5.2f}]"
        return f"{row['mean']:6.2f} +- {row['deviation']:4.2f}  {middle}"

    lines = [
        "Monks-1, 124 training rows. Errors in percent; ours are means, deviations and the middle",
        f"95 % over {report['n_seeds']} seeds.",
        "",
        f"{'':34}lecture   ours",
        f"{'ID3, 432 test rows':34}  18.98   {report['single']:.2f}",
        f"{'.632 bootstrap, 20 samples':34}  13.30   {said(report['bootstrap'])}",
        "",
    ]
    for size, lecture, row in zip(SIZES, LECTURE_CURVE, report["curve"], strict=True):
        lines.append(f"{f'learning curve, {size} rows':34}  {lecture:5.2f}   {said(row)}")
    lines.append("")
    for name, row in report["bags"].items():
        lines.append(f"{f'bagging, {name}':35} 10.19   {said(row)}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
