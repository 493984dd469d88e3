"""What every experiment shares: options, the data sets, and results that outlive a killed run."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

import miter
from miter.threads import resolve_threads

#: A section of an experiment: what measures it, and what writes its report as text.
Section = tuple[Callable[[argparse.Namespace], Any], Callable[[Any], str]]

PROJECT = Path(__file__).resolve().parents[1]


def options(description: str) -> argparse.Namespace:
    """Read the command line that all experiments understand."""
    return option_parser(description).parse_args()


def option_parser(description: str) -> argparse.ArgumentParser:
    """Return the options of all experiments, for one that has more."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="a small version, about two minutes")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--fresh", action="store_true", help="forget what earlier runs found")
    return parser


def report_sections(sections: dict[str, Section], arguments: argparse.Namespace) -> None:
    """Measure all sections, or those that were asked for, and print their reports.

    Threads of BLAS wait for each other where fits are small or the machine has other work: a
    logistic regression took twenty times as long. Peers get one; all where speed is compared.
    """
    report = {}
    for name in arguments.only or sections:
        measure, as_text = sections[name]
        with threadpool_limits(None if name == "speed" else 1):
            report[name] = measure(arguments)
        if not arguments.json:
            print(f"{as_text(report[name])}\n", flush=True)
    if arguments.json:
        print(json.dumps(report, indent=2))


def data_path(name: str, suffix: str = ".data") -> Path:
    """Return the file of a classic data set."""
    folder = Path(os.environ.get("MITER_DATA", PROJECT.parent / "shared" / "data"))
    path = folder / name / f"{name}{suffix}"
    if not path.exists():
        sys.exit(f"{path} is not there; set MITER_DATA to the folder of the data sets")
    return path


class Store:
    """Values by key, each written to disk as soon as it is known."""

    def __init__(self, name: str, n_total: int, *, fresh: bool = False, label: str = "") -> None:
        self.path = PROJECT / "experiments" / "results" / f"{name}.jsonl"
        self.path.parent.mkdir(exist_ok=True)
        if fresh:
            self.path.unlink(missing_ok=True)
        self.values = dict(self._read())
        self.n_total = n_total
        self.label = label
        self.n_done = 0
        self.begin = time.monotonic()

    def _read(self) -> list[tuple[str, Any]]:
        if not self.path.exists():
            return []
        content = self.path.read_text()
        whole, newline, torn = content.rpartition("\n")
        if torn:  # the run was killed while it wrote this line
            self.path.write_text(whole + newline)
        return [tuple(json.loads(line)) for line in whole.splitlines()]

    def remember(self, key: str, compute: Callable[[], Any]) -> Any:
        """Return the value of a key; computed and written down the first time."""
        if key not in self.values:
            self.values[key] = compute()
            with self.path.open("a") as file:
                file.write(json.dumps([key, self.values[key]]) + "\n")
                file.flush()
                os.fsync(file.fileno())
        self.n_done += 1
        seconds = time.monotonic() - self.begin
        left = seconds / self.n_done * (self.n_total - self.n_done)
        done = f"{self.label}{self.n_done} of {self.n_total}, {left:.0f} s left"
        print(f"\r{done:60}", end="", file=sys.stderr, flush=True)
        if self.n_done == self.n_total:
            print("\r" + " " * 60 + "\r", end="", file=sys.stderr, flush=True)
        return self.values[key]


@cache
def code_identity() -> str:
    """Return what results and times depend on: every file of the library, the number of threads."""
    digest = hashlib.sha256()
    package = Path(miter.__file__).parent
    for path in sorted([*package.rglob("*.py"), *package.glob("core*.so")]):
        digest.update(path.read_bytes())
    return f"{digest.hexdigest()[:8]} {resolve_threads()} threads"
