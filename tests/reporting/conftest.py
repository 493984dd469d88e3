"""Models of every kind with rows, and the script of a page outside of a browser."""

import json
import subprocess
from functools import cache
from pathlib import Path
from shutil import which

import numpy as np
import pytest

import miter
from miter.data import Column, Data, Schema

PROJECT = Path(__file__).resolve().parents[2]
SCRIPT = PROJECT / "tests" / "reporting" / "script"


def schema(
    names=("height", "weight", "colour", "size"),
    values=("red", "green", "blue"),
    classes=("no", "perhaps", "yes"),
):
    return Schema(
        (
            Column(names[0], "numeric"),
            Column(names[1], "numeric"),
            Column(names[2], "symbolic", tuple(values)),
            Column(names[3], "ordered", ("small", "medium", "large")),
        ),
        tuple(classes),
    )


def table(n_rows=300, seed=0, own=None):
    """Return rows with missing values, whose classes follow from a sum and a symbol."""
    random = np.random.default_rng(seed)
    X = np.column_stack(
        [
            random.normal(size=n_rows).round(1),
            random.normal(size=n_rows),
            random.integers(0, 3, n_rows),
            random.integers(0, 3, n_rows),
        ]
    )
    score = X[:, 0] + X[:, 1] + (X[:, 2] == 1) + random.normal(0, 0.3, n_rows)
    X[random.random(X.shape) < 0.12] = np.nan
    return Data(own or schema(), X, np.digitize(score, [-0.3, 0.8]).astype(np.int32))


COSTS = [[0, 3, 9], [1, 0, 2], [1, 1, 0]]
MODELS = {
    "univariate": lambda: miter.c45(missing="fractions"),
    "missing goes with the most": lambda: miter.UnivariateTreeClassifier(random_state=0),
    "id3": lambda: miter.id3(),
    "readable": lambda: miter.ReadableTreeClassifier(random_state=0),
    "linear machine": lambda: miter.LinearMachineTreeClassifier(random_state=0),
    "linear combination": lambda: miter.LinearCombinationTreeClassifier(random_state=0),
    "network": lambda: miter.NetworkTreeClassifier(random_state=0),
    "hybrid": lambda: miter.HybridTreeClassifier(random_state=0),
    "ica": lambda: miter.ICATreeClassifier(random_state=0),
    "costs": lambda: miter.c45(missing="fractions", costs=COSTS),
    "a leaf": lambda: miter.id3(max_depth=0),
    "votes": lambda: miter.BaggedTreesClassifier(n_estimators=4, random_state=0),
    "votes with costs": lambda: miter.BaggedTreesClassifier(
        miter.id3(missing="fractions", costs=COSTS), n_estimators=3, random_state=0
    ),
    "mean": lambda: miter.LinearMachineForestClassifier(4, max_depth=4, random_state=0),
    "mean with costs": lambda: miter.LinearMachineForestClassifier(
        3, max_depth=3, costs=COSTS, random_state=0
    ),
}


@cache
def fitted(name):
    return MODELS[name]().fit(table())


def as_rows(X, own):
    """Return rows as a user writes them, for the script of a page."""
    return [
        {
            column.name: None
            if value != value
            else column.values[int(value)]
            if column.values
            else value
            for value, column in zip(row, own.columns, strict=True)
        }
        for row in X.tolist()
    ]


@pytest.fixture
def run_script(tmp_path):
    """Return a function from contents, rows and settings to what the script of the page says."""
    if which("node") is None:
        pytest.skip("node is not here, which runs the script of pages outside of a browser")

    def run(contents, rows, settings):
        plain = dict(contents)
        (tmp_path / "routing.mjs").write_text(plain.pop("routing"), "utf-8")
        (tmp_path / "contents.json").write_text(json.dumps(plain, allow_nan=False), "utf-8")
        request = {"folder": str(tmp_path), "rows": rows, "settings": settings}
        done = subprocess.run(
            ["node", str(SCRIPT / "answer.js")],
            input=json.dumps(request),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run
