"""Learners as they are typed: ``[NAME=]LEARNER[:PARAMETER=VALUE,...]``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import click

from miter.cli.options import parse_parameters

__all__ = ["parse_learners"]

_OPENING, _CLOSING = "[{(", "]})"


def parse_learners(texts: Iterable[str]) -> dict[str, tuple[str, dict[str, Any]]]:
    """Understand ``--learner``.

    Parameters
    ----------
    texts : iterable of str
        As they were typed. A learner without a name is called as it was typed.

    Returns
    -------
    dict
        Names to learners and their parameters, as `miter.lab.Experiment` takes them.

    Examples
    --------
    >>> from miter.cli.learner_text import parse_learners
    >>> parse_learners(["id3", "small=id3:criterion=gain,max_depth=3"])
    {'id3': ('id3', {}), 'small': ('id3', {'criterion': 'gain', 'max_depth': 3})}
    """
    learners: dict[str, tuple[str, dict[str, Any]]] = {}
    for text in texts:
        head, _, tail = text.partition(":")
        name, equals, learner = head.partition("=")
        if not equals:
            name, learner = text, head
        if not (name and learner):
            raise click.UsageError(
                f"--learner {text!r} is not of the form [NAME=]LEARNER[:PARAMETER=VALUE,...]."
            )
        if name in learners:
            raise click.UsageError(
                f"--learner names {name!r} twice; give one of them another name, as in "
                f"'other={learner}'."
            )
        learners[name] = learner, _parse_parameters(text, tail)
    return learners


def _parse_parameters(text: str, tail: str) -> dict[str, Any]:
    pairs = list(_split(tail)) if tail else []
    for pair in pairs:
        if not pair.partition("=")[0] or "=" not in pair:
            raise click.UsageError(f"--learner {text!r}: {pair!r} is not of the form NAME=VALUE.")
    return parse_parameters(pairs)


def _split(tail: str) -> Iterator[str]:
    """Split at commas that are in no brackets and no quotes."""
    depth, begin, is_quoted = 0, 0, False
    for place, letter in enumerate(tail):
        is_quoted ^= letter == '"'
        if not is_quoted:
            depth += (letter in _OPENING) - (letter in _CLOSING)
        if letter == "," and depth <= 0 and not is_quoted:
            yield tail[begin:place]
            begin = place + 1
    yield tail[begin:]
