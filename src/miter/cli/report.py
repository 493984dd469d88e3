"""`miter report`: a page to open."""

from __future__ import annotations

from pathlib import Path

import click

from miter.cli.options import (
    PATH,
    check_not_overwriting,
    check_place,
    quiet_option,
    target_option,
)
from miter.cli.output import note
from miter.cli.rows import Rows, new_rows
from miter.progress import ProgressLine

__all__ = ["report"]


@click.command()
@click.argument("model", metavar="MODEL | RESULTS", type=PATH)
@click.argument("data", metavar="[DATA]", type=PATH, required=False)
@click.option(
    "-o", "--output", type=PATH, help="The page; by default MODEL's name with .html behind it."
)
@click.option("--title", default="", help="What stands above the page.")
@target_option
@new_rows
@quiet_option
def report(
    model: Path,
    data: Path | None,
    output: Path | None,
    title: str,
    rows: Rows,
    quiet: bool,
) -> None:
    """Write a page about MODEL with the rows of DATA, to be opened in a browser.

    It shows the tree, rows and why they get their answers, what would change them, costs, sizes,
    rules and the table. It is one file and asks the network for nothing. RESULTS are the runs that
    `miter compare -o` wrote.

    Example: miter report iris.miter test.csv -o iris.html

    Example: miter report results.jsonl -o compared.html
    """
    page = Path(f"{model.name.partition('.')[0]}.html") if output is None else output
    check_not_overwriting(page, model, data)
    check_place(page)
    from miter.reporting import report as write

    if _is_results(model):
        if data is not None:
            raise click.UsageError(
                f"{model} holds results, which bring their rows; leave DATA out."
            )
        from miter.lab import read_results

        write(read_results(model), path=page, title=title)
    else:
        if data is None:
            raise click.UsageError("Give DATA, the rows that the page is to show.")
        from miter.model_file import load

        estimator = load(model)
        table = rows.read_new(data, estimator.schema_)
        with ProgressLine("looking at the rows", quiet=quiet):
            write(estimator, table, path=page, title=title, name=data.name)
    size = max(page.stat().st_size // 1000, 1)
    note(f"Wrote {page} ({size:,} kB); open it in a browser", quiet=quiet)


def _is_results(path: Path) -> bool:
    """Whether a file holds runs of the laboratory, by how it begins."""
    with open(path, "rb") as file:
        return file.read(64).startswith(b'{"format": "miter results"')
