"""Every reader, fed bytes: what it makes of them must be sound, or refused in a sentence.

A reader is a function of bytes that returns whether they were read. Whatever else it raises, and
whatever it returns that breaks a promise, is a finding.
"""

from __future__ import annotations

import json
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from miter import DataError, ModelFileError, load, read
from miter.data import Data
from miter.data.costs import read_costs
from miter.lab import read_experiment, read_results
from miter.lab.experiments.experiment import ExperimentError
from miter.lab.experiments.results_file import ResultsFileError
from miter.model_file.envelope import FORMAT, _checksum
from miter.pixels.images import open_labels, open_photograph
from miter.pixels.labels import read_classes

__all__ = ["READERS", "Reader"]

Reader = Callable[[bytes], bool]
NAMES_AND_ROWS = b"\n=== rows ===\n"


@cache
def _folder() -> Path:
    """Return the folder for what is fed: in memory, where the system has such a place."""
    memory = Path("/dev/shm")
    folder = tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None)
    _folder.kept = folder  # type: ignore[attr-defined]
    return Path(folder.name)


def _write(name: str, content: bytes) -> Path:
    path = _folder() / name
    path.write_bytes(content)
    return path


def _read_table(path: Path, **wishes: Any) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            data = read(path, **wishes)
        except DataError:
            return False
    _check_table(data)
    return True


def _check_table(data: Data) -> None:
    """Complain about a table that breaks what `Data` promises, however it was made."""
    Data(data.schema, data.X, data.y, data.weight, data.costs)
    assert len(data.schema.columns) == data.X.shape[1]


def delimited(content: bytes) -> bool:
    """Read delimited text, with and without a column for the class."""
    path = _write("rows.csv", content)
    return _read_table(path, labelled=False) | _read_table(path, target="class")


def arff(content: bytes) -> bool:
    """Read a file of Weka."""
    return _read_table(_write("rows.arff", content))


def c45(content: bytes) -> bool:
    """Read a .names and a .data file, one after the other."""
    names, _, rows = content.partition(NAMES_AND_ROWS)
    _write("pair.names", names)
    return _read_table(_write("pair.data", rows))


def json_lines(content: bytes) -> bool:
    """Read one JSON object a line."""
    return _read_table(_write("rows.jsonl", content), target="class")


def packed_text(content: bytes) -> bool:
    """Read delimited text, gzipped, perhaps damaged."""
    return _read_table(_write("rows.csv.gz", content), labelled=False)


def parquet(content: bytes) -> bool:
    """Read Parquet."""
    return _read_table(_write("rows.parquet", content), target="class")


def costs(content: bytes) -> bool:
    """Read a file of costs."""
    try:
        matrix = read_costs(_write("good.costs", content), ("good", "bad", "ugly"))
    except DataError:
        return False
    assert np.isfinite(matrix).all()
    assert (matrix >= 0).all()
    return True


def experiment(content: bytes) -> bool:
    """Read an experiment in TOML."""
    try:
        read_experiment(_write("trees.toml", content))
    except ExperimentError:
        return False
    return True


def results(content: bytes) -> bool:
    """Read what the laboratory wrote."""
    try:
        read_results(_write("runs.jsonl", content))
    except ResultsFileError:
        return False
    return True


def label_image(content: bytes) -> bool:
    """Read a label image."""
    try:
        ids = open_labels(_write("labels.png", content), "labels.png")
    except DataError:
        return False
    assert ids.ndim == 2
    return True


def photograph(content: bytes) -> bool:
    """Read a photograph."""
    try:
        shown = open_photograph(_write("photograph.png", content), "photograph.png")
        shown.rows(0, min(shown.height, 2))
    except DataError:
        return False
    return True


def label_classes(content: bytes) -> bool:
    """Read the names of classes of label images."""
    try:
        read_classes(_write("classes.csv", content))
    except DataError:
        return False
    return True


def model_file(content: bytes) -> bool:
    """Load a model as it is, whose checksum almost always says that it is damaged."""
    return _load(content)


def model_inside(content: bytes) -> bool:
    """Load what is in a model file, in an envelope with the right checksum."""
    try:
        model = json.loads(content)
        file = {"format": FORMAT, "version": 2, "checksum": _checksum(model), "model": model}
    except (ValueError, RecursionError):
        return False
    return _load(json.dumps(file).encode())


def _load(content: bytes) -> bool:
    path = _write("model.miter", content)
    try:
        model = load(path)
    except ModelFileError:
        return False
    if not hasattr(model, "schema_") or not hasattr(model, "predict_proba"):
        return True
    n_columns = len(model.schema_.columns)
    n_values = np.array(model.schema_.n_values)
    random = np.random.default_rng(0)
    X = random.normal(size=(6, n_columns)) * 10.0 ** random.integers(-3, 9, (6, n_columns))
    X = np.where(n_values > 0, np.floor(random.random(X.shape) * np.maximum(n_values, 1)), X)
    X[random.random(X.shape) < 0.2] = np.nan
    probabilities = model.predict_proba(Data(model.schema_, X))
    assert np.allclose(probabilities.sum(axis=1), 1.0), probabilities
    return True


READERS: dict[str, Reader] = {
    reader.__name__: reader
    for reader in (
        delimited,
        arff,
        c45,
        json_lines,
        packed_text,
        parquet,
        costs,
        experiment,
        results,
        label_image,
        photograph,
        label_classes,
        model_file,
        model_inside,
    )
}
