"""Arguments and options that several verbs share, and what their texts mean."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, simplefilter

import click

if TYPE_CHECKING:
    from miter.data.costs import Focus
    from miter.data.schema import Label

__all__ = [
    "check_costs",
    "check_not_overwriting",
    "check_place",
    "cost_options",
    "costs_said",
    "dask_option",
    "data_argument",
    "json_option",
    "kind_option",
    "model_argument",
    "others_option",
    "parse_focus",
    "parse_kinds",
    "parse_parameters",
    "picture_option",
    "quiet_option",
    "read_costs",
    "seed_option",
    "target_option",
]

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

PATH = click.Path(path_type=Path)

#: What Python writes otherwise than JSON.
_IN_PYTHON = {"None": None, "True": True, "False": False}

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
    help="What a column is: numeric, symbolic, ordered, date, 'days since COLUMN', ignored, or its "
    'values in their order, as in \'size=["S", "M", "L"]\'. May be repeated.',
)
json_option: Decorator = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON, for machines."
)
seed_option: Decorator = click.option(
    "--seed",
    type=click.IntRange(0, 2**32 - 1),
    default=0,
    show_default=True,
    help="For what is left to chance.",
)
picture_option: Decorator = click.option(
    "--picture", metavar="FILE", type=PATH, help="Draw it into this file: .png, .svg or .pdf."
)
quiet_option: Decorator = click.option(
    "-q", "--quiet", is_flag=True, help="Print nothing but results and errors."
)
dask_option: Decorator = click.option(
    "--dask",
    metavar="[ADDRESS]",
    is_flag=False,
    flag_value="",
    help="Work on a Dask cluster: that of the scheduler at ADDRESS, such as tcp://host:8786, or "
    "one of its own, as large as this machine. DATA is Parquet.",
)
others_option: Decorator = click.option(
    "--others",
    type=click.FloatRange(0),
    help="What it costs to take one of the other classes for another; 0.1 by default.",
)


def cost_options(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Give a verb ``--costs``, ``--focus`` and ``--others``, for `read_costs`."""
    options = (
        click.option(
            "--costs",
            metavar="FILE",
            type=PATH,
            help="What errors cost: a file of lines such as 'good, bad: 5', which is what it costs "
            "to predict good where bad is true.",
        ),
        click.option(
            "--focus",
            metavar="CLASS=RATIO",
            help="In place of --costs: to miss a row of the class costs RATIO, a false alarm 1.",
        ),
        others_option,
    )
    for option in reversed(options):
        verb = option(verb)
    return verb


def read_costs(
    classes: Sequence[Label], costs: Path | None, focus: str | None, others: float | None
) -> list[list[float]] | None:
    """Understand ``--costs``, ``--focus`` and ``--others``.

    Parameters
    ----------
    classes : sequence of label
        The classes.
    costs, focus, others : optional
        As they were typed.

    Returns
    -------
    list of list of float, or None
        The cost matrix, predicted classes as rows; None if nothing is said.

    Examples
    --------
    >>> from miter.cli.options import read_costs
    >>> read_costs(("bad", "good"), None, "bad=5", None)
    [[0.0, 1.0], [5.0, 0.0]]
    """
    from miter.data.costs import cost_matrix

    chosen = costs_said(costs, focus, others)
    if chosen is None:
        return None
    with catch_warnings():
        simplefilter("ignore")  # whoever uses the matrix warns of it too
        return cost_matrix(chosen, classes).tolist()


def costs_said(costs: Path | None, focus: str | None, others: float | None) -> str | Focus | None:
    """Return what ``--costs``, ``--focus`` and ``--others`` say, for an estimator's `costs`."""
    if focus is not None:
        return parse_focus(focus, others)
    return None if costs is None else str(costs)


def check_costs(
    costs: Path | None,
    focus: str | None,
    others: float | None,
    settings: Container[str] = (),
) -> None:
    """Complain of what cannot be said together, settings of a learner included, or understood."""
    if "costs" in settings and (costs or focus):
        raise click.UsageError("-p costs and --costs or --focus say the same; give one of them.")
    if costs is not None and focus is not None:
        raise click.UsageError("--costs and --focus say the same; give one of them.")
    if others is not None and focus is None:
        raise click.UsageError("--others is a part of --focus; give both.")
    if focus is not None:
        parse_focus(focus, others)


def parse_focus(text: str, others: float | None) -> Focus:
    """Understand ``--focus CLASS=RATIO``.

    Examples
    --------
    >>> from miter.cli.options import parse_focus
    >>> parse_focus("road=5", None)
    Focus(of='road', ratio=5.0, others=0.1)
    """
    from miter.data.costs import focus

    name, equals, ratio = text.rpartition("=")
    if not (name and equals):
        raise click.UsageError(f"--focus {text!r} is not of the form CLASS=RATIO.")
    try:
        more = {} if others is None else {"others": others}
        return focus(name, float(ratio), **more)
    except ValueError:
        raise click.UsageError(
            f"--focus {text!r}: the ratio is {ratio!r}; give a number, 0 or more."
        ) from None


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
    from miter.data.kinds import WISHES, is_kind
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
        elif is_kind(kind):
            kinds[column] = kind
        else:
            raise click.UsageError(
                f"--kind {text!r}: there is no kind {kind!r}; {did_you_mean(kind, WISHES)}"
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
    >>> parse_parameters(["pruning=None", "bootstrap=True"])  # as Python writes them
    {'pruning': None, 'bootstrap': True}
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
            raise click.UsageError(f"{output} would overwrite an input; choose another name.")


def check_place(output: Path | None) -> None:
    """Find out before working for an hour that there is no place for the result."""
    if output is None:
        return
    if not output.parent.is_dir():
        raise FileNotFoundError(2, "there is no such folder", str(output.parent))
    if output.is_dir():
        raise IsADirectoryError(21, "is a folder; give a file", str(output))


def _is_same(one: Path, other: Path) -> bool:
    return one.exists() and other.exists() and one.samefile(other)


def _parse_value(text: str) -> Any:
    if text in _IN_PYTHON:
        return _IN_PYTHON[text]
    try:
        return json.loads(text, parse_constant=str)
    except (ValueError, RecursionError):
        return text
