"""Readable trees: accuracy against what a person must read, beside trees, rules and other models.

The frontier is measured by five halvings of each set, both ways round; `other` on other sets;
`speed` beside a random forest; `truth` asks whether the very tests are found that rows were made
by; `trees` prints ten trees.

    python experiments/readable.py [--quick] [--only frontier] [--picture frontier.svg]
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
from readable_parts.learners import LEARNERS, OWN, PEERS, Halves, Result
from readable_parts.sets import OTHER_SETS, SETS, as_numbers, read_set
from readable_parts.trees import QUICK_SETS as QUICK_TREES
from readable_parts.trees import TEN_SETS, grow_tree, say_tree
from readable_parts.truth import found_again
from resumable import Section, Store, option_parser, report_sections
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold

import miter

QUICK_SETS = ("iris", "wine", "pima", "monks-1", "heart-statlog")
QUICK_LEARNERS = ("readable", "readable, path 5", "univariate", "CART, pruned")


def _measure(name: str, learner: str, halving: int, half: int) -> Result:
    data = read_set(name)
    numbers = as_numbers(data)
    halves = StratifiedKFold(2, shuffle=True, random_state=halving).split(numbers, data.labels)
    train, test = next(iter(halves))[:: 1 if half == 0 else -1]
    rows = Halves(data.take(train), data.take(test), numbers[train], numbers[test])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return LEARNERS[learner](rows)


def measure_sets(
    sets: Iterable[str], label: str, arguments: argparse.Namespace
) -> dict[str, dict[str, Any]]:
    """Return of each learner the means over all sets, and its accuracy on each of them."""
    n_halvings = 1 if arguments.quick else arguments.halvings
    learners = arguments.learner or (QUICK_LEARNERS if arguments.quick else LEARNERS)
    sets = [name for name in sets if not arguments.quick or name in QUICK_SETS]
    found: dict[Any, Result] = {}
    # What peers do does not change with the library.
    for file, own in (("readable", [*OWN]), ("readable_peers", [*PEERS])):
        store = Store(file, fresh=arguments.fresh, label=label, by_code=file == "readable")
        found |= store.find(
            {
                (name, learner, halving, half): partial(_measure, name, learner, halving, half)
                for learner in learners
                if learner in own
                for halving in range(n_halvings)
                for name in sets
                for half in (0, 1)
            }
        )
    report = {}
    for learner in learners:
        of_sets = {
            name: np.mean([v for k, v in found.items() if k[:2] == (name, learner)], axis=0)
            for name in sets
        }
        mean = np.mean(list(of_sets.values()), axis=0)
        report[learner] = {
            **dict(zip(("accuracy", "terms", "path"), mean.tolist(), strict=True)),
            "sets": {name: values.tolist() for name, values in of_sets.items()},
        }
    return report


def frontier(arguments: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Measure all learners, and draw them."""
    report = measure_sets(SETS, "frontier", arguments)
    if arguments.picture:
        draw(report, arguments.picture)
    return report


def say_frontier(report: Mapping[str, Mapping[str, Any]]) -> str:
    """Write a table, the shortest path first."""
    rows = sorted(report.items(), key=lambda item: item[1]["path"])
    lines = [f"{'learner':28}{'accuracy':>9}{'terms':>8}{'path':>7}"]
    lines += [
        f"{name:28}{100 * own['accuracy']:9.2f}{own['terms']:8.1f}{own['path']:7.2f}"
        for name, own in rows
    ]
    return "\n".join(lines)


