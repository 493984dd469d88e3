"""What a page draws of a node: how its rows lie on both sides of its test, and what columns do.

Read from the expression of a test, so that no kind of split is known here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Schema
from miter.data.table import Data
from miter.reporting.plain import few_digits, plain_numbers
from miter.show.node_column import bin_edges
from miter.splits.expression import (
    Cell,
    Expression,
    IfMissing,
    Largest,
    Sigmoid,
    Step,
    columns_of,
    evaluate,
)
from miter.splits.sums import FlatSum, added_by, flatten
from miter.tree import Tree

__all__ = ["panel_contents"]

#: The nodes that most rows come to have pictures, so many at most.
MOST_PANELS = 300
#: Values of a symbol, columns of a sum, points in a plane.
MOST_VALUES, MOST_COLUMNS, MOST_POINTS = 24, 16, 120
#: A network is asked about so many rows, and at so many places of the plane of two columns.
MOST_CURVED, N_GRID = 400, 21


def panel_contents(
    tree: Tree, data: Data, shown: NDArray[Any]
) -> tuple[list[dict[str, Any] | None], int]:
    """Return what there is to draw of each node, and of how many nodes.

    Parameters
    ----------
    tree : Tree
        Of any kind.
    data : Data
        Rows that pictures are made from; without labels they are drawn by the tree's answers.
    shown : ndarray of shape (n_shown, n_columns)
        The rows of the page, some of which are points in planes.
    """
    classes = tree.predict(data.X) if data.y is None else data.y
    rows, start = tree.rows_of_nodes(data.X)
    points, points_start = tree.rows_of_nodes(shown)
    n_rows = np.diff(start)
    order = np.argsort(np.where(tree.is_leaf, -1, n_rows), kind="stable")[::-1]
    chosen = [int(node) for node in order[:MOST_PANELS] if not tree.is_leaf[node]]
    panels: list[dict[str, Any] | None] = [None] * tree.n_nodes
    for node in chosen:
        split = tree.splits[node]
        own = rows[start[node] : start[node + 1]]
        if split is None or not len(own):
            continue
        here = _Node(
            split.expression,
            tree.schema,
            np.asarray(data.X[own], float),
            classes[own],
            points[points_start[node] : points_start[node + 1]],
            shown,
        )
        panels[node] = here.panel()
    return panels, len(chosen)


@dataclass(frozen=True, eq=False)
class _Node:
    """A test, and the rows that come to it."""

    expression: Expression
    schema: Schema
    X: NDArray[np.float64]
    classes: NDArray[np.integer[Any]]
    points: NDArray[np.integer[Any]]
    shown: NDArray[Any]

    def panel(self) -> dict[str, Any]:
        known = self.expression
        if isinstance(known, IfMissing):
            known = known.known
        columns = columns_of(self.expression)
        if len(columns) == 1 and self.schema.columns[columns[0]].values:
            return {"column": columns[0], "values": self._values(columns[0])}
        match known:
            case Step(Cell(column), cuts):
                return {"column": column, **self._histogram(self.X[:, column], cuts)}
            case Step(of, cuts):
                return self._of_sums((of,), cuts)
            case Largest(of):
                return self._of_sums(of, None)
        return {}

    def _values(self, column: int) -> list[list[Any]]:
        """Return the commonest values of a symbol: code, branch, and rows of each class."""
        cells = self.X[:, column]
        codes, sizes = np.unique(cells[~np.isnan(cells)], return_counts=True)
        commonest = np.sort(codes[np.argsort(-sizes, kind="stable")[:MOST_VALUES]])
        asked = np.full((len(commonest), self.X.shape[1]), np.nan)
        asked[:, column] = commonest
        branches = evaluate(self.expression, asked)
        return [
            [int(code), int(branch), self._by_class(cells == code).tolist()]
            for code, branch in zip(commonest, branches, strict=True)
        ]

    def _by_class(self, rows: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.bincount(self.classes[rows], minlength=self.schema.n_classes)

    def _histogram(self, values: NDArray[np.float64], cuts: Sequence[float]) -> dict[str, Any]:
        """Return the bars of each class, between ends that hold all but the farthest rows."""
        is_known = ~np.isnan(values)
        values, classes = values[is_known], self.classes[is_known]
        if not len(values):
            return {}
        edges, _ = bin_edges(values, cuts)
        n_bins = len(edges) - 1
        # A row at the cut belongs to the bar on its left.
        place = np.clip(np.searchsorted(edges, values, side="left") - 1, 0, n_bins - 1)
        bars = [
            [code, np.bincount(place[classes == code], minlength=n_bins).tolist()]
            for code in np.unique(classes).tolist()
        ]
        ends = few_digits([edges[0], edges[-1]], 8)
        return {"histogram": {"ends": ends, "cuts": plain_numbers(np.array(cuts)), "bars": bars}}

    def _of_sums(
        self, sums: tuple[Expression, ...], cuts: tuple[float, ...] | None
    ) -> dict[str, Any]:
        flat = [flatten((1.0, one)) for one in sums]
        is_curved = any(isinstance(part, Sigmoid) for total in flat for part in total.factors)
        rows = self._some() if is_curved else self
        added = rows._changed(sums) if is_curved else rows._added(flat)
        panel = rows._projection(sums, cuts)
        panel["effects"] = rows._effects(added, cuts is None)
        if is_curved:
            panel["response"] = rows._response(sums, cuts, added)
        return panel

    def _some(self) -> _Node:
        """Return the node with some of its rows: networks take long."""
        some = np.linspace(0, len(self.X) - 1, min(len(self.X), MOST_CURVED)).astype(np.intp)
        return replace(self, X=self.X[some], classes=self.classes[some])

    def _added(self, sums: list[FlatSum]) -> dict[int, NDArray[np.float64]]:
        """Return what each column adds to the sums: rows x sums."""
        columns = columns_of(self.expression)
        return {c: np.column_stack([added_by(one, c, self.X) for one in sums]) for c in columns}

    def _changed(self, sums: tuple[Expression, ...]) -> dict[int, NDArray[np.float64]]:
        """Return what each column changes by being known, where it goes through hidden units."""
        totals, changed = _totals(sums, self.X), {}
        for column in columns_of(self.expression):
            unknown = self.X.copy()
            unknown[:, column] = np.nan
            changed[column] = totals - _totals(sums, unknown)
        return changed

    def _projection(
        self, sums: tuple[Expression, ...], cuts: tuple[float, ...] | None
    ) -> dict[str, Any]:
        """Return where rows lie: along the one sum, or the margins and a plane of several."""
        totals = _totals(sums, self.X)
        if cuts is not None:
            # Of one cut it counts how far a row is from it.
            origin = cuts[0] if len(cuts) == 1 else 0.0
            return self._histogram(totals[:, 0] - origin, [cut - origin for cut in cuts])
        if totals.shape[1] == 2:
            return self._histogram(totals[:, 1] - totals[:, 0], (0.0,))
        ranked = np.sort(totals, axis=1)
        panel = {"is_margin": True, **self._histogram(ranked[:, -1] - ranked[:, -2], (0.0,))}
        return panel | {"plane": self._plane(sums, totals)}

    def _plane(self, sums: tuple[Expression, ...], totals: NDArray[np.float64]) -> dict[str, Any]:
        """Return the plane in which the means of the classes lie farthest apart, and points in it.

        Only differences of sums decide, so that their mean is taken from them first.
        """
        scores = totals - totals.mean(axis=1, keepdims=True)
        centre = scores.mean(axis=0)
        present = np.unique(self.classes)
        means = np.array([scores[self.classes == code].mean(axis=0) for code in present])
        spread = means - centre if len(present) > 2 else scores - centre
        axes = np.linalg.svd(spread, full_matrices=False)[2][:2].T
        rows = self.points[:: max(len(self.points) // MOST_POINTS, 1)][:MOST_POINTS]
        own = _totals(sums, np.asarray(self.shown[rows], float))
        own = (own - own.mean(axis=1, keepdims=True) - centre) @ axes
        return {
            "centre": few_digits(centre, 6),
            "axes": [few_digits(axis, 6) for axis in axes],
            "points": [
                [int(row), *few_digits(point)] for row, point in zip(rows, own, strict=True)
            ],
        }

    def _effects(self, added: dict[int, NDArray[np.float64]], is_largest: bool) -> list[list[Any]]:
        """Return what each column does to the sums, the strongest first.

        Of a number, by how much a sum moves where the column rises by a deviation; of a symbol, the
        deviation of what it adds, which has no direction. Where the largest sum decides, what
        moves all of them alike is left out; of two sums the second is held against the first.
        """
        effects = {}
        for column, parts in added.items():
            if is_largest:
                parts = parts - parts.mean(axis=1, keepdims=True)
                parts = 2 * parts[:, 1:] if parts.shape[1] == 2 else parts
            effects[column] = self._moves(self.X[:, column], parts, column)
        strongest = sorted(effects, key=lambda column: -np.abs(effects[column]).max())
        return [
            [column, bool(self.schema.columns[column].is_symbolic), few_digits(effects[column])]
            for column in strongest[:MOST_COLUMNS]
        ]

    def _moves(
        self, values: NDArray[np.float64], parts: NDArray[np.float64], column: int
    ) -> NDArray[np.float64]:
        is_known = ~np.isnan(values)
        if not is_known.any():
            return np.zeros(parts.shape[1])
        values, parts = values[is_known], parts[is_known]
        if self.schema.columns[column].is_symbolic:
            return np.asarray(parts.std(axis=0))
        centred = values - values.mean()
        deviation = float(centred.std())
        if deviation == 0:
            return np.zeros(parts.shape[1])
        moves: NDArray[np.float64] = centred @ (parts - parts.mean(axis=0)) / len(values)
        return moves / deviation

    def _response(
        self,
        sums: tuple[Expression, ...],
        cuts: tuple[float, ...] | None,
        added: dict[int, NDArray[np.float64]],
    ) -> dict[str, Any] | None:
        """Return what a network answers over its two strongest numbers, the others at their mean.

        Values are how far the sum is above its cut, row by row from the lowest second column.
        """
        numbers = [c for c in added if not self.schema.columns[c].values]
        if len(numbers) < 2 or cuts is None:
            return None
        strength = {column: float(np.abs(added[column]).std()) for column in numbers}
        across, up = sorted(numbers, key=lambda column: -strength[column])[:2]
        usual = np.array([_usual(self.X[:, c]) for c in range(self.X.shape[1])])
        ends = [np.nanquantile(self.X[:, c], [0.02, 0.98]) for c in (across, up)]
        grid = np.tile(usual, (N_GRID * N_GRID, 1))
        lines = [np.linspace(low, high, N_GRID) for low, high in ends]
        grid[:, across] = np.tile(lines[0], N_GRID)
        grid[:, up] = np.repeat(lines[1], N_GRID)
        values = evaluate(sums[0], grid) - cuts[0]
        return {
            "columns": [across, up],
            "ends": [few_digits(end) for end in ends],
            "size": N_GRID,
            "values": few_digits(values, 3),
        }


def _totals(sums: Sequence[Expression], X: NDArray[Any]) -> NDArray[np.float64]:
    """Return the sums of every row: rows x sums."""
    return np.column_stack([evaluate(one, X) for one in sums])


def _usual(cells: NDArray[np.float64]) -> float:
    known = cells[~np.isnan(cells)]
    return float(np.median(known)) if len(known) else np.nan
