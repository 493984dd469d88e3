"""`miter predict`: the class of every row, and how sure the tree is."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from miter.cli.options import (
    PATH,
    check_costs,
    check_not_overwriting,
    cost_options,
    data_argument,
    json_option,
    model_argument,
    quiet_option,
    read_costs,
)
from miter.cli.output import note, opened_output
from miter.progress import ProgressLine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from miter.data.schema import Label

__all__ = ["predict"]


@click.command()
@model_argument
@data_argument
@click.option("-o", "--output", type=PATH, help="Write to a file instead of stdout.")
@cost_options
@json_option
@quiet_option
def predict(
    model: Path,
    data: Path,
    output: Path | None,
    costs: Path | None,
    focus: str | None,
    others: float | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Predict the class of every row of DATA.

    Prints CSV: the class, then the probability of each class. DATA may be without its class column.
    With costs, the class is what costs least, whatever the model was trained for.
    """
    check_costs(costs, focus, others)
    from miter.data import read
    from miter.model_file import load

    check_not_overwriting(output, model, data, costs)
    estimator = load(model)
    schema = estimator.schema_
    matrix = read_costs(schema.classes, costs, focus, others)
    with ProgressLine(f"reading {data}", quiet=quiet):
        rows = read(data, schema=schema)
    answers = estimator.predict(rows, costs=matrix).tolist()
    shares = estimator.predict_proba(rows).tolist()
    write = _write_json if as_json else _write_csv
    with opened_output(output) as file:
        write(file, schema.classes, answers, shares)
    if output is not None:
        note(f"Wrote {len(answers):,} predictions to {output}", quiet=quiet)


def _write_csv(
    file: TextIO, classes: Sequence[Label], answers: list[Label], shares: list[list[float]]
) -> None:
    from miter.data.labels import label_text

    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["class", *(f"p({label_text(label)})" for label in classes)])
    writer.writerows(
        [label_text(answer), *own] for answer, own in zip(answers, shares, strict=True)
    )


def _write_json(
    file: TextIO, classes: Sequence[Label], answers: list[Label], shares: list[list[float]]
) -> None:
    from miter.data.labels import label_text

    names = [label_text(label) for label in classes]
    lines = (
        json.dumps(
            {"class": answer, "probabilities": dict(zip(names, own, strict=True))},
            ensure_ascii=False,
        )
        for answer, own in zip(answers, shares, strict=True)
    )
    file.write("[\n" + ",\n".join(lines) + "\n]\n")
