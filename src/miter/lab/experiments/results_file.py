"""Results on disk: a line that says which experiment, then a line of JSON for each run.

Every line is on the disk before the next run is counted as done, so whatever ends the program, a
run is in the file as a whole or not at all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from os import PathLike
from pathlib import Path
from types import UnionType
from typing import Any, BinaryIO, get_args, get_origin, get_type_hints

from miter.lab.experiments.file_lock import locked
from miter.lab.experiments.fingerprint import differences, fingerprint
from miter.lab.experiments.results import Results, Run

__all__ = ["ResultsFile", "ResultsFileError", "open_results", "read_results"]

FORMAT, VERSION = "miter results", 1


class ResultsFileError(ValueError):
    """A results file is damaged, or belongs to another experiment."""


def read_results(path: str | PathLike[str]) -> Results:
    """Read the runs that a results file holds, also while others are still being added.

    Parameters
    ----------
    path : str or path
        What `miter.lab.run` wrote.

    Returns
    -------
    Results
        Of the runs that are done.

    Raises
    ------
    ResultsFileError
        With the line that cannot be understood.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from miter.data import monks
    >>> from miter.lab import Experiment, read_results, run
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "results.jsonl")
    ...     results = run(Experiment({"monks-1": monks(1)}, ["id3"]), path)
    ...     read_results(path) == results
    True
    """
    content = _parse(Path(path).read_bytes(), Path(path))
    return Results(content.experiment, content.runs)


class ResultsFile:
    """A results file that runs are added to; made by `open_results`.

    Parameters
    ----------
    file : binary file
        At the place where the next line goes.
    runs : tuple of Run
        Those that were there already.

    Examples
    --------
    >>> import tempfile
    >>> from miter.lab import Run
    >>> from miter.lab.experiments.results_file import ResultsFile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     ResultsFile(file, ()).append(Run("iris", "5e", "c45", "Tree", {}, 7, 0, 0, 75, 75))
    """

    def __init__(self, file: BinaryIO, runs: tuple[Run, ...]) -> None:
        self._file = file
        self.runs = runs

    def append(self, run: Run) -> None:
        """Write a run to the disk."""
        _write_line(self._file, asdict(run))


@contextmanager
def open_results(path: str | PathLike[str], experiment: Mapping[str, Any]) -> Iterator[ResultsFile]:
    """Open the results file of an experiment, new or begun; nobody else can meanwhile.

    Parameters
    ----------
    path : str or path
        The file. A last line that was not written to its end is removed.
    experiment : mapping
        What `Experiment.describe` returns.

    Raises
    ------
    ResultsFileError
        When the file holds something else; it is left as it is.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from miter.lab.experiments.results_file import open_results
    >>> experiment = {"sets": [], "learners": [], "resampling": "5x2", "seed": 0}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with open_results(Path(folder, "results.jsonl"), experiment) as file:
    ...         len(file.runs)
    0
    """
    path = Path(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(2, "there is no such folder", str(path.parent))
    with locked(path), open(path, "ab+", buffering=0) as file:
        file.seek(0)
        written = file.read()
        if _encode(_header(experiment)).startswith(written):
            # Nothing is there, or a header that was not written to its end.
            file.truncate(0)
            _write_line(file, _header(experiment))
            yield ResultsFile(file, ())
            return
        content = _parse(written, path)
        _check_same(content.experiment, experiment, path)
        file.truncate(content.n_bytes)
        yield ResultsFile(file, _described_as(experiment, content.runs))


@dataclass(frozen=True)
class _Content:
    experiment: dict[str, Any]
    runs: tuple[Run, ...]
    n_bytes: int


def _header(experiment: Mapping[str, Any]) -> dict[str, Any]:
    own = {"format": FORMAT, "version": VERSION}
    return own | {"fingerprint": fingerprint(experiment), "experiment": dict(experiment)}


def _encode(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, allow_nan=False).encode() + b"\n"


def _write_line(file: BinaryIO, value: Mapping[str, Any]) -> None:
    try:
        line = _encode(value)
        while line:
            line = line[file.write(line) :]
        os.fsync(file.fileno())
    except OSError as error:  # a full disk is met here, and the system names no file
        raise OSError(error.errno, error.strerror, file.name) from None


def _parse(written: bytes, path: Path) -> _Content:
    """Understand a file; `n_bytes` of it are whole lines."""
    lines = written.splitlines(keepends=True)
    experiment = _parse_header(lines[0] if lines else b"", path)
    names = {key: {item["name"] for item in experiment[key]} for key in ("sets", "learners")}
    runs: dict[object, Run] = {}
    n_bytes = len(lines[0])
    for number, line in enumerate(lines[1:], 2):
        try:
            if not line.endswith(b"\n"):
                raise ValueError("the line has no end")
            run = _read_run(json.loads(line), names)
        except (ValueError, TypeError, RecursionError):
            if number == len(lines):
                break  # the program ended while it wrote this line
            raise ResultsFileError(
                f"{path}: line {number} is no run; the file is damaged, write to another one"
            ) from None
        runs.setdefault(run.key, run)
        n_bytes += len(line)
    return _Content(experiment, tuple(runs.values()), n_bytes)


def _parse_header(line: bytes, path: Path) -> dict[str, Any]:
    try:
        header = json.loads(line)
        is_known = header["format"] == FORMAT and _is_described(header["experiment"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        is_known = False
    if not is_known:
        raise ResultsFileError(f"{path} is no file of results; give another name")
    version = header.get("version")
    if version != VERSION:
        raise ResultsFileError(
            f"{path} has version {version!r} of the format, this Miter reads {VERSION}; "
            "use the Miter that wrote it"
        )
    experiment: dict[str, Any] = header["experiment"]
    if header.get("fingerprint") != fingerprint(experiment):
        raise ResultsFileError(f"{path}: line 1 was changed; the file cannot be trusted")
    return experiment


def _is_described(experiment: Any) -> bool:
    """Tell whether sets and learners have names, which is what results are sorted by."""
    items = [*experiment["sets"], *experiment["learners"]]
    return isinstance(experiment["resampling"], str) and all(
        isinstance(item["name"], str) for item in items
    )


#: What a type means in JSON; every whole number is a number.
_WRITTEN = {float: {float, int}}


def _kinds_of_fields() -> dict[str, set[type]]:
    """Return what each field of a run may be in JSON."""
    kinds = {}
    for name, hint in get_type_hints(Run).items():
        of = get_args(hint) if isinstance(hint, UnionType) else [get_origin(hint) or hint]
        kinds[name] = {kind for one in of for kind in _WRITTEN.get(one, {one})}
    return kinds | {"parameters": {dict}}


def _read_run(value: Any, names: Mapping[str, set[str]]) -> Run:
    """Return a run of the experiment; an error where a field is no such thing."""
    run = Run(**value)
    for name, kinds in _kinds_of_fields().items():
        if type(getattr(run, name)) not in kinds:
            raise TypeError(f"{name} of a run is of another type")
    if run.set not in names["sets"] or run.learner not in names["learners"]:
        raise ValueError("the experiment has no such set or learner")
    return run


def _check_same(there: Mapping[str, Any], here: Mapping[str, Any], path: Path) -> None:
    clauses = differences(there, here)
    if clauses:
        raise ResultsFileError(
            f"{path} holds the results of another experiment: {'; '.join(clauses)}. "
            "Give another file"
        )


def _described_as(experiment: Mapping[str, Any], runs: tuple[Run, ...]) -> tuple[Run, ...]:
    """Let runs tell their learners as the experiment does; an earlier Miter told their modules."""
    learners = {learner["name"]: learner for learner in experiment["learners"]}
    return tuple(
        replace(
            run,
            learner_class=learners[run.learner]["class"],
            parameters=learners[run.learner]["parameters"],
        )
        for run in runs
    )
