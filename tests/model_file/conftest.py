"""A model with a column and a split of every kind, rows for it, and files with a right checksum."""

import json
from hashlib import sha256

import numpy as np
import pytest

from miter.data import Column, Data, Schema
from miter.estimators.tree_classifier import TreeClassifier
from miter.splits import (
    Category,
    Linear,
    Machine,
    Network,
    PackedSplits,
    Term,
    Threshold,
)
from miter.tree import Tree


@pytest.fixture(scope="session")
def mixed_model():
    schema = Schema(
        (
            Column("length", "numeric"),
            Column("colour", "symbolic", ("red", "grün", "blue")),
            Column("size", "ordered", ("S", "M", "L")),
        ),
        ("no", "yes"),
        "bought",
        ("id",),
    )
    terms = (
        Term.number(0, 0.1 + 0.2, missing=-0.5),
        Term.symbol(1, (1.0, -2.0, 1e-300), missing=3.0),
        Term.number(2, 1.0),
    )
    machine_terms = (
        Term.number(0, 0.1, -0.1, missing=(0.0, 0.25)),
        Term.symbol(1, ((1.0, 0.0), (0.0, 2.0), (-1.0, 0.5))),
        Term.bent(2, 0.75, (0.25, -0.5), (1.5, 2.0), missing=(0.0, 0.125)),
    )
    splits = [
        Category(1, (0, -1, 1), missing=-1),
        Threshold(2, (0.5, 1.5), missing=1),
        Linear(terms, 0.25),
        *[None] * 3,
        Machine((0.5, -0.5), machine_terms, (0, 1)),
        None,
        Network((0.5, -0.5), machine_terms, (1.5, -2.0), 0.125),
        *[None] * 3,
    ]
    counts = [
        [6, 4],
        [4, 1.5],
        [2, 2.5],
        [4, 0],
        [0, 1],
        [0, 0.5],
        [2, 1],
        [0, 1.5],
        [2, 0],
        [0, 1],
        [1, 0],
        [1, 0],
    ]
    notes = ("red or not: p = 0.01", *[""] * 11)
    tree = Tree(schema, PackedSplits.of(splits), np.array(counts, float), notes=notes)
    return TreeClassifier().restore([tree])


@pytest.fixture(scope="session")
def make_rows():
    """Return a function that makes rows with any value, also such as no column should have."""

    def make(schema, n_rows=200):
        random = np.random.default_rng(0)
        X = random.integers(-1, 5, (n_rows, schema.n_columns)) + random.choice(
            [0, 0.5], (n_rows, 1)
        )
        X[random.random(X.shape) < 0.2] = np.nan
        rows = Data(schema, np.zeros_like(X))
        # A table refuses codes that there are not; what routes rows must not rely on that.
        object.__setattr__(rows, "X", X)
        return rows

    return make


@pytest.fixture(scope="session")
def seal():
    """Return a function that makes the file of a model, whatever that is."""

    def make(model, version=2):
        canonical = json.dumps(model, sort_keys=True, separators=(",", ":"))
        checksum = f"sha256:{sha256(canonical.encode()).hexdigest()}"
        file = {"format": "miter model", "version": version, "checksum": checksum, "model": model}
        return json.dumps(file).encode()

    return make
