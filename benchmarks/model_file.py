"""Size and loading time of the model file of a forest beside those of its pickle.

    python benchmarks/model_file.py            100 trees on 10,000 rows of the letter set
    python benchmarks/model_file.py --quick    10 trees on 1,000 rows

The set is looked for in MITER_DATA, then in ../shared/data. Times are the least of five,
of the processor.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import pickle
import tempfile
import time
from pathlib import Path

import numpy as np

import miter

PROJECT = Path(__file__).resolve().parents[1]
N_REPEATS = 5


def measure(n_trees, n_rows):
    """Return sizes in bytes and times in seconds."""
    folder = Path(os.environ.get("MITER_DATA", PROJECT.parent / "shared" / "data"))
    data = miter.read(folder / "letter" / "letter.data")
    data = data.take(np.arange(min(n_rows, data.n_rows)))
    forest = miter.LinearMachineForestClassifier(n_trees, random_state=0).fit(data)
    pickled = pickle.dumps(forest)
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "forest.miter.gz")
        save = least(lambda: miter.save(forest, path))
        load = least(lambda: miter.load(path))
        size = path.stat().st_size
        loaded = miter.load(path)
    assert loaded.predict_proba(data).tobytes() == forest.predict_proba(data).tobytes()
    return {
        "trees": n_trees,
        "rows": data.n_rows,
        "nodes": sum(tree.n_nodes for tree in forest.trees_),
        "pickle": len(pickled),
        "gzipped pickle": len(gzip.compress(pickled, 6)),
        "gzipped file": size,
        "file to pickle": round(size / len(pickled), 3),
        "save": round(save, 3),
        "load": round(load, 3),
    }


def least(action):
    """Return the least time of several."""
    times = []
    for _ in range(N_REPEATS):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times)


def main():
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a small forest")
    parser.add_argument("--json", action="store_true", help="for machines")
    arguments = parser.parse_args()
    measured = measure(10, 1_000) if arguments.quick else measure(100, 10_000)
    if arguments.json:
        print(json.dumps(measured))
        return
    for name, value in measured.items():
        print(f"{name:16}{value:>14,}")


if __name__ == "__main__":
    main()
