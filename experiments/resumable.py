"""What every experiment shares: options, the data sets, and results that outlive a killed run."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

import miter
from miter import read
from miter.data import Data
from miter.progress import Countdown
from miter.threads import resolve_threads

#: What tells a value from the others of a store: a text, or parts that make one.
Key = str | tuple[Any, ...]
#: A section of an experiment: what measures it, and what writes its report as text.
Section = tuple[Callable[[argparse.Namespace], Any], Callable[[Any], str]]

PROJECT = Path(__file__).resolve().parents[1]


def options(description: str) -> argparse.Namespace:
    """Read the command line that all experiments understand."""
    return option_parser(description).parse_args()


def option_parser(
    description: str, sections: Iterable[str] = (), learners: Iterable[str] = ()
) -> argparse.ArgumentParser:
    """Return the options of all experiments, for one that has sections, learners or more."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="a small version, about two minutes")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--fresh", action="store_true", help="forget what earlier runs found")
    for name, choices, words in (
        ("--only", list(sections), "one section; repeatable"),
        ("--learner", sorted({*learners}), "fit only this one"),
    ):
        if choices:
            parser.add_argument(name, action="append", choices=choices, help=words)
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
    packed = path.with_name(f"{path.name}.gz")
    if packed.exists():
        return packed
    if not path.exists():
        sys.exit(f"{path} is not there; set MITER_DATA to the folder of the data sets")
    return path


def read_joined(name: str) -> Data:
    """Return the rows of a classic data set, those for testing too if they have a file."""
    data = read(data_path(name))
    test_path = data_path(name).with_name(f"{name}.test")
    if not test_path.exists():
        return data
    test = read(test_path, schema=data.schema)
    return Data(data.schema, np.vstack([data.X, test.X]), np.concatenate([data.y, test.y]))


class Store:
    """Values by key, each written to disk as soon as it is known.

    Parameters
    ----------
    name : str
        Of the file.
    fresh : bool
        Forget what it holds.
    label : str
        Before the numbers of the progress line.
    by_code : bool
        Find everything anew after any change of the library.
    """

    def __init__(
        self, name: str, *, fresh: bool = False, label: str = "", by_code: bool = False
    ) -> None:
        self.path = PROJECT / "experiments" / "results" / f"{name}.jsonl"
        self.path.parent.mkdir(exist_ok=True)
        if fresh:
            self.path.unlink(missing_ok=True)
        self.label = label
        self.suffix = f", {code_identity()}" if by_code else ""
        self.values = dict(self._read())

    def _read(self) -> list[tuple[str, Any]]:
        if not self.path.exists():
            return []
        content = self.path.read_text()
        whole, newline, torn = content.rpartition("\n")
        if torn:  # the run was killed while it wrote this line
            self.path.write_text(whole + newline)
        return [tuple(json.loads(line)) for line in whole.splitlines()]

    def knows(self, tasks: Iterable[Key]) -> bool:
        """Tell whether all values are there already."""
        return {*map(self._text, tasks)} <= self.values.keys()

    def find(self, tasks: Mapping[Key, Callable[[], Any]]) -> dict[Key, Any]:
        """Return the value of every key; computed and written down the first time."""
        left = [key for key in tasks if self._text(key) not in self.values]
        with (
            Countdown(len(tasks), len(tasks) - len(left), self.label) as countdown,
            self.path.open("a") as file,
        ):
            for key in left:
                self.values[self._text(key)] = value = tasks[key]()
                file.write(json.dumps([self._text(key), value]) + "\n")
                file.flush()
                os.fsync(file.fileno())
                countdown.count()
        return {key: self.values[self._text(key)] for key in tasks}

    def _text(self, key: Key) -> str:
        return (key if isinstance(key, str) else " ".join(map(str, key))) + self.suffix


@cache
def code_identity() -> str:
    """Return what results and times depend on: every file of the library, the number of threads."""
    digest = hashlib.sha256()
    package = Path(miter.__file__).parent
    for path in sorted([*package.rglob("*.py"), *package.glob("core*.so")]):
        digest.update(path.read_bytes())
    return f"{digest.hexdigest()[:8]} {resolve_threads()} threads"
