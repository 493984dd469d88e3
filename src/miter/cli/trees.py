"""Which tree of a model a command is about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from miter.tree import Tree

__all__ = ["choose_tree"]


def choose_tree(trees: Sequence[Tree], number: int | None, model: Path) -> Tree:
    """Return the tree that is wanted; an error where there are many, and none was named.

    Parameters
    ----------
    trees : sequence of Tree
        Of the model.
    number : int, optional
        As it was typed, from 1 on.
    model : Path
        What errors call the model.
    """
    if number is None and len(trees) > 1:
        raise click.UsageError(f"{model} has {len(trees):,} trees; say which with --tree.")
    if number is not None and number > len(trees):
        raise click.UsageError(f"--tree {number}: {model} has {len(trees):,}.")
    return trees[(number or 1) - 1]
