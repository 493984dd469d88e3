"""How a delimited text is written: what separates cells, the decimal mark, whether it has a header.

A separator fits when it cuts every line of the first megabyte into as many cells as the first.
Where several fit, the one is taken whose cells hold no other separator, then the one that the
suffix promises. There is no header when the first line is what the others are. Lines above the
header, such as a title, fill fewer cells than it.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from miter.data.columns.words import MISSING_WORDS
from miter.data.files.content import Content
from miter.errors import DataError

__all__ = [
    "HEADER_WITHIN",
    "MEND_QUOTES",
    "Asked",
    "Dialect",
    "RecordError",
    "Sample",
    "find_dialect",
    "records",
    "with_encoding",
]

SAMPLE_BYTES = 1 << 20
SAMPLE_ROWS = 1000
#: A header is among so many first records.
HEADER_WITHIN = 20

MEND_QUOTES = 'check its quotes: one inside a quoted cell is written ""'

_CALLED = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?%?")
_DATE = re.compile(r"\d{4}-\d\d?-\d\d?([T ].*)?|\d\d?[/.]\d\d?[/.]\d{2,4}")
_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?")
_POINT = re.compile(r"[+-]?\d*\.\d+([eE][+-]?\d+)?")
_GROUP = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")


@dataclass(frozen=True)
class Asked:
    """What the user says of a delimited file; None where the file is to tell.

    Parameters
    ----------
    separator, decimal, encoding : str, optional
        What stands between cells, before decimals, and the encoding.
    header : bool, optional
        Whether the first line names the columns.
    """

    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    header: bool | None = None


@dataclass(frozen=True)
class Dialect:
    """How a delimited text is written.

    Parameters
    ----------
    separator : str
        One character.
    decimal : {".", ","}
        What stands before decimals.
    has_header : bool
        Whether the first line names the columns.
    encoding : str
        What the encoding is called; empty for UTF-8.
    n_above : int
        Records above the table, such as a title.

    Examples
    --------
    >>> from miter.data.files.dialect import Dialect
    >>> Dialect(";", ",", has_header=True).say(",")
    'separated by semicolons, with decimal commas'
    """

    separator: str
    decimal: str
    has_header: bool
    encoding: str = ""
    n_above: int = 0

    @property
    def n_passed_over(self) -> int:
        """Records that are no rows."""
        return self.n_above + self.has_header

    def say(self, usual: str) -> str:
        """Describe what is not usual, in one line; empty when all is."""
        parts = []
        if self.separator != usual:
            parts.append(f"separated by {_called(self.separator)}")
        if self.decimal == ",":
            parts.append("with decimal commas")
        if self.encoding:
            parts.append(f"in {self.encoding}")
        if not self.has_header:
            parts.append("without a header, so that the columns are called column 1, column 2, ...")
        return ", ".join(parts)


@dataclass(frozen=True, eq=False)
class Sample:
    """The first records of a text.

    Parameters
    ----------
    first : list of str
        The first record.
    rows : list of list of str
        Those below it, the first too where there is no header.
    title : str
        The first cell above the table; empty where there is none.
    """

    first: list[str]
    rows: list[list[str]]
    title: str = ""


def records(lines: Iterator[str], separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line on which each record begins, and its cells without spaces around them.

    Examples
    --------
    >>> from miter.data.files.dialect import records
    >>> list(records(iter(['a,"b', '"', "", "1, 2"]), ","))
    [(1, ['a', 'b']), (4, ['1', '2'])]
    """
    if separator == " ":
        lines = (line.strip() + "\n" for line in lines)
    reader = csv.reader(lines, delimiter=separator, strict=True, skipinitialspace=True)
    line = 1
    try:
        for cells in reader:
            if cells:
                yield line, [cell.strip() for cell in cells]
            line = reader.line_num + 1
    except csv.Error as error:
        raise RecordError(line, str(error)) from error


