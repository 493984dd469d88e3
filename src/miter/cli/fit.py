"""`miter fit`: grow a tree and save it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from miter.cli.learner_options import learner_option, make_estimator, parameter_option
from miter.cli.options import (
    PATH,
    check_costs,
    check_not_overwriting,
    cost_options,
    data_argument,
    json_option,
    kind_option,
    parse_kinds,
    parse_parameters,
    quiet_option,
    read_costs,
    target_option,
)
from miter.cli.output import print_json
from miter.progress import ProgressLine

if TYPE_CHECKING:
    from miter.data import Data
    from miter.estimators.fitted import Fitted
    from miter.lab import Evaluation

__all__ = ["fit"]


@click.command()
@data_argument
@target_option
@click.option("-o", "--output", type=PATH, required=True, help="The model file; .gz packs it.")
@learner_option("univariate")
@parameter_option
@kind_option
@cost_options
@click.option("--validation", metavar="DATA", type=PATH, help="Rows for pruning.")
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), help="For what is left to chance.")
@click.option("--threads", type=click.IntRange(1), help="How many cores to use; all by default.")
@json_option
@quiet_option
def fit(
    data: Path,
    target: str | None,
    output: Path,
    learner: str,
    parameters: tuple[str, ...],
    kinds: tuple[str, ...],
    costs: Path | None,
    focus: str | None,
    others: float | None,
    validation: Path | None,
    seed: int | None,
    threads: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Grow a tree on DATA and save it.

    Example: miter fit iris.data -o iris.miter -p criterion=gain -p max_depth=4
    """
    settings = parse_parameters(parameters)
    for name, value, option in (
        ("random_state", seed, "--seed"),
        ("n_threads", threads, "--threads"),
    ):
        if value is not None and name in settings:
            raise click.UsageError(f"-p {name} and {option} say the same; give one of them.")
    known_kinds = parse_kinds(kinds)
    check_costs(costs, focus, others, settings)
    check_not_overwriting(output, data, validation, costs)
    given = {"random_state": seed, "n_threads": threads, "verbose": not quiet}
    estimator = make_estimator(learner, parameters, given, own=True)
    _check_folder(output)

    from miter.data import read
    from miter.lab import evaluate
    from miter.model_file import save

    with ProgressLine(f"reading {data}", quiet=quiet):
        rows = read(data, target=target, kinds=known_kinds)
    matrix = read_costs(rows.schema.classes, costs, focus, others)
    if matrix is not None:
        estimator.set_params(costs=matrix)
    held_out = None
    if validation is not None:
        with ProgressLine(f"reading {validation}", quiet=quiet):
            held_out = read(validation, schema=rows.schema)
    _fit(estimator, rows, held_out, learner)
    evaluation = evaluate(estimator, rows)
    with ProgressLine(f"writing {output}", quiet=quiet):
        save(estimator, output)
    summary = _summarise(rows, estimator, evaluation) | {"learner": learner, "saved": str(output)}
    if as_json:
        print_json(summary)
    elif not quiet:
        click.echo(_say(summary, data))


def _fit(estimator: Any, rows: Data, held_out: Data | None, learner: str) -> None:
    if held_out is None:
        estimator.fit(rows)
        return
    from sklearn.utils.validation import has_fit_parameter

    if not has_fit_parameter(estimator, "X_val"):
        raise click.UsageError(f"--validation is for single trees; {learner} has many.")
    estimator.fit(rows, X_val=held_out)


def _check_folder(output: Path) -> None:
    """Find out before growing for an hour that there is no place for the result."""
    if not output.parent.is_dir():
        raise FileNotFoundError(2, "there is no such folder", str(output.parent))
    if output.is_dir():
        raise IsADirectoryError(21, "is a folder; give a file", str(output))


def _summarise(rows: Data, model: Fitted, evaluation: Evaluation) -> dict[str, Any]:
    trees, cost = model.trees_, evaluation.mean_cost
    return {
        "rows": rows.n_rows,
        "columns": rows.schema.n_columns,
        "classes": rows.schema.n_classes,
        "trees": len(trees),
        "nodes": sum(tree.n_nodes for tree in trees),
        "leaves": sum(tree.n_leaves for tree in trees),
        "depth": max(tree.depth for tree in trees),
        "training_accuracy": evaluation.accuracy,
        **({} if cost is None else {"training_cost": cost}),
    }


def _say(summary: dict[str, Any], data: Path) -> str:
    cost = summary.get("training_cost")
    costly = [] if cost is None else [f"Cost      {cost:.4f}, the mean of the training rows"]
    return "\n".join(
        [
            f"Read      {data}: {_many(summary['rows'], 'row')}, "
            f"{_many(summary['columns'], 'column')}, {_many(summary['classes'], 'class')}",
            f"Grew      {_said_trees(summary)}: {_many(summary['nodes'], 'node')}, "
            f"{_many(summary['leaves'], 'leaf')}, depth {summary['depth']}",
            f"Right     on {summary['training_accuracy']:.2%} of the training rows",
            *costly,
            f"Saved     {summary['saved']}",
        ]
    )


def _said_trees(summary: dict[str, Any]) -> str:
    n_trees = summary["trees"]
    return f"{summary['learner']}{' tree' if n_trees == 1 else f', {n_trees:,} trees'}"


def _many(count: int, noun: str) -> str:
    plural = {"class": "classes", "leaf": "leaves"}.get(noun, f"{noun}s")
    return f"{count:,} {noun if count == 1 else plural}"
