"""What benchmarks/linear_machines.py measures, each size written down when it is known."""

from __future__ import annotations

import hashlib
import sys
from argparse import Namespace
from functools import cache, partial
from pathlib import Path
from typing import Any

from resumable import PROJECT, Store

import miter
from lmdt_parts.learners import OURS
from miter.threads import resolve_threads

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
    store = Store("lmdt_speed", len(tasks), fresh=arguments.fresh, label="speed: ")
    found = {
        key: store.remember(f"{key}, {code_identity()}", compute) for key, compute in tasks.items()
    }
    largest = found.pop("ten million", None)
    return {"runs": list(found.values()), "ten_million": largest, "notes": []}


def as_text(report: dict[str, Any]) -> str:
    """Write the table of the benchmark."""
    return "\n".join([linear_machines.as_text(report), *report["notes"]])


@cache
def code_identity() -> str:
    """Return what times depend on: every file of the library, and the number of threads."""
    digest = hashlib.sha256()
    package = Path(miter.__file__).parent
    for path in sorted([*package.rglob("*.py"), *package.glob("core*.so")]):
        digest.update(path.read_bytes())
    return f"{digest.hexdigest()[:8]} {resolve_threads()} threads"
