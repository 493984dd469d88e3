"""Gaussian clusters four deviations apart, and clouds that have none."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from resumable import Key, Store

from miter import ICATree

DIMENSIONS = (2, 3, 5, 10, 20, 50)
ROWS_A_CLUSTER, ROWS_OF_CLOUD, APART = 150, 500, 4.0

Matrix = NDArray[np.float64]


def tree_of_clusters(random: np.random.Generator, n_clusters: int, d: int) -> Matrix:
    """Return centres: parts of a random tree, the nearest of two parts apart along a direction."""
    if n_clusters == 1:
        return np.zeros((1, d))
    n_left = int(random.integers(1, n_clusters))
    left, right = (tree_of_clusters(random, n, d) for n in (n_left, n_clusters - n_left))
    left, right = left - left.mean(axis=0), right - right.mean(axis=0)
    along = _direction(random, d)
    gap = (left @ along).max() - (right @ along).min() + APART
    return np.vstack([left, right + along * gap])


def neighbours(random: np.random.Generator, n_clusters: int, d: int) -> Matrix:
    """Return centres, each exactly apart from one before it and no nearer to any other."""
    centres = np.zeros((1, d))
    while len(centres) < n_clusters:
        centre = centres[random.integers(len(centres))] + APART * _direction(random, d)
        if np.linalg.norm(centres - centre, axis=1).min() >= APART - 1e-9:
            centres = np.vstack([centres, centre])
    return centres


def _direction(random: np.random.Generator, d: int) -> NDArray[np.float64]:
    along = random.normal(size=d)
    return along / np.linalg.norm(along)


PLACEMENTS = {"trees": tree_of_clusters, "neighbours": neighbours}
CLOUDS: dict[str, Callable[[np.random.Generator, tuple[int, int]], Matrix]] = {
    "Gaussian": lambda random, shape: random.normal(size=shape),
    "uniform": lambda random, shape: random.uniform(size=shape),
    "t, 3 degrees": lambda random, shape: random.standard_t(3, size=shape),
}


def _clusters_found(placement: str, n_clusters: int, d: int, n_runs: int) -> list[int]:
    found = []
    for run in range(n_runs):
        random = np.random.default_rng([run, d, n_clusters])
        centres = np.repeat(PLACEMENTS[placement](random, n_clusters, d), ROWS_A_CLUSTER, axis=0)
        found.append(_n_clusters(centres + random.normal(size=centres.shape)))
    return found


def _leaves_of_cloud(cloud: str, d: int, n_runs: int) -> list[int]:
    return [
        _n_clusters(CLOUDS[cloud](np.random.default_rng([run, d]), (ROWS_OF_CLOUD, d)))
        for run in range(n_runs)
    ]


def _n_clusters(X: Matrix) -> int:
    return ICATree(n_threads=1).fit(X).n_clusters_


def measure(arguments: Namespace) -> dict[str, Any]:
    """Count the clusters that the tree finds."""
    dimensions = (2, 10) if arguments.quick else DIMENSIONS
    numbers = (2, 5) if arguments.quick else range(2, 9)
    n_runs, n_clouds = (3, 5) if arguments.quick else (30, 60)
    tasks: dict[Key, Callable[[], list[int]]] = {
        (placement, n, d, n_runs): partial(_clusters_found, placement, n, d, n_runs)
        for placement in PLACEMENTS
        for d in dimensions
        for n in numbers
    }
    for cloud in CLOUDS:
        for d in dimensions:
            tasks[cloud, d, n_clouds] = partial(_leaves_of_cloud, cloud, d, n_clouds)
    found = Store("ica_simulated", fresh=arguments.fresh, label="simulated: ").find(tasks)

    def share(key: Key, n_clusters: int) -> float:
        return 100 * float(np.mean(np.array(found[key]) == n_clusters))

    return {
        "exact": {
            placement: {
                str(d): {str(n): share((placement, n, d, n_runs), n) for n in numbers}
                for d in dimensions
            }
            for placement in PLACEMENTS
        },
        "clouds": {
            cloud: {
                str(d): {
                    "one": share((cloud, d, n_clouds), 1),
                    "leaves": float(np.mean(found[cloud, d, n_clouds])),
                }
                for d in dimensions
            }
            for cloud in CLOUDS
        },
    }


def as_text(report: dict[str, Any]) -> str:
    """Write how often the number of clusters is found exactly, and one leaf of one cloud."""
    lines = [
        f"Gaussian clusters of {ROWS_A_CLUSTER} rows, {APART:g} deviations apart: runs in which "
        "their number is found, %"
    ]
    for placement, cells in report["exact"].items():
        numbers = list(next(iter(cells.values())))
        lines += ["", f"  {placement:14}" + "".join(f"{n:>7}" for n in [*numbers, "mean"])]
        for d, found in cells.items():
            values = [*found.values(), float(np.mean(list(found.values())))]
            lines.append(f"  {d + ' dimensions':14}" + "".join(f"{v:7.0f}" for v in values))
        all_cells = [value for found in cells.values() for value in found.values()]
        lines.append(f"  {'all':14}{np.mean(all_cells):.1f}")
    lines += ["", f"One cloud of {ROWS_OF_CLOUD} rows: runs with one leaf, % (mean leaves)"]
    for cloud, found in report["clouds"].items():
        cells_text = "".join(f"{v['one']:7.0f} ({v['leaves']:.1f})" for v in found.values())
        lines.append(f"  {cloud:14}{cells_text}   in {', '.join(found)} dimensions")
    return "\n".join(lines)
