"""Writes the files of ``version_2``: many trees as version 2 of the format has them.

It is run with a Miter that writes version 2, and not again once a release has: the files are then
what must be read for ever. The readable form of one tree is that of version 1, whose files are all
read by way of it. Each model has a neighbour with rows and what the model said of them::

    python tests/golden/write_version_2.py
"""

import json
import sys
from pathlib import Path

import numpy as np

import miter
from miter.data import Column, Data, Schema
from miter.pixels import PixelFeatures

FOLDER = Path(__file__).parent / "version_2"
random = np.random.default_rng(2)


def table(n_rows):
    """Return two numbers, a symbol and an ordered column, and classes that depend on them."""
    a, b = random.normal(size=(2, n_rows)).round(2)
    colour, size = random.integers(0, 4, n_rows), random.integers(0, 3, n_rows)
    y = np.digitize(a + b * (colour > 1) + size - 1, [-1, 1]).astype(np.int32)
    X = np.column_stack([a, b, colour, size]).astype(float)
    X[random.random(X.shape) < 0.1] = np.nan
    columns = (
        Column("length", "numeric"),
        Column("breite", "numeric"),
        Column("colour", "symbolic", ("red", "grün", "blue", "grey")),
        Column("size", "ordered", ("S", "M", "L")),
    )
    return Data(Schema(columns, ("no", "yes", "well"), "bought", ("id",)), X, y)


def models():
    """Yield a name and a model that is not fitted; among them every kind of split."""
    costs = [[0, 2, 1.5], [1, 0, 3], [1, 1, 0]]
    few = {"n_estimators": 3, "random_state": 0}
    yield "forest", miter.LinearMachineForestClassifier(max_depth=3, **few)
    yield "costs", miter.LinearMachineForestClassifier(max_depth=2, costs=costs, **few)
    trees = {
        "values": miter.id3(max_depth=3),
        "groups": miter.UnivariateTreeClassifier(symbolic="groups", numeric="intervals"),
        "linear": miter.LinearCombinationTreeClassifier(max_depth=2),
        "smoothed": miter.LinearMachineTreeClassifier(max_depth=2, pruning="pessimistic"),
        "network": miter.NetworkTreeClassifier(hidden=2, max_depth=2, pruning=None),
        "notes": miter.HybridTreeClassifier(univariate=True, max_depth=2, pruning=None),
    }
    for name, tree in trees.items():
        yield name, miter.BaggedTreesClassifier(tree, voting="average", **few)


def pixels():
    """Return a forest of pixels, and a photograph."""
    labels = np.repeat([[0], [3], [7]], 2, axis=0) + np.zeros((6, 8), int)
    photograph = random.integers(0, 80, (6, 8, 3), np.uint8)
    photograph[labels == 0] += 100
    photograph[labels == 7, 1] += 60
    forest = miter.LinearMachineForestClassifier(3, max_depth=2, random_state=0)
    names = {0: "sky", 3: "road", 7: "grass"}
    features = PixelFeatures(("rgb", "hsv"), position=True)
    model = miter.PixelClassifier(forest, features=features, class_names=names, random_state=0)
    return model.fit([photograph], [labels]), photograph


def write(name, model, answers):
    """Write a model, and beside it what it must answer."""
    miter.save(model, FOLDER / f"{name}.miter.gz")
    answers = {"model": f"{name}.miter.gz", "learner": type(model).__name__, **answers}
    (FOLDER / f"{name}.json").write_text(json.dumps(answers) + "\n")


def main():
    """Write every file."""
    FOLDER.mkdir(exist_ok=True)
    for name, model in models():
        model.fit(table(150))
        rows = table(16)
        rows.X[-2:, 2] = 4  # a value that no training row had
        cells = [[None if np.isnan(cell) else cell for cell in row] for row in rows.X.tolist()]
        predicted, shares = model.predict(rows).tolist(), model.predict_proba(rows).tolist()
        write(name, model, {"rows": cells, "predict": predicted, "predict_proba": shares})
    model, photograph = pixels()
    answers = {
        "photograph": photograph.tolist(),
        "labels": model.predict(photograph).tolist(),
        "probabilities": model.predict_proba(photograph).astype(float).tolist(),
    }
    write("pixels", model, answers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
