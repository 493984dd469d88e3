"""What steps of a scale and dates count in a sum, which their names do not tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from miter.data.schema import Column, Schema
from miter.splits.expression import Cell, Distance, IfMissing, Largest, Sigmoid, Step, Sum
from miter.splits.names import say_name
from miter.splits.spoken import Test

__all__ = ["counted_columns", "say_scales"]

#: Of more steps the first two and the last are said.
MOST = 7


def counted_columns(test: Test) -> Iterator[int]:
    """Return the columns whose values are added up; a question about one column adds nothing.

    Parameters
    ----------
    test : Expression or Pieces
        What is said of a test.
    """
    match test:
        case Cell(column) | Distance(column):
            yield column
        case Step(Cell()):
            return
        case Step(of) | Sigmoid(of):
            yield from counted_columns(of)
        case IfMissing(_, _, known):
            yield from counted_columns(known)
        case Sum(parts):
            for _, part in parts:
                yield from counted_columns(part)
        case Largest(of):
            for one in of:
                yield from counted_columns(one)


def say_scales(columns: Sequence[int], schema: Schema) -> Iterator[str]:
    """Say what the values of columns count; one sentence for all that count alike.

    Parameters
    ----------
    columns : sequence of int
        Those that are added up.
    schema : Schema
        Their names and values.

    Examples
    --------
    >>> from miter.data import Column, Schema
    >>> from miter.show.scales import say_scales
    >>> schema = Schema((Column("size", "ordered", ("S", "M", "L")),), ("no", "yes"))
    >>> print(*say_scales([0], schema))
    In sums size counts S 0, M 1, L 2.
    """
    names: dict[str, list[str]] = {}
    for number in columns:
        column = schema.columns[number]
        words = _scale(column)
        if words:
            names.setdefault(words, []).append(say_name(column.name))
    for words, own in names.items():
        verb = "counts" if len(own) == 1 else "count"
        yield f"In sums {', '.join(own)} {verb} {words}."


def _scale(column: Column) -> str:
    if column.form is not None and column.form.part in {"date", "moment"}:
        return "days since 1970-01-01"
    if column.kind != "ordered":
        return ""
    steps = [f"{value} {code}" for code, value in enumerate(column.values)]
    return ", ".join(steps if len(steps) <= MOST else [*steps[:2], "...", steps[-1]])
