"""The command `miter` itself: its verbs, its errors and its exit codes."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from miter import __version__
from miter.cli.attribute import attribute
from miter.cli.bootstrap import bootstrap
from miter.cli.compare import compare
from miter.cli.completion import completion
from miter.cli.costs import costs
from miter.cli.curve import curve
from miter.cli.data import data
from miter.cli.draw import draw
from miter.cli.evaluate import evaluate
from miter.cli.explain import counterfactual, explain
from miter.cli.export import export
from miter.cli.fit import fit
from miter.cli.importance import importance
from miter.cli.learners import learners
from miter.cli.pixels import pixels
from miter.cli.predict import predict
from miter.cli.prune import prune
from miter.cli.report import report
from miter.cli.rules import rules
from miter.cli.show import show
from miter.cli.simplify import simplify
from miter.cli.verbs import Verbs
from miter.cli.wording import in_words_of_the_command_line
from miter.errors import ClusterError, DataWarning

__all__ = ["main", "miter"]

FAILURE, WRONG_USE, INTERRUPTED = 1, 2, 130


class Door(Verbs):
    """A group of verbs whose errors are one sentence each, and whose exit codes mean something."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a verb and exit: 0 success, 1 failure, 2 wrong use, 130 interrupted."""
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            try:
                outcome = super().main(args, prog_name, complete_var, False, **extra)
                sys.stdout.flush()
                code = outcome if isinstance(outcome, int) else 0
            except Exception as error:
                code = _answer(error)
        if standalone_mode:
            sys.exit(code)
        return code


def _answer(error: Exception) -> int:
    """Say what is wrong and return the exit code."""
    if isinstance(error, click.UsageError):
        place = error.ctx.command_path if error.ctx is not None else "miter"
        message = error.format_message()
        _complain(f"{message}{'' if message[-1:] in '.?' else '.'} See '{place} --help'.")
        return WRONG_USE
    if isinstance(error, click.Abort):
        return INTERRUPTED
    if isinstance(error, BrokenPipeError):
        # Who reads has read enough; the interpreter must not try to flush the rest.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILURE
    if os.environ.get("MITER_DEBUG"):
        raise error
    _complain(_sentence(error))
    return FAILURE


def _sentence(error: Exception) -> str:
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, ValueError | ClusterError):
        return in_words_of_the_command_line(str(error))
    if isinstance(error, MemoryError):
        return "there is not enough memory for this"
    kind = type(error).__name__
    return f"{kind}: {error}; that is a mistake in Miter (MITER_DEBUG=1 tells more)"


def _complain(sentence: str) -> None:
    click.echo(f"miter: {' '.join(sentence.split())}", err=True)


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    words = in_words_of_the_command_line(str(message))
    if isinstance(message, DataWarning):  # no fault, but what was made of a table
        click.echo(" ".join(words.split()), err=True)
    else:
        _complain(f"warning: {words}")


@click.group(
    cls=Door,
    name="miter",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="miter")
def miter() -> None:
    """Decision trees that cut at any angle.

    DATA is a file of rows: .csv and other delimited text, .xlsx, .parquet, .jsonl, .arff or C4.5
    (.names with .data or .test), each also compressed; a pattern such as 'part-*.csv'; or - for
    standard input.
    """


for verb in (
    fit,
    predict,
    show,
    draw,
    rules,
    prune,
    simplify,
    export,
    evaluate,
    importance,
    explain,
    counterfactual,
    attribute,
    report,
    compare,
    bootstrap,
    curve,
    costs,
    data,
    learners,
    pixels,
    completion,
):
    miter.add_command(verb)


def main() -> NoReturn:
    """Run the command line and exit.

    Examples
    --------
    >>> from miter.cli import main
    >>> main()  # doctest: +SKIP
    """
    miter.main(prog_name="miter")
    raise AssertionError("the command line exits by itself")
