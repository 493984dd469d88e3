"""Table 4 of Utgoff and Brodley 1991 with the algorithm as published, beside the printed figures.

python experiments/lmdt.py [--quick] [--json] [--fresh]

Means over seeds. The paper's chess set is not to be had. Its LED figures look unpruned, and so are
ours.
"""

from __future__ import annotations

import json

import numpy as np
from resumable import Store, data_path, options

from miter import lmdt91, read
from miter.data import Data, Schema, dnf, led

PAPER = {
    "DNF": {"machines": 2, "variables": 2.5, "columns": 5, "train": 100.0, "test": None},
    "LED 10 %": {"machines": 8.6, "variables": 4.5, "columns": 7, "train": 79.64, "test": 70.20},
    "soybean": {"machines": 4.8, "variables": 8.3, "columns": 23, "train": 97.59, "test": 84.88},
    "soybean, no elimination": {},
    "segment": {"machines": 1, "variables": 5.8, "columns": 5.8, "train": 98.86, "test": 94.25},
    "segment, no elimination": {},
}


def main() -> None:
    arguments = options(__doc__.splitlines()[0])
    n_seeds = {name: 100 if name == "DNF" else 10 for name in PAPER}
    if arguments.quick:
        n_seeds = dict.fromkeys(PAPER, 3)
    sets = load_sets()
    store = Store("lmdt", sum(n_seeds.values()), fresh=arguments.fresh)
    report = {}
    for name in PAPER:
        learner = {"eliminate": None} if "no elimination" in name else {}
        if name.startswith("LED"):
            learner["pruning"] = None
        runs = [
            store.remember(f"{name} {seed}", lambda s=seed, n=name, k=learner: one(sets, n, s, k))
            for seed in range(n_seeds[name])
        ]
        report[name] = {
            key: None if runs[0][key] is None else float(np.mean([run[key] for run in runs]))
            for key in runs[0]
        } | {"seeds": len(runs)}
    print(json.dumps(report, indent=2) if arguments.json else as_text(report))


def load_sets() -> dict[str, tuple[Data, Data | None]]:
    segment = read(data_path("segment-split"))
    segment_test = read(data_path("segment-split", ".test"), schema=segment.schema)
    soybean = read(data_path("soybean-large"))
    soybean_test = read(data_path("soybean-large", ".test"), schema=soybean.schema)
    return {
        "segment": (segment, segment_test),
        "soybean": (first_classes(soybean, 15), first_classes(soybean_test, 15)),
        "DNF": (dnf(), None),
    }


def first_classes(data: Data, n_classes: int) -> Data:
    """Return the rows of the first classes, as the paper has them."""
    rows = data.take(np.flatnonzero(data.labels < n_classes))
    schema = Schema(rows.schema.columns, rows.schema.classes[:n_classes])
    return Data(schema, rows.X, rows.y)


def one(sets, name: str, seed: int, settings) -> dict[str, float | None]:
    if name.startswith("LED"):
        train, test = led(500, seed=2 * seed), led(5000, seed=2 * seed + 1)
    else:
        train, test = sets[name.split(",")[0]]
    tree = lmdt91(random_state=seed, **settings).fit(train).tree_
    machines = [split for i in range(tree.n_nodes) if (split := tree.splits[i]) is not None]
    return {
        "machines": len(machines),
        "variables": float(np.mean([n_variables(machine) for machine in machines or [None]])),
        "columns": len({column for machine in machines for column in machine.columns}),
        "train": 100 * float(np.mean(tree.predict(train.X) == train.labels)),
        "test": None if test is None else 100 * float(np.mean(tree.predict(test.X) == test.labels)),
        "as_printed": float([machine.columns for machine in machines] == [(0, 1), (2, 3, 4)]),
    }


def n_variables(machine) -> int:
    """Count the columns that a machine tests."""
    return 0 if machine is None else len(machine.columns)


def as_text(report) -> str:
    def number(value, width=8) -> str:
        return f"{value:{width}.2f}" if value is not None else " " * (width - 1) + "."

    keys = ("machines", "variables", "columns", "train", "test")
    lines = [f"{'':26}{'':7}" + "".join(f"{key:>10}" for key in keys)]
    for name, row in report.items():
        paper = PAPER[name]
        if paper:
            lines.append(f"{name:26}paper  " + "".join(number(paper[key], 10) for key in keys))
        lines.append(
            f"{'' if paper else name:26}ours   " + "".join(number(row[key], 10) for key in keys)
        )
    dnf_row = report["DNF"]
    share = 100 * dnf_row["as_printed"]
    lines.append(
        f"\nDNF as the paper prints it (root on a and b, then c, d, e): {share:.0f} % of "
        f"{dnf_row['seeds']} seeds"
    )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
