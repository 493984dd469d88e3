"""How long reading a CSV file takes beside pandas, and how much memory it needs.

    python benchmarks/reading.py [--rows 1000000]

Makes a file of 22 columns (twelve of decimals, four of whole numbers, five of names, the class),
reads it with both in turns, and prints the best of each, their ratio, and the memory that reading
added beside that of the table it makes. Then `miter fit` on the file, as a command, beside the same
as a script of Python, which starts and imports as the command does, and beside reading and fitting
in a session that has imported everything. Seconds are of all cores together (``--wall``: those of
the clock).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

REPEATS = 5
DEPTH = 6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--wall", action="store_true", help="measure by the clock")
    parser.add_argument("--memory", metavar="FILE", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.memory:
        print_memory(arguments.memory)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.csv")
        write_rows(path, arguments.rows)
        print(f"{arguments.rows:,} rows x 22 columns, {path.stat().st_size / 2**20:.0f} MB of CSV")
        clock = time.perf_counter if arguments.wall else cpu_seconds
        compare_times(path, clock)
        sys.stdout.flush()
        subprocess.run([sys.executable, __file__, "--memory", str(path)], check=True)
        compare_fitting(path, Path(folder, "rows.miter"), clock)


def write_rows(path: Path, n_rows: int) -> None:
    import pandas as pd

    random = np.random.default_rng(0)
    columns = {}
    for i in range(12):
        columns[f"decimal{i}"] = np.round(random.normal(size=n_rows) * 10 ** (i % 4), 4)
    for i in range(4):
        columns[f"whole{i}"] = random.integers(0, 10 ** (i + 1), n_rows)
    for i, n_values in enumerate((2, 5, 12, 60, 500)):
        names = np.array([f"value{j}" for j in range(n_values)])
        columns[f"name{i}"] = names[random.integers(0, n_values, n_rows)]
    columns["class"] = np.array(["yes", "no"])[random.integers(0, 2, n_rows)]
    pd.DataFrame(columns).to_csv(path, index=False)


def cpu_seconds() -> float:
    """Return what this process and those that it waited for have computed."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def compare_times(path: Path, clock: Callable[[], float]) -> None:
    import pandas as pd

    from miter.data import read

    ours, theirs = [], []
    for _ in range(REPEATS):
        start = clock()
        read(path, target="class")
        middle = clock()
        pd.read_csv(path)
        ours.append(middle - start)
        theirs.append(clock() - middle)
    print(f"miter.read {min(ours):.2f} s, pandas.read_csv {min(theirs):.2f} s")
    print(f"ratio {min(ours) / min(theirs):.2f}")


def compare_fitting(path: Path, model: Path, clock: Callable[[], float]) -> None:
    # As installed: compiled once, whatever this process was told; the first turn compiles.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(path.parent / "compiled")
    options = ["--target", "class", "--learner", "univariate", "--quiet"]
    options += ["-p", f"max_depth={DEPTH}", "-p", "pruning=None"]
    command = ["-m", "miter.cli", "fit", str(path), "-o", str(model), *options]
    script = "import sys; from reading import read_and_fit; read_and_fit(sys.argv[1])"
    ways: dict[str, Callable[[], object]] = {
        "miter fit": lambda: run_python(command, environment),
        "a script": lambda: run_python(["-c", script, str(path)], environment),
        "in a session": lambda: read_and_fit(str(path)),
    }
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(3):
        for name, way in ways.items():
            start = clock()
            way()
            best[name] = min(best[name], clock() - start)
    for name, seconds in best.items():
        print(f"{name:<13} {seconds:.2f} s, {best['miter fit'] / seconds:.2f}")


def run_python(arguments: list[str], environment: dict[str, str]) -> None:
    here = Path(__file__).parent
    subprocess.run([sys.executable, *arguments], check=True, env=environment, cwd=here)


def read_and_fit(path: str) -> None:
    from miter import UnivariateTreeClassifier
    from miter.data import read

    estimator = UnivariateTreeClassifier(max_depth=DEPTH, pruning=None)
    estimator.fit(read(path, target="class"))


def print_memory(path: str) -> None:
    from miter.data import from_frame, read

    from_frame([["a"], ["b"]])  # imports what reading needs
    before = peak_memory()
    data = read(path, target="class")
    grown = peak_memory() - before
    table = (data.X.nbytes + data.labels.nbytes) / 2**20
    print(f"memory {grown:.0f} MB for a table of {table:.0f} MB: {grown / table:.1f} times")


def peak_memory() -> float:
    """Return the most memory that this process has held, in MB; a child forgets its parent's."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


if __name__ == "__main__":
    main()
