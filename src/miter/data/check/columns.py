"""What one column holds, and what is odd about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.files.cells import number_text
from miter.data.remarks import Remark
from miter.data.schema import Column

__all__ = ["ColumnCheck", "check_column"]

#: Parts of the range of a column of numbers, in its distribution.
N_BINS = 10
#: From this share of the cells on, one value is nearly all there is.
NEARLY_ALL = 0.995
#: A symbol with more values has leaves of few rows each.
MANY_VALUES = 50
#: From this share on, a column is mostly missing.
MOSTLY_MISSING = 0.5
#: Among fewer numbers none is far from the others.
FEW_VALUES = 10
#: With fewer rows outside the main class, any column may happen to tell them apart.
FEW_ROWS = 20
#: A column that tells the class of so many rows on its own is suspicious.
TELLS_ALL = 0.995


@dataclass(frozen=True)
class ColumnCheck:
    """What a column holds.

    Parameters
    ----------
    name : str
        Its name.
    kind : {"numeric", "symbolic", "ordered"}
        What it is to learners.
    n_missing : int
        Cells without a value.
    n_values : int
        Different values that occur.
    values : dict of str to int
        Of a symbolic or ordered column, how many cells hold each value.
    low, mean, high : str
        Of a numeric column, its range and mean as they are written; empty when it holds nothing.
    numbers : tuple of float
        The same as numbers.
    distribution : tuple of int
        Of a numeric column, cells in each tenth of its range.

    Examples
    --------
    >>> from miter import check
    >>> from miter.data import play_tennis
    >>> check(play_tennis()).columns[3].values
    {'Weak': 8, 'Strong': 6}
    """

    name: str
    kind: str
    n_missing: int
    n_values: int
    values: dict[str, int]
    low: str = ""
    mean: str = ""
    high: str = ""
    numbers: tuple[float, ...] = ()
    distribution: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        head = {"name": self.name, "kind": self.kind, "missing": self.n_missing}
        head["n_values"] = self.n_values
        if self.kind != "numeric":
            return head | {"values": list(self.values), "counts": list(self.values.values())}
        low, mean, high = self.numbers or (None, None, None)
        return head | {
            "min": low,
            "mean": mean,
            "max": high,
            "distribution": list(self.distribution),
        }


def check_column(
    column: Column, cells: NDArray[Any], labels: NDArray[np.int32] | None
) -> tuple[ColumnCheck, list[Remark]]:
    """Look at a column.

    Parameters
    ----------
    column : Column
        What it is.
    cells : ndarray of shape (n_rows,)
        As in a `Data`.
    labels : ndarray of shape (n_rows,), optional
        The classes, to tell whether the column gives them away.
    """
    known = cells[~np.isnan(cells)]
    if column.kind == "numeric":
        checked = _check_numbers(column, known, len(cells))
    else:
        counts = np.bincount(known.astype(np.int64), minlength=len(column.values)).tolist()
        values = dict(zip(column.values, counts, strict=True))
        n_values = sum(count > 0 for count in counts)
        checked = ColumnCheck(column.name, column.kind, len(cells) - len(known), n_values, values)
    remarks = list(_say(column, checked, known, len(cells)))
    if labels is not None and checked.n_values > 1:
        remarks += _say_leak(column, cells, labels)
    return checked, remarks


def _check_numbers(column: Column, known: NDArray[Any], n_rows: int) -> ColumnCheck:
    n_missing = n_rows - len(known)
    if not len(known):
        return ColumnCheck(column.name, column.kind, n_missing, 0, {})
    numbers = float(known.min()), float(known.mean(dtype=np.float64)), float(known.max())
    low, mean, high = map(column.say, numbers)
    bins = [int(n) for n in np.histogram(known, N_BINS)[0]] if numbers[0] < numbers[2] else []
    return ColumnCheck(
        column.name,
        column.kind,
        n_missing,
        len(np.unique(known)),
        {},
        low,
        mean,
        high,
        numbers,
        tuple(bins),
    )


def _say(
    column: Column, checked: ColumnCheck, known: NDArray[Any], n_rows: int
) -> Iterator[Remark]:
    name, leaves_out = column.source, "leaves it out"
    is_own = column.source == column.name  # a part of a date is no column of the table
    if not len(known) or checked.n_values == 1:
        held = f"holds nothing but {column.say(known[0])!r}" if len(known) else "holds no value"
        if is_own:
            yield Remark(
                name, "constant", f"{held}, so it tells nothing", "ignored", leaves_out, False
            )
        return
    if checked.n_missing > MOSTLY_MISSING * n_rows:
        share = checked.n_missing / n_rows
        yield Remark(name, "mostly missing", f"{share:.0%} of its cells are missing", changed=False)
    values, counts = np.unique(known, return_counts=True)
    most = int(counts.argmax())
    if counts[most] >= NEARLY_ALL * len(known) and is_own:
        held = f"holds {column.say(values[most])!r} in {counts[most]:,} of {len(known):,} cells"
        yield Remark(name, "nearly constant", held, "ignored", leaves_out, False)
    if column.is_symbolic and checked.n_values > MANY_VALUES:
        held = f"has {checked.n_values:,} values, {len(known) / checked.n_values:.0f} rows each"
        yield Remark(name, "many values", held, "ignored", leaves_out, False)
    if column.kind == "numeric" and is_own:
        yield from _say_far(column, values, counts, len(known))
    is_plain = column.form is None or (column.form.part == "number" and not column.form.unit)
    if is_own and is_plain and _names_rows(column, known, checked):
        held = f"has a whole number of its own in {checked.n_values:,} of {len(known):,} rows"
        yield Remark(name, "id-like", f"{held}; it may name the row", "ignored", leaves_out, False)


def _say_far(
    column: Column, values: NDArray[Any], counts: NDArray[np.int64], n_known: int
) -> Iterator[Remark]:
    """Tell of a whole number that is there more than once, and far from all others: -999."""
    part = "number" if column.form is None else column.form.part
    if len(values) <= FEW_VALUES or part != "number":
        return
    for end, rest in ((0, values[1:]), (-1, values[:-1])):
        gap = abs(float(values[end]) - float(rest[end]))
        if counts[end] < 2 or gap <= np.ptp(rest) or values[end] % 1:
            continue
        far = number_text(float(values[end]))
        sentence = (
            f"holds {far} in {counts[end]:,} of {n_known:,} cells, far from all others; where it "
            f"stands for a missing cell, say so, missing=[{far!r}]"
        )
        yield Remark(column.source, "far value", sentence, changed=False)


def _names_rows(column: Column, known: NDArray[Any], checked: ColumnCheck) -> bool:
    """Whether whole numbers come but once, and stand close together as numbers given out do."""
    if column.kind != "numeric" or checked.n_values < max(20, 0.98 * len(known)):
        return False
    return bool((known == np.floor(known)).all() and np.ptp(known) < 2 * len(known))


def _say_leak(column: Column, cells: NDArray[Any], labels: NDArray[np.int32]) -> Iterator[Remark]:
    """Tell of a column that gives the class away, which it may not do before it is known."""
    right, n_values = _right_alone(column, cells, labels)
    majority = np.bincount(labels).max() / len(labels)
    n_others = (1 - majority) * len(labels)
    if n_others < FEW_ROWS or n_values * 5 > len(labels):
        return
    if right < TELLS_ALL or 1 - right > 0.1 * (1 - majority):
        return
    sentence = (
        f"tells the class of {right:.1%} of the rows on its own; if it is known only once the "
        "class is, it must not be used"
    )
    yield Remark(column.source, "tells the class", sentence, "ignored", "leaves it out", False)


def _right_alone(
    column: Column, cells: NDArray[Any], labels: NDArray[np.int32]
) -> tuple[float, int]:
    """Return the share of rows that the main class of each value is right on, and how many parts.

    Neighbouring numbers with the same main class are one part.
    """
    is_missing = np.isnan(cells)
    if column.kind == "numeric":
        # Not quantiles: where the class changes once along the values, two parts are enough.
        order = np.argsort(cells, kind="stable")
        ordered, classes = cells[order], labels[order]
        begins = np.append(True, ordered[1:] != ordered[:-1])
        run = np.cumsum(begins) - 1
        counts = np.zeros((run[-1] + 1, int(labels.max()) + 1))
        np.add.at(counts, (run, classes), 1)
        best = counts.argmax(axis=1)
        n_parts = 1 + int((best[1:] != best[:-1]).sum())
        if n_parts > 2 * counts.shape[1]:
            return 0.0, n_parts
        return float(counts.max(axis=1).sum() / len(cells)), n_parts
    codes = np.where(is_missing, len(column.values), cells).astype(np.int64)
    counts = np.zeros((len(column.values) + 1, int(labels.max()) + 1))
    np.add.at(counts, (codes, labels), 1)
    return float(counts.max(axis=1).sum() / len(cells)), int((counts.sum(axis=1) > 0).sum())
