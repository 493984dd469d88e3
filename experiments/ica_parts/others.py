"""Other classic sets: the tree beside flat clusterers with as many clusters."""

from __future__ import annotations

from argparse import Namespace
from functools import partial
from typing import Any

from resumable import Store

from ica_parts.rows import HEAD, TreeClusters, halves, line, means, of_peers, quality

SETS = ("iris", "wine", "segment", "satimage", "pendigits", "optdigits")


def _all_ways(name: str, seed: int) -> dict[str, dict[str, float]]:
    train, test = halves(name, seed)
    ours = quality(TreeClusters(train[0], seed), train, test)
    return {"ICA tree": ours} | of_peers(int(ours["clusters"]), train, test, seed)


def measure(arguments: Namespace) -> dict[str, Any]:
    """Cluster a half of each set, and look at the other half."""
    sets, seeds = (SETS[:2], range(2)) if arguments.quick else (SETS, range(5))
    tasks = {(name, seed): partial(_all_ways, name, seed) for name in sets for seed in seeds}
    found = Store("ica_others", fresh=arguments.fresh, label="others: ").find(tasks)
    return {name: means([found[name, seed] for seed in seeds]) for name in sets}


def as_text(report: dict[str, Any]) -> str:
    """Write a table for each set."""
    lines = ["Halves of other sets: purity of the half clustered, accuracy on the other, %"]
    for name, found in report.items():
        lines += ["", name + HEAD[len(name) :]]
        lines += [line(way, measures) for way, measures in found.items()]
    return "\n".join(lines)
