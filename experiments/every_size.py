"""Accuracy and CPU time against the number of rows, from 150 to 200,000, ours beside peers.

python experiments/every_size.py [--quick] [--json] [--fresh] [--learner NAME] [--table NAME]
                                 [--picture FILE] [--most ROWS] [--only published]

Four tables are generated, three are real; all learners get the same rows, as they are, with one
thread. Means over seeds: more of them where rows are few. After the tables it says which learner
breaks which rule: no accuracy lost by more rows beyond the noise, no time that falls, none that
grows by more than 2.2 times when rows double. `--only published` is another table: the default at
the numbers of rows where others published their trees. A run that was killed goes on where it
stopped; after a change of the library ours are measured anew.
"""

from __future__ import annotations

import json
import time
import warnings
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from every_size_parts import published, tables
from every_size_parts.rules import Figures, broken_rules
from resumable import Store, option_parser, report_sections
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

import miter
from miter.lab.estimates.adapter import fit_on, predict_codes

SIZES = (150, 500, 1000, 1900, 2100, 5000, 10_000, 19_000, 21_000, 50_000, 200_000)
OURS: dict[str, Callable[[int], Any]] = {
    name: lambda seed, kind=kind: kind(random_state=seed, n_threads=1)
    for name, kind in {
        "univariate": miter.UnivariateTreeClassifier,
        "linear machine": miter.LinearMachineTreeClassifier,
        "perceptron": miter.PerceptronTreeClassifier,
        "network": miter.NetworkTreeClassifier,
        "hybrid": miter.HybridTreeClassifier,
    }.items()
}
PEERS: dict[str, Callable[[int], Any]] = {
    "scikit-learn's tree": lambda seed: DecisionTreeClassifier(random_state=seed),
    "random forest": lambda seed: RandomForestClassifier(random_state=seed),
    "boosting": lambda seed: HistGradientBoostingClassifier(random_state=seed),
    "logistic": lambda seed: make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
}
LEARNERS = OURS | PEERS
TABLES = (*tables.GENERATED, *tables.REAL)
QUICK_SIZES, QUICK_TABLES = (150, 500, 1000, 2100), ("oblique", "mixed")

Report = dict[str, dict[str, list[dict[str, Any]]]]


def n_seeds(n_rows: int) -> int:
    """Return how often a size is measured: rows tell the less the fewer they are."""
    return 10 if n_rows <= 500 else 5 if n_rows <= 2100 else 3 if n_rows <= 21_000 else 2


def run(learner: str, name: str, n_rows: int, seed: int) -> dict[str, float]:
    """Fit and test; the seconds are those of the processor during the fit."""
    table = tables.table(name, seed)
    train = table.train.take(np.arange(n_rows))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # logistic regression that has not converged
        begin = time.process_time()
        model = fit_on(LEARNERS[learner](seed), train)
        seconds = time.process_time() - begin
    accuracy = float(np.mean(predict_codes(model, table.test) == table.test.labels))
    return {"accuracy": accuracy, "seconds": seconds}


def measure(arguments: Namespace) -> Report:
    """Return the figures of every table, learner and size."""
    names = arguments.table or (QUICK_TABLES if arguments.quick else TABLES)
    sizes = [n for n in (QUICK_SIZES if arguments.quick else SIZES) if n <= arguments.most]
    report: Report = {}
    for name in names:
        n_left = tables.table(name, 0).train.n_rows
        report[name] = {
            learner: _measure_learner(learner, name, [n for n in sizes if n <= n_left], arguments)
            for learner in arguments.learner or LEARNERS
        }
    return report


