"""Exported models beside the model itself, on every row of classic sets and on random rows.

Random rows have numbers from a little beyond the range of each column, any value of a symbol, and
missing cells; a half of the missing symbols are texts that training never saw.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from resumable import Store, read_joined

from miter.data import Data
from miter.registry import make_learner
from why_parts.runners import RUNNERS

SETS = (
    *("iris", "vote", "german", "hepatitis", "horse-colic", "glass"),
    *("vehicle", "segment", "waveform", "car", "pima", "dermatology"),
)
#: One for each kind of split, and forests.
LEARNERS: dict[str, dict[str, Any]] = {
    "univariate": {},
    "c45": {},
    "linear_combination": {},
    "linear_machine": {},
    "network": {},
    "bagging": {"n_estimators": 20},
    "forest": {"n_estimators": 20},
}
QUICK_SETS, QUICK_LEARNERS = ("iris", "hepatitis"), ("univariate", "linear_machine", "network")
#: So far may probabilities be from those of the model.
NEAR = {"onnx": 1e-6}


def random_rows(data: Data, n_rows: int) -> NDArray[np.float64]:
    """Return rows that nobody has seen, a fifth of their cells missing in every second row."""
    random = np.random.default_rng(0)
    X = np.empty((n_rows, data.schema.n_columns))
    for position, column in enumerate(data.schema.columns):
        known = data.X[:, position]
        known = known[~np.isnan(known)]
        if column.kind == "numeric":
            low, high = (known.min(), known.max()) if len(known) else (0.0, 1.0)
            far = 0.1 * (high - low)
            values = random.uniform(low - far, high + far, n_rows)
            # Half of them are numbers of the set, as they were written.
            taken = random.random(n_rows) < 0.5
            values[taken] = random.choice(known, taken.sum()) if len(known) else 0.0
            X[:, position] = values
        else:
            X[:, position] = random.integers(0, len(column.values), n_rows)
    X[::2][random.random(X[::2].shape) < 0.2] = np.nan
    return X


@cache
def _fitted(name: str, learner: str) -> tuple[Data, Any]:
    data = read_joined(name)
    settings = {**LEARNERS[learner], "random_state": 0, "n_threads": 1}
    return data, make_learner(learner, settings).fit(data)


def compare(name: str, learner: str, language: str, n_random: int) -> dict[str, Any]:
    """Return how many answers of an export differ, and by how much probabilities do."""
    data, model = _fitted(name, learner)
    X = np.vstack([np.asarray(data.X, float), random_rows(data, n_random)])
    start = time.process_time()
    try:
        codes, chances = RUNNERS[language](model, X)
    except Exception as error:
        return {"failure": f"{type(error).__name__}: {str(error)[:200]}"}
    return {
        "rows": len(X),
        "nodes": sum(tree.n_nodes for tree in model.trees_),
        "different": int((codes != model.predict_codes(X)).sum()),
        "distance": float(np.abs(chances - model.predict_shares(X)).max()),
        "seconds": round(time.process_time() - start, 2),
    }


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """Compare every language on every set and learner."""
    warnings.simplefilter("ignore")
    quick = arguments.quick
    sets, learners = (QUICK_SETS, QUICK_LEARNERS) if quick else (SETS, tuple(LEARNERS))
    learners = arguments.learner or learners
    n_random = 2_000 if quick else arguments.random_rows
    store = Store("why-exports", fresh=arguments.fresh, label="exports", by_code=True)
    tasks: dict[Any, Callable[[], Any]] = {
        (name, learner, language, n_random): partial(compare, name, learner, language, n_random)
        for learner in learners
        for name in sets
        for language in arguments.language or RUNNERS
    }
    return {" ".join(map(str, key)): value for key, value in store.find(tasks).items()}


def as_text(found: dict[str, Any]) -> str:
    """Sum up by language; what differs is named."""
    lines = [f"Exports: {'models':>20} {'rows':>12} {'different':>10} {'distance':>10}"]
    wrong = []
    for language in RUNNERS:
        own = {key: value for key, value in found.items() if key.split()[2] == language}
        done = [value for value in own.values() if "failure" not in value]
        rows, different = (sum(v[k] for v in done) for k in ("rows", "different"))
        distance = max((v["distance"] for v in done), default=float("nan"))
        models = f"{len(done)} of {len(own)}"
        lines.append(f"{language:12} {models:>16} {rows:12,} {different:10,} {distance:10.1e}")
        for key, value in own.items():
            if "failure" in value:
                wrong.append(f"  {key}: {value['failure']}")
            elif value["different"] or value["distance"] > NEAR.get(language, 1e-12):
                wrong.append(f"  {key}: {value['different']} differ, by {value['distance']:.1e}")
    return "\n".join([*lines, *wrong])
