"""Counterfactuals with wishes drawn by chance: no answer breaks one.

Rows are generated: numbers, whole numbers, symbols, and a colour as three columns of which one is
1. What is wished for is checked here anew, by what the row of the answer holds.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from resumable import Store

from miter import counterfactual, from_frame
from miter.data import Data
from miter.errors import DataError
from miter.registry import make_learner

LEARNERS = ("univariate", "readable", "linear_machine", "linear_combination")
QUICK_LEARNERS = ("univariate", "linear_machine")
COLOURS = tuple(f"is {name}" for name in ("red", "green", "blue"))
NUMBERS, WHOLE, SYMBOLS = ("income", "debt", "height"), ("age", "rooms"), ("job", "city")


def people(n_rows: int = 400) -> Data:
    """Return rows with numbers, whole numbers, symbols, a group of columns, and missing cells."""
    import pandas as pd

    random = np.random.default_rng(0)
    table: dict[str, Any] = {name: random.normal(50, 20, n_rows) for name in NUMBERS}
    table |= {name: random.integers(1, 60, n_rows) for name in WHOLE}
    table |= {name: random.choice(["a", "b", "c", "d"], n_rows) for name in SYMBOLS}
    colour = random.integers(0, 3, n_rows)
    table |= {name: (colour == code).astype(int) for code, name in enumerate(COLOURS)}
    X = pd.DataFrame(table)
    score = X.income - X.debt + X.age + 15 * (X.job == "a") + 20 * (colour == 1)
    y = np.digitize(score + random.normal(0, 5, n_rows), [15, 55]).astype(str)
    holes = random.random((n_rows, 2)) < 0.05
    X["height"] = X["height"].where(~holes[:, 0])
    X["city"] = X["city"].where(~holes[:, 1])
    return from_frame(X, y)


def draw_wishes(random: np.random.Generator, data: Data) -> dict[str, Any]:
    """Return wishes: columns fixed, only up or down, ranges, allowed values; the group always."""
    free = [name for name in data.schema.names if name not in COLOURS]
    wish = dict(zip(free, random.integers(0, 7, len(free)), strict=True))
    numbers = {*NUMBERS, *WHOLE}
    ranges: dict[str, Any] = {}
    for name in free:
        if wish[name] != 3:
            continue
        if name in numbers:
            low, high = np.sort(random.uniform(0, 100, 2)).tolist()
            ranges[name] = (low, None if random.random() < 0.3 else high)
        else:
            ranges[name] = random.choice(list("abcd"), 2, replace=False).tolist()
    fixed = [name for name in free if wish[name] == 0]
    fixed += list(COLOURS) if random.random() < 0.3 else []
    return {
        "fixed": fixed,
        "only_up": [name for name in free if wish[name] == 1 and name in numbers],
        "only_down": [name for name in free if wish[name] == 2 and name in numbers],
        "ranges": ranges,
        "one_hot": [COLOURS],
        "distance": str(random.choice(["l1", "l2"])),
    }


def broken(row: dict[str, Any], answer: Any, wishes: dict[str, Any]) -> set[str]:
    """Return which wishes an answer breaks."""
    now, found = answer.row, set()
    changed = {name for name in row if row[name] != now[name] and not _both_missing(row, now, name)}
    if changed & {*wishes["fixed"]}:
        found.add("fixed")
    for name in changed:
        if row[name] is None or now[name] is None:
            continue
        if name in wishes["only_up"] and now[name] < row[name]:
            found.add("only up")
        if name in wishes["only_down"] and now[name] > row[name]:
            found.add("only down")
    for name in changed & {*wishes["ranges"]}:
        allowed = wishes["ranges"][name]
        if name in SYMBOLS:
            is_fine = now[name] in allowed
        else:
            low, high = allowed
            is_fine = low <= now[name] and (high is None or now[name] <= high)
        if not is_fine:
            found.add("range")
    if any(now[name] != round(now[name]) for name in WHOLE if name in changed):
        found.add("whole")
    if sorted(now[name] for name in COLOURS) != [0, 0, 1]:
        found.add("one-hot")
    return found


def _both_missing(row: dict[str, Any], now: dict[str, Any], name: str) -> bool:
    return row[name] is None and now[name] is None


def ask(learner: str, n_requests: int) -> dict[str, Any]:
    """Ask so often, and count what went wrong."""
    data = people()
    model = make_learner(learner, {"random_state": 0, "n_threads": 1}).fit(data)
    random = np.random.default_rng(1)
    found: dict[str, Any] = {"requests": n_requests, "answers": 0, "none": 0, "same": 0}
    found["broken"], start = 0, time.process_time()
    for _ in range(n_requests):
        number = random.integers(data.n_rows)
        cells = data.X[number].tolist()
        row = {
            column.name: None
            if cell != cell
            else column.values[int(cell)]
            if column.values
            else cell
            for column, cell in zip(data.schema.columns, cells, strict=True)
        }
        wishes = draw_wishes(random, data)
        try:
            answer = counterfactual(model, row, **wishes)
        except DataError:
            found["none"] += 1
            continue
        found["answers"] += 1
        found["same"] += answer.label == answer.was
        found["broken"] += bool(broken(row, answer, wishes))
    found["ms"] = round(1000 * (time.process_time() - start) / n_requests, 2)
    return found


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """Ask every learner; 100,000 requests in all."""
    warnings.simplefilter("ignore")
    learners, total = (QUICK_LEARNERS, 1_000) if arguments.quick else (LEARNERS, 100_000)
    store = Store("why-requests", fresh=arguments.fresh, label="requests", by_code=True)
    n = total // len(learners)
    tasks: dict[Any, Callable[[], Any]] = {
        (learner, n): partial(ask, learner, n) for learner in learners
    }
    return {" ".join(map(str, key)): value for key, value in store.find(tasks).items()}


def as_text(found: dict[str, Any]) -> str:
    """Return a table, a line a learner."""
    head = ("requests", "answers", "none", "same", "broken", "ms")
    lines = [f"{'Requests':28}" + "".join(f"{word:>10}" for word in head)]
    for key, value in found.items():
        lines.append(f"{key:28}" + "".join(f"{value[word]:10}" for word in head))
    return "\n".join(lines)
