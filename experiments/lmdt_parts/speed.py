"""What benchmarks/linear_machines.py measures, each size written down when it is known."""

from __future__ import annotations

import sys
from argparse import Namespace
from functools import partial
from typing import Any

from resumable import PROJECT, Store

from lmdt_parts.learners import OURS

sys.path.append(str(PROJECT / "benchmarks"))
import linear_machines


def measure(arguments: Namespace) -> dict[str, Any]:
    """Time fits and predictions, compare accuracies, find the peak of memory."""
    if (reason := OURS.why_not()) is not None:
        return {"runs": [], "notes": [reason]}
    tasks = {
        f"{problem} {n_rows}": partial(linear_machines.measure, problem, n_rows)
        for problem, n_rows in linear_machines.RUNS[: 1 if arguments.quick else None]
    }
    if arguments.ten_million:
        tasks["ten million"] = linear_machines.measure_ten_million
    store = Store("lmdt_speed", fresh=arguments.fresh, label="speed: ", by_code=True)
    found = store.find(tasks)
    largest = found.pop("ten million", None)
    return {"runs": list(found.values()), "ten_million": largest, "notes": []}


def as_text(report: dict[str, Any]) -> str:
    """Write the table of the benchmark."""
    return "\n".join([linear_machines.as_text(report), *report["notes"]])
