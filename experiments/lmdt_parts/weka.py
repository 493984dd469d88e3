"""Trees of Weka, fitted and tested by its own command on the rows that all learners get.

Debian has it: ``apt-get install weka``. WEKA_JAR may name another place of the jar.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from miter.data import Column, Data

JAR = Path(os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar"))


@dataclass(frozen=True)
class Weka:
    """A tree of Weka with its own defaults.

    Parameters
    ----------
    name : str
        Of the learner in the tables.
    kind : str
        Its class, below weka.classifiers.trees.
    """

    name: str
    kind: str

    @property
    def java_class(self) -> str:
        """What Java calls it."""
        return f"weka.classifiers.trees.{self.kind}"

    def why_not(self) -> str | None:
        """Say why it cannot run here, if it cannot."""
        if shutil.which("java") is None or not JAR.exists():
            return f"{self.name} needs java and {JAR} (Debian: apt-get install weka)"
        return None

    def identity(self) -> str:
        """Return what its results depend on."""
        return f"{self.kind} {_version()}"

    def run(self, train: Data, test: Data, seed: int) -> dict[str, float]:
        """Fit and test; the seconds include the start of Java. No seed: it takes none."""
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / "train.arff", Path(folder) / "test.arff"]
            for path, data in zip(paths, (train, test), strict=True):
                path.write_text(as_arff(data))
            begin = time.perf_counter()
            output = _java(self.java_class, "-v", "-t", paths[0], "-T", paths[1])
            seconds = time.perf_counter() - begin
        return parse(output) | {"seconds": seconds}


def parse(output: str) -> dict[str, float]:
    """Read accuracy and size from what Weka prints."""

    def number(pattern: str) -> float:
        found = re.search(pattern, output)
        if found is None:
            raise ValueError(f"Weka printed no {pattern!r} but: {output[:2000]}")
        return float(found[1])

    right = number(r"Correctly Classified Instances\s+([\d.]+)")
    n_leaves = number(r"Number of Leaves\s*:\s*(\d+)")
    return {
        "accuracy": right / number(r"Total Number of Instances\s+([\d.]+)"),
        "decisions": number(r"Size of the Tree\s*:\s*(\d+)") - n_leaves,
    }


def as_arff(data: Data) -> str:
    """Write a table as ARFF; symbols and classes by their numbers, so that no name needs quotes."""
    lines = ["@relation rows"]
    for place, column in enumerate(data.schema.columns):
        kind = "numeric" if column.kind == "numeric" else _names("v", len(column.values))
        lines.append(f"@attribute a{place} {kind}")
    lines += [f"@attribute class {_names('c', data.schema.n_classes)}", "@data"]
    for cells, code in zip(data.X, data.labels, strict=True):
        words = map(_cell, data.schema.columns, cells)
        lines.append(",".join([*words, f"c{code}"]))
    return "\n".join(lines) + "\n"


def _names(letter: str, n_values: int) -> str:
    return "{" + ",".join(f"{letter}{code}" for code in range(n_values)) + "}"


def _cell(column: Column, value: float) -> str:
    if np.isnan(value):
        return "?"
    return repr(float(value)) if column.kind == "numeric" else f"v{int(value)}"


@cache
def _version() -> str:
    return _java("weka.core.Version").split()[0]


def _java(*arguments: str | Path) -> str:
    command = ["java", "-XX:+UseSerialGC", "-cp", JAR, *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))} failed: {done.stderr[:2000]}")
    return done.stdout
