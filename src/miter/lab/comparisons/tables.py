"""Tables of means and deviations as text, Markdown and LaTeX; they know nothing of experiments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import fill

__all__ = ["Entry", "Table", "to_latex", "to_markdown", "to_text"]

#: Longer names of columns go on over several lines, where their words end.
HEAD_WIDTH = 13
GAP = "  "
NOTE_WIDTH = 100

# Where a name may be broken: before a capital after a small letter, and after a mark.
_BREAK = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[-_:,. ])")
_LATEX = {
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "<": "$<$",
    ">": "$>$",
}


@dataclass(frozen=True)
class Entry:
    """What stands in one place of a table.

    Parameters
    ----------
    value : str
        The number.
    deviation : str
        What stands behind ±; may be empty.
    mark : str
        One character behind both; may be empty.
    is_best : bool
        Whether it is the best of its row.

    Examples
    --------
    >>> from miter.lab.comparisons.tables import Entry
    >>> Entry("94.1", "1.2", "+").words
    '94.1 ± 1.2 +'
    """

    value: str
    deviation: str = ""
    mark: str = ""
    is_best: bool = False

    @property
    def words(self) -> str:
        """Everything in a row."""
        deviation = f"± {self.deviation}" if self.deviation else ""
        return " ".join(part for part in (self.value, deviation, self.mark) if part)


@dataclass(frozen=True)
class Table:
    """A table with a title above and notes below.

    Parameters
    ----------
    title : str
        One line.
    head : tuple of str
        Name of each column; the first is that of the rows' names.
    body : tuple of (str, tuple of Entry)
        The name of each row, and its entries.
    summary : tuple of (str, tuple of Entry)
        Rows that sum up the others.
    notes : tuple of str
        A sentence each.

    Examples
    --------
    >>> from miter.lab.comparisons.tables import Entry, Table, to_text
    >>> row = ("iris", (Entry("94.1", "1.2"), Entry("9.5", "10.2", "-")))
    >>> table = Table("Accuracy", ("set", "c45", "id3"), (row,), (), ("- worse than c45",))
    >>> print(to_text(table))
    Accuracy
    <BLANKLINE>
    set   c45         id3
    ----  ----------  ------------
    iris  94.1 ± 1.2  9.5 ± 10.2 -
    <BLANKLINE>
    - worse than c45
    """

    title: str
    head: tuple[str, ...]
    body: tuple[tuple[str, tuple[Entry, ...]], ...]
    summary: tuple[tuple[str, tuple[Entry, ...]], ...] = ()
    notes: tuple[str, ...] = ()


def to_text(table: Table, width: int | None = None) -> str:
    """Write a table for a terminal.

    Parameters
    ----------
    table : Table
        What to write.
    width : int, optional
        Of the terminal; where the table is wider, it comes in several parts.

    Examples
    --------
    See `Table`.
    """
    columns = [_text_column(table, place) for place in range(len(table.head) - 1)]
    names = _name_column(table, len(columns[0]) if columns else 0)
    blocks = []
    for part in _fitting(columns, len(names[0]), width):
        lines = (GAP.join(line).rstrip() for line in zip(names, *part, strict=True))
        # Names of columns in another part may need more lines than those in this one.
        blocks.append("\n".join(line for line in lines if line))
    notes = "\n".join(
        fill(note, width or NOTE_WIDTH, subsequent_indent=GAP) for note in table.notes
    )
    return "\n\n".join(part for part in (table.title, *blocks, notes) if part)


def to_markdown(table: Table) -> str:
    """Write a table as GitHub understands it; the best of a row is bold.

    Examples
    --------
    >>> from miter.lab.comparisons.tables import Entry, Table, to_markdown
    >>> row = ("iris", (Entry("94.1", "1.2", "", True), Entry("93.9", "2.8")))
    >>> print(to_markdown(Table("Accuracy", ("set", "c45", "id3"), (row,))))
    Accuracy
    <BLANKLINE>
    | set | c45 | id3 |
    | --- | ---: | ---: |
    | iris | **94.1** ± 1.2 | 93.9 ± 2.8 |
    """
    lines = [_markdown_row(table.head), _markdown_row(["---", *["---:"] * (len(table.head) - 1)])]
    for name, entries in (*table.body, *table.summary):
        cells = (_emphasised(entry, "**", "**").words for entry in entries)
        lines.append(_markdown_row([name, *cells]))
    notes = "\n".join(f"- {_bare(note)}" for note in table.notes)
    return "\n\n".join(part for part in (table.title, "\n".join(lines), notes) if part)


def to_latex(table: Table) -> str:
    r"""Write a table for LaTeX, which needs no package for it; the best of a row is bold.

    Examples
    --------
    >>> from miter.lab.comparisons.tables import Entry, Table, to_latex
    >>> row = ("vote_84", (Entry("94.1", "1.2", "+"),))
    >>> print(to_latex(Table("Accuracy in %", ("set", "c45"), (row,))))
    \begin{table}
    \caption{Accuracy in \%}
    \begin{tabular}{lr}
    \hline
    set & c45 \\
    \hline
    vote\_84 & 94.1 $\pm$ 1.2$^{+}$ \\
    \hline
    \end{tabular}
    \end{table}
    """
    caption = ". ".join([table.title, *map(_bare, table.notes)])
    lines = [r"\begin{table}", rf"\caption{{{_escaped(caption)}}}"]
    lines += [rf"\begin{{tabular}}{{l{'r' * (len(table.head) - 1)}}}", r"\hline"]
    lines += [" & ".join(map(_escaped, table.head)) + r" \\", r"\hline"]
    for rows in (table.body, table.summary):
        lines += [
            " & ".join([_escaped(name), *map(_latex_cell, own)]) + r" \\" for name, own in rows
        ]
        lines += [r"\hline"] if rows else []
    return "\n".join([*lines, r"\end{tabular}", r"\end{table}"])


# ---- text ------------------------------------------------------------------------------------


def _text_column(table: Table, place: int) -> list[str]:
    """Return a column, its head and rules included, all lines equally wide."""
    body = [entries[place] for _, entries in table.body]
    value_width = max((len(entry.value) for entry in body), default=0)
    deviation_width = max((len(entry.deviation) for entry in body), default=0)
    lines = [_aligned(entry, value_width, deviation_width) for entry in body]
    sums = [entries[place].words.rjust(value_width) for _, entries in table.summary]
    return _ruled(_wrapped(table, place + 1), lines, sums)


def _aligned(entry: Entry, value_width: int, deviation_width: int) -> str:
    text = entry.value.rjust(value_width)
    if entry.deviation:
        text += f" ± {entry.deviation.rjust(deviation_width)}"
    return f"{text} {entry.mark}".rstrip()


def _name_column(table: Table, n_lines: int) -> list[str]:
    names, sums = ([name for name, _ in rows] for rows in (table.body, table.summary))
    head = _wrapped(table, 0)
    column = _ruled(head, names, sums)
    # Without other columns there is nothing to be in line with.
    assert n_lines in {0, len(column)}
    return column


def _ruled(head: list[str], lines: list[str], sums: list[str]) -> list[str]:
    width = max(map(len, [*head, *lines, *sums]))
    rule = ["-" * width]
    parts = [*head, *rule, *lines, *(rule if sums else []), *sums]
    return [part.ljust(width) for part in parts]


def _wrapped(table: Table, place: int) -> list[str]:
    """Return the lines of a column's name, as many as the longest of all has."""
    heads = [list(_broken(name)) for name in table.head]
    return heads[place] + [""] * (max(map(len, heads)) - len(heads[place]))


