"""Words of the user in other languages."""

from __future__ import annotations

from miter.exporting.program import Program

__all__ = ["no_zero_characters", "one_line"]

#: A comment that is longer is cut.
MOST = 100


def one_line(words: str) -> str:
    r"""Return words that end no comment of any language: one short line of plain letters.

    Examples
    --------
    >>> from miter.exporting.remark import one_line
    >>> one_line("size */ <= 3\nDROP TABLE")
    'size * / <= 3 DROP TABLE'
    """
    plain = "".join(c if c.isprintable() and c.isascii() else " " for c in words)
    plain = " ".join(plain.replace("\\", " ").replace("*/", "* /").replace("/*", "/ *").split())
    return plain if len(plain) <= MOST else plain[: MOST - 3] + "..."


def no_zero_characters(program: Program, language: str) -> None:
    """Refuse names that a language cannot hold."""
    for column, codes in program.codes:
        if any("\0" in text for text in (column.name, *(codes or ()))):
            raise ValueError(
                f"column {column.name!r} has a zero character in its name or a value, which texts "
                f"of {language} cannot hold; rename it"
            )
    for label in program.labels:
        if "\0" in label:
            raise ValueError(
                f"class {label!r} has a zero character, which texts of {language} cannot hold"
            )
