"""Time and memory of univariate trees, as ratios to scikit-learn's in the same run.

    python benchmarks/univariate.py            all sizes; the million rows take about ten minutes
    python benchmarks/univariate.py --quick    up to 100,000 rows; about a minute

Both learners fit the same rows fully grown with the entropy criterion, in turn and several times;
the medians are compared. Peak memory is what a fit adds to a fresh process that holds the rows.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np
from sklearn.datasets import load_iris, make_classification
from sklearn.tree import DecisionTreeClassifier

from miter import UnivariateTreeClassifier

N_COLUMNS = 20
REPEATS = {1_000: 31, 100_000: 5, 1_000_000: 3}


def learners():
    full = {"criterion": "gain", "pruning": None, "min_samples_leaf": 1}
    return {
        "scikit-learn": DecisionTreeClassifier(criterion="entropy", random_state=0),
        "exact": UnivariateTreeClassifier(thresholds="exact", **full),
        "histogram": UnivariateTreeClassifier(thresholds="histogram", **full),
    }


def make_rows(n_rows):
    X, y = make_classification(
        n_rows + n_rows // 5,
        N_COLUMNS,
        n_informative=10,
        n_redundant=4,
        flip_y=0.05,
        random_state=0,
    )
    return (X[:n_rows].copy(), y[:n_rows]), (X[n_rows:].copy(), y[n_rows:])


def seconds(action):
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


def measure_times(n_rows):
    (X, y), (X_test, y_test) = make_rows(n_rows)
    fit, predict, accuracy = {}, {}, {}
    models = learners()
    for repeat in range(REPEATS[n_rows]):
        for name, model in models.items():
            say(f"{n_rows:,} rows, repeat {repeat + 1}, {name}")
            fit.setdefault(name, []).append(seconds(lambda m=model: m.fit(X, y)))
            for _ in range(5):
                predict.setdefault(name, []).append(seconds(lambda m=model: m.predict(X_test)))
            accuracy[name] = model.score(X_test, y_test)
    return [
        {
            "rows": n_rows,
            "learner": name,
            "fit_s": median(fit[name]),
            "fit_ratio": median(fit["scikit-learn"]) / median(fit[name]),
            "predict_s": median(predict[name]),
            "predict_ratio": median(predict["scikit-learn"]) / median(predict[name]),
            "accuracy": accuracy[name],
        }
        for name in models
    ]


def measure_memory(n_rows):
    """Fit each learner in a process of its own and return what its peak added, in MB."""
    (X, y), _ = make_rows(n_rows)
    with tempfile.TemporaryDirectory() as folder:
        np.savez(Path(folder) / "rows.npz", X=X, y=y)
        del X, y
        result = {}
        for name in learners():
            say(f"{n_rows:,} rows, memory, {name}")
            command = [sys.executable, __file__, "--memory-of", name, "--rows", folder]
            result[name] = float(subprocess.run(command, capture_output=True, check=True).stdout)
    return result


def report_memory(name, folder):
    rows = np.load(Path(folder) / "rows.npz")
    X, y = rows["X"], rows["y"]
    model = learners()[name]
    model.fit(X[:200], y[:200])  # everything is imported before the measurement begins
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again from here
    before = peak_kilobytes()
    model.fit(X, y)
    print((peak_kilobytes() - before) / 1024)


def peak_kilobytes():
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0])


def measure_small_fit():
    """Milliseconds to fit 150 rows."""
    X, y = load_iris(return_X_y=True)
    times = {name: [] for name in learners()}
    for _ in range(200):
        for name, model in learners().items():
            times[name].append(seconds(lambda m=model: m.fit(X, y)))
    return {name: 1000 * median(values) for name, values in times.items()}


def say(text):
    print(f"\r{text:60}", end="", file=sys.stderr, flush=True)


def print_table(rows, memory, small):
    print(f"Ratios to scikit-learn's DecisionTreeClassifier; {N_COLUMNS} columns, fully grown.\n")
    print("      rows  learner        fit s   ratio   predict s   ratio   accuracy   peak MB")
    for row in rows:
        peak = memory.get(row["rows"], {}).get(row["learner"])
        print(
            f"{row['rows']:10,}  {row['learner']:12} {row['fit_s']:7.3f} {row['fit_ratio']:7.2f} "
            f"{row['predict_s']:11.5f} {row['predict_ratio']:7.2f} {row['accuracy']:10.4f} "
            + (f"{peak:9.0f}" if peak is not None else "")
        )
    print("\n150 rows (iris), one fit: " + ", ".join(f"{n} {ms:.2f} ms" for n, ms in small.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="leave out the million rows")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--memory-of", help=argparse.SUPPRESS)
    parser.add_argument("--rows", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.memory_of:
        report_memory(arguments.memory_of, arguments.rows)
        return
    sizes = [n for n in REPEATS if n <= 100_000 or not arguments.quick]
    small = measure_small_fit()
    rows = [row for n_rows in sizes for row in measure_times(n_rows)]
    memory = {n_rows: measure_memory(n_rows) for n_rows in sizes if n_rows >= 100_000}
    say("")
    print("\r", end="", file=sys.stderr)
    if arguments.json:
        print(json.dumps({"times": rows, "peak_mb": memory, "fit_150_rows_ms": small}, indent=2))
    else:
        print_table(rows, memory, small)


if __name__ == "__main__":
    main()