def _measure_learner(
    learner: str, name: str, sizes: list[int], arguments: Namespace
) -> list[dict[str, Any]]:
    store = Store(
        f"every_size_{learner.replace(' ', '_')}",
        label=f"{name}, {learner}: ",
        by_code=learner in OURS,
    )
    tasks = {
        (name, n, seed): partial(run, learner, name, n, seed)
        for seed in range(n_seeds(0))
        for n in sizes
        if seed < (2 if arguments.quick else n_seeds(n))
    }
    with threadpool_limits(1):
        found = store.find(tasks)
    return [
        {
            "n_rows": n,
            "accuracy": [own["accuracy"] for key, own in found.items() if key[1] == n],
            "seconds": [own["seconds"] for key, own in found.items() if key[1] == n],
        }
        for n in sizes
    ]


def complaints(report: Report) -> list[str]:
    """Say which of our learners breaks which rule."""
    return [
        sentence
        for name, of_learner in report.items()
        for learner, sizes in of_learner.items()
        if learner in OURS
        for sentence in broken_rules(learner, name, [Figures(**size) for size in sizes])
    ]


def as_text(report: Report) -> str:
    """Write the tables of accuracy and time."""
    lines = []
    for name, of_learner in report.items():
        sizes = [size["n_rows"] for size in next(iter(of_learner.values()))]
        lines.append(f"{name:24}" + "".join(f"{n:>9,}" for n in sizes))
        for what, unit in (("accuracy", 100), ("seconds", 1)):
            lines.append(f"  {'accuracy, %' if unit == 100 else 'CPU seconds of the fit'}")
            for learner, found in of_learner.items():
                cells = [unit * np.mean(size[what]) for size in found]
                lines.append(f"    {learner:20}" + "".join(f"{cell:9.2f}" for cell in cells))
        lines.append("")
    return "\n".join(lines)


def draw(report: Report, path: Path) -> None:
    """Draw accuracy above time, a table a column."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3.6 * len(report), 6.4), layout="constrained")
    panels = figure.subplots(2, len(report), squeeze=False, sharex=True)
    for column, (name, of_learner) in enumerate(report.items()):
        for place, (learner, sizes) in enumerate(of_learner.items()):
            rows = [size["n_rows"] for size in sizes]
            style = {
                "color": f"C{place}",
                "linestyle": "-" if learner in OURS else ":",
                "label": learner,
                "marker": ".",
            }
            accuracy = [100 * np.mean(size["accuracy"]) for size in sizes]
            panels[0, column].plot(rows, accuracy, **style)
            seconds = [np.mean(size["seconds"]) for size in sizes]
            panels[1, column].plot(rows, seconds, **style)
        panels[0, column].set(title=name, xscale="log")
        panels[1, column].set(xlabel="training rows", yscale="log")
    panels[0, 0].set_ylabel("accuracy, %")
    panels[1, 0].set_ylabel("CPU seconds of the fit")
    panels[0, -1].legend(frameon=False, fontsize=8)
    for panel in panels.ravel():
        panel.grid(alpha=0.3)
    figure.savefig(path, dpi=120)


def main() -> None:
    """Measure, print and draw."""
    parser = option_parser(__doc__.splitlines()[0], ["published"], LEARNERS)
    parser.add_argument("--table", action="append", choices=TABLES, help="only this one")
    parser.add_argument("--most", type=int, default=SIZES[-1], help="no size above so many rows")
    parser.add_argument("--picture", type=Path, help="where the picture goes")
    arguments = parser.parse_args()
    if arguments.only:
        report_sections({"published": (published.measure, published.as_text)}, arguments)
        return
    if arguments.fresh:
        for learner in arguments.learner or LEARNERS:
            Store(f"every_size_{learner.replace(' ', '_')}", fresh=True)
    report = measure(arguments)
    broken = complaints(report)
    picture = arguments.picture or Path(__file__).parent / "results" / "every_size.png"
    draw(report, picture)
    if arguments.json:
        print(json.dumps({"figures": report, "broken": broken}, indent=2))
        return
    print(as_text(report))
    print("\n".join(broken) if broken else "No learner of ours breaks a rule.")
    print(f"The picture is {picture}.")


if __name__ == "__main__":
    main()
