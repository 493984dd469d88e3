"""Writes the files of ``version_1``: models as version 1 of the format has them, and their answers.

It was run once, with the last Miter that wrote version 1, and does not run with any later one; it
is kept to tell what is in the files. Each model has a neighbour with rows (numbers, codes, null
where missing) and what the model said of them::

    python tests/golden/write_version_1.py
"""

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd

import miter
from miter.data import Column, Data, Schema
from miter.pixels import PixelFeatures
from miter.prune import CostComplexity, CrossValidated, Pessimistic, ReducedError
from miter.splits import Category, Linear, Machine, MachineTerm, Network, PackedSplits, Term
from miter.splits import Threshold as Cuts
from miter.splitters import SPLITTERS, ThermalMachineSplitter, UnivariateSplitter
from miter.tree import Tree

FOLDER = Path(__file__).parent / "version_1"
N_ANSWERS = 16
#: The others are gzipped.
READABLE = {"every_split", "values", "machine_costs", "clusters", "splitter_univariate"}
random = np.random.default_rng(0)


def table(n_rows=150, classes=("no", "yes", "well"), missing=0.1, *, numeric=False):
    """Return two numbers, a symbol and an ordered column, and classes that depend on them."""
    a, b = random.normal(size=(2, n_rows)).round(2)
    colour, size = random.integers(0, 4, n_rows), random.integers(0, 3, n_rows)
    y = np.digitize(a + b * (colour > 1) + size - 1, np.linspace(-1, 1, len(classes) - 1))
    X = np.column_stack([a, b, colour, size]).astype(float)
    X[random.random(X.shape) < missing] = np.nan
    columns = (
        Column("length", "numeric"),
        Column("breite", "numeric"),
        Column("colour", "symbolic", ("red", "grün", "blue", "grey")),
        Column("size", "ordered", ("S", "M", "L")),
    )
    if numeric:
        X, columns = X[:, :2], columns[:2]
    return Data(Schema(columns, classes, "bought", ("id",)), X, y.astype(np.int32))


def frame(data):
    """Return the rows and labels as pandas has them."""
    colours = pd.Series(data.X[:, 2]).map(dict(enumerate(data.schema.columns[2].values)))
    X = pd.DataFrame({"length": data.X[:, 0], "breite": data.X[:, 1], "colour": colours})
    return X, np.array(data.schema.classes)[data.y]


def every_split():
    """Return a tree of one split of each kind, made by hand, with numbers at the edge."""
    schema = Schema(table(2).schema.columns[:1] + table(2).schema.columns[2:], ("no", "yes"))
    terms = (Term(0, 0.1 + 0.2, -0.5), Term(1, (1.0, -2.0, 1e-300, 0.0), 3.0), Term(2, 1.0))
    machine_terms = (
        MachineTerm(0, ((0.1, -0.1),), (0.0, 0.25), False),
        MachineTerm(1, ((1.0, 0.0), (0.0, 2.0), (-1.0, 0.5), (0.0, 0.0)), (0.0, 0.0), True),
        MachineTerm(2, ((0.25, -0.5), (1.5, 2.0)), (0.0, 0.125), False, 0.75),
    )
    splits = [
        Category(1, (0, -1, 1, 1), missing=-1),
        Cuts(2, (0.5, 1.5), missing=1),
        Linear(terms, 0.25),
        *[None] * 3,
        Machine((0.5, -0.5), machine_terms, (0, 1)),
        None,
        Network((0.5, -0.5), machine_terms, (1.5, -2.0), 0.125),
        *[None] * 3,
    ]
    counts = [[6, 4], [4, 1.5], [2, 2.5], [4, 0], [0, 1], [0, 0.5]]
    counts += [[2, 1], [0, 1.5], [2, 0], [0, 1], [1, 0], [1, 0]]
    notes = ("red or not: p = 0.01", *[""] * 11)
    tree = Tree(schema, PackedSplits.of(splits), np.array(counts, float), notes=notes)
    return miter.TreeClassifier()._set_fitted(tree)


