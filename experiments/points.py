"""Machines as points tables: how often they decide alike, and how often they are right.

    python experiments/points.py            # docs/saying.md
    python experiments/points.py --quick    # wine, one repeat

The machine is that at the root of a LinearMachineTreeClassifier; what is learned and searched sees
the training rows of a fold only.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

import numpy as np
from resumable import Store, options, read_joined
from sklearn.model_selection import StratifiedKFold
from threadpoolctl import threadpool_limits

from miter import LinearMachineTreeClassifier, points, terms
from miter.splits import Machine

N_FOLDS = 5
#: Name of the set, what is said to the learner, rows of the table.
CASES = (
    ("wine", {}, 8),
    ("dermatology", {}, 8),
    ("vehicle", {"max_features": 8, "terms": "linear"}, 8),
    ("vehicle", {}, 8),
    ("vehicle", {}, 18),
    ("iris", {}, 4),
    ("pima", {}, 8),
)


def measure(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    store = Store("points-quick" if arguments.quick else "points", fresh=arguments.fresh)
    cases = CASES[:1] if arguments.quick else CASES
    tasks = {
        (
            name,
            json.dumps(settings),
            n_rows,
            repeat,
            fold,
        ): lambda name=name, settings=settings, n_rows=n_rows, repeat=repeat, fold=fold: run(
            name, settings, n_rows, repeat, fold
        )
        for repeat in range(1 if arguments.quick else 2)
        for name, settings, n_rows in cases
        for fold in range(2 if arguments.quick else N_FOLDS)
    }
    with threadpool_limits(1):
        found = store.find(tasks)
    report = []
    for name, settings, n_rows in cases:
        runs = [v for k, v in found.items() if k[:3] == (name, json.dumps(settings), n_rows)]
        usable = [run for run in runs if run is not None]
        means = {key: float(np.mean([run[key] for run in usable])) for key in usable[0]}
        report.append({"set": name, "settings": settings, "max_rows": n_rows} | means)
        report[-1]["n_without_machine"] = len(runs) - len(usable)
    return report


def run(
    name: str, settings: dict[str, Any], n_rows: int, repeat: int, fold: int
) -> dict[str, float] | None:
    """Return what one fold gives; None where the root has no machine."""
    data = read_joined(name)
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=repeat)
    train_rows, test_rows = list(folds.split(data.X, data.labels))[fold]
    train, test = data.take(train_rows), data.take(test_rows)
    model = LinearMachineTreeClassifier(random_state=0, n_threads=1, **settings).fit(train)
    machine = model.tree_.splits[0]
    if not isinstance(machine, Machine):
        return None
    begin = time.process_time()
    table = points(model, train, max_rows=n_rows)
    seconds = time.process_time() - begin
    by_machine = np.array(machine.classes)[machine.route(test.X)]
    by_points = np.array(machine.classes)[table.totals(test).argmax(axis=1)]
    return {
        "agreement": float(np.mean(by_points == by_machine)),
        "train_agreement": table.agreement,
        "machine_accuracy": float(np.mean(by_machine == test.labels)),
        "points_accuracy": float(np.mean(by_points == test.labels)),
        "tree_accuracy": float(np.mean(model.predict_codes(test.X) == test.labels)),
        "rows": len(table.rows),
        "machine_terms": machine.n_terms,
        "tree_terms": terms(model),
        "seconds": seconds,
    }


def as_text(report: list[dict[str, Any]]) -> str:
    lines = [
        "| set | machine | rows | agreement in training | on new rows | accuracy of the machine | "
        "of the table | of the whole tree | terms of the machine | s |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for case in report:
        said = ", ".join(f"`{k}={v!r}`" for k, v in case["settings"].items()) or "default"
        shares = ("train_agreement", "agreement", "machine_accuracy", "points_accuracy")
        cells = [f"{100 * case[key]:.1f}" for key in (*shares, "tree_accuracy")]
        lines.append(
            f"| {case['set']} | {said} | {case['rows']:.0f} | {' | '.join(cells)} "
            f"| {case['machine_terms']:.0f} | {case['seconds']:.1f} |"
        )
    return "\n".join(lines)


def main() -> None:
    arguments = options(__doc__ or "")
    report = measure(arguments)
    print(json.dumps(report, indent=2) if arguments.json else as_text(report))


if __name__ == "__main__":
    sys.exit(main())
