"""Answers found by trying rows, where no program says them: for networks and for forests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Schema
from miter.explaining.freedom import Freedom

__all__ = ["nearest_by_trying"]

#: So many rows are tried first, and the nearest of those with a wanted answer are brought nearer.
N_TRIED = 4096
N_KEPT = 8
#: Parts of the way back to the start that are tried.
PARTS = 0.5 ** np.arange(24)

Rows = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Trial:
    start: Rows
    free: Freedom
    is_wanted: Callable[[Rows], NDArray[np.bool_]]
    is_squared: bool

    def distances(self, rows: Rows) -> NDArray[np.float64]:
        """Return how far rows are from the start."""
        steps = np.abs(rows - self.start) / self.free.scale
        symbols = [column for column, may in enumerate(self.free.values) if may is not None]
        steps[:, symbols] = rows[:, symbols] != self.start[symbols]
        steps = np.where(np.isnan(rows) & np.isnan(self.start), 0.0, np.nan_to_num(steps, nan=1.0))
        return np.sqrt((steps**2).sum(axis=1)) if self.is_squared else steps.sum(axis=1)


def nearest_by_trying(
    start: Rows,
    free: Freedom,
    schema: Schema,
    is_wanted: Callable[[Rows], NDArray[np.bool_]],
    *,
    seeds: Sequence[Rows] = (),
    is_squared: bool = False,
) -> Rows | None:
    """Return a row with a wanted answer from which no single step back is possible, or None.

    Parameters
    ----------
    start : ndarray of shape (n_columns,)
        Where to stay near.
    free : Freedom
        What may change.
    schema : Schema
        Where numbers lie.
    is_wanted : callable
        Tells for rows whether they have a wanted answer.
    seeds : sequence of ndarray
        Rows to try beside those drawn by chance.
    is_squared : bool
        As in `nearest_row`.
    """
    trial = _Trial(start, free, is_wanted, is_squared)
    rows = np.vstack([_draw(start, free, schema), *[seed[None] for seed in seeds]])
    rows = rows[is_wanted(rows)]
    if not len(rows):
        return None
    kept = rows[np.argsort(trial.distances(rows), kind="stable")[:N_KEPT]]
    ended = np.array([_bring_nearer(row, trial) for row in kept])
    best: Rows = ended[np.argmin(trial.distances(ended))]
    return best


def _draw(start: Rows, free: Freedom, schema: Schema) -> Rows:
    """Return rows in which some of the columns, one or more, have values drawn by chance."""
    random = np.random.default_rng(0)
    rows = np.repeat(start[None], N_TRIED, axis=0)
    changes = random.random(rows.shape) < random.random((N_TRIED, 1))
    grouped = {column for group in free.groups for column in group}
    for column, (may, own) in enumerate(zip(free.values, start.tolist(), strict=True)):
        if own != own or column in grouped:
            continue
        drawn = _draw_column(column, may, free, schema, random)
        rows[:, column] = np.where(changes[:, column], drawn, own)
        if may is None:
            rows[:, column] = np.clip(rows[:, column], free.low[column], free.high[column])
    for group in free.groups:
        may_be = [column for column in group if free.high[column] >= 1]
        chosen = random.choice(may_be or list(group), N_TRIED)
        keeps = ~changes[:, group[0]]
        for column in group:
            rows[:, column] = np.where(keeps, start[column], chosen == column)
    return rows


def _draw_column(
    column: int,
    may: NDArray[np.bool_] | None,
    free: Freedom,
    schema: Schema,
    random: np.random.Generator,
) -> NDArray[np.float64]:
    if may is not None:
        codes = np.flatnonzero(may)
        return random.choice(codes if len(codes) else [np.nan], N_TRIED).astype(float)
    low, high = free.low[column], free.high[column]
    spread = schema.columns[column].spread
    if spread is not None:
        low, high = max(low, spread.least), min(high, spread.most)
    if not np.isfinite([low, high]).all() or low > high:
        low, high = free.low[column], free.low[column]
    if free.is_whole[column]:
        return np.floor(random.uniform(np.ceil(low), np.floor(high) + 1, N_TRIED))
    return random.uniform(low, high, N_TRIED)


def _bring_nearer(row: Rows, trial: _Trial) -> Rows:
    """Take the best step back towards the start as long as the answer stays."""
    far = float(trial.distances(row[None])[0])
    while True:
        rows = _steps_back(row, trial)
        if not len(rows):
            return row
        distances = trial.distances(rows)
        order = np.argsort(distances, kind="stable")
        order = order[distances[order] < far * (1 - 1e-9)]
        good = order[trial.is_wanted(rows[order])] if len(order) else order
        if not len(good):
            return row
        row, far = rows[good[0]], float(distances[good[0]])


def _steps_back(row: Rows, trial: _Trial) -> Rows:
    """Return rows in which one column, or all, went some way back."""
    start, free = trial.start, trial.free
    changed = np.flatnonzero(row != start)
    changed = changed[~np.isnan(start[changed])]
    numbers = [c for c in changed.tolist() if free.values[c] is None]
    found = []
    grouped = {column: group for group in free.groups for column in group}
    for column in changed.tolist():
        if column in grouped:
            back = row.copy()
            back[list(grouped[column])] = start[list(grouped[column])]
            found.append(back[None])
        elif free.values[column] is not None:
            back = row.copy()
            back[column] = start[column]
            found.append(back[None])
    free_numbers = [c for c in numbers if c not in grouped]
    for columns in [[c] for c in free_numbers] + ([free_numbers] if len(free_numbers) > 1 else []):
        back = np.repeat(row[None], len(PARTS), axis=0)
        back[:, columns] -= PARTS[:, None] * (row[columns] - start[columns])
        found.append(_allowed(back, columns, free))
    rows = np.vstack(found) if found else np.empty((0, len(row)))
    return rows[_may_be(rows, free)]


def _allowed(rows: Rows, columns: Sequence[int], free: Freedom) -> Rows:
    for column in columns:
        rows[:, column] = np.clip(rows[:, column], free.low[column], free.high[column])
        if free.is_whole[column]:
            rows[:, column] = np.rint(rows[:, column])
    return rows


def _may_be(rows: Rows, free: Freedom) -> NDArray[np.bool_]:
    good = np.ones(len(rows), bool)
    for column, may in enumerate(free.values):
        x = rows[:, column]
        known = ~np.isnan(x)
        if may is None:
            good &= ~known | ((x >= free.low[column]) & (x <= free.high[column]))
        else:
            good &= ~known | may[np.where(known, x, 0).astype(int)]
    return good
