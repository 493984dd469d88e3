"""Pajunen and Girolami 1999, section 8: the oil flow data, leaves labelled afterwards."""

from __future__ import annotations

from argparse import Namespace
from functools import partial
from typing import Any

from resumable import Store, data_path

from ica_parts.rows import HEAD, TreeClusters, halves, line, means, of_peers, quality
from miter import read

AS_PUBLISHED = {"rule": "em", "cut": "zero", "stop": None, "max_density": None}


def _files() -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    train = read(data_path("oil-flow"))
    test = read(data_path("oil-flow", ".test"), schema=train.schema)
    return (train.X, train.labels), (test.X, test.labels)


OURS: dict[str, dict[str, Any]] = {
    "ICA tree": {"max_depth": 10},
    "ICA tree, published": {"max_depth": 6, **AS_PUBLISHED},
}


def _all_ways(train: tuple[Any, Any], test: tuple[Any, Any], seed: int) -> dict[str, Any]:
    """Return what every way reaches; the peers have as many clusters as the tree by default."""
    found = {
        name: quality(TreeClusters(train[0], seed, **settings), train, test)
        for name, settings in OURS.items()
    }
    return found | of_peers(int(found["ICA tree"]["clusters"]), train, test, seed)


def measure(arguments: Namespace) -> dict[str, Any]:
    """Fit the paper's rows with 20 seeds, and 20 random halves of training and test rows."""
    seeds = range(2 if arguments.quick else 20)
    parts_of = {"paper": lambda _: _files(), "halves": partial(halves, "oil-flow")}
    tasks = {
        (kind, seed): lambda parts=parts, seed=seed: _all_ways(*parts(seed), seed)
        for kind, parts in parts_of.items()
        for seed in seeds
    }
    found = Store("ica_oil", fresh=arguments.fresh, label="oil: ").find(tasks)
    return {kind: means([found[kind, seed] for seed in seeds]) for kind in parts_of}


def as_text(report: dict[str, Any]) -> str:
    """Write both tables; purity is the accuracy on training rows."""
    lines = ["Oil flow, %; the paper has 88 on training rows and 78 on test rows", HEAD]
    lines += [line(name, found) for name, found in report["paper"].items()]
    lines += ["Random halves of the same rows, both files", HEAD]
    lines += [line(name, found) for name, found in report["halves"].items()]
    return "\n".join(lines)