def _broken(name: str) -> Iterator[str]:
    line = ""
    for word in _BREAK.split(name):
        if line and len(line + word) > HEAD_WIDTH:
            yield line.rstrip()
            line = ""
        line += word
    yield line


def _fitting(
    columns: Sequence[list[str]], name_width: int, width: int | None
) -> Iterator[list[list[str]]]:
    """Share columns out over parts that are not wider than the terminal."""
    part: list[list[str]] = []
    used = name_width
    for column in columns:
        needed = len(GAP) + len(column[0])
        if part and width is not None and used + needed > width:
            yield part
            part, used = [], name_width
        part.append(column)
        used += needed
    yield part


# ---- Markdown and LaTeX ----------------------------------------------------------------------


def _markdown_row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def _emphasised(entry: Entry, before: str, after: str) -> Entry:
    return replace(entry, value=f"{before}{entry.value}{after}") if entry.is_best else entry


def _bare(note: str) -> str:
    return note.rstrip(".")


def _escaped(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in text)


def _latex_cell(entry: Entry) -> str:
    words = _escaped(replace(entry, mark="").words)
    if entry.is_best:
        words = words.replace(entry.value, rf"\textbf{{{entry.value}}}", 1)
    return words + (f"$^{{{entry.mark}}}$" if entry.mark else "")
