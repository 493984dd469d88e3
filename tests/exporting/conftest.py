"""Models of every kind of split and answer, and what runs them in other languages."""

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import numpy as np
import pytest

from miter import BaggedTreesClassifier, LinearMachineForestClassifier, id3
from miter.data import Column, Data, Schema
from miter.splits import SHARE, Category, Linear, Machine, Network, PackedSplits, Term, Threshold
from miter.tree import Tree

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "experiments"))
runners = import_module("why_parts.runners")
sys.path.pop(0)

NEEDED = {"c": "gcc", "javascript": "node", "duckdb": "duckdb", "onnx": "onnxruntime"}

#: Names that end texts, comments, scripts and statements, or are too long for many a field.
HOSTILE = (
    "quote \" and ' and `",
    "end */ of // comment # -- ;",
    "line\nbreak\r\u2028and\ttab\\n",
    "</script><script>alert(1)</script>",
    "'; DROP TABLE data; --",
    "long " * 60,
    "\N{SNAKE} \\u0041 ??/ %s {0} ${x} \\",
    "__proto__",
    "toString",
)


@pytest.fixture(params=runners.RUNNERS)
def run(request):
    """Return a function from a model and rows to the answers of its export."""
    needed = NEEDED.get(request.param)
    if needed is not None and which(needed) is None and find_spec(needed) is None:
        pytest.skip(f"{needed} is not here")
    return runners.RUNNERS[request.param]


def schema(names=("height", "weight", "colour", "size"), values=("red", "green", "blue")):
    return Schema(
        (
            Column(names[0], "numeric"),
            Column(names[1], "numeric"),
            Column(names[2], "symbolic", values),
            Column(names[3], "ordered", ("small", "medium", "large")),
        ),
        ("no", "perhaps", "yes"),
    )


def terms(random, n_outputs):
    def row():
        return tuple(random.normal(size=n_outputs).tolist())

    return (
        Term.number(0, *row(), missing=row()),
        Term.bent(1, 0.25, row(), row(), missing=row()),
        Term.symbol(2, (row(), row(), row()), missing=row()),
    )


def splits(random):
    """Return a split of every kind, as a tree has them level by level."""
    triple = (0.1, -0.2, 0.05)
    return [
        Threshold(0, (-0.5, 0.5), SHARE),
        Category(2, (0, -1, 1), SHARE),
        Machine(triple, terms(random, 3), (0, 1, 2)),
        Network(triple, terms(random, 3), (1.0, -2.0, 0.7), 0.1),
        Linear(terms(random, 1), 0.1),
        Threshold(3, (0.5,), 1),
        Category(2, (0, 1, 1), 0),
        Threshold(1, (0.0,), SHARE),
    ]


def tree_of(found, n_leaves, random, own=None, smoothing=0.0, losses=False):
    own = own or schema()
    packed = PackedSplits.of([*found, *[None] * n_leaves])
    counts = random.integers(0, 4, (len(packed), own.n_classes)).astype(float)
    costs = np.array([[0.0, 2, 7], [1, 0, 3], [1, 1, 0]])
    return Tree(own, packed, counts, smoothing, counts @ costs.T if losses else None)


def every_kind(own=None, **options):
    random = np.random.default_rng(1)
    found = splits(random)
    n_leaves = sum(split.n_branches for split in found) + 1 - len(found)
    return id3().restore([tree_of(found, n_leaves, random, own, **options)])


def rows(n_rows=400, seed=0):
    """Return rows with missing values."""
    random = np.random.default_rng(seed)
    X = np.column_stack(
        [
            random.normal(size=n_rows).round(1),
            random.normal(size=n_rows),
            random.integers(0, 3, n_rows),
            random.integers(0, 3, n_rows),
        ]
    )
    X[random.random(X.shape) < 0.2] = np.nan
    return X


def labelled():
    X = rows(150, 3)
    score = np.nan_to_num(X[:, 0] + X[:, 1]) + (X[:, 2] == 1)
    return Data(schema(), X, np.digitize(score, [-0.3, 0.8]).astype(np.int32))


COSTS = [[0, 3, 9], [1, 0, 2], [1, 1, 0]]
MODELS = {
    "every kind of split": every_kind,
    "smoothed": lambda: every_kind(smoothing=2.0),
    "costs": lambda: every_kind(losses=True),
    "a leaf": lambda: id3().restore([tree_of([], 1, np.random.default_rng(0))]),
    "numbers alone": lambda: id3().restore(
        [tree_of([Threshold(0, (0.0,)), Threshold(1, (0.5,))], 3, np.random.default_rng(2))]
    ),
    "votes": lambda: BaggedTreesClassifier(n_estimators=3, random_state=0).fit(labelled()),
    "votes with costs": lambda: BaggedTreesClassifier(
        id3(missing="fractions", costs=COSTS), n_estimators=3, random_state=0
    ).fit(labelled()),
    "mean": lambda: LinearMachineForestClassifier(3, max_depth=3, random_state=0).fit(labelled()),
    "mean with costs": lambda: LinearMachineForestClassifier(
        2, max_depth=2, costs=COSTS, random_state=0
    ).fit(labelled()),
    "hostile names": lambda: every_kind(schema(HOSTILE[:4], HOSTILE[4:7])),
    "other hostile names": lambda: every_kind(
        schema((*HOSTILE[4:7], "__proto__"), (HOSTILE[0], "__proto__", "toString"))
    ),
}
