"""`miter show`: the tree as text."""

from __future__ import annotations

from pathlib import Path

import click

from miter.cli.options import json_option, model_argument, quiet_option
from miter.cli.output import print_json

__all__ = ["show"]


@click.command()
@model_argument
@click.option("--max-depth", type=click.IntRange(0), help="Show so many levels of splits only.")
@click.option("--tree", "number", type=click.IntRange(1), help="Which tree, where it has many.")
@json_option
@quiet_option
def show(
    model: Path, max_depth: int | None, number: int | None, as_json: bool, quiet: bool
) -> None:
    """Print the tree of MODEL.

    Behind the class of a leaf stand the training rows that came there and, after a slash, how many
    of them are of another class.
    """
    from miter.model_file import load
    from miter.show import Outline, export_text

    trees = load(model).trees_
    if number is None and len(trees) > 1:
        raise click.UsageError(f"{model} has {len(trees):,} trees; say which with --tree.")
    if number is not None and number > len(trees):
        raise click.UsageError(f"--tree {number}: {model} has {len(trees):,}.")
    tree = trees[(number or 1) - 1]
    if not as_json:
        click.echo(export_text(tree, max_depth=max_depth))
        return
    outline = Outline(tree, max_depth=max_depth)
    nodes = []
    for entry in outline:
        words = {"condition": entry.say(outline.schema)}
        nodes.append(vars(entry) | words | {"weight": entry.weight, "errors": entry.errors})
    print_json({"classes": list(outline.schema.classes), "nodes": nodes})
