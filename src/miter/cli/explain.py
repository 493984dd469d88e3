"""`miter explain`, `miter counterfactual`: why a row gets its answer, what would change it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from miter.cli.options import PATH, data_argument, json_option, model_argument, quiet_option
from miter.cli.output import print_json
from miter.cli.rows import Rows, new_rows
from miter.progress import ProgressLine

if TYPE_CHECKING:
    from miter.data import Data, Schema

__all__ = ["counterfactual", "explain"]

row_option: Callable[[Any], Any] = click.option(
    "--row",
    "number",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Which row of DATA, counted from 1.",
)


@click.command()
@model_argument
@data_argument
@row_option
@click.option("--like", type=PATH, help="Rows, of which the nearest are shown.")
@click.option("--markdown", is_flag=True, help="Print Markdown.")
@new_rows
@json_option
@quiet_option
def explain(
    model: Path,
    data: Path,
    number: int,
    like: Path | None,
    markdown: bool,
    rows: Rows,
    as_json: bool,
    quiet: bool,
) -> None:
    """Say why MODEL gives a row of DATA its answer.

    The tests on its way, what spoke for each branch taken and what against, how close it was, and
    which of the values that are missing could change the answer.

    Example: miter explain iris.miter new.csv --row 17
    """
    from miter.explaining import explain as explain_row
    from miter.model_file import load

    estimator = load(model)
    row = _read_row(rows, data, number, estimator.schema_)
    others = None
    if like is not None:
        with ProgressLine(f"reading {like}", quiet=quiet):
            others = rows.read_new(like, estimator.schema_)
    explanation = explain_row(estimator, row, others)
    if as_json:
        print_json(explanation.to_dict())
    else:
        click.echo(explanation.to_markdown() if markdown else str(explanation), nl=not markdown)


@click.command()
@model_argument
@data_argument
@row_option
@click.option("--to", metavar="CLASS", help="The answer that is wanted; by default any other.")
@click.option("--fixed", metavar="COLUMN", multiple=True, help="May not change. May be repeated.")
@click.option("--up", metavar="COLUMN", multiple=True, help="May only grow. May be repeated.")
@click.option("--down", metavar="COLUMN", multiple=True, help="May only fall. May be repeated.")
@click.option(
    "--range",
    "ranges",
    metavar="COLUMN=LEAST:MOST",
    multiple=True,
    help="Where a number must lie; an end may be left out. May be repeated.",
)
@click.option(
    "--distance",
    type=click.Choice(["l1", "l2"]),
    default="l1",
    show_default=True,
    help="The sum of changes, or the root of the sum of their squares.",
)
@click.option("--plausible", is_flag=True, help="Stay within the range of the training rows.")
@click.option(
    "--margin", type=click.FloatRange(0), default=0.0, help="No smaller change may undo it."
)
@click.option("--answers", type=click.IntRange(1), default=1, help="How many to look for.")
@new_rows
@json_option
@quiet_option
def counterfactual(
    model: Path,
    data: Path,
    number: int,
    to: str | None,
    fixed: tuple[str, ...],
    up: tuple[str, ...],
    down: tuple[str, ...],
    ranges: tuple[str, ...],
    distance: str,
    plausible: bool,
    margin: float,
    answers: int,
    rows: Rows,
    as_json: bool,
    quiet: bool,
) -> None:
    """Say what would have to change in a row of DATA for MODEL to give another answer.

    Example: miter counterfactual iris.miter new.csv --row 17 --fixed age
    """
    from miter.explaining import counterfactual as change_row
    from miter.model_file import load

    estimator = load(model)
    schema = estimator.schema_
    found = change_row(
        estimator,
        _read_row(rows, data, number, schema),
        _parse_class(to, schema),
        fixed,
        only_up=up,
        only_down=down,
        ranges=_parse_ranges(ranges),
        distance=distance,
        plausible=plausible,
        margin=margin,
        n_answers=answers,
    )
    if as_json:
        print_json(found.to_dict())
    else:
        click.echo("\n".join(str(answer) for answer in (found, *found.others)))


def _read_row(rows: Rows, path: Path, number: int, schema: Schema) -> Data:
    """Return one row of a file, which need not fit into memory."""
    import numpy as np

    n_before = 0
    for block in rows.read_blocks(path, schema, []):
        if number <= n_before + block.data.n_rows:
            return block.data.take(np.array([number - n_before - 1]))
        n_before += block.data.n_rows
    raise click.UsageError(f"--row {number}: {path} has {n_before:,} rows.")


def _parse_class(to: str | None, schema: Schema) -> Any:
    """Return the class that a text means: on the command line every class is a text."""
    from miter.data.labels import label_text

    by_text = {label_text(label): label for label in schema.classes}
    return by_text.get(to, to) if to is not None else None


def _parse_ranges(ranges: tuple[str, ...]) -> dict[str, Any]:
    parsed = {}
    for text in ranges:
        name, _, ends = text.rpartition("=")
        least, colon, most = ends.partition(":")
        try:
            if not (name and colon):
                raise ValueError
            parsed[name] = tuple(float(end) if end else None for end in (least, most))
        except ValueError:
            raise click.UsageError(
                f"--range {text}: write COLUMN=LEAST:MOST with two numbers; an end may be left out."
            ) from None
    return parsed
