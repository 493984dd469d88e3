"""Whether every learner still does what it did, to the last bit.

Fits every learner on a dozen sets, plain, with weights and with costs, and hashes what it predicts
before and after saving and loading. Write the hashes with the code as it was, compare with the code
as it is, on the same machine: vector code rounds differently on another processor::

    python tests/golden/behaviour.py before.json --write
    python tests/golden/behaviour.py before.json

The sets are looked for in MITER_DATA, then in ../shared/data.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import warnings
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

import miter
from miter.data import Data

PROJECT = Path(__file__).resolve().parents[2]

#: Numbers, symbols, both; missing values; two classes and many; equal rows; wide.
SETS = (
    "bupa",
    "car",
    "german",
    "glass",
    "hepatitis",
    "horse-colic",
    "monks-1",
    "soybean-large",
    "segment",
    "sonar",
    "vote",
    "zoo",
)
MOST_ROWS = 240
LEARNERS: dict[str, Any] = {
    "univariate": lambda: miter.c45(random_state=0),
    "id3": lambda: miter.id3(random_state=0),
    "groups": lambda: miter.UnivariateTreeClassifier(
        "gain", symbolic="groups", missing="class", pruning="cross_validated", random_state=0
    ),
    "intervals": lambda: miter.c45(
        criterion="gini",
        numeric="intervals",
        missing="training",
        pruning="reduced_error",
        random_state=0,
    ),
    "linear_combination": lambda: miter.LinearCombinationTreeClassifier(random_state=0),
    "cart_lc": lambda: miter.cart_lc(random_state=0),
    "linear_machine": lambda: miter.LinearMachineTreeClassifier(random_state=0),
    "eliminated": lambda: miter.LinearMachineTreeClassifier(
        eliminate=True, pruning="cost_complexity", random_state=0
    ),
    "lmdt91": lambda: miter.lmdt91(random_state=0),
    "lmdt93": lambda: miter.lmdt93(random_state=0),
    "perceptron": lambda: miter.PerceptronTreeClassifier(random_state=0),
    "id_lp": lambda: miter.id_lp(random_state=0),
    "network": lambda: miter.NetworkTreeClassifier(random_state=0),
    "id_mlp": lambda: miter.id_mlp(random_state=0),
    "hybrid": lambda: miter.HybridTreeClassifier(random_state=0),
    "id_hybrid": lambda: miter.id_hybrid(random_state=0),
    "omnivariate": lambda: miter.HybridTreeClassifier("bic", univariate=True, random_state=0),
    "ica": lambda: miter.ICATreeClassifier(random_state=0),
    "together": lambda: miter.ICATreeClassifier("together", random_state=0),
    "clusters": lambda: miter.ICATree(random_state=0),
    "bagging": lambda: miter.BaggedTreesClassifier(n_estimators=10, random_state=0),
    "forest": lambda: miter.LinearMachineForestClassifier(10, random_state=0),
}
VARIANTS = ("plain", "weights", "costs")


def rows_of(name: str) -> tuple[Data, Data]:
    """Return every other row of a set for training, the others for testing; not too many."""
    folder = Path(os.environ.get("MITER_DATA", PROJECT.parent / "shared" / "data")) / name
    path = next(p for p in (folder / f"{name}.data", folder / f"{name}.data.gz") if p.is_file())
    data = miter.read(path)
    chosen = np.random.default_rng(0).permutation(data.n_rows)[: 2 * MOST_ROWS]
    return data.take(np.sort(chosen[::2])), data.take(np.sort(chosen[1::2]))


def fit(learner: str, variant: str, train: Data) -> Any:
    """Fit one learner; None where it cannot take part."""
    model = LEARNERS[learner]()
    weight = None
    if variant == "weights":
        weight = np.random.default_rng(1).integers(0, 4, train.n_rows).astype(float)
    if variant == "costs":
        if "costs" not in model.get_params():
            return None
        random = np.random.default_rng(2)
        n_classes = train.schema.n_classes
        costs = random.integers(1, 9, (n_classes, n_classes)) * (1.0 - np.eye(n_classes))
        model.set_params(costs=costs)
    return model.fit(train, sample_weight=weight)


def hash_of(model: Any, test: Data) -> str:
    """Return a hash of everything that a model says of rows."""
    digest = sha256()
    answers = [model.predict(test), *(getattr(model, a)(test) for a in _answers(model))]
    for answer in answers:
        array = np.asarray(answer)
        digest.update(
            array.astype("U") if array.dtype.kind in "OU" else np.ascontiguousarray(array)
        )
    return digest.hexdigest()[:16]


def _answers(model: Any) -> list[str]:
    return [name for name in ("predict_proba", "transform", "apply") if hasattr(model, name)]


def hashes_of(task: tuple[str, str]) -> dict[str, str]:
    """Return the hashes of one learner on one set."""
    learner, name = task
    warnings.simplefilter("ignore")
    train, test = rows_of(name)
    hashes = {}
    for variant in VARIANTS:
        key = f"{learner} {name} {variant}"
        try:
            model = fit(learner, variant, train)
        except miter.DataError as error:
            hashes[key] = str(error)
            continue
        if model is None:
            continue
        hashes[key] = hash_of(model, test)
        loaded = save_and_load(model)
        if loaded is not None:
            hashes[f"{key} loaded"] = hash_of(loaded, test)
    return hashes


def save_and_load(model: Any) -> Any:
    """Return what a model file makes of a model; None if it cannot be saved."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.miter")
        try:
            miter.save(model, path)
        except miter.ModelFileError:
            return None
        return miter.load(path)


def main() -> int:
    """Write the hashes of every learner, or tell which are others now."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path, help="the hashes, as JSON")
    parser.add_argument("--write", action="store_true", help="write them in place of comparing")
    parser.add_argument("--learner", action="append", choices=LEARNERS, help="only this one")
    arguments = parser.parse_args()
    tasks = [(learner, name) for learner in arguments.learner or LEARNERS for name in SETS]
    found: dict[str, str] = {}
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for done, part in enumerate(pool.map(hashes_of, tasks), start=1):
            found |= part
            if done % 20 == 0:
                print(f"{done} of {len(tasks)} learners and sets", file=sys.stderr, flush=True)
    if arguments.write:
        arguments.file.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
        print(f"{len(found)} hashes written")
        return 0
    return compare(json.loads(arguments.file.read_text()), found)


def compare(before: dict[str, str], found: dict[str, str]) -> int:
    """Print which hashes are others than before, and how many are the same."""
    other = [key for key in found if key in before and before[key] != found[key]]
    new = [key for key in found if key not in before]
    # What a model file holds must answer as what was saved, whether or not it could be before.
    odd = [k for k in found if k.endswith(" loaded") and found[k] != found[k[: -len(" loaded")]]]
    for key in other:
        print(f"other: {key}")
    for key in odd:
        print(f"not as it was saved: {key}")
    print(f"{len(found) - len(other) - len(new)} the same, {len(other)} other, {len(new)} new")
    return 1 if other or odd else 0


if __name__ == "__main__":
    sys.exit(main())
