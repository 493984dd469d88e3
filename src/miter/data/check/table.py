"""The check of a whole table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.check.columns import ColumnCheck, check_column
from miter.data.check.text import format_check
from miter.data.frames import from_frame
from miter.data.kinds import Kinds
from miter.data.labels import check_classes, label_text
from miter.data.remarks import Remark
from miter.data.table import Data
from miter.errors import DataError

__all__ = ["TableCheck", "check"]

#: A class with fewer rows, or a smaller share, is hard to learn.
RARE_ROWS, RARE_SHARE = 10, 0.01
#: What gives a class away shows in so many rows as well as in all.
MOST_ROWS = 100_000


@dataclass(frozen=True)
class TableCheck:
    """What a table holds, and what is odd about it; made by `check`. `repr` is readable.

    Parameters
    ----------
    n_rows : int
        How many rows there are.
    columns : tuple of ColumnCheck
        Those that learners may use.
    left_out : tuple of str
        Columns of the table that they do not get.
    target : str
        What the class is called.
    classes : dict of str to int
        Rows of each class; empty where the rows have none.
    dialect : str
        How the file is written, where it is not as usual.
    remarks : tuple of Remark
        What reading made of the table, and what is odd; each `say()`s itself with its cure.

    Examples
    --------
    >>> from miter import check
    >>> from miter.data import play_tennis
    >>> check(play_tennis()).classes
    {'Yes': 9, 'No': 5}
    """

    n_rows: int
    columns: tuple[ColumnCheck, ...]
    left_out: tuple[str, ...]
    target: str
    classes: dict[str, int]
    dialect: str = ""
    remarks: tuple[Remark, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        return {
            "rows": self.n_rows,
            "written": self.dialect,
            "columns": [column.to_dict() for column in self.columns],
            "ignored": list(self.left_out),
            "target": self.target,
            "classes": self.classes,
            "remarks": [
                {
                    "column": remark.column or None,
                    "about": remark.about,
                    "changed": remark.changed,
                    "sentence": remark.say(),
                    "cure": remark.cure or None,
                }
                for remark in self.remarks
            ],
        }

    def to_text(self, width: int = 100) -> str:
        """Return the report, in lines of a width."""
        return format_check(self, [remark.say() for remark in self.remarks], width)

    def __repr__(self) -> str:
        return self.to_text()

    __str__ = __repr__


def check(
    X: Any,
    y: Any = None,
    *,
    target: str = "class",
    kinds: Kinds | None = None,
    missing: Iterable[str] = (),
) -> TableCheck:
    """Look at a table before anything is learned from it.

    Parameters
    ----------
    X : DataFrame, array or Data
        The rows; a `Data`, as `read` gives it, brings its labels.
    y : sequence, optional
        Class labels.
    target, kinds, missing
        As for `from_frame`.

    Returns
    -------
    TableCheck
        Prints as a report.

    Examples
    --------
    >>> import pandas as pd
    >>> from miter import check
    >>> X = pd.DataFrame({"age": [31, 45, 28, 60], "nation": ["FR"] * 4})
    >>> for remark in check(X, ["no", "yes", "no", "yes"]).remarks:
    ...     print(remark.about)
    constant
    class is rare
    """
    if isinstance(X, Data):
        if y is not None:
            raise DataError("a Data brings its own labels; leave y out")
        data = X
    else:
        name = getattr(y, "name", None)
        called = name if isinstance(name, str) and name else target
        data = from_frame(X, y, target=called, kinds=kinds, missing=missing)
    sample = data if data.n_rows <= MOST_ROWS else data.take(_spread(data.n_rows))
    checked, remarks = [], list(data.reading.remarks)
    for position, column in enumerate(data.schema.columns):
        one, said = check_column(column, data.X[:, position], None)
        checked.append(one)
        if sample.y is not None:
            _, more = check_column(column, sample.X[:, position], sample.y)
            said += [remark for remark in more if remark.about == "tells the class"]
        remarks += said
    remarks += [*_say_header(data), *_say_twins(data), *_say_classes(data), *_say_repeated(data)]
    counts = {} if data.y is None else _class_counts(data)
    return TableCheck(
        data.n_rows,
        tuple(checked),
        data.schema.ignored,
        data.schema.target,
        counts,
        data.reading.dialect,
        tuple(_once(remarks)),
    )


def _spread(n_rows: int) -> NDArray[np.int64]:
    return np.linspace(0, n_rows - 1, MOST_ROWS).astype(np.int64)


def _once(remarks: list[Remark]) -> list[Remark]:
    """Leave out what is said twice of a column of dates, by its parts."""
    return list({(remark.column, remark.about): remark for remark in reversed(remarks)}.values())[
        ::-1
    ]


def _class_counts(data: Data) -> dict[str, int]:
    counts = np.bincount(data.labels, minlength=data.schema.n_classes).tolist()
    return dict(zip(map(label_text, data.schema.classes), counts, strict=True))


def _say_header(data: Data) -> Iterator[Remark]:
    """Tell of a first row that may be a second header: whatever it holds, no other row does."""
    if data.y is None or data.n_rows < RARE_ROWS or np.count_nonzero(data.y == data.y[0]) > 1:
        return
    first = data.X[0]
    is_symbolic = np.array([column.is_symbolic for column in data.schema.columns])
    if not np.isnan(first[~is_symbolic]).all() or (data.X[1:] == first).any():
        return
    label = label_text(data.schema.classes[data.y[0]])
    sentence = (
        f"the first row, of the class {label!r}, holds nothing that another row holds: where it "
        "is a second header, delete it"
    )
    yield Remark("", "second header", sentence, changed=False)


def _say_twins(data: Data) -> Iterator[Remark]:
    """Tell of columns that hold the same as one before them."""
    seen: dict[Any, str] = {}
    for position, column in enumerate(data.schema.columns):
        if column.source != column.name:
            continue
        cells = np.asarray(data.X[:, position], np.float64) + 0.0
        cells[np.isnan(cells)] = np.nan
        key = (hash(cells.tobytes()), column.kind != "numeric" and column.values)
        if key in seen and len(np.unique(cells)) > 1:
            sentence = f"holds the same as column {seen[key]!r}"
            yield Remark(column.name, "duplicate", sentence, "ignored", "leaves it out", False)
        seen.setdefault(key, column.name)


def _say_classes(data: Data) -> Iterator[Remark]:
    if data.y is None:
        return
    schema = data.schema
    try:
        check_classes(schema.target, schema.classes, data.n_rows)
    except DataError as error:
        sentence = str(error).removeprefix("Unknown label type: continuous. ")
        yield Remark("", "class is a quantity", sentence, changed=False)
        return
    counts = _class_counts(data)
    if sum(count > 0 for count in counts.values()) < 2:
        yield Remark("", "one class", "all rows are of one class; a tree needs two", changed=False)
        return
    rare = {
        label: count
        for label, count in counts.items()
        if count < RARE_ROWS or count < RARE_SHARE * data.n_rows
    }
    if rare and data.n_rows:
        label, count = min(rare.items(), key=lambda item: item[1])
        more = len(rare) - 1
        others = f", and {more} more {'is' if more == 1 else 'are'} rare too" if more else ""
        rows = "row is" if count == 1 else "rows are"
        sentence = (
            f"only {count:,} {rows} of the class {label!r}{others}; costs=focus({label!r}, 10) or "
            "class_weight='balanced' keeps it from being passed over"
        )
        if max(counts.values()) < RARE_ROWS:  # none is passed over for another
            sentence = (
                f"no class has {RARE_ROWS} rows: so few leave much to chance; more would help"
            )
        yield Remark("", "class is rare", sentence, changed=False)


def _say_repeated(data: Data) -> Iterator[Remark]:
    """Tell of rows that are there twice, and of rows that contradict each other."""
    hashes = _hash_rows(data.X)
    _, groups, counts = np.unique(hashes, return_inverse=True, return_counts=True)
    n_distinct = len(counts)
    if n_distinct == data.n_rows:
        return
    n_classes = data.schema.n_classes
    if data.y is None or not n_classes:
        n_again, n_wrong = data.n_rows - n_distinct, 0
    else:
        pairs, sizes = np.unique(groups.astype(np.int64) * n_classes + data.y, return_counts=True)
        n_again = data.n_rows - len(pairs)
        most = np.zeros(n_distinct, np.int64)
        np.maximum.at(most, pairs // n_classes, sizes)
        n_wrong = data.n_rows - int(most.sum())
    if n_again:
        sentence = (
            f"{n_again:,} of {data.n_rows:,} rows repeat another; if they are copies, leave them "
            "out, or a test on some of them will flatter"
        )
        yield Remark("", "repeated rows", sentence, changed=False)
    if n_wrong:
        sentence = (
            f"rows with the same values are of different classes: no model can be right on more "
            f"than {1 - n_wrong / data.n_rows:.1%} of these rows"
        )
        yield Remark("", "contradictions", sentence, changed=False)


def _hash_rows(matrix: NDArray[Any]) -> NDArray[np.uint64]:
    """Return a number for each row, the same for the same values."""
    random = np.random.default_rng(0)
    total = np.zeros(len(matrix), np.uint64)
    for position in range(matrix.shape[1]):
        cells = np.asarray(matrix[:, position], np.float64) + 0.0  # one zero
        cells[np.isnan(cells)] = np.nan
        bits = cells.view(np.uint64)
        bits ^= bits >> np.uint64(29)
        total += bits * random.integers(1, 2**63, dtype=np.uint64)
        total ^= total >> np.uint64(31)
    return total
