"""What reading made of a table, in sentences: nothing is guessed in silence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from miter.errors import tell

__all__ = ["NOTHING_TO_SAY", "Reading", "Remark", "tell_remarks"]

#: So many remarks are told in a warning.
SHOWN_REMARKS = 5


@dataclass(frozen=True)
class Remark:
    """One thing that reading made of a column, or that the user may want to know of it.

    Parameters
    ----------
    column : str
        The column of the user's table; empty when the table as a whole is meant.
    about : str
        What it is about, in a word or two for programs: 'odd cells', 'left out', 'dates', ...
    sentence : str
        What was found and what was made of it, without a full stop.
    cure : str
        The kind to give the column where something else is meant; empty when there is none.
    effect : str
        What that kind does, as the end of a sentence: 'keeps it'.
    changed : bool
        Whether learners get something else than the cells as they are written.
    n_cells : int
        How many cells it is about; 0 when all of them.

    Examples
    --------
    >>> from miter.data.remarks import Remark
    >>> remark = Remark("name", "left out", "it names the row", "symbolic", "keeps it")
    >>> remark.say()
    "column 'name': it names the row; kinds={'name': 'symbolic'} keeps it"
    >>> remark.say(command_line=True)
    "column 'name': it names the row; --kind name=symbolic keeps it"
    """

    column: str
    about: str
    sentence: str
    cure: str = ""
    effect: str = ""
    changed: bool = True
    n_cells: int = 0

    def say(self, *, command_line: bool = False) -> str:
        """Return the whole sentence, with the cure as Python or the command line words it."""
        place = f"column {self.column!r}: " if self.column else ""
        if not self.cure:
            return place + self.sentence
        wish = f"--kind {_quoted(f'{self.column}={self.cure}')}"
        if not command_line:
            wish = f"kinds={{{self.column!r}: {self.cure!r}}}"
        return f"{place}{self.sentence}; {wish} {self.effect}"


def _quoted(text: str) -> str:
    from shlex import quote

    return quote(text)


@dataclass(frozen=True)
class Reading:
    """What reading made of a table.

    Parameters
    ----------
    dialect : str
        How the file is written, in one line; empty when it is written as usual.
    remarks : tuple of Remark
        In the order of the columns.

    Examples
    --------
    >>> from miter.data.remarks import Reading, Remark
    >>> reading = Reading("separated by semicolons", (Remark("a", "units", "holds percents"),))
    >>> [remark.say() for remark in reading.changes]
    ["column 'a': holds percents"]
    """

    dialect: str = ""
    remarks: tuple[Remark, ...] = ()

    @property
    def changes(self) -> tuple[Remark, ...]:
        """The remarks on what learners get otherwise than it is written."""
        return tuple(remark for remark in self.remarks if remark.changed)


#: Of a table that is what it seems.
NOTHING_TO_SAY = Reading()


def tell_remarks(remarks: Sequence[Remark], begin: str = "", end: str = "") -> None:
    """Give one warning of all that was made of a table."""
    if remarks:
        said = "; ".join(remark.say() for remark in remarks[:SHOWN_REMARKS])
        more = len(remarks) - SHOWN_REMARKS
        tell(f"{begin}{said}{f'; and {more} more of the kind' if more > 0 else ''}{end}")
