"""How long exact Shapley values take, and how exact they are.

    python benchmarks/attribution.py            1,000 rows against 100, trees of up to 50 leaves
    python benchmarks/attribution.py --quick    100 rows against 20
    python benchmarks/attribution.py --json     the same, for machines

Times are wall times on all cores. Where shap and scikit-learn are there, its TreeExplainer
(interventional) explains a scikit-learn tree of as many leaves, which tests one column at each
node, in the same run on one core: the ratio is that of CPU times. The sets are looked for in
MITER_DATA, then in ../shared/data.
"""

from __future__ import annotations

import argparse
import json
import os
import time
import warnings
from pathlib import Path

import numpy as np

import miter
from miter.registry import make_learner

PROJECT = Path(__file__).resolve().parents[1]
N_LEAVES = 50
SETS = ("pendigits", "german", "pima")
LEARNERS = (
    "univariate",
    "linear_combination",
    "readable",
    "linear_machine",
    "perceptron",
    "network",
)


def fit(learner, data):
    """Return a fitted tree, cut to the size where it is larger."""
    model = make_learner(learner, {"random_state": 0}).fit(data)
    tree = miter.CutToSize(N_LEAVES).prune(model.tree_) if model.tree_.n_leaves > N_LEAVES else None
    return model if tree is None else model.restore([tree], model.state())


def measure(name, learner, n_rows, n_background):
    """Return how long the rows of a set take, and whether their values sum to the predictions."""
    folder = Path(os.environ.get("MITER_DATA", PROJECT.parent / "shared" / "data"))
    data = miter.read(folder / name / f"{name}.data")
    model = fit(learner, data)
    random = np.random.default_rng(0)
    rows = data.take(random.integers(0, data.n_rows, n_rows))
    background = data.take(random.integers(0, data.n_rows, n_background))
    with warnings.catch_warnings(action="ignore"):
        start = time.perf_counter()
        found = miter.attribute(model, rows, background)
        seconds = time.perf_counter() - start
    gap = found.values.sum(axis=1) + found.expected - model.predict_shares(rows.X)
    return {
        "set": name,
        "learner": learner,
        "columns": data.schema.n_columns,
        "leaves": model.tree_.n_leaves,
        "seconds": seconds,
        "gap": float(np.abs(gap).max()),
        "error": None if found.error is None else float(found.error.max()),
    }


def beside_shap(n_rows, n_background):
    """Return the CPU times of ours and shap's on trees of one column a node; None without shap."""
    try:
        import shap
        from sklearn.tree import DecisionTreeClassifier
    except ImportError:
        return None
    folder = Path(os.environ.get("MITER_DATA", PROJECT.parent / "shared" / "data"))
    data = miter.read(folder / "pendigits" / "pendigits.data")
    model = fit("univariate", data)
    X = np.array(data.X, float)
    theirs = DecisionTreeClassifier(max_leaf_nodes=model.tree_.n_leaves, random_state=0)
    theirs.fit(X, data.labels)
    explainer = shap.TreeExplainer(theirs, X[:n_background], feature_perturbation="interventional")
    rows, background = data.take(np.arange(n_rows)), data.take(np.arange(n_background))
    start = time.process_time()
    miter.attribute(model, rows, background, n_threads=1)
    middle = time.process_time()
    explainer.shap_values(X[:n_rows], check_additivity=False)
    return {"ours": middle - start, "shap": time.process_time() - middle}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    size = (100, 20) if options.quick else (1000, 100)
    results = []
    for name in SETS:
        for learner in LEARNERS:
            results.append(measure(name, learner, *size))
            if not options.json:
                print(
                    "{set:10} {learner:18} {columns:3} columns {leaves:3} leaves {seconds:8.2f} s  "
                    "sums to 1e-10: {0}  {1}".format(
                        results[-1]["gap"] < 1e-10,
                        "exact" if results[-1]["error"] is None else "sampled",
                        **results[-1],
                    ),
                    flush=True,
                )
    shap = beside_shap(*size)
    if options.json:
        print(json.dumps({"results": results, "shap": shap}, indent=2))
    elif shap:
        print("CPU seconds, ours {ours:.3f}, shap {shap:.3f}".format(**shap))


if __name__ == "__main__":
    main()
