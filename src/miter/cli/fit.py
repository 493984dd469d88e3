"""`miter fit`: grow a tree and save it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from miter.cli.cluster import on_cluster
from miter.cli.learner_options import learner_option, make_estimator, parameter_option
from miter.cli.options import (
    PATH,
    check_costs,
    check_not_overwriting,
    check_place,
    cost_options,
    costs_said,
    dask_option,
    data_argument,
    json_option,
    parse_parameters,
    quiet_option,
    read_costs,
)
from miter.cli.output import note, print_json
from miter.cli.rows import Rows, training_rows
from miter.cli.single_leaf import say_single_leaf
from miter.cli.wording import count
from miter.progress import ProgressLine

if TYPE_CHECKING:
    from miter.data import Data
    from miter.data.schema import Label
    from miter.estimators.fitted import Fitted

__all__ = ["fit"]


@click.command()
@data_argument
@click.option("-o", "--output", type=PATH, required=True, help="The model file; .gz packs it.")
@learner_option("readable")
@parameter_option
@training_rows
@cost_options
@click.option("--validation", metavar="DATA", type=PATH, help="Rows for pruning.")
@click.option(
    "--seed", type=click.IntRange(0, 2**32 - 1), help="For what is left to chance; 0 by default."
)
@click.option("--threads", type=click.IntRange(1), help="How many cores to use; all by default.")
@dask_option
@json_option
@quiet_option
def fit(
    data: Path,
    rows: Rows,
    output: Path,
    learner: str,
    parameters: tuple[str, ...],
    costs: Path | None,
    focus: str | None,
    others: float | None,
    validation: Path | None,
    seed: int | None,
    threads: int | None,
    dask: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Grow a tree on DATA and save it.

    Example: miter fit iris.data -o iris.miter -p max_path=5
    """
    settings = parse_parameters(parameters)
    for name, value, option in (
        ("random_state", seed, "--seed"),
        ("n_threads", threads, "--threads"),
    ):
        if value is not None and name in settings:
            raise click.UsageError(f"-p {name} and {option} say the same; give one of them.")
    check_costs(costs, focus, others, settings)
    check_not_overwriting(output, data, validation, costs)
    given = {"random_state": seed or 0, "n_threads": threads, "verbose": not quiet}
    estimator = make_estimator(learner, parameters, given, own=True)
    check_place(output)

    from miter.model_file import save

    if dask is None:
        training = rows.read_training(data)
        _set_costs(estimator, training.schema.classes, costs, focus, others)
        held_out = None if validation is None else rows.read_new(validation, training.schema)
        _fit(estimator, training, held_out, learner)
        remarks, summary = say_single_leaf(estimator, training), _summarise(training, estimator)
    else:
        if validation is not None:
            raise click.UsageError("--validation is for rows in one place; leave --dask out.")
        said = costs_said(costs, focus, others)
        if said is not None:
            estimator.set_params(costs=said)
        remarks, summary = [], _fit_on_cluster(estimator, rows, data, dask)
    with ProgressLine(f"writing {output}", quiet=quiet):
        save(estimator, output)
    for sentence in remarks:
        note(sentence, quiet=quiet)
    summary |= {"learner": learner, "saved": str(output)}
    if as_json:
        print_json(summary)
    elif not quiet:
        click.echo(_say(summary, data))


def _set_costs(estimator: Any, classes: Sequence[Label], *said: Any) -> None:
    matrix = read_costs(classes, *said)
    if matrix is not None:
        estimator.set_params(costs=matrix)


def _fit_on_cluster(estimator: Any, rows: Rows, data: Path, dask: str) -> dict[str, Any]:
    from miter import evaluate
    from miter.distributed.files import split_target

    with on_cluster(dask, data, rows) as frame:
        X, y = split_target(frame, rows.target, data)
        if rows.kinds:
            owner = "estimator" if "estimator__kinds" in estimator.get_params() else None
            estimator.set_params(**{f"{owner}__kinds" if owner else "kinds": rows.kinds})
        estimator.fit(X, y)
        seen = evaluate(estimator, X, y)
    counted = {"training_accuracy": seen.accuracy}
    if seen.mean_cost is not None:
        counted["training_cost"] = seen.mean_cost
    return {"rows": seen.n_test} | _sizes(estimator) | counted


def _fit(estimator: Any, rows: Data, held_out: Data | None, learner: str) -> None:
    if held_out is None:
        estimator.fit(rows)
        return
    from sklearn.utils.validation import has_fit_parameter

    if not has_fit_parameter(estimator, "X_val"):
        raise click.UsageError(f"--validation is for single trees; {learner} has many.")
    estimator.fit(rows, X_val=held_out)


def _summarise(rows: Data, model: Fitted) -> dict[str, Any]:
    # `miter evaluate` tells more; of a million rows it would take longer than the tree.
    answers, costs = model.predict_codes(rows.X), getattr(model, "costs_", None)
    return {
        "rows": rows.n_rows,
        **_sizes(model),
        "training_accuracy": float((answers == rows.labels).mean()),
        **({} if costs is None else {"training_cost": float(costs[answers, rows.labels].mean())}),
    }


def _sizes(model: Fitted) -> dict[str, Any]:
    trees, schema = model.trees_, model.schema_
    return {
        "columns": schema.n_columns,
        "classes": schema.n_classes,
        "left_out": list(schema.ignored),
        "seed": getattr(model, "random_state", None),
        "trees": len(trees),
        "nodes": sum(tree.n_nodes for tree in trees),
        "leaves": sum(tree.n_leaves for tree in trees),
        "depth": max(tree.depth for tree in trees),
    }


def _say(summary: dict[str, Any], data: Path) -> str:
    cost = summary.get("training_cost")
    costly = [] if cost is None else [f"Cost      {cost:.4f}, the mean of the training rows"]
    return "\n".join(
        [
            f"Read      {data}: {count(summary['rows'], 'row')}, "
            f"{count(summary['columns'], 'column')}{_said_left_out(summary)}, "
            f"{count(summary['classes'], 'class')}",
            f"Grew      {_said_trees(summary)}: {count(summary['nodes'], 'node')}, "
            f"{count(summary['leaves'], 'leaf')}, depth {summary['depth']}{_said_seed(summary)}",
            f"Right     on {summary['training_accuracy']:.2%} of the training rows",
            *costly,
            f"Saved     {summary['saved']}",
            *_say_next(Path(summary["saved"]), data),
        ]
    )


def _say_next(model: Path, data: Path) -> list[str]:
    """Propose what to do with the model; what needs rows, where these come from a file."""
    verbs = [["show", str(model)]]
    if str(data) != "-":
        page = str(model.with_suffix(".html"))
        verbs += [["report", str(model), str(data), "-o", page]]
        verbs += [["explain", str(model), str(data), "--row", "1"]]
    said = [shlex.join(["miter", *words]) for words in verbs]
    return [f"{'' if place else 'Next':10}{words}" for place, words in enumerate(said)]


def _said_left_out(summary: dict[str, Any]) -> str:
    n_columns = len(summary["left_out"])
    return f" ({count(n_columns, 'other')} left out)" if n_columns else ""


def _said_seed(summary: dict[str, Any]) -> str:
    return "" if summary["seed"] is None else f", seed {summary['seed']}"


def _said_trees(summary: dict[str, Any]) -> str:
    n_trees = summary["trees"]
    return f"{summary['learner']}{' tree' if n_trees == 1 else f', {n_trees:,} trees'}"
