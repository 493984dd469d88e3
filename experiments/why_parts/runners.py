"""Exported models at work: each language run by what runs it, on rows as its users have them."""

from __future__ import annotations

import ctypes
import json
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import miter
from miter.data import Schema
from miter.data.labels import label_text

#: Codes of classes, and their probabilities.
Answers = tuple[NDArray[np.int64], NDArray[np.float64]]

#: A text that no training row had.
UNSEEN = "a text that nobody has seen"
GCC = ("gcc", "-O3", "-std=c99", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")


def cells(schema: Schema, X: NDArray[Any]) -> list[list[Any]]:
    """Return columns as users have them: numbers, texts, None; some symbols are ones never seen."""
    found: list[list[Any]] = []
    for column, values in zip(schema.columns, np.asarray(X, float).T.tolist(), strict=True):
        if column.kind == "numeric":
            found.append([None if v != v else v for v in values])
        else:
            missing = (None, UNSEEN)
            found.append(
                [
                    missing[row % 2] if v != v else column.values[int(v)]
                    for row, v in enumerate(values)
                ]
            )
    return found


def _codes(schema: Schema, labels: Any) -> NDArray[np.int64]:
    position = {label_text(label): code for code, label in enumerate(schema.classes)}
    return np.array([position[label_text(label)] for label in labels])


def run_python(model: Any, X: NDArray[Any]) -> Answers:
    module: dict[str, Any] = {}
    exec(miter.export(model, "python"), module)
    names = model.schema_.names
    rows = [
        dict(zip(names, row, strict=True)) for row in zip(*cells(model.schema_, X), strict=True)
    ]
    labels = [module["predict"](row) for row in rows]
    return _codes(model.schema_, labels), np.array([module["predict_proba"](row) for row in rows])


def compiled(model: Any, folder: str | Path, *flags: str) -> ctypes.CDLL:
    """Return the C source of a model as a library."""
    source, library = Path(folder, "model.c"), Path(folder, "model.so")
    source.write_text(miter.export(model, "c"))
    command = [*GCC, *flags, str(source), "-o", str(library), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[:2000])
    return ctypes.CDLL(str(library))


def run_c(model: Any, X: NDArray[Any]) -> Answers:
    X = np.array(X, float, order="C")
    # A code that is none stands for a text that nobody has seen.
    for position, column in enumerate(model.schema_.columns):
        if column.is_symbolic:
            missing = np.flatnonzero(np.isnan(X[:, position]))
            X[missing[::3], position] = len(column.values)
            X[missing[1::3], position] = -1
    n_rows, n_classes = len(X), model.schema_.n_classes
    classes, chances = np.empty(n_rows, np.int32), np.empty((n_rows, n_classes))
    with tempfile.TemporaryDirectory() as folder:
        library = compiled(model, folder)
        rows, size = X.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(n_rows)
        library.model_predict_rows(rows, size, classes.ctypes.data_as(ctypes.c_void_p))
        library.model_predict_proba_rows(rows, size, chances.ctypes.data_as(ctypes.c_void_p))
    return classes.astype(np.int64), chances


SCRIPT = """
import { readFileSync } from "node:fs";
import { columns, predict, predictProba } from "./model.mjs";
const cells = JSON.parse(readFileSync(new URL("./cells.json", import.meta.url), "utf-8"));
const rows = cells[0].map((_, i) => Object.fromEntries(columns.map((c, k) => [c, cells[k][i]])));
console.log(JSON.stringify([rows.map(predict), rows.map(predictProba)]));
"""


def run_javascript(model: Any, X: NDArray[Any]) -> Answers:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "model.mjs").write_text(miter.export(model, "javascript"))
        Path(folder, "cells.json").write_text(json.dumps(cells(model.schema_, X)))
        script = Path(folder, "run.mjs")
        script.write_text(SCRIPT)
        done = subprocess.run(["node", script], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[:2000])
    labels, chances = json.loads(done.stdout)
    return _codes(model.schema_, labels), np.array(chances)


def run_sqlite(model: Any, X: NDArray[Any]) -> Answers:
    schema = model.schema_
    with sqlite3.connect(":memory:") as base:
        names = ", ".join(f'"{name}" {_sql_type(schema, name)}' for name in _escaped(schema))
        base.execute(f"CREATE TABLE data ({names})")
        marks = ", ".join("?" * schema.n_columns)
        base.executemany(f"INSERT INTO data VALUES ({marks})", zip(*cells(schema, X), strict=True))
        return _from_table(model, base.execute(miter.export(model, "sql")).fetchall())


def run_duckdb(model: Any, X: NDArray[Any]) -> Answers:
    import duckdb
    import pyarrow as pa

    schema = model.schema_
    types = [pa.float64() if c.kind == "numeric" else pa.string() for c in schema.columns]
    arrays = [pa.array(c, t) for c, t in zip(cells(schema, X), types, strict=True)]
    with duckdb.connect() as base:
        base.register("data", pa.table(arrays, names=list(schema.names)))
        return _from_table(model, base.execute(miter.export(model, "sql")).fetchall())


def _escaped(schema: Schema) -> list[str]:
    return [name.replace('"', '""') for name in schema.names]


def _sql_type(schema: Schema, escaped: str) -> str:
    kinds = dict(zip(_escaped(schema), (c.kind for c in schema.columns), strict=True))
    return "REAL" if kinds[escaped] == "numeric" else "TEXT"


def _from_table(model: Any, rows: list[tuple[Any, ...]]) -> Answers:
    schema = model.schema_
    first = 1 + schema.n_columns
    labels = [row[first] for row in rows]
    if isinstance(schema.classes[0], bool):
        labels = [bool(label) for label in labels]  # SQLite has none
    return _codes(schema, labels), np.array([row[first + 1 :] for row in rows], float)


def run_onnx(model: Any, X: NDArray[Any], together: int = 1000) -> Answers:
    import onnxruntime

    schema = model.schema_
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(miter.export(model, "onnx"), options)
    columns = [
        np.array([np.nan if v is None else v for v in own], float)[:, None]
        if column.kind == "numeric"
        else np.array(["" if v is None else v for v in own], object)[:, None]
        for column, own in zip(schema.columns, cells(schema, X), strict=True)
    ]
    labels, chances = [], []
    for start in range(0, len(X), together):
        own = {n: c[start : start + together] for n, c in zip(schema.names, columns, strict=True)}
        label, chance = session.run(["label", "probabilities"], own)
        labels += label.tolist()
        chances.append(chance)
    return _codes(schema, labels), np.concatenate(chances)


RUNNERS: dict[str, Callable[[Any, NDArray[Any]], Answers]] = {
    "python": run_python,
    "c": run_c,
    "javascript": run_javascript,
    "sqlite": run_sqlite,
    "duckdb": run_duckdb,
    "onnx": run_onnx,
}
