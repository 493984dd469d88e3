"""How often a test takes the network at a simulated node: where it is not needed, and where it is.

Yildiz and Alpaydin, section 3.1, ask for a confidence of 95 %.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from resumable import Store

from miter.data import Column, Data, Schema
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.level import Level
from miter.splitters import HybridSplitter, NetworkSplitter, PerceptronSplitter

#: At most so often where both kinds are equal; at least so often where the boundary is a circle.
MOST_EQUAL, LEAST_CIRCLE = 0.07, 0.95
N_NODES, N_QUICK = 1000, 100
#: Rows, of a node's own kind, that tell which unit is truly better, and nodes where that is asked.
N_FRESH, N_GAIN = 10_000, 100
TESTS = ("f_test", "t_test")

#: Whether each row is of the first class, from two numbers or more and a source of chance.
Boundary = Callable[[NDArray[np.float64], np.random.Generator], NDArray[np.bool_]]


def _slanted(X: NDArray[np.float64], random: np.random.Generator) -> NDArray[np.bool_]:
    """Let the odds change along a slanted line: a perceptron is the best there can be."""
    return random.random(len(X)) < 1 / (1 + np.exp(-3 * (X[:, 0] - X[:, 1])))


def _flipped(X: NDArray[np.float64], random: np.random.Generator) -> NDArray[np.bool_]:
    """Divide by a slanted line, with a tenth of the labels wrong: a network finds it better."""
    return (X[:, 0] > X[:, 1]) ^ (random.random(len(X)) < 0.1)


def _noise(X: NDArray[np.float64], random: np.random.Generator) -> NDArray[np.bool_]:
    """Let chance alone decide: neither kind can be better."""
    return random.random(len(X)) < 0.5


def _circle(X: NDArray[np.float64], random: np.random.Generator) -> NDArray[np.bool_]:
    """Divide by a circle that holds half of the rows."""
    return X[:, 0] ** 2 + X[:, 1] ** 2 < 2 * np.log(2)


#: What is simulated: the boundary, the number of rows and of columns.
NODES: dict[str, tuple[Boundary, int, int]] = {
    "slanted line, overlap, 100 rows": (_slanted, 100, 4),
    "slanted line, overlap, 500 rows": (_slanted, 500, 4),
    "slanted line, flips, 500 rows": (_flipped, 500, 4),
    "noise, 500 rows": (_noise, 500, 4),
    "circle, 100 rows": (_circle, 100, 2),
    "circle, 500 rows": (_circle, 500, 2),
}


def measure(arguments: Namespace) -> dict[str, Any]:
    """Return the share of nodes at which the network is taken, for each simulation and test."""
    n_nodes = N_QUICK if arguments.quick else N_NODES
    tasks = {
        (node, test, n_nodes): partial(network_share, *of, test, n_nodes)
        for node, of in NODES.items()
        for test in TESTS
    }
    store = Store("yildiz_alpaydin_nodes", fresh=arguments.fresh, label="nodes: ", by_code=True)
    gains = {node: true_gain(*of_node) for node, of_node in NODES.items()}
    shares: dict[str, dict[str, float]] = {}
    for (node, test, _), share in store.find(tasks).items():
        shares.setdefault(node, {})[test] = share
    return {"nodes": n_nodes, "share": shares, "gain": gains}


def network_share(
    boundary: Boundary, n_rows: int, n_columns: int, test: str, n_nodes: int
) -> float:
    """Return how often the network is taken."""
    splitter = HybridSplitter(test)
    taken = 0
    for seed in range(n_nodes):
        data = _node(boundary, n_rows, n_columns, np.random.default_rng(seed))
        found = splitter.begin(data, 1, 1)(Level.root(data))
        assert found.notes is not None
        taken += found.notes[0].startswith("network")
    return taken / n_nodes


def true_gain(boundary: Boundary, n_rows: int, n_columns: int) -> tuple[float, float]:
    """Return by how many points the network errs less on fresh rows, and the standard error."""
    gains = []
    for seed in range(N_GAIN):
        random = np.random.default_rng([1, seed])
        data = _node(boundary, n_rows, n_columns, random)
        fresh = _node(boundary, N_FRESH, n_columns, random)
        linear, network = (
            grow(data, splitter, Stopping(max_depth=1), n_threads=1).predict(fresh.X)
            for splitter in (PerceptronSplitter(), NetworkSplitter())
        )
        wrong = [np.mean(answers != fresh.labels) for answers in (linear, network)]
        gains.append(100 * (wrong[0] - wrong[1]))
    return float(np.mean(gains)), float(np.std(gains, ddof=1) / np.sqrt(N_GAIN))


def _node(boundary: Boundary, n_rows: int, n_columns: int, random: np.random.Generator) -> Data:
    schema = Schema(tuple(Column(f"x{c}", "numeric") for c in range(n_columns)), (0, 1))
    X = random.normal(size=(n_rows, n_columns))
    return Data(schema, X, boundary(X, random).astype(np.int32))


def as_text(report: dict[str, Any]) -> str:
    """Write a line for each simulation."""
    lines = [
        f"How often the network is taken, of {report['nodes']} simulated nodes; wanted: at most "
        f"{MOST_EQUAL:.0%} where both are equal, at least {LEAST_CIRCLE:.0%} at the circle of 500"
    ]
    lines.append(f"{'':34}" + "".join(f"{test:>8}" for test in TESTS) + "   truly errs less by")
    for node, shares in report["share"].items():
        gain, error = report["gain"][node]
        cells = "".join(f"{shares[test]:8.1%}" for test in TESTS)
        lines.append(f"{node:34}{cells}   {gain:5.2f} ±{error:5.2f} points")
    return "\n".join(lines)
