"""Errors of the library in the words of the command line."""

from __future__ import annotations

import re

__all__ = ["in_words_of_the_command_line"]

# What the library calls a keyword argument is an option here.
_WORDINGS = (
    (re.compile(r"kinds=\{'(.+?)': '(\w+)'\}"), r"--kind '\1=\2'"),
    (re.compile(r"\btarget="), "--target"),
    (re.compile(r"^target is\b"), "--target is"),
    (re.compile(r"\bkinds mentions\b"), "--kind mentions"),
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
