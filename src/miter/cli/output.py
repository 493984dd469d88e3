"""Results on stdout or in a file, notes on stderr."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import click

__all__ = ["draw_into", "note", "opened_output", "print_json", "terminal_width"]


def print_json(value: Any) -> None:
    """Print a result for machines.

    Examples
    --------
    >>> from miter.cli.output import print_json
    >>> print_json({"leaves": 5})
    {
      "leaves": 5
    }
    """
    click.echo(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))


def terminal_width() -> int | None:
    """Return how many letters a line of the terminal holds; None where stdout is none."""
    import shutil

    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def draw_into(path: Path, plot: Callable[..., Any], *arguments: Any, **options: Any) -> None:
    """Draw a picture into a file, without a window wherever that is done.

    Parameters
    ----------
    path : Path
        Its suffix decides on the format.
    plot : callable
        A function of `miter.show`.
    *arguments, **options
        What it is given.
    """
    from miter.show.canvas import check_suffix, save_picture

    check_suffix(path)
    try:
        import matplotlib

        matplotlib.use("agg")
    except ImportError:  # then the function says which extra brings it
        pass
    picture = plot(*arguments, **options)
    save_picture(picture, path)
    from matplotlib import pyplot

    pyplot.close("all")


def note(sentence: str, *, quiet: bool) -> None:
    """Tell the user something that is not a result, on stderr."""
    if not quiet:
        click.echo(sentence, err=True)


@contextmanager
def opened_output(path: Path | None) -> Iterator[TextIO]:
    """Open a file that appears only when it is complete; stdout if there is no path.

    Parameters
    ----------
    path : Path or None
        Where the result goes.
    """
    if path is None:
        yield sys.stdout
        return
    from miter.model_file import replacing

    with replacing(path) as file:
        text = io.TextIOWrapper(file, "utf-8", newline="")
        yield text
        # Flushed and let go, not closed: the file is not yet in its place.
        text.detach()
