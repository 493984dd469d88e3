"""Counterfactuals: each is predicted, none drawn by chance is nearer, and what they take.

Rows near the answer are drawn in the ball around the row that it was asked for: numbers move, what
is whole or a symbol stays. For networks, which are searched, a nearer row may be found.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from resumable import Store, read_joined

from miter import counterfactual
from miter.errors import DataError
from miter.registry import make_learner

SETS = ("iris", "wine", "pima", "vehicle", "german", "vote", "hepatitis", "horse-colic")
LEARNERS = ("univariate", "readable", "linear_machine", "linear_combination", "perceptron")
QUICK_SETS, QUICK_LEARNERS = ("iris", "hepatitis"), ("univariate", "linear_machine")


def ask(name: str, learner: str, n_rows: int, n_drawn: int) -> dict[str, Any]:
    """Ask for the counterfactuals of random rows of a set."""
    data = read_joined(name)
    model = make_learner(learner, {"random_state": 0, "n_threads": 1}).fit(data)
    random = np.random.default_rng(0)
    rows = random.permutation(data.n_rows)[:n_rows]
    found: dict[str, Any] = {"rows": 0, "same": 0, "broken": 0, "nearer": 0, "none": 0, "ms": []}
    names = np.array(data.schema.names)
    for number in rows:
        own = data.take(np.array([number]))
        fixed = random.choice(names, random.integers(0, len(names) // 2 + 1), replace=False)
        start = time.process_time()
        try:
            answer = counterfactual(model, own, fixed=fixed.tolist())
        except DataError:
            found["none"] += 1
            continue
        found["ms"].append(1000 * (time.process_time() - start))
        found["rows"] += 1
        found["same"] += answer.label == answer.was
        found["broken"] += bool({*answer.changes} & {*fixed.tolist()})
        found["nearer"] += _has_nearer(
            model, own.X[0].astype(float), fixed, answer, n_drawn, random
        )
    times = sorted(found.pop("ms")) or [0.0]
    found["median_ms"] = float(np.median(times))
    found["most_ms"] = float(np.quantile(times, 0.95))
    found["leaves"] = model.trees_[0].n_leaves
    return found


def _has_nearer(
    model: Any, row: Any, fixed: Any, answer: Any, n_drawn: int, random: np.random.Generator
) -> bool:
    """Tell whether a row drawn nearer than the answer gets another class, too."""
    columns = model.schema_.columns
    scale = np.array([c.spread.deviation if c.spread else 0.0 for c in columns])
    moves = [
        c.spread is not None and not c.spread.is_whole and not c.values and c.name not in fixed
        for c in columns
    ]
    steps = random.normal(size=(n_drawn, len(row))) * moves * (scale > 0)
    steps *= random.random(steps.shape) < random.random((n_drawn, 1))
    norm = np.abs(steps).sum(axis=1)
    steps = steps[norm > 0] / norm[norm > 0, None]
    reach = answer.distance * (1 - 1e-3) * random.random(len(steps)) ** 0.2
    drawn = row + steps * reach[:, None] * scale
    was = model.predict_codes(row[None])[0]
    return bool((model.predict_codes(drawn) != was).any())


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """Ask on every set and learner."""
    warnings.simplefilter("ignore")
    quick = arguments.quick
    sets, learners = (QUICK_SETS, QUICK_LEARNERS) if quick else (SETS, LEARNERS)
    n_rows, n_drawn = (20, 1_000) if quick else (200, 10_000)
    store = Store(
        "why-counterfactuals", fresh=arguments.fresh, label="counterfactuals", by_code=True
    )
    tasks: dict[Any, Callable[[], Any]] = {
        (name, learner, n_rows): partial(ask, name, learner, n_rows, n_drawn)
        for learner in learners
        for name in sets
    }
    return {" ".join(map(str, key)): value for key, value in store.find(tasks).items()}


def as_text(found: dict[str, Any]) -> str:
    """Return a table, a line a set and learner."""
    head = ("rows", "same", "broken", "nearer", "none", "leaves")
    lines = ["Counterfactuals" + "".join(f"{word:>8}" for word in head) + "  median ms  95 % ms"]
    for key, value in found.items():
        cells = "".join(f"{value[word]:8}" for word in head)
        lines.append(f"{key:34}{cells}  {value['median_ms']:9.1f}{value['most_ms']:9.1f}")
    return "\n".join(lines)
