"""Pajunen and Girolami 1999, section 8: the oil flow data, leaves labelled afterwards."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from resumable import Store, data_path

from ica_parts.rows import HEAD, PEERS, Clusters, TreeClusters, halves, line, mean_of, quality
from miter import read

AS_PUBLISHED = {"rule": "em", "cut": "zero", "stop": None, "max_density": None}


def _files() -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    train = read(data_path("oil-flow"))
    test = read(data_path("oil-flow", ".test"), schema=train.schema)
    return (train.X, train.labels), (test.X, test.labels)


def _ways(n_clusters: int) -> dict[str, Any]:
    ways: dict[str, Any] = {
        "ICA tree": lambda X, seed: TreeClusters(X, seed, max_depth=10),
        "ICA tree, published": lambda X, seed: TreeClusters(X, seed, max_depth=6, **AS_PUBLISHED),
    }
    for name in PEERS:
        ways[name] = lambda X, seed, name=name: Clusters(name, n_clusters, X, seed)
    return ways


def measure(arguments: Namespace) -> dict[str, Any]:
    """Fit the paper's rows with 20 seeds, and 20 random halves of training and test rows."""
    seeds = range(2 if arguments.quick else 20)
    train, test = _files()
    n_clusters = TreeClusters(train[0], 0, max_depth=10).tree.n_clusters_
    ways = _ways(n_clusters)
    store = Store("ica_oil", 2 * len(seeds) * len(ways), fresh=arguments.fresh, label="oil: ")
    report: dict[str, Any] = {"paper": {}, "halves": {}}
    for name, make in ways.items():
        runs: dict[str, list[Any]] = {"paper": [], "halves": []}
        for seed in seeds:
            for kind, parts in (("paper", (train, test)), ("halves", halves("oil-flow", seed))):
                runs[kind].append(
                    store.remember(
                        f"{kind} {name} {seed} {n_clusters}",
                        lambda parts=parts, make=make, seed=seed: quality(
                            make(parts[0][0], seed), *parts
                        ),
                    )
                )
        for kind, found in runs.items():
            report[kind][name] = mean_of(found)
    return report


def as_text(report: dict[str, Any]) -> str:
    """Write both tables; purity is the accuracy on training rows."""
    lines = ["Oil flow, %; the paper has 88 on training rows and 78 on test rows", HEAD]
    lines += [line(name, found) for name, found in report["paper"].items()]
    lines += ["Random halves of the same rows, both files", HEAD]
    lines += [line(name, found) for name, found in report["halves"].items()]
    return "\n".join(lines)
