"""`miter data`: what is in a file of rows, as Miter reads it, and what is odd about it."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from miter.cli.options import data_argument, json_option, quiet_option
from miter.cli.output import print_json, terminal_width
from miter.cli.rows import Rows, say_remarks, training_rows
from miter.progress import ProgressLine

__all__ = ["data"]

#: Of lines where nobody says how wide they may be.
WIDTH = 100
#: Bars of a distribution where the output knows no others.
PLAIN_BARS = str.maketrans("▁▂▃▄▅▆▇█", "_.:-=+*#")


@click.command()
@data_argument
@training_rows
@json_option
@quiet_option
def data(data: Path, rows: Rows, as_json: bool, quiet: bool) -> None:
    """Tell what is in DATA, and what to look at before learning from it.

    Its columns, what they hold, how much of it is missing, its classes where --target names their
    column; then remarks: what was made of columns that are not plain, and what is odd, each with
    the option that cures it.

    Example: miter data iris.csv --target species
    """
    table = rows.read(data, labelled=False)
    from miter.data.check import check, format_check

    with ProgressLine("checking", quiet=quiet):
        checked = check(table)
    if as_json:
        print_json(checked.to_dict())
        return
    text = format_check(checked, say_remarks(checked.remarks), terminal_width() or WIDTH)
    if "utf" not in (getattr(sys.stdout, "encoding", None) or "").lower():
        text = text.translate(PLAIN_BARS)
    click.echo(f"{data}: {text}")
