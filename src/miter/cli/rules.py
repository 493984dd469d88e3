"""`miter rules`: the tree as IF ... THEN."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from miter.cli.options import (
    PATH,
    check_not_overwriting,
    check_place,
    json_option,
    model_argument,
    quiet_option,
    target_option,
)
from miter.cli.output import note, opened_output, print_json
from miter.cli.rows import Rows, new_rows
from miter.cli.wording import count

if TYPE_CHECKING:
    from miter.data import Data
    from miter.rules import RuleSet

__all__ = ["rules"]


@click.command()
@model_argument
@click.argument("data", metavar="[DATA]", type=PATH, required=False)
@click.option("--tree", "number", type=click.IntRange(1), help="Which tree, where it has many.")
@click.option(
    "--fewer-terms",
    is_flag=True,
    help="Drop terms of machines, by DATA: all its rows still go the same way.",
)
@click.option(
    "--prune", is_flag=True, help="Make a short list of short rules, by the rows of DATA."
)
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.25,
    show_default=True,
    help="For --prune: a smaller one makes rules more general.",
)
@click.option("-o", "--output", type=PATH, help="Write a table of the rules, CSV, to this file.")
@target_option
@new_rows
@json_option
@quiet_option
def rules(
    model: Path,
    data: Path | None,
    number: int | None,
    fewer_terms: bool,
    prune: bool,
    confidence: float,
    output: Path | None,
    rows: Rows,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print the rules of MODEL, each with its training rows and how many of them are of its class.

    With DATA, their support and confidence are those among its rows; and a machine that decides
    between classes is said as the inequalities that matter within the ranges of these rows.

    Example: miter rules iris.miter iris.csv --prune
    """
    if prune and data is None:
        raise click.UsageError("--prune needs DATA: the rows that the tree was grown on.")
    if fewer_terms and data is None:
        raise click.UsageError("--fewer-terms needs DATA: the rows that must go the same way.")
    check_not_overwriting(output, model, data)
    check_place(output)
    from miter.model_file import load

    found = _rules_of(load(model), model, number)
    changes: list[str] = []
    if data is not None:
        known = rows.read_new(data, found.schema)
        found, changes = _with_rows(found, known, confidence if prune else None, fewer_terms)
    for sentence in changes:
        note(sentence, quiet=quiet)
    for label in found.silent_classes:
        note(f"No rule answers {label!s}.", quiet=quiet)
    table = _table(found)
    if output is not None:
        _write(output, table)
        note(f"Wrote {count(len(table), 'rule')} to {output}", quiet=quiet)
    elif as_json:
        classes = list(found.schema.classes)
        print_json({"classes": classes, "rules": table, "simplified": changes})
    else:
        click.echo("\n".join(found.say()))


def _rules_of(estimator: Any, model: Path, number: int | None) -> RuleSet:
    from miter.rules import merge_rules, rules_of

    trees = getattr(estimator, "trees_", None)
    if trees is None or not hasattr(estimator, "predict_codes"):
        raise click.UsageError(f"{model} is not made of trees for rows.")
    if number is None and len(trees) > 1:
        raise click.UsageError(
            f"{model} has {len(trees):,} trees, each with rules of its own; say which with --tree."
        )
    if number is not None and number > len(trees):
        raise click.UsageError(f"--tree {number}: {model} has {len(trees):,}.")
    return merge_rules(rules_of(estimator if number is None else trees[number - 1]))


def _with_rows(
    found: RuleSet, rows: Data, confidence: float | None, fewer_terms: bool
) -> tuple[RuleSet, list[str]]:
    """Return rules as other rows have them, and what was simplified."""
    from miter.rules import counted, expand_machines, post_prune

    if confidence is not None:
        found = post_prune(found, rows, confidence)
    expanded, machines = expand_machines(found, rows.X, drop_terms=fewer_terms)
    sentences = [line for machine in machines for line in machine.say_changes(found.schema)]
    return expanded if confidence is not None else counted(expanded, rows), sentences


def _table(found: RuleSet) -> list[dict[str, Any]]:
    return [
        {
            "rule": place + 1,
            "conditions": [condition.say(found.schema) for condition in rule.conditions],
            "answer": found.schema.classes[rule.answer],
            "support": rule.support,
            "confidence": rule.confidence,
        }
        for place, rule in enumerate(found.answers)
    ]


def _write(output: Path, table: list[dict[str, Any]]) -> None:
    import csv

    with opened_output(output) as file:
        writer = csv.DictWriter(file, ["rule", "conditions", "answer", "support", "confidence"])
        writer.writeheader()
        for row in table:
            writer.writerow(row | {"conditions": " AND ".join(row["conditions"])})
