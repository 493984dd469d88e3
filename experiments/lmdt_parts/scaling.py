"""How the time of a fit grows with rows, columns and classes; draws results/lmdt_scaling.png."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from resumable import PROJECT, Store

from lmdt_parts.learners import OURS
from lmdt_parts.speed import linear_machines

PICTURE = PROJECT / "experiments" / "results" / "lmdt_scaling.png"
N_ROWS = 20_000  # where columns or classes grow
N_REPEATS = 3
GROWING = {
    "rows": (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000),
    "columns": (5, 10, 20, 40, 80),
    "classes": (2, 3, 5, 9, 16, 26),
}
QUICK_MOST_ROWS = 30_000


def measure(arguments: Namespace) -> dict[str, Any]:
    """Time fits, fit straight lines to the logarithms, draw both."""
    if (reason := OURS.why_not()) is not None:
        return {"times": {}, "slopes": {}, "notes": [reason]}
    growing = dict(GROWING)
    if arguments.quick:
        growing["rows"] = tuple(n for n in growing["rows"] if n <= QUICK_MOST_ROWS)
    tasks = {
        (what, value): partial(time_fit, what, value)
        for what, values in growing.items()
        for value in values
    }
    found = Store("lmdt_scaling", fresh=arguments.fresh, label="scaling: ", by_code=True).find(
        tasks
    )
    times = {
        what: {value: found[what, value] for value in values} for what, values in growing.items()
    }
    # With few rows cross-validation takes most of the time, so no power fits all numbers of rows.
    fitted = times | {"rows": dict(list(times["rows"].items())[-3:])}
    report = {
        "times": times,
        "slopes": {what: slope(of) for what, of in fitted.items()},
        "notes": [],
    }
    draw(report, PICTURE)
    return report


def time_fit(what: str, value: int) -> float:
    """Return the seconds of a fit, the median of several."""
    problem, n_rows = linear_machines.ObliqueTree(), N_ROWS
    if what == "rows":
        n_rows = value
    else:
        problem = replace(problem, **{f"n_{what}": value})
    X, y = problem.rows(n_rows, seed=1)
    fits = range(N_REPEATS)
    return median(linear_machines.seconds(lambda: OURS.make(0).fit(X, y)) for _ in fits)


def slope(times: dict[int, float]) -> float:
    """Return the exponent of the power that fits best."""
    return float(np.polyfit(np.log(list(times)), np.log(list(times.values())), 1)[0])


def as_text(report: dict[str, Any]) -> str:
    """Write times and exponents."""
    lines = ["Seconds of a fit (20,000 rows, 20 columns, 5 classes where these do not grow)"]
    for what, times in report["times"].items():
        lines.append(f"{what:10}" + "".join(f"{value:>11,}" for value in times))
        lines.append(f"{'':10}" + "".join(f"{time:11.4f}" for time in times.values()))
    for what, exponent in report["slopes"].items():
        lines.append(f"time grows as {what} to the power {exponent:.2f}")
    if report["times"]:
        last = list(report["times"]["rows"])[-3:]
        lines.append(
            f"rows: from {last[0]:,} to {last[-1]:,}; n log n would be "
            f"{slope({n: n * np.log(n) for n in last}):.2f}"
        )
        lines.append(f"{PICTURE.relative_to(PROJECT)}")
    return "\n".join([*lines, *report["notes"]])


def draw(report: dict[str, Any], path: Path) -> None:
    """Draw times on logarithmic axes with the fitted power, a panel for each thing that grows."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 4.2), layout="constrained")
    panels = figure.subplots(1, len(report["times"]), sharey=True)
    for axes, (what, times) in zip(panels, report["times"].items(), strict=True):
        values, seconds = np.array(list(times), float), np.array(list(times.values()))
        axes.loglog(values, seconds, "o", color="black", label="measured")
        if what == "rows":
            values, seconds = values[-3:], seconds[-3:]
        middle = np.exp(np.log(values).mean()), np.exp(np.log(seconds).mean())
        power = report["slopes"][what]
        fitted = middle[1] * (values / middle[0]) ** power
        axes.loglog(values, fitted, color="tab:red", label=f"power {power:.2f}")
        if what == "rows":
            reference = seconds[-1] * values * np.log(values) / (values[-1] * np.log(values[-1]))
            axes.loglog(values, reference, color="0.6", linestyle="--", label="n log n")
        else:
            axes.set_xticks(values, list(times))
            axes.set_xticks([], minor=True)
        axes.set_xlabel(what)
        axes.legend(frameon=False)
    panels[0].set_ylabel("seconds of a fit")
    figure.savefig(path, dpi=130)
