"""Single trees whose weights are trained together, at the sizes of published oblique trees.

    python experiments/whole_tree.py            # all sets, about ten minutes
    python experiments/whole_tree.py --quick    # segment alone, two seeds

Accuracy in per cent on rows not trained on, means over seeds: the default, the default without
training together, and machines of linear terms that are always trained together. DTSemNet (2024) is
the best published single oblique tree at these numbers of training rows. The last set stands for
wide tables: generated digits of 784 columns, each a smooth shape moved, bent and disturbed.
"""

from __future__ import annotations

from argparse import Namespace
from itertools import pairwise
from time import process_time
from typing import Any

import numpy as np
from every_size_parts.published import SETS, training_and_test
from resumable import Store, option_parser, report_sections

from miter import LinearMachineTreeClassifier, from_frame
from miter.data import Data

NAMES = ("segment", "satimage", "optdigits", "pendigits", "letter", "wide")
WIDE_ROWS = 15_000
LEARNERS: dict[str, dict[str, Any]] = {
    "default": {},
    "nodes one by one": {"whole_tree": False},
    "always together": {"whole_tree": True, "terms": "linear", "univariate": False, "l2": 0.3},
}


def shapes(n_rows: int, seed: int = 0, side: int = 28) -> Data:
    """Draw ten shapes of a few strokes, each time moved, bent and disturbed, as pictures."""
    fixed, random = np.random.default_rng(7), np.random.default_rng(seed)
    ends = fixed.uniform(0.2, 0.8, size=(10, 4, 2))
    y = random.integers(0, 10, n_rows)
    along = np.linspace(0, 1, 12)[:, None]
    rows, columns = np.mgrid[:side, :side] / (side - 1)
    X = np.empty((n_rows, side * side), np.float32)
    for i, label in enumerate(y):
        corners = ends[label] + random.normal(scale=0.06, size=(4, 2))
        corners += random.normal(scale=0.05, size=2)
        strokes = [a + along * (b - a) for a, b in pairwise(corners)]
        points = np.concatenate(strokes)
        far = (rows[..., None] - points[:, 0]) ** 2 + (columns[..., None] - points[:, 1]) ** 2
        ink = np.exp(-far.min(axis=2) / 0.002) + random.normal(scale=0.1, size=(side, side))
        X[i] = ink.ravel()
    return from_frame(X, y)


def rows_of(name: str, seed: int) -> tuple[Data, Data]:
    """Return so many rows drawn at random, and those of the test."""
    if name != "wide":
        return training_and_test(name, *SETS[name][:2], seed)
    data = shapes(WIDE_ROWS + 4000)
    order = np.random.default_rng(seed).permutation(data.n_rows)
    return data.take(order[:WIDE_ROWS]), data.take(order[WIDE_ROWS:])


def run(name: str, learner: str, seed: int) -> dict[str, float]:
    """Fit once; return accuracy, decision nodes and CPU seconds."""
    train, test = rows_of(name, seed)
    begin = process_time()
    model = LinearMachineTreeClassifier(random_state=seed, n_threads=1, **LEARNERS[learner])
    tree = model.fit(train).tree_
    seconds = process_time() - begin
    right = tree.predict(test.X) == test.labels
    return {
        "accuracy": 100 * float(right.mean()),
        "nodes": int((~tree.is_leaf).sum()),
        "seconds": seconds,
    }


def measure(arguments: Namespace) -> list[dict[str, Any]]:
    """Return a line for each set and learner: means over seeds."""
    names, seeds = (["segment"], range(2)) if arguments.quick else ([*NAMES], range(3))
    store = Store("whole_tree", fresh=arguments.fresh, label="whole trees: ", by_code=True)
    tasks = {
        (n, k, s): (lambda n=n, k=k, s=s: run(n, k, s))
        for n in names
        for k in LEARNERS
        for s in seeds
    }
    found = store.find(tasks)
    return [
        {"set": n, "learner": k, "published": SETS[n][3] if n in SETS else None}
        | {
            m: float(np.mean([found[n, k, s][m] for s in seeds]))
            for m in ("accuracy", "nodes", "seconds")
        }
        for n in names
        for k in LEARNERS
    ]


def as_text(lines: list[dict[str, Any]]) -> str:
    """Return the table."""
    rows = [f"{'set':10} {'learner':18} {'accuracy':>8} {'nodes':>6} {'CPU s':>6}  DTSemNet"]
    for line in lines:
        published = "" if line["published"] is None else f"{line['published']:.2f}"
        rows.append(
            f"{line['set']:10} {line['learner']:18} {line['accuracy']:8.2f} {line['nodes']:6.1f} "
            f"{line['seconds']:6.2f}  {published}"
        )
    return "\n".join(rows)


if __name__ == "__main__":
    sections = {"sets": (measure, as_text)}
    report_sections(sections, option_parser(__doc__ or "", sections).parse_args())
