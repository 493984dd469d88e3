"""`miter show`: the tree as text, or its machine as a points table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from miter.cli.options import PATH, json_option, model_argument, quiet_option
from miter.cli.output import note, print_json
from miter.cli.rows import Rows, new_rows
from miter.cli.trees import choose_tree

if TYPE_CHECKING:
    from miter.rules.points import PointsTable
    from miter.show import Outline
    from miter.tree import Tree

__all__ = ["show"]


@click.command()
@model_argument
@click.option("--max-depth", type=click.IntRange(0), help="Show so many levels of splits only.")
@click.option("--tree", "number", type=click.IntRange(1), help="Which tree, where it has many.")
@click.option(
    "--rows",
    "told",
    metavar="DATA",
    type=PATH,
    help="Rows like those of training: numbers get as few digits as decide alike for them.",
)
@click.option("--full", is_flag=True, help="Say all terms of a sum, not only the strongest.")
@click.option("--probabilities", is_flag=True, help="Show the probabilities of classes at leaves.")
@click.option("--costs", is_flag=True, help="Show what a row of a leaf costs in the mean.")
@click.option(
    "--points",
    "n_points",
    metavar="ROWS",
    type=click.IntRange(1),
    help="Show the machine at the root as a points table of at most so many rows; needs --rows.",
)
@click.option("--markdown", is_flag=True, help="Print the points table as Markdown.")
@new_rows
@json_option
@quiet_option
def show(
    model: Path,
    max_depth: int | None,
    number: int | None,
    told: Path | None,
    full: bool,
    probabilities: bool,
    costs: bool,
    n_points: int | None,
    markdown: bool,
    rows: Rows,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print the tree of MODEL.

    Behind the class of a leaf stand the training rows that came there and, after a slash, how many
    of them are of another class.

    Example: miter show wine.json --rows wine.data --points 8
    """
    if n_points is not None and told is None:
        raise click.UsageError("--points needs rows to decide about; give them with --rows.")
    if markdown and n_points is None:
        raise click.UsageError("--markdown is for --points; give both.")
    from miter.model_file import load
    from miter.show import Outline, export_text

    fitted = load(model)
    tree = choose_tree(fitted.trees_, number, model)
    if hasattr(fitted, "rules_"):
        note(f"{model} answers by rules made from this tree: `miter rules {model}`", quiet=quiet)
    X = None if told is None else rows.read_new(told, fitted.schema_).X
    if n_points is not None:
        table = _points(tree, X, n_points)
        if as_json:
            print_json(table.to_dict())
        else:
            click.echo(table.to_markdown() if markdown else table.to_text())
    elif as_json:
        print_json(_plain(Outline(tree, X, max_depth=max_depth)))
    else:
        shown = {"full": full, "probabilities": probabilities, "costs": costs}
        click.echo(export_text(tree, X, max_depth=max_depth, **shown))


def _points(tree: Tree, X: Any, n_points: int) -> PointsTable:
    from miter.rules.points import points

    try:
        return points(tree, X, max_rows=n_points)
    except TypeError:
        raise click.ClickException(
            "the root is no sum of columns, and what it is counts no points; without --points "
            "it is said as it is, and `miter fit --learner linear_machine` grows sums"
        ) from None


def _plain(outline: Outline) -> dict[str, object]:
    """Return a tree as plain values; conditions are said whole."""
    nodes = []
    for entry in outline:
        words = {"condition": entry.say(outline.schema)}
        own = vars(entry) | words | {"weight": entry.weight, "errors": entry.errors}
        spoken = own.pop("spoken")
        nodes.append(own | {"agreement": None if spoken is None else spoken.agreement})
    return {"classes": list(outline.schema.classes), "nodes": nodes}
