"""Other classic sets: the tree beside flat clusterers with as many clusters."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from resumable import Store

from ica_parts.rows import HEAD, PEERS, Clusters, TreeClusters, halves, line, mean_of, quality

SETS = ("iris", "wine", "segment", "satimage", "pendigits", "optdigits")


def _all_ways(name: str, seed: int) -> dict[str, dict[str, float]]:
    train, test = halves(name, seed)
    ours = quality(TreeClusters(train[0], seed), train, test)
    found = {"ICA tree": ours}
    for peer in PEERS:
        clusters = Clusters(peer, int(ours["clusters"]), train[0], seed)
        found[peer] = quality(clusters, train, test)
    return found


def measure(arguments: Namespace) -> dict[str, Any]:
    """Cluster a half of each set, and look at the other half."""
    sets, seeds = (SETS[:2], range(2)) if arguments.quick else (SETS, range(5))
    store = Store("ica_others", len(sets) * len(seeds), fresh=arguments.fresh, label="others: ")
    report = {}
    for name in sets:
        runs = [
            store.remember(f"{name} {seed}", lambda name=name, seed=seed: _all_ways(name, seed))
            for seed in seeds
        ]
        report[name] = {way: mean_of([run[way] for run in runs]) for way in runs[0]}
    return report


def as_text(report: dict[str, Any]) -> str:
    """Write a table for each set."""
    lines = ["Halves of other sets: purity of the half clustered, accuracy on the other, %"]
    for name, found in report.items():
        lines += ["", name + HEAD[len(name) :]]
        lines += [line(way, measures) for way, measures in found.items()]
    return "\n".join(lines)
