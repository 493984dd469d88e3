"""`miter export`: a model in another language."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from miter.cli.options import (
    PATH,
    check_not_overwriting,
    check_place,
    model_argument,
    quiet_option,
)
from miter.cli.output import note

__all__ = ["export"]


@click.command()
@model_argument
@click.option("-o", "--output", type=PATH, help="Write to a file instead of stdout.")
@click.option(
    "--language",
    help="python, c, sql, javascript, onnx, latex, dot or json; by default what the name of the "
    "file says.",
)
@click.option("--name", help="The table that SQL reads; what the functions of C begin with.")
@quiet_option
def export(
    model: Path, output: Path | None, language: str | None, name: str | None, quiet: bool
) -> None:
    """Write MODEL in another language, to run without Miter.

    The language follows from the file: .py, .c, .sql, .js, .onnx, .tex, .dot or .json.

    Example: miter export iris.miter -o iris.c
    """
    check_not_overwriting(output, model)
    check_place(output)
    from miter.exporting import LANGUAGES, language_of
    from miter.exporting import export as write
    from miter.model_file import load, replacing

    if language is None and output is not None:
        language = language_of(output)
    if language is None:
        known = ", ".join(LANGUAGES)
        raise click.UsageError(f"Say which --language: {known}.")
    written = write(load(model), language, name=name)
    content = written if isinstance(written, bytes) else written.encode(errors="surrogatepass")
    if output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        return
    with replacing(output) as file:
        file.write(content)
    note(f"Wrote {len(content):,} bytes of {language} to {output}", quiet=quiet)
