"""Errors of the library in the words of the command line."""

from __future__ import annotations

import re

__all__ = ["count", "in_words_of_the_command_line"]

# What the library calls a keyword argument is an option here.
_WORDINGS = (
    (re.compile(r"kinds=\{'(.+?)': '(\w+)'\}"), r"--kind '\1=\2'"),
    (re.compile(r"\bmissing=\['(.+?)'\]"), r"--missing '\1'"),
    (re.compile(r"\bencoding='(.+?)'"), r"--encoding \1"),
    (re.compile(r"\bseparator='(.+?)'"), r"--separator '\1'"),
    (re.compile(r"\bdecimal='(.+?)'"), r"--decimal '\1'"),
    (re.compile(r"\bheader=False"), "--no-header"),
    (re.compile(r"\bheader=True"), "--header"),
    (re.compile(r"\bcosts=focus\('(.+?)', (\d+)\)"), r"--focus '\1=\2'"),
    (re.compile(r"\bclass_weight='balanced'"), "-p class_weight=balanced"),
    (re.compile(r"\btarget="), "--target"),
    (re.compile(r"^target is\b"), "--target is"),
    (re.compile(r"^Unknown label type: [\w-]+\. "), ""),  # the words that scikit-learn looks for
    (re.compile(r", as pandas\.qcut\(y, 4\) does"), " first"),
    (re.compile(r"\bkinds mentions\b"), "--kind mentions"),
    (re.compile(r"; give y, or a column\b"), "; the rows need a column"),
)


def in_words_of_the_command_line(sentence: str) -> str:
    """Name options where an error names arguments.

    Examples
    --------
    >>> from miter.cli.wording import in_words_of_the_command_line
    >>> in_words_of_the_command_line("which column is the class? Name it with target=;")
    'which column is the class? Name it with --target;'
    """
    for pattern, words in _WORDINGS:
        sentence = pattern.sub(words, sentence)
    return sentence


def count(number: int, noun: str) -> str:
    """Say a number of things.

    Examples
    --------
    >>> from miter.cli.wording import count
    >>> count(1, "column"), count(1200, "class")
    ('1 column', '1,200 classes')
    """
    plural = {"class": "classes", "leaf": "leaves", "other": "others"}.get(noun, f"{noun}s")
    return f"{number:,} {noun if number == 1 else plural}"
