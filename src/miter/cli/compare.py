"""`miter compare`: several learners on several sets, and which of them is better."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from miter.cli.learner_text import parse_learners
from miter.cli.options import PATH, check_not_overwriting, check_place, json_option, quiet_option
from miter.cli.output import note, terminal_width
from miter.cli.rows import Rows, training_rows
from miter.errors import DataWarning
from miter.registry import LEARNERS

if TYPE_CHECKING:
    from miter.lab import Experiment, Results

__all__ = ["compare"]

FORMS = ("text", "markdown", "latex", "csv", "json")
MEASURES = (
    *("accuracy", "balanced_accuracy", "f1", "roc_auc", "log_loss", "brier", "cost"),
    *("nodes", "leaves", "depth", "terms", "path_terms", "fit", "predict"),
)
#: What an experiment file says itself.
OF_THE_FILE = {
    "learners": "--learner",
    "resampling": "--resampling",
    "seed": "--seed",
    "costs": "--costs",
    "train_with_costs": "--train-with-costs",
}


@click.command()
@click.argument("sources", metavar="EXPERIMENT.toml | DATA...", type=PATH, nargs=-1, required=True)
@click.option(
    "--learner",
    "learners",
    metavar="[NAME=]LEARNER[:PARAMETER=VALUE,...]",
    multiple=True,
    help=f"{', '.join(LEARNERS)}, or a classifier of scikit-learn such as LogisticRegression; "
    "with +costs behind the name it uses the costs of each set. May be repeated.",
)
@click.option(
    "-r",
    "--resampling",
    help="5x2, 10-fold, 5x10-fold, leave-one-out, 'holdout 0.3' or 'bootstrap 20'; 5x2 by default.",
)
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), help="0 by default.")
@training_rows
@click.option(
    "--costs",
    is_flag=True,
    default=None,
    help="Tell what errors cost too, by the file beside each set: german.costs for german.data.",
)
@click.option(
    "--train-with-costs",
    is_flag=True,
    default=None,
    help="Besides, train every learner with these costs that can be.",
)
@click.option(
    "-o",
    "--output",
    type=PATH,
    help="A file for the runs as they are done. If some are there already, only the others are "
    "run.",
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="How many runs at the same time; with one, times are the truest.",
)
@click.option("--measure", type=click.Choice(MEASURES), default="accuracy", show_default=True)
@click.option("--reference", metavar="NAME", help="The learner to test against; the first.")
@click.option(
    "--significance",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="How often chance alone may make a pair differ.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    default="text",
    show_default=True,
    help="Of stdout.",
)
@json_option
@quiet_option
def compare(
    sources: tuple[Path, ...],
    rows: Rows,
    output: Path | None,
    workers: int,
    measure: str,
    reference: str | None,
    significance: float,
    form: str,
    as_json: bool,
    quiet: bool,
    **described: Any,
) -> int:
    """Compare learners on sets of rows.

    What to compare is in a file, or given as sets and learners. Exit code 1 if a run failed; the
    others go on.

    Example: miter compare iris.data --learner id3 --learner 'stump=id3:max_depth=1'

    Example: miter compare german.data --costs --learner id3 --learner id3+costs

    Example: miter compare experiment.toml -o results.jsonl
    """
    experiment = _make_experiment(sources, rows, described)
    _check_reference(reference, experiment)
    if measure == "cost" and not experiment.has_costs:
        raise click.UsageError("--measure cost: no set has costs; give --costs.")
    check_not_overwriting(output, *sources)
    check_place(output)

    from miter import lab

    warnings.simplefilter("ignore" if quiet else "always", DataWarning)
    results = _run(experiment, output, workers, quiet)
    compared = lab.compare(results, measure, reference, significance)
    form = "json" if as_json else form
    click.echo(lab.format_comparison(compared, form, terminal_width()))
    _tell_warnings(results, quiet)
    return 1 if results.failed() else 0


def _make_experiment(
    sources: tuple[Path, ...], rows: Rows, described: dict[str, Any]
) -> Experiment:
    from miter.lab import Experiment, ExperimentError, read_experiment

    if any(source.suffix.lower() == ".toml" for source in sources):
        _check_alone(sources, rows, described)
        return read_experiment(sources[0])
    if not described["learners"]:
        raise click.UsageError("Say what to compare, with --learner.")
    said = {"target": rows.target, "kinds": rows.kinds} | rows.how_written
    sets = [{"path": path} | said for path in sources]
    rest = {name: described[name] for name in ("resampling", "seed", "costs", "train_with_costs")}
    rest = {name: value for name, value in rest.items() if value is not None}
    try:
        return Experiment(sets, parse_learners(described["learners"]), **rest)
    except ExperimentError as error:
        raise click.UsageError(str(error)) from None


def _check_alone(sources: tuple[Path, ...], rows: Rows, described: dict[str, Any]) -> None:
    if len(sources) > 1:
        raise click.UsageError("An experiment file comes alone; it names its sets itself.")
    for name, option in OF_THE_FILE.items():
        if described[name] not in (None, ()):
            raise click.UsageError(f"{sources[0]} says this itself; leave {option} out.")
    for option, value in (
        ("--target", rows.target),
        ("--kind", rows.kinds),
        *((f"--{name}", value) for name, value in rows.how_written.items()),
    ):
        if value not in (None, ()):
            raise click.UsageError(f"{sources[0]} says this itself; leave {option} out.")


def _check_reference(reference: str | None, experiment: Experiment) -> None:
    """Find out before running for an hour that the table cannot be made."""
    from miter.errors import did_you_mean

    known = [choice.name for choice in experiment.learners]
    if reference is not None and reference not in known:
        raise click.UsageError(
            f"--reference: there is no learner {reference!r}; {did_you_mean(reference, known)}"
        )


def _run(experiment: Experiment, output: Path | None, workers: int, quiet: bool) -> Results:
    from miter.lab import run

    try:
        return run(experiment, output, workers, progress=not quiet)
    except KeyboardInterrupt:
        if output is not None:
            note(f"Stopped; the same command goes on with what is in {output}.", quiet=quiet)
        raise


def _tell_warnings(results: Results, quiet: bool) -> None:
    for learner in results.learners:
        runs = [run for run in results if run.learner == learner]
        warned = [run for run in runs if run.n_warnings]
        if warned:
            first = str(warned[0].first_warning)
            shown = first if len(first) <= 90 else first[:90].rsplit(" ", 1)[0] + " ..."
            note(
                f"{learner} gave warnings in {len(warned)} of {len(runs)} runs, such as {shown}",
                quiet=quiet,
            )
