"""Arguments and options that several verbs share, and what their texts mean."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

__all__ = [
    "check_not_overwriting",
    "data_argument",
    "json_option",
    "kind_option",
    "model_argument",
    "parse_kinds",
    "parse_parameters",
    "quiet_option",
    "target_option",
]

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

PATH = click.Path(path_type=Path)

data_argument: Decorator = click.argument("data", metavar="DATA", type=PATH)
model_argument: Decorator = click.argument("model", metavar="MODEL", type=PATH)

target_option: Decorator = click.option(
    "--target",
    metavar="COLUMN",
    help="The column that holds the class, where the file does not say.",
)
kind_option: Decorator = click.option(
    "--kind",
    "kinds",
    metavar="COLUMN=KIND",
    multiple=True,
    help="What a column is: numeric, symbolic, ordered, ignored, or its values in their order, as "
    'in \'size=["S", "M", "L"]\'. May be repeated.',
)
json_option: Decorator = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON, for machines."
)
quiet_option: Decorator = click.option(
    "-q", "--quiet", is_flag=True, help="Print nothing but results and errors."
)


def parse_kinds(texts: Iterable[str]) -> dict[str, str | list[str]] | None:
    """Understand ``--kind COLUMN=KIND``.

    Parameters
    ----------
    texts : iterable of str
        As they were typed.

    Returns
    -------
    dict or None
        What `miter.data.read` takes as `kinds`; None if there are none.

    Examples
    --------
    >>> from miter.cli.options import parse_kinds
    >>> parse_kinds(["age=numeric", 'size=["S", "M"]'])
    {'age': 'numeric', 'size': ['S', 'M']}
    """
    from miter.data import KINDS
    from miter.errors import did_you_mean

    kinds: dict[str, str | list[str]] = {}
    for text in texts:
        column, equals, kind = text.rpartition("=")
        if not (column and equals and kind):
            raise click.UsageError(f"--kind {text!r} is not of the form COLUMN=KIND.")
        if column in kinds:
            raise click.UsageError(f"--kind names the column {column!r} twice.")
        values = _parse_value(kind)
        if isinstance(values, list) and all(isinstance(value, str) for value in values):
            kinds[column] = values
        elif kind in KINDS:
            kinds[column] = kind
        else:
            raise click.UsageError(
                f"--kind {text!r}: there is no kind {kind!r}; {did_you_mean(kind, KINDS)}"
            )
    return kinds or None


def parse_parameters(texts: Iterable[str]) -> dict[str, Any]:
    """Understand ``-p NAME=VALUE``: a value is JSON where it can be, and text otherwise.

    Parameters
    ----------
    texts : iterable of str
        As they were typed.

    Returns
    -------
    dict
        Names to values.

    Examples
    --------
    >>> from miter.cli.options import parse_parameters
    >>> parse_parameters(["max_depth=3", "criterion=gain", "pruning=null"])
    {'max_depth': 3, 'criterion': 'gain', 'pruning': None}
    """
    parameters: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise click.UsageError(f"-p {text!r} is not of the form NAME=VALUE.")
        if name in parameters:
            raise click.UsageError(f"-p gives the parameter {name!r} twice.")
        parameters[name] = _parse_value(value)
    return parameters


def check_not_overwriting(output: Path | None, *inputs: Path | None) -> None:
    """Complain if a result would replace what it is made from."""
    for path in inputs:
        if output is not None and path is not None and _is_same(output, path):
            raise click.UsageError(f"-o {output} would overwrite an input; choose another name.")


def _is_same(one: Path, other: Path) -> bool:
    return one.exists() and other.exists() and one.samefile(other)


def _parse_value(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=str)
    except (ValueError, RecursionError):
        return text