def models():
    """Yield a name and a fitted model."""
    mixed, numbers = table(), table(numeric=True)
    univariate, machine = miter.UnivariateTreeClassifier, miter.LinearMachineTreeClassifier
    few = {"max_depth": 2, "random_state": 0}
    costs = [[0, 2, 1.5], [1, 0, 3], [1, 1, 0]]
    yield "every_split", every_split()
    yield "threshold", univariate(max_depth=3).fit(numbers)
    yield "intervals", univariate("gini", numeric="intervals", missing="class", **few).fit(mixed)
    yield "values", miter.id3(max_depth=3).fit(mixed)
    yield "groups", univariate("gain", symbolic="groups", pruning=Pessimistic(), **few).fit(mixed)
    yield (
        "priced_columns",
        univariate("nunez", attribute_costs={"length": 2.5}, cost_weight=0.5, **few).fit(mixed),
    )
    yield "leaf", univariate(significance=1e-9, min_samples_leaf=0.4).fit(mixed)
    yield (
        "linear",
        miter.LinearCombinationTreeClassifier(restarts=1, deletion=0.2, **few).fit(mixed),
    )
    yield "machine", machine(terms="linear", pruning=None, max_variables=3, **few).fit(mixed)
    yield "bent", machine(terms="bent", pruning=CostComplexity(0.5), **few).fit(mixed)
    yield "smoothed", machine(smoothing=2.5, pruning=CrossValidated(folds=3), **few).fit(mixed)
    yield "chosen", machine(random_state=0).fit(table(80))
    yield "thermal", miter.lmdt91(**few).fit(mixed)
    yield "passes", miter.lmdt93(pruning=ReducedError(share=0.25), **few).fit(mixed)
    yield (
        "trained",
        machine(ThermalMachineSplitter(a=0.9, eliminate="columns", significance=0.05), **few).fit(
            mixed
        ),
    )
    yield "perceptron", miter.PerceptronTreeClassifier(l2=0.1, **few).fit(mixed)
    yield "network", miter.NetworkTreeClassifier(hidden=2, starts=3, pruning=None, **few).fit(mixed)
    yield "gradient", miter.id_mlp(**few).fit(mixed)
    yield "notes", miter.HybridTreeClassifier(level=0.1, univariate=True, **few).fit(mixed)
    yield "costs", univariate(costs=costs, **few).fit(mixed)
    yield "machine_costs", machine(costs=costs, pruning="cost_complexity", **few).fit(mixed)
    yield "weights", univariate(class_weight={"no": 1.0, "yes": 2.5, "well": 0.5}, **few).fit(mixed)
    yield "balanced", univariate(class_weight="balanced", **few).fit(mixed)
    X, y = frame(mixed)
    yield "frame", univariate(missing="training", **few).fit(X, y)
    yield "features", univariate(categorical_features=[1], **few).fit(mixed.X[:, [0, 2]], y)
    whole, halves, truth = (
        table(classes=(3, -1)),
        table(classes=(0.5, 2.0)),
        table(classes=(True, False)),
    )
    yield "whole_classes", univariate(class_weight={3: 1.0, -1: 2.0}, **few).fit(whole)
    yield "real_classes", univariate(**few).fit(halves)
    yield "truth_classes", univariate(**few).fit(truth)
    yield "clusters", miter.ICATree(level=0.05, n_starts=4, min_samples_leaf=5).fit(grouped()[0])
    X, y = grouped()
    y = np.where(np.arange(len(y)) % 3, y, "unknown")
    yield "few_labels", miter.ICATreeClassifier(unlabelled="unknown", smoothing=0.5).fit(X, y)
    yield "together", miter.ICATreeClassifier("together", emphasis=2.0).fit(*grouped())
    for name, splitter in SPLITTERS.items():
        rows = numbers if "ica" in name else mixed
        yield f"splitter_{name}", miter.TreeClassifier(splitter(), **few).fit(rows)
    intervals = UnivariateSplitter("gain", numeric="intervals", attribute_costs={"length": 2.0})
    yield "splitter_settings", miter.TreeClassifier(intervals, **few).fit(mixed)


def grouped():
    """Return rows in three groups, and which group each is of."""
    group = np.arange(90) % 3
    X = random.normal(size=(90, 2)) * 0.3 + np.array([[0, 0], [3, 0], [0, 4]])[group]
    return X.round(2), np.array(["a", "b", "c"])[group]


def pixels():
    """Return a classifier of pixels, and a photograph."""
    labels = np.repeat([[0], [3], [7]], 2, axis=0) + np.zeros((6, 8), int)
    photograph = random.integers(0, 80, (6, 8, 3), np.uint8)
    photograph[labels == 0] += 100
    photograph[labels == 7, 1] += 60
    features = PixelFeatures(("rgb", "hsv"), position=True)
    estimator = miter.UnivariateTreeClassifier(max_depth=3)
    names = {0: "sky", 3: "road", 7: "grass"}
    model = miter.PixelClassifier(estimator, features=features, class_names=names, random_state=0)
    return model.fit([photograph], [labels]), photograph


def rows_for(schema):
    """Return rows with values of every sort: known, missing, and such as no training row had."""
    rows = np.empty((N_ANSWERS, schema.n_columns))
    for at, column in enumerate(schema.columns):
        if column.kind == "numeric":
            rows[:, at] = random.normal(0, 1.5, N_ANSWERS).round(2)
        else:
            rows[:, at] = random.integers(0, len(column.values), N_ANSWERS)
            if column.kind == "symbolic":
                rows[-2:, at] = len(column.values)
    rows[random.random(rows.shape) < 0.1] = np.nan
    return rows


def cells(matrix):
    """Return a matrix as lists; null where a value is missing."""
    return [[None if np.isnan(cell) else cell for cell in row] for row in matrix.tolist()]


def write(name, model, answers):
    """Write a model, and beside it what it must answer."""
    file = f"{name}.miter{'' if name in READABLE else '.gz'}"
    (model.save if hasattr(model, "save") else lambda p: miter.save(model, p))(FOLDER / file)
    (FOLDER / f"{name}.json").write_text(json.dumps({"model": file, **answers}) + "\n")


def main():
    """Write every file."""
    FOLDER.mkdir(exist_ok=True)
    for name, model in models():
        rows = rows_for(model.tree_.schema)
        data = Data(model.tree_.schema, rows)
        shares = "predict_proba" if hasattr(model, "predict_proba") else "transform"
        answers = {
            "learner": type(model).__name__,
            "rows": cells(rows),
            "predict": model.predict(data).tolist(),
            shares: getattr(model, shares)(data).tolist(),
        }
        write(name, model, answers)
    model, photograph = pixels()
    write(
        "pixels",
        model,
        {
            "learner": type(model.estimator_).__name__,
            "photograph": photograph.tolist(),
            "labels": model.predict(photograph).tolist(),
            "probabilities": model.predict_proba(photograph).astype(float).tolist(),
        },
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
