"""`miter prune`: take splits out of a finished tree."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from miter.cli.options import (
    PATH,
    check_not_overwriting,
    check_place,
    json_option,
    model_argument,
    parse_parameters,
    quiet_option,
    target_option,
)
from miter.cli.output import print_json
from miter.cli.rows import Rows, new_rows
from miter.cli.wording import count
from miter.errors import did_you_mean

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["prune"]

#: Those that need no trees of their own, so that they can prune a finished one.
NAMES = (
    *("pessimistic", "error_based", "mdl", "cost_complexity"),
    *("cut_to_size", "reduced_error", "same_answer"),
)


def _complete(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem | str]:
    return [name for name in NAMES if name.startswith(incomplete)]


@click.command()
@model_argument
@click.argument("data", metavar="[DATA]", type=PATH, required=False)
@click.option(
    "--by",
    required=True,
    metavar="NAME",
    shell_complete=_complete,
    help=f"{', '.join(NAMES)}.",
)
@click.option(
    "-p",
    "--parameter",
    "parameters",
    metavar="NAME=VALUE",
    multiple=True,
    help="A setting of the pruning: price of cost_complexity, confidence of error_based, leaves of "
    "mdl, most and of (leaves or terms) of cut_to_size. May be repeated.",
)
@click.option("--merge", is_flag=True, help="Afterwards make one of leaves that answer alike.")
@click.option("-o", "--output", type=PATH, required=True, help="The model file; .gz packs it.")
@target_option
@new_rows
@json_option
@quiet_option
def prune(
    model: Path,
    data: Path | None,
    by: str,
    parameters: tuple[str, ...],
    merge: bool,
    output: Path,
    rows: Rows,
    as_json: bool,
    quiet: bool,
) -> None:
    """Prune the tree of MODEL and save it.

    DATA is needed by reduced_error: rows that the tree was not grown on; and by error_based, where
    branches rise: rows that it was grown on.

    Example: miter prune iris.miter --by cut_to_size -p most=3 -o small.miter
    """
    check_not_overwriting(output, model, data)
    check_place(output)
    settings = parse_parameters(parameters)
    from miter.model_file import load, save
    from miter.prune import PRUNINGS, SameAnswer, make_pruning

    if by not in PRUNINGS:
        raise click.UsageError(f"--by is {by!r}; {did_you_mean(by, NAMES)}")
    try:
        pruning = make_pruning(by, **settings)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    estimator = load(model)
    if not hasattr(estimator, "pruned"):
        raise click.UsageError(f"{model} is not one tree that answers; prune a single tree.")
    known = None if data is None else rows.read_new(data, estimator.schema_)
    small = estimator.pruned(pruning, known)
    if merge:
        small = small.pruned(SameAnswer())
    save(small, output)
    before, after = _size(estimator), _size(small)
    if as_json:
        print_json({"before": before, "after": after, "saved": str(output)})
    elif not quiet:
        words = (
            f"{before[name]:,} to {count(after[name], noun)}"
            for name, noun in (("leaves", "leaf"), ("nodes", "node"), ("terms", "term"))
        )
        click.echo(f"Pruned    {model}: {', '.join(words)}\nSaved     {output}")


def _size(estimator: Any) -> dict[str, int]:
    tree = estimator.tree_
    return {"leaves": tree.n_leaves, "nodes": tree.n_nodes, "terms": int(tree.terms.sum())}
