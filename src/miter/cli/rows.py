"""Files of rows: the options that say how they are written, and what is said of reading them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from miter.cli.options import kind_option, parse_kinds, target_option
from miter.cli.output import note
from miter.cli.wording import in_words_of_the_command_line
from miter.progress import ProgressLine

if TYPE_CHECKING:
    from miter.data import Data, Schema
    from miter.data.files.blocks import Block
    from miter.data.remarks import Reading, Remark

__all__ = ["Rows", "new_rows", "say_remarks", "training_rows"]

#: Separators that are hard to type.
SEPARATORS = {"tab": "\t", "\\t": "\t", "space": " "}
#: So many remarks are printed; `miter data` prints all.
SHOWN_REMARKS = 10

_HOW_WRITTEN = (
    click.option(
        "--separator",
        metavar="CHARACTER",
        help="What stands between cells, where it is not found: a character, tab or space.",
    ),
    click.option("--decimal", type=click.Choice([".", ","]), help="What stands before decimals."),
    click.option("--encoding", metavar="NAME", help="The encoding, such as cp1252 or utf-16."),
    click.option(
        "--header/--no-header",
        default=None,
        help="Whether the first line names the columns, where it is not found.",
    ),
    click.option(
        "--missing",
        metavar="TEXT",
        multiple=True,
        help="A text that means missing, beside the usual ones. May be repeated.",
    ),
    click.option(
        "--sheet", metavar="NAME", help="The sheet of an Excel file, or its number from 0 on."
    ),
)


@dataclass(frozen=True)
class Rows:
    """How to read the files of rows that a command names.

    Parameters
    ----------
    target : str, optional
        The column that holds the class.
    kinds : dict, optional
        What the user says of columns.
    how_written : dict
        The other arguments of `miter.data.read`.
    quiet : bool
        Say nothing of what was made of them.
    """

    target: str | None = None
    kinds: dict[str, str | list[str]] | None = None
    how_written: dict[str, Any] = field(default_factory=dict)
    quiet: bool = False

    def read_training(self, path: Path) -> Data:
        """Return rows to learn from; what reading made of them is said on stderr."""
        from miter.data.labels import check_classes

        data = self.read(path)
        check_classes(data.schema.target, data.schema.classes, data.n_rows)
        self._say(path, data.reading, "`miter data` tells all")
        return data

    def read(self, path: Path, *, labelled: bool = True) -> Data:
        """Return rows to learn from, or to look at: these need no class."""
        from miter.data import read

        how = self.how_written | {"labelled": labelled}
        with ProgressLine(f"reading {path}", quiet=self.quiet):
            return read(path, target=self.target, kinds=self.kinds, **how)

    def read_new(self, path: Path, schema: Schema) -> Data:
        """Return rows with their classes, under the schema of the training rows."""
        from miter.data import read

        if self.target in schema.sources:
            raise click.UsageError(
                f"--target {self.target}: the model learns from this column; name the one that "
                f"holds the true classes, {schema.target!r} in training."
            )
        with ProgressLine(f"reading {path}", quiet=self.quiet):
            data = read(path, target=self.target, schema=schema, **self.how_written)
        self._say(path, data.reading)
        return data

    def read_blocks(self, path: Path, schema: Schema, keep: list[str]) -> Iterator[Block]:
        """Yield rows to predict, block by block; at the end it is said what was made of them."""
        from miter.data.files.blocks import read_blocks
        from miter.data.remarks import Reading

        dialect, found = "", _Gathered()
        for block in read_blocks(path, schema, keep=keep, **self.how_written):
            dialect = dialect or block.data.reading.dialect
            found.add(block.data.reading.remarks)
            yield block
        self._say(path, Reading(dialect, found.remarks))

    def _say(self, path: Path, reading: Reading, more: str = "") -> None:
        if reading.dialect:
            note(f"{path} is {reading.dialect}", quiet=self.quiet)
        lines = say_remarks(reading.changes)
        for line in lines[:SHOWN_REMARKS]:
            note(line, quiet=self.quiet)
        if len(lines) > SHOWN_REMARKS:
            end = f"; {more}" if more else ""
            note(f"and {len(lines) - SHOWN_REMARKS} more of the kind{end}", quiet=self.quiet)


def say_remarks(remarks: Iterable[Remark]) -> list[str]:
    """Return remarks as the command line words them, one line each."""
    said = (remark.say(command_line=True) for remark in remarks)
    return [" ".join(in_words_of_the_command_line(sentence).split()) for sentence in said]


class _Gathered:
    """Remarks on the blocks of a file, one for all that are about the same."""

    def __init__(self) -> None:
        self._by_subject: dict[tuple[str, str], tuple[Remark, int, bool]] = {}

    def add(self, remarks: Iterable[Remark]) -> None:
        for remark in remarks:
            key = remark.column, remark.about
            first, n_cells, _ = self._by_subject.get(key, (remark, 0, False))
            self._by_subject[key] = first, n_cells + remark.n_cells, key in self._by_subject

    @property
    def remarks(self) -> tuple[Remark, ...]:
        told = []
        for first, n_cells, again in self._by_subject.values():
            more = f"; {n_cells:,} such cells in all" if again and n_cells else ""
            told.append(replace(first, sentence=first.sentence + more))
        return tuple(told)


def training_rows(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Give a verb what is to be said of rows to learn from, as one argument `rows`."""
    return target_option(kind_option(_rows(verb)))


def new_rows(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Give a verb what is to be said of rows for a model that knows their kinds."""
    return _rows(verb)


def _rows(verb: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(verb)
    def with_rows(
        *arguments: Any,
        separator: str | None,
        decimal: str | None,
        encoding: str | None,
        header: bool | None,
        missing: tuple[str, ...],
        sheet: str | None,
        target: str | None = None,
        kinds: tuple[str, ...] = (),
        **others: Any,
    ) -> Any:
        how_written = {
            "separator": None if separator is None else SEPARATORS.get(separator, separator),
            "decimal": decimal,
            "encoding": encoding,
            "header": header,
            "missing": missing,
            "sheet": sheet,
        }
        rows = Rows(target, parse_kinds(kinds), how_written, others.get("quiet", False))
        return verb(*arguments, rows=rows, **others)

    decorated: Callable[..., Any] = with_rows
    for option in reversed(_HOW_WRITTEN):
        decorated = option(decorated)
    return decorated
