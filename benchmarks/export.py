"""How fast exported C predicts, beside the native core on one thread.

    python benchmarks/export.py            trees and forests of 20 on 100,000 rows
    python benchmarks/export.py --quick    on 20,000 rows, no forests

The C source is compiled by gcc -O3 -march=native, as the core picks what the processor has. Both
predict the classes of the same rows of doubles; times are CPU times, the least of several, in turn.
The sets are looked for in MITER_DATA, then in ../shared/data.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

import miter
from miter.registry import make_learner

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT / "experiments"))
from why_parts.runners import compiled  # noqa: E402

N_REPEATS = 5
TREES = ("univariate", "c45", "linear_machine", "linear_combination", "perceptron", "network")
FORESTS = ("bagging", "forest")
SETS = ("pendigits", "german", "waveform")


def measure(name, learner, n_rows):
    """Return the ratio of the times of C and the core, and whether they agree."""
    folder = Path(os.environ.get("MITER_DATA", PROJECT.parent / "shared" / "data"))
    data = miter.read(folder / name / f"{name}.data")
    options = {"n_estimators": 20} if learner in FORESTS else {}
    model = make_learner(learner, {**options, "random_state": 0, "n_threads": 1}).fit(data)
    random = np.random.default_rng(0)
    X = np.array(data.X[random.integers(0, data.n_rows, n_rows)], float, order="C")
    found = np.empty(n_rows, np.int32)
    places = X.ctypes.data_as(ctypes.c_void_p), found.ctypes.data_as(ctypes.c_void_p)
    with tempfile.TemporaryDirectory() as place:
        library = compiled(model, place, "-march=native")
        ours, in_c = [], []
        for _ in range(N_REPEATS):
            start = time.process_time()
            expected = model.predict_codes(X)
            middle = time.process_time()
            library.model_predict_rows(places[0], ctypes.c_size_t(n_rows), places[1])
            ours.append(middle - start)
            in_c.append(time.process_time() - middle)
    return {
        "set": name,
        "learner": learner,
        "nodes": sum(tree.n_nodes for tree in model.trees_),
        "core ns a row": round(min(ours) / n_rows * 1e9, 1),
        "C ns a row": round(min(in_c) / n_rows * 1e9, 1),
        "C to core": round(min(in_c) / min(ours), 2),
        "different answers": int((found != expected).sum()),
    }


def main():
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few rows, no forests")
    parser.add_argument("--json", action="store_true", help="for machines")
    parser.add_argument("--set", action="append", choices=SETS, help="only these")
    parser.add_argument("--learner", action="append", choices=TREES + FORESTS, help="only these")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    learners = arguments.learner or (TREES if arguments.quick else TREES + FORESTS)
    found = []
    for name in arguments.set or SETS:
        for learner in learners:
            found.append(measure(name, learner, 20_000 if arguments.quick else 100_000))
            if not arguments.json:
                print("  ".join(f"{key} {value}" for key, value in found[-1].items()), flush=True)
    if arguments.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
