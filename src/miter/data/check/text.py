"""The check of a table as text that fits a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from textwrap import wrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from miter.data.check.columns import ColumnCheck
    from miter.data.check.table import TableCheck

__all__ = ["format_check", "one_line", "shortened"]

#: So many columns and classes are shown; all are in `TableCheck.to_dict`.
SHOWN_COLUMNS, SHOWN_CLASSES, SHOWN_VALUES = 200, 12, 6
LEVELS = "▁▂▃▄▅▆▇█"
WIDEST_NAME = 32


def one_line(text: str) -> str:
    r"""Return a text without line ends, which names and values may hold.

    Examples
    --------
    >>> from miter.data.check.text import one_line
    >>> one_line("two\nlines")
    'two lines'
    """
    return " ".join(text.split())


def shortened(text: str, width: int) -> str:
    """Return a text in one line of at most `width` letters."""
    line = one_line(text)
    return line if len(line) <= width else line[: max(width - 3, 1)] + "..."


def format_check(checked: TableCheck, sentences: Sequence[str], width: int) -> str:
    """Write a check.

    Parameters
    ----------
    checked : TableCheck
        What to write.
    sentences : sequence of str
        Its remarks in words.
    width : int
        Of the lines.
    """
    parts = [[_size(checked)], list(_table(checked, width))]
    if checked.left_out:
        left_out = ", ".join(map(one_line, checked.left_out))
        parts.append(wrap(f"Left out: {left_out}", width, subsequent_indent="  "))
    if checked.classes:
        parts.append(list(_classes(checked, width)))
    if sentences:
        parts.append(["Remarks:", *_listed(sentences, width)])
    return "\n\n".join("\n".join(lines) for lines in parts)


def _size(checked: TableCheck) -> str:
    rows = f"{checked.n_rows:,} row{'s' * (checked.n_rows != 1)}"
    n_columns = len(checked.columns)
    written = f"; {checked.dialect}" if checked.dialect else ""
    return f"{rows}, {n_columns:,} column{'s' * (n_columns != 1)}{written}"


def _table(checked: TableCheck, width: int) -> Iterator[str]:
    shown = checked.columns[:SHOWN_COLUMNS]
    rows = [("column", "kind", "missing", "holds")]
    for column in shown:
        missing = f"{column.n_missing:,} ({column.n_missing / checked.n_rows:.1%})"
        name = shortened(column.name, WIDEST_NAME)
        rows.append((name, column.kind, missing if column.n_missing else "", _holds(column)))
    widths = [max(len(row[place]) for row in rows) for place in range(3)]
    rest = max(width - sum(widths) - 6, 20)
    for name, kind, missing, holds in rows:
        line = f"{name:<{widths[0]}}  {kind:<{widths[1]}}  {missing:>{widths[2]}}  "
        yield (line + shortened(holds, rest)).rstrip()
    if len(shown) < len(checked.columns):
        yield f"... and {len(checked.columns) - len(shown):,} more columns"


def _holds(column: ColumnCheck) -> str:
    if column.kind != "numeric":
        total = max(sum(column.values.values()), 1)
        by_count = sorted(column.values.items(), key=lambda item: -item[1])
        if column.kind == "ordered" or len(by_count) <= 1:
            by_count = list(column.values.items())
        joint = " < " if column.kind == "ordered" else ", "
        said = (f"{value} {n / total:.0%}" for value, n in islice(by_count, SHOWN_VALUES))
        more = f"{joint}..." if len(by_count) > SHOWN_VALUES else ""
        return f"{len(by_count):,}: {joint.join(said)}{more}"
    if not column.low:
        return "nothing"
    if not column.distribution:
        return f"{column.low} only"
    highest = max(column.distribution)
    levels = (-(-n * (len(LEVELS) - 1) // highest) for n in column.distribution)
    bars = "".join(LEVELS[level] for level in levels)
    return f"{bars}  {column.low} to {column.high}, mean {column.mean}"


def _classes(checked: TableCheck, width: int) -> Iterator[str]:
    classes = checked.classes
    n_classes = len(classes)
    values = f"{n_classes:,} value{'s' * (n_classes != 1)}"
    yield f"Class {one_line(checked.target)!r}, {values}:"
    shown = sorted(classes.items(), key=lambda item: -item[1])[:SHOWN_CLASSES]
    if n_classes <= SHOWN_CLASSES:
        shown = list(classes.items())
    names = [shortened(label, min(WIDEST_NAME, width // 2)) for label, _ in shown]
    widest = max(map(len, names))
    digits = max(len(f"{n:,}") for _, n in shown)
    for name, (_, n) in zip(names, shown, strict=True):
        yield f"  {name:<{widest}}  {n:>{digits},}  {n / checked.n_rows:6.1%}"
    if n_classes > len(shown):
        rest = sum(classes.values()) - sum(n for _, n in shown)
        yield f"  and {n_classes - len(shown):,} more, with {rest:,} rows together"


def _listed(sentences: Sequence[str], width: int) -> Iterator[str]:
    for sentence in sentences:
        yield from wrap(
            f"- {one_line(sentence)}",
            width,
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
