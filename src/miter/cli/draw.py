"""`miter draw`: pictures of a model, its rows, and of what the laboratory measured."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from miter.cli.options import (
    PATH,
    check_not_overwriting,
    check_place,
    model_argument,
    quiet_option,
    target_option,
)
from miter.cli.output import draw_into, note
from miter.cli.rows import Rows, new_rows
from miter.cli.trees import choose_tree

__all__ = ["draw"]

Verb = Callable[..., Any]

output_option = click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=PATH,
    required=True,
    help="The picture: .png, .svg or .pdf, in which words stay words.",
)
tree_option = click.option(
    "--tree", "number", type=click.IntRange(1), help="Which tree, where it has many."
)
data_argument = click.argument("data", metavar="DATA", type=PATH)
maybe_data_argument = click.argument("data", metavar="[DATA]", type=PATH, required=False)


def _with_rows(verb: Verb) -> Verb:
    """Give a verb the options that say how a file of rows is to be read."""
    return output_option(target_option(new_rows(quiet_option(verb))))


@click.group()
def draw() -> None:
    """Draw a picture into a file: .png, .svg or .pdf by its suffix."""


def _open(model: Path, output: Path, *inputs: Path | None) -> Any:
    """Return a model, once it is known that there is a place for the picture."""
    from miter.model_file import load
    from miter.show.canvas import check_suffix

    check_not_overwriting(output, model, *inputs)
    check_place(output)
    check_suffix(output)
    return load(model)


def _one_tree(estimator: Any, number: int | None, model: Path) -> Any:
    """Return a model of one tree, or the tree of many that is wanted."""
    if number is None and len(estimator.trees_) == 1:
        return estimator
    return choose_tree(estimator.trees_, number, model)


def _said(output: Path, quiet: bool) -> None:
    note(f"Drew {output}", quiet=quiet)


@draw.command()
@model_argument
@maybe_data_argument
@tree_option
@click.option("--max-depth", type=click.IntRange(0), help="Show so many levels of splits only.")
@click.option("--points", is_flag=True, help="Show sums as points tables; needs DATA.")
@click.option(
    "--max-terms",
    type=click.IntRange(1),
    default=5,
    show_default=True,
    help="So many terms of a sum are said; the others are counted.",
)
@click.option("--node-ids", is_flag=True, help="Tell the numbers of nodes, for `miter draw node`.")
@_with_rows
def tree(
    model: Path,
    data: Path | None,
    number: int | None,
    max_depth: int | None,
    points: bool,
    max_terms: int,
    node_ids: bool,
    output: Path,
    rows: Rows,
    quiet: bool,
) -> None:
    """Draw the tree of MODEL.

    With DATA, rows like those of training, numbers have as few digits as decide alike for them.

    Example: miter draw tree iris.miter iris.csv -o iris.svg
    """
    if points and data is None:
        raise click.UsageError("--points needs DATA: rows to decide about.")
    estimator = _open(model, output, data)
    from miter.show import plot_tree

    X = None if data is None else rows.read_new(data, estimator.schema_)
    draw_into(
        *(output, plot_tree, _one_tree(estimator, number, model), X),
        max_depth=max_depth,
        tests="points" if points else "words",
        max_terms=max_terms,
        node_ids=node_ids,
    )
    _said(output, quiet)


@draw.command()
@model_argument
@data_argument
@tree_option
@click.option(
    "--node",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Which node; `miter draw tree --node-ids` tells the numbers.",
)
@click.option(
    "--panel",
    "panels",
    metavar="NAME",
    multiple=True,
    help="distribution, contributions, projection, margins or response; what suits by default. "
    "May be repeated.",
)
@_with_rows
def node(
    model: Path,
    data: Path,
    number: int | None,
    node: int,
    panels: tuple[str, ...],
    output: Path,
    rows: Rows,
    quiet: bool,
) -> None:
    """Draw what the test of a node of MODEL does to the rows of DATA.

    Example: miter draw node iris.miter iris.csv --node 2 -o node.png
    """
    estimator = _open(model, output, data)
    from miter.show import plot_node

    known = rows.read_new(data, estimator.schema_)
    one = _one_tree(estimator, number, model)
    draw_into(output, plot_node, one, known, node=node, panels=panels or None)
    _said(output, quiet)


@draw.command()
@model_argument
@data_argument
@click.option("--x", "right", metavar="COLUMN", help="The column to the right.")
@click.option("--y", "up", metavar="COLUMN", help="The column upward.")
@click.option(
    "--row",
    type=click.IntRange(1),
    help="What all other columns are: as in this row of DATA, from 1 on; else at their means.",
)
@_with_rows
def regions(
    model: Path,
    data: Path,
    right: str | None,
    up: str | None,
    row: int | None,
    output: Path,
    rows: Rows,
    quiet: bool,
) -> None:
    """Draw where MODEL answers what, in the plane of two columns, with the rows of DATA.

    Without columns, the two that matter most.

    Example: miter draw regions iris.miter iris.csv --x 'petal length' --y 'petal width' -o cuts.svg
    """
    if (right is None) != (up is None):
        raise click.UsageError("--x and --y name the two columns; give both, or none.")
    estimator = _open(model, output, data)
    from miter.show import plot_regions

    known = rows.read_new(data, estimator.schema_)
    columns = None if right is None else (right, up)
    if row is not None and row > known.n_rows:
        raise click.UsageError(f"--row {row}: {data} has {known.n_rows:,} rows.")
    at = None if row is None else row - 1
    draw_into(output, plot_regions, estimator, known, columns=columns, row=at)
    _said(output, quiet)


@draw.command()
@model_argument
@maybe_data_argument
@tree_option
@_with_rows
def pruning(
    model: Path, data: Path | None, number: int | None, output: Path, rows: Rows, quiet: bool
) -> None:
    """Draw the error of the prunings of MODEL against their size, and mark the choice.

    With DATA, rows that the tree was not grown on, also the errors on these.

    Example: miter draw pruning iris.miter test.csv -o path.png
    """
    estimator = _open(model, output, data)
    from miter.show import plot_pruning

    X = None if data is None else rows.read_new(data, estimator.schema_)
    draw_into(output, plot_pruning, _one_tree(estimator, number, model), X)
    _said(output, quiet)


@draw.command()
@model_argument
@data_argument
@_with_rows
def confusion(model: Path, data: Path, output: Path, rows: Rows, quiet: bool) -> None:
    """Draw how many rows of each class of DATA get which answer of MODEL.

    Example: miter draw confusion iris.miter test.csv -o confusion.pdf
    """
    estimator = _open(model, output, data)
    from miter.show import plot_confusion

    draw_into(output, plot_confusion, estimator, rows.read_new(data, estimator.schema_))
    _said(output, quiet)


@draw.command()
@model_argument
@data_argument
@click.option(
    "--class", "class_", metavar="CLASS", help="Whose probability; by default the answer's."
)
@_with_rows
def calibration(
    model: Path, data: Path, class_: str | None, output: Path, rows: Rows, quiet: bool
) -> None:
    """Draw how often MODEL is right about DATA against how probable it finds that.

    Example: miter draw calibration iris.miter test.csv -o calibration.png
    """
    estimator = _open(model, output, data)
    from miter.show import plot_calibration

    known = rows.read_new(data, estimator.schema_)
    draw_into(output, plot_calibration, estimator, known, class_=class_)
    _said(output, quiet)


@draw.command()
@model_argument
@maybe_data_argument
@_with_rows
def importances(model: Path, data: Path | None, output: Path, rows: Rows, quiet: bool) -> None:
    """Draw what each column is worth to MODEL; with DATA, what accuracy it costs to shuffle it.

    Example: miter draw importances iris.miter test.csv -o importances.png
    """
    estimator = _open(model, output, data)
    from miter.show import plot_importances

    X = None if data is None else rows.read_new(data, estimator.schema_)
    draw_into(output, plot_importances, estimator, X)
    _said(output, quiet)


results_argument = click.argument("results", metavar="RESULTS", type=PATH)


def _read_results(results: Path, output: Path) -> Any:
    from miter.lab import read_results
    from miter.show.canvas import check_suffix

    check_not_overwriting(output, results)
    check_place(output)
    check_suffix(output)
    return read_results(results)


@draw.command()
@results_argument
@click.option("--measure", default="accuracy", show_default=True, help="What ranks are by.")
@click.option(
    "--significance",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="How often chance alone may make a pair differ.",
)
@output_option
@quiet_option
def ranks(results: Path, measure: str, significance: float, output: Path, quiet: bool) -> None:
    """Draw the mean ranks of learners, and which of them cannot be told apart.

    RESULTS is what `miter compare -o` wrote.

    Example: miter draw ranks results.jsonl -o ranks.pdf
    """
    found = _read_results(results, output)
    from miter.lab import compare
    from miter.show import plot_ranks

    draw_into(output, plot_ranks, compare(found, measure, None, significance))
    _said(output, quiet)


@draw.command()
@results_argument
@click.option("--measure", default="accuracy", show_default=True, help="What is drawn upward.")
@click.option("--size", default="terms", show_default=True, help="What is drawn to the right.")
@output_option
@quiet_option
def frontier(results: Path, measure: str, size: str, output: Path, quiet: bool) -> None:
    """Draw learners by size and accuracy, and the line of those that none is better than.

    RESULTS is what `miter compare -o` wrote.

    Example: miter draw frontier results.jsonl --size path_terms -o frontier.pdf
    """
    found = _read_results(results, output)
    from miter.show import plot_frontier

    draw_into(output, plot_frontier, found, size=size, measure=measure)
    _said(output, quiet)


@draw.command()
@model_argument
@click.argument("photo", metavar="PHOTO", type=PATH)
@click.option("--class", "class_", metavar="CLASS", help="Only this class; by default all.")
@click.option("--labels", metavar="FILE", type=PATH, help="The label image of the photograph.")
@output_option
@quiet_option
def masks(
    model: Path, photo: Path, class_: str | None, labels: Path | None, output: Path, quiet: bool
) -> None:
    """Draw a photograph, and beside it what MODEL takes its pixels for.

    Example: miter draw masks road.miter street.jpg --class Road -o road.png
    """
    classifier = _open(model, output, photo, labels)
    from miter.errors import ModelFileError
    from miter.pixels import PixelClassifier, plot_masks

    if not isinstance(classifier, PixelClassifier):
        raise ModelFileError(
            f"{model} holds a model that was not learned from photographs; give one that was"
        )
    draw_into(output, plot_masks, classifier, photo, class_, labels=labels)
    _said(output, quiet)