class RecordError(ValueError):
    """The record that begins in a line cannot be read."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(line, why)
        self.line = line
        self.why = why


@dataclass(frozen=True, eq=False)
class _Guess:
    """One separator, tried on the sample; `above` are the records above the table."""

    separator: str
    rows: list[list[str]]
    above: list[list[str]] = field(default_factory=list)
    trouble: str = ""
    line: int = 0

    @property
    def width(self) -> int:
        return len(self.rows[0]) if self.rows else 0

    def fit(self) -> float:
        """Return the share of lines with as many cells as most."""
        widths = Counter(map(len, self.rows))
        return max(widths.values(), default=0) / max(len(self.rows), 1)

    def cleanness(self) -> float:
        """Return the share of cells that hold no other separator, but for decimal commas."""
        others = [mark for mark in _CALLED if mark not in {self.separator, " "}]
        cells = [cell for row in self.rows for cell in row]
        clean = sum(
            not any(mark in cell for mark in others) or bool(_NUMBER.fullmatch(cell))
            for cell in cells
        )
        return clean / max(len(cells), 1)


def find_dialect(
    content: Content, usual: str, asked: Asked, known_names: Sequence[str]
) -> tuple[Dialect, Sample]:
    """Find how a text is written.

    Parameters
    ----------
    content : Content
        In UTF-8.
    usual : str
        The separator that the suffix promises.
    asked : Asked
        What the user says, which is not questioned.
    known_names : sequence of str
        Names of columns that a header would hold: the target, or those of a schema.

    Returns
    -------
    dialect : Dialect
        Without its encoding.
    sample : Sample
        The first records.
    """
    _check_asked(asked)
    lines, is_whole = _first_lines(content)
    separators = [asked.separator] if asked.separator else list(dict.fromkeys([usual, *_CALLED]))
    guesses = [_try(lines, separator, is_whole) for separator in separators]
    if asked.header is None:
        guesses = [_without_title(guess, known_names) for guess in guesses]
    if not any(guess.rows or guess.trouble for guess in guesses):
        raise DataError(
            f"{content.path} is empty; give a header with the column names, then the rows"
        )
    guess = _choose(content, guesses)
    if not guess.rows:
        raise DataError(
            f"{content.path}, line {guess.line}: the record that begins here cannot be read "
            f"({guess.trouble}); {MEND_QUOTES}"
        )
    has_header = asked.header
    if has_header is None:
        has_header = _has_header(guess.rows, known_names)
    rows = guess.rows[1:] if has_header else guess.rows
    decimal = asked.decimal or _find_decimal(rows, guess.separator)
    title = next((cell for row in guess.above for cell in row if cell), "")
    dialect = Dialect(guess.separator, decimal, has_header, n_above=len(guess.above))
    return dialect, Sample(guess.rows[0], rows, title)


def _check_asked(asked: Asked) -> None:
    if asked.separator is not None and (len(asked.separator) != 1 or asked.separator in '"\r\n'):
        raise DataError(
            f"separator is {asked.separator!r}; give one character, such as ';' or a tab"
        )
    if asked.decimal not in {None, ".", ","}:
        raise DataError(f"decimal is {asked.decimal!r}; give '.' or ','")
    if asked.decimal is not None and asked.decimal == asked.separator:
        raise DataError(f"separator and decimal are both {asked.decimal!r}; they must differ")


def _first_lines(content: Content) -> tuple[list[str], bool]:
    head = content.read(SAMPLE_BYTES)
    is_whole = len(head) < SAMPLE_BYTES
    if not is_whole:
        head = head[: max(head.rfind(b"\n"), head.rfind(b"\r")) + 1] or head
    text = head.decode("utf-8", errors="replace")
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$", text), is_whole


def _try(lines: list[str], separator: str, is_whole: bool) -> _Guess:
    rows: list[list[str]] = []
    trouble, line = "", 0
    try:
        for _, cells in records(iter(lines), separator):
            if rows or cells != [""]:
                rows.append(cells)
            if len(rows) == SAMPLE_ROWS:
                break
    except RecordError as error:
        # A quoted cell may run on behind the sample.
        if is_whole:
            trouble, line = error.why, error.line
    # A line of spaces is as blank as an empty one, but not where it may be a lone cell.
    if any(len(cells) > 1 for cells in rows):
        rows = [cells for cells in rows if cells != [""]]
    return _Guess(separator, rows, trouble=trouble, line=line)


def _without_title(guess: _Guess, known_names: Sequence[str]) -> _Guess:
    """Take what stands above the header from the rows."""
    n_above = _count_above(guess.rows, {*known_names})
    return replace(guess, rows=guess.rows[n_above:], above=guess.rows[:n_above])


def _count_above(rows: list[list[str]], known: set[str]) -> int:
    """Return how many records stand above the header: the record with a known name, if any has."""
    filled = [sum(map(bool, row)) for row in rows[:HEADER_WITHIN]]
    for number, row in enumerate(rows[:HEADER_WITHIN]):
        if known & {*row}:
            return number if max(filled[:number], default=0) < filled[number] else 0
    # Nobody says what a header holds: only what fills but the first of three cells is a title.
    n_above = next((number for number, n in enumerate(filled) if n > 1), 0)
    if n_above == 0 or not rows[0][0] or len(rows[n_above]) < 3:
        return 0
    return n_above if _has_header(rows[n_above:], ()) else 0


def _choose(content: Content, guesses: list[_Guess]) -> _Guess:
    """Return the guess that fits best; the usual separator stands first."""
    fitting = [g for g in guesses if not g.trouble and g.width > 1 and g.fit() == 1]
    if any(guess.separator != " " for guess in fitting):
        fitting = [guess for guess in fitting if guess.separator != " "]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        return max(fitting, key=lambda guess: (guess.cleanness(), -guesses.index(guess)))
    split = [guess for guess in guesses if guess.width > 1 and guess.separator != " "]
    split.sort(key=lambda guess: (guess.fit(), guess.cleanness()), reverse=True)
    if len(split) > 1 and split[0].fit() < 0.9:
        reasons = "; ".join(_why_not(guess) for guess in split[:2])
        raise DataError(
            f"{content.path} fits no dialect: {reasons}; name the separator, as separator=';', or "
            "mend the lines"
        )
    # One cell a line is a table too; whatever does not fit is said when the rows are read.
    return split[0] if split else guesses[0]


def _why_not(guess: _Guess) -> str:
    called = f"separated by {_called(guess.separator)}"
    if guess.trouble:
        return f"{called}, line {guess.line} has unbalanced quotes"
    odd = next(row for row in guess.rows if len(row) != guess.width)
    number = len(guess.above) + guess.rows.index(odd) + 1
    return f"{called}, record {number} has {_cells(len(odd))} and the first {guess.width}"


def _cells(number: int) -> str:
    return f"{number} cell{'' if number == 1 else 's'}"


def _called(separator: str) -> str:
    return _CALLED.get(separator, repr(separator))


def _has_header(rows: list[list[str]], known_names: Sequence[str]) -> bool:
    first, rest = rows[0], rows[1:]
    if not rest or set(first) & set(known_names):
        return True
    columns = [
        [row[cell] for row in rest if cell < len(row) and row[cell] not in MISSING_WORDS]
        for cell in range(len(first))
    ]
    typed = [cell for cell, column in enumerate(columns) if column and all(map(_is_typed, column))]
    if typed:
        return not all(_is_typed(first[cell]) for cell in typed)
    # Names only: the first line is a row like others when its cells come again below it.
    again = [first[cell] in column for cell, column in enumerate(columns)]
    return not (all(again) and len(rest) >= 10)


def _is_typed(cell: str) -> bool:
    return bool(_NUMBER.fullmatch(cell) or _DATE.fullmatch(cell)) or cell in MISSING_WORDS - {""}


def _find_decimal(rows: list[list[str]], separator: str) -> str:
    cells = [cell for row in rows for cell in row]
    points = sum(bool(_POINT.fullmatch(cell)) for cell in cells)
    commas = [cell for cell in cells if _COMMA.fullmatch(cell)]
    # Alone, 1,234 may be either; where commas separate, it is most likely one thousand and more.
    n_commas = sum(not _GROUP.fullmatch(cell) for cell in commas)
    if separator != "," and not points and commas:
        return ","
    return "," if n_commas > points else "."


def with_encoding(dialect: Dialect, encoding: str) -> Dialect:
    """Return a dialect with what its encoding is called."""
    return replace(dialect, encoding=encoding)
