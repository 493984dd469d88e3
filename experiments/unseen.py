"""The default learners beside peers on tables of many kinds that no setting was chosen with.

python experiments/unseen.py [--quick] [--json] [--fresh] [--learner NAME] [--table NAME]

Printed are accuracy in per cent, means over seeds, and CPU seconds of a fit; then every place where
a default of ours answers little more than the most common class though scikit-learn's pruned tree
has learned something, or is clearly behind that tree. A run that was killed goes on where it
stopped.
"""

from __future__ import annotations

import json
import math
import warnings
from argparse import Namespace
from functools import partial
from typing import Any

import numpy as np
from lmdt_parts import learners
from lmdt_parts.learners import Learner, of_miter
from resumable import Store, option_parser
from threadpoolctl import threadpool_limits
from unseen_parts.tables import KINDS, table

N_SEEDS = 3
OURS = {
    "linear machine": Learner("ours", of_miter("LinearMachineTreeClassifier", n_threads=1)),
    "univariate": Learner("univariate", of_miter("UnivariateTreeClassifier", n_threads=1)),
    "hybrid": Learner("hybrid", of_miter("HybridTreeClassifier", n_threads=1)),
    "readable": Learner("readable", of_miter("ReadableTreeClassifier", n_threads=1)),
    "forest": Learner("forest", of_miter("LinearMachineForestClassifier", n_threads=1)),
}
PEERS = {
    "CART": learners.CART,
    "logistic": learners.LOGISTIC,
    "random forest": learners.RANDOM_FOREST,
    "LMT": learners.LMT,
}
LEARNERS = OURS | PEERS
QUICK_TABLES = ("xor", "tiny", "15 different rows")

#: Points behind a plain tree, beside twice the noise, that are told.
LEAST_LOSS = 1.0
#: Of what a plain tree gains over the most common class; with less a learner has learned nothing.
LEAST_GAIN = 0.25

Found = dict[str, dict[str, list[dict[str, Any]]]]


def run(learner: str, name: str, seed: int) -> dict[str, Any]:
    """Fit and test once, and tell what the most common class has."""
    train, test = table(name, seed)
    found = LEARNERS[learner].run(train, test, seed)
    common = float(np.mean(test.labels == train.class_counts().argmax()))
    return {"accuracy": found["accuracy"], "common": common, "seconds": found["seconds"]}


def measure(arguments: Namespace) -> Found:
    """Return what each learner has found on each table."""
    names = arguments.table or (QUICK_TABLES if arguments.quick else [*KINDS])
    report: Found = {name: {} for name in names}
    for learner in arguments.learner or LEARNERS:
        own = [n for n in names if learner != "LMT" or not KINDS[n].is_slow]
        if why := LEARNERS[learner].why_not():
            print(why)
            continue
        store = Store("unseen", label=f"{learner}: ")
        tasks = {
            (learner, LEARNERS[learner].identity(), name, seed): partial(run, learner, name, seed)
            for name in own
            for seed in range(1 if arguments.quick else N_SEEDS)
        }
        found = store.find(tasks)
        for name in own:
            report[name][learner] = [value for key, value in found.items() if key[2] == name]
    return report


def complaints(report: Found) -> list[str]:
    """Say where a default of ours is behind a plain tree."""
    said = []
    for name, of in report.items():
        if "CART" not in of:
            continue
        cart = np.array([100 * one["accuracy"] for one in of["CART"]])
        common = 100 * float(np.mean([one["common"] for one in of["CART"]]))
        for learner in OURS.keys() & of.keys():
            own = np.array([100 * one["accuracy"] for one in of[learner]])
            behind = cart - own
            noise = behind.std(ddof=1) / math.sqrt(len(behind)) if len(behind) > 1 else 1.0
            if own.mean() - common < LEAST_GAIN * (cart.mean() - common) - 2 * noise:
                said.append(
                    f"{learner} on {name} has learned nothing: {own.mean():.1f}, "
                    f"CART {cart.mean():.1f}, the most common class {common:.1f}"
                )
            elif behind.mean() > LEAST_LOSS + 2 * noise:
                said.append(
                    f"{learner} on {name} is behind CART: {own.mean():.1f}, {cart.mean():.1f}"
                )
    return said


def as_text(report: Found) -> str:
    """Write the tables of accuracy and of seconds."""
    learner_names = [one for one in LEARNERS if any(one in of for of in report.values())]
    lines = []
    for what, unit, digits in (("accuracy", 100, 1), ("seconds", 1, 2)):
        head = "".join(f"{one:>15}" for one in learner_names)
        lines.append(f"{'accuracy, %' if unit == 100 else 'CPU seconds of a fit':24}{head}")
        for name, of in report.items():
            cells = [_cell(of.get(one), what, unit, digits) for one in learner_names]
            lines.append(f"{name:24}" + "".join(f"{cell:>15}" for cell in cells))
        common = [n for n, of in report.items() if len(of) == len(learner_names)]
        means = [
            np.mean([unit * run[what] for name in common for run in report[name][one]])
            for one in learner_names
        ]
        lines.append(
            f"{f'mean of {len(common)}':24}" + "".join(f"{m:15.{digits + 1}f}" for m in means)
        )
        lines.append("")
    return "\n".join(lines)


def _cell(found: list[dict[str, Any]] | None, what: str, unit: float, digits: int) -> str:
    if found is None:
        return "-"
    return f"{unit * np.mean([one[what] for one in found]):.{digits}f}"


def main() -> None:
    """Measure and print."""
    parser = option_parser(__doc__.splitlines()[0], learners=LEARNERS)
    parser.add_argument("--table", action="append", choices=[*KINDS], help="only this one")
    arguments = parser.parse_args()
    if arguments.fresh:
        Store("unseen", fresh=True)
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        report = measure(arguments)
    said = complaints(report)
    if arguments.json:
        print(json.dumps({"figures": report, "complaints": said}, indent=2))
        return
    print(as_text(report))
    print("\n".join(said) if said else "No default of ours is clearly behind a plain tree.")


if __name__ == "__main__":
    main()
