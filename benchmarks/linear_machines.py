"""Time, accuracy and memory of linear machine trees beside scikit-learn's tree in the same run.

    python benchmarks/linear_machines.py                 100,000 and a million rows; ten minutes
    python benchmarks/linear_machines.py --quick         100,000 rows; about a minute
    python benchmarks/linear_machines.py --ten-million   ten million rows in float32 as well

Twenty columns, five classes. The truth is a tree: sixteen regions, four oblique cuts away from the
root, each cut a random hyperplane over three of the columns; a twentieth of the labels is chance.
In "correlated", up to 100,000 rows, the columns are not independent: a linear machine in each of
four regions gives the class of five factors, which the columns mix. Peak memory is what a fit adds
to a fresh process that holds the rows.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
from sklearn.tree import DecisionTreeClassifier

import miter

N_TEST_ROWS = 100_000
TEN_MILLION = 10_000_000
# Rows to the fits of ours and of scikit-learn's.
REPEATS = {100_000: (5, 1), 1_000_000: (3, 1)}
N_PREDICTIONS = 21  # by turns, so that a busy moment of the machine is nobody's own
BLOCK = 1_000_000


@dataclass(frozen=True)
class Problem:
    """Rows with a ground truth that is the same however many are drawn."""

    n_columns: int = 20
    n_classes: int = 5
    noise: float = 0.05  # share of labels that are chance

    def rows(self, n_rows, seed, dtype=np.float64):
        """Draw rows and their classes, a block at a time."""
        X = np.empty((n_rows, self.n_columns), dtype)
        y = np.empty(n_rows, np.int64)
        for first in range(0, n_rows, BLOCK):
            block = slice(first, min(first + BLOCK, n_rows))
            random = np.random.default_rng([seed, first])
            X[block], y[block] = self._block(block.stop - first, random)
            is_chance = random.random(block.stop - first) < self.noise
            y[block][is_chance] = random.integers(self.n_classes, size=is_chance.sum())
        return X, y


class ObliqueTree(Problem):
    """A tree of oblique cuts."""

    def _block(self, n_rows, random):
        concept = np.random.default_rng(7)
        depth, n_in_cut = (4 if self.n_classes <= 16 else 6), 3
        cuts = np.zeros((2**depth - 1, self.n_columns))
        for cut in cuts:
            columns = concept.choice(self.n_columns, n_in_cut, replace=False)
            cut[columns] = concept.normal(size=n_in_cut)
        label = concept.permutation(np.arange(2**depth) % self.n_classes)
        X = random.normal(size=(n_rows, self.n_columns))
        node = np.zeros(n_rows, np.int64)
        for _ in range(depth):
            node = 2 * node + 1 + (np.einsum("ij,ij->i", X, cuts[node]) > 0)
        return X, label[node - len(cuts)]


class MachinesInRegions(Problem):
    """Four linear machines over factors that the columns mix."""

    def _block(self, n_rows, random):
        concept = np.random.default_rng(0)
        n_factors = 5
        planes = concept.normal(size=(n_factors, 2))
        machines = concept.normal(size=(4, n_factors, self.n_classes))
        mixture = concept.normal(size=(n_factors, self.n_columns)) / np.sqrt(n_factors)
        factors = random.normal(size=(n_rows, n_factors))
        region = (factors @ planes > 0) @ [1, 2]
        y = np.empty(n_rows, np.int64)
        for place, machine in enumerate(machines):
            y[region == place] = np.argmax(factors[region == place] @ machine, axis=1)
        return factors @ mixture + 0.1 * random.normal(size=(n_rows, self.n_columns)), y


PROBLEMS = {"oblique tree": ObliqueTree(), "correlated": MachinesInRegions()}
RUNS = [("oblique tree", 100_000), ("correlated", 100_000), ("oblique tree", 1_000_000)]


def learners():
    return {
        "ours": miter.LinearMachineTreeClassifier(random_state=0),
        "scikit-learn": DecisionTreeClassifier(random_state=0),
        "scikit-learn, leaves of 20": DecisionTreeClassifier(min_samples_leaf=20, random_state=0),
    }


def seconds(action):
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


def measure_times(problem_name, n_rows):
    problem = PROBLEMS[problem_name]
    X, y = problem.rows(n_rows, seed=1)
    X_test, y_test = problem.rows(N_TEST_ROWS, seed=2)
    models = learners()
    fits = {name: [] for name in models}
    for name, model in models.items():
        for repeat in range(REPEATS[n_rows][name != "ours"]):
            say(f"{problem_name}, {n_rows:,} rows, {name}, fit {repeat + 1}")
            fits[name].append(seconds(lambda m=model: m.fit(X, y)))
    predictions = {name: [] for name in models}
    for _ in range(N_PREDICTIONS):
        for name, model in models.items():
            predictions[name].append(seconds(lambda m=model: m.predict(X_test)))
    table = {
        name: {
            "fit_s": median(fits[name]),
            "predict_rows_per_s": N_TEST_ROWS / median(predictions[name]),
            "accuracy": model.score(X_test, y_test),
        }
        for name, model in models.items()
    }
    full = table["scikit-learn"]
    for row in table.values():
        row["fit_ratio"] = full["fit_s"] / row["fit_s"]
        row["predict_ratio"] = row["predict_rows_per_s"] / full["predict_rows_per_s"]
    return table


def measure_memory(problem_name, n_rows, dtype="float64", names=("ours", "scikit-learn")):
    """Fit each learner in a process of its own; what its peak adds, in MB, and its time."""
    result = {}
    with tempfile.TemporaryDirectory() as folder:
        X, y = PROBLEMS[problem_name].rows(n_rows, seed=1, dtype=dtype)
        np.save(Path(folder) / "X.npy", X)
        np.save(Path(folder) / "y.npy", y)
        input_mb = X.nbytes / 2**20
        del X, y
        for name in names:
            say(f"{problem_name}, {n_rows:,} rows, memory, {name}")
            command = [sys.executable, __file__, "--memory-of", name, "--rows", folder]
            done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
            result[name] = json.loads(done.stdout) | {"input_mb": input_mb}
    return result


def report_memory(name, folder):
    X, y = (np.load(Path(folder) / f"{letter}.npy") for letter in "Xy")
    model = learners()[name]
    model.fit(X[:2000], y[:2000])  # everything is imported before the measurement begins
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again from here
    before = kilobytes("VmHWM")
    fit_s = seconds(lambda: model.fit(X, y))
    peak_mb = (kilobytes("VmHWM") - before) / 1024
    swapped_mb = kilobytes("VmSwap") / 1024
    print(json.dumps({"peak_mb": peak_mb, "swapped_mb": swapped_mb, "fit_s": fit_s}))


def kilobytes(field):
    status = Path("/proc/self/status").read_text()
    return int(status.split(f"{field}:")[1].split()[0])


def measure_ten_million():
    return measure_memory("oblique tree", TEN_MILLION, "float32", ("ours",))["ours"]


def say(text):
    print(f"\r{text:70}", end="", file=sys.stderr, flush=True)


def as_text(report):
    lines = [
        "Linear machine trees and scikit-learn's DecisionTreeClassifier, 20 columns, 5 classes.\n",
        f"{'':42}{'fit s':>9}{'ratio':>8}{'M rows/s':>10}{'ratio':>7}{'accuracy':>10}"
        f"{'peak MB':>9}{'input MB':>9}",
    ]
    for one in report["runs"]:
        lines.append(f"{one['problem']}, {one['rows']:,} rows")
        for name, row in one["times"].items():
            memory = one["memory"].get(name)
            lines.append(
                f"    {name:38}{row['fit_s']:9.3f}{row['fit_ratio']:8.2f}"
                f"{row['predict_rows_per_s'] / 1e6:10.2f}{row['predict_ratio']:7.2f}"
                f"{row['accuracy']:10.4f}"
                + (f"{memory['peak_mb']:9.0f}{memory['input_mb']:9.0f}" if memory else "")
            )
    if largest := report.get("ten_million"):
        lines.append(
            "ten million rows in float32: {fit_s:.1f} s, peak {peak_mb:.0f} MB beyond the "
            "{input_mb:.0f} MB of the input, {swapped_mb:.0f} MB swapped".format(**largest)
        )
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="leave out the million rows")
    parser.add_argument("--ten-million", action="store_true", help="ten million rows as well")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--memory-of", help=argparse.SUPPRESS)
    parser.add_argument("--rows", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.memory_of:
        report_memory(arguments.memory_of, arguments.rows)
        return
    runs = [measure(*run) for run in RUNS if run[1] <= 100_000 or not arguments.quick]
    report = {"runs": runs}
    if arguments.ten_million:
        report["ten_million"] = measure_ten_million()
    say("")
    print("\r", end="", file=sys.stderr)
    print(json.dumps(report, indent=2) if arguments.json else as_text(report))


def measure(problem_name, n_rows):
    return {
        "problem": problem_name,
        "rows": n_rows,
        "times": measure_times(problem_name, n_rows),
        "memory": measure_memory(problem_name, n_rows),
    }


if __name__ == "__main__":
    main()