def draw(report: Mapping[str, Mapping[str, Any]], path: str) -> None:
    """Draw accuracy against terms on the way of a row."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 5))
    ours = sorted(
        (own["path"], 100 * own["accuracy"])
        for name, own in report.items()
        if name.startswith("readable") and "real" not in name
    )
    axes.plot(*zip(*ours, strict=True), "o-", label="readable")
    for name, own in report.items():
        if not name.startswith("readable"):
            axes.plot(own["path"], 100 * own["accuracy"], "x", color="0.4")
            axes.annotate(name, (own["path"], 100 * own["accuracy"]), fontsize=8)
    axes.set(xscale="log", xlabel="terms on the way of a row", ylabel="accuracy, %")
    axes.legend(loc="lower right")
    figure.savefig(path, bbox_inches="tight")


def speed(arguments: argparse.Namespace) -> list[dict[str, float]]:
    """Measure CPU time beside a random forest of 100 trees, and wide tables of many classes."""
    sizes = (1000,) if arguments.quick else (1000, 10_000, 100_000)
    report = []
    for n_rows in sizes:
        X, y = make_classification(n_rows, 15, n_informative=8, random_state=0)
        seconds = {
            "forest": _cpu(RandomForestClassifier(100, random_state=0), X, y),
            "readable": _cpu(miter.ReadableTreeClassifier(random_state=0), X, y),
        }
        report.append({"rows": n_rows, "columns": 15, "classes": 2, **seconds})
    if not arguments.quick:
        random = np.random.default_rng(0)
        X, y = random.normal(size=(200, 2000)), np.arange(200) % 60
        X[:, 0] += y
        seconds_wide = _cpu(miter.ReadableTreeClassifier(random_state=0), X, y)
        report.append({"rows": 200, "columns": 2000, "classes": 60, "readable": seconds_wide})
    return report


def _cpu(model: Any, X: Any, y: Any) -> float:
    start = time.process_time()
    model.fit(X, y)
    return time.process_time() - start


def say_speed(report: list[dict[str, float]]) -> str:
    """Write CPU seconds, and their ratio."""
    lines = [f"{'rows':>7}{'columns':>9}{'classes':>9}{'readable':>10}{'forest':>9}{'ratio':>7}"]
    for own in report:
        forest = own.get("forest")
        rest = "" if forest is None else f"{forest:9.2f}{own['readable'] / forest:7.2f}"
        lines.append(
            f"{own['rows']:7}{own['columns']:9}{own['classes']:9}{own['readable']:10.2f}{rest}"
        )
    return "\n".join(lines)


def truth(arguments: argparse.Namespace) -> dict[str, int]:
    """Count how often the tests are found that rows were made by."""
    n_seeds = 5 if arguments.quick else 100
    store = Store("readable_truth", fresh=arguments.fresh, label="truth", by_code=True)
    found = store.find({("seed", seed): partial(found_again, seed) for seed in range(n_seeds)})
    return {
        "seeds": n_seeds,
        "all three tests": sum(n == 3 for n in found.values()),
        "tests": sum(found.values()),
    }


def say_truth(report: Mapping[str, int]) -> str:
    """Write the counts."""
    return (
        f"all three tests found, up to scale: {report['all three tests']} of "
        f"{report['seeds']} seeds ({report['tests']} of {3 * report['seeds']} tests)"
    )


def trees(arguments: argparse.Namespace) -> dict[str, Any]:
    """Grow a tree on each of ten sets."""
    return {name: grow_tree(name) for name in (QUICK_TREES if arguments.quick else TEN_SETS)}


def say_trees(report: Mapping[str, dict[str, Any]]) -> str:
    """Write them one below the other."""
    return "\n".join(say_tree(name, own) for name, own in report.items())


SECTIONS: dict[str, Section] = {
    "frontier": (frontier, say_frontier),
    "other": (partial(measure_sets, OTHER_SETS, "other"), say_frontier),
    "speed": (speed, say_speed),
    "truth": (truth, say_truth),
    "trees": (trees, say_trees),
}


def main() -> None:
    """Measure, and print."""
    parser = option_parser(__doc__ or "", SECTIONS, LEARNERS)
    parser.add_argument("--halvings", type=int, default=5, help="of each set; 5 by default")
    parser.add_argument("--picture", metavar="FILE", help="draw the frontier")
    report_sections(SECTIONS, parser.parse_args())


if __name__ == "__main__":
    main()
