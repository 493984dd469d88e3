"""Runs an experiment: many runs, on many cores, that can stop at any time and go on later."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from os import PathLike

import numpy as np
from joblib import effective_n_jobs  # type: ignore[import-untyped]
from numpy.typing import NDArray
from sklearn.utils.parallel import Parallel, delayed

from miter.data.table import Data
from miter.lab.estimates.resampling import Bootstrap, Folds, Partition, Resampling
from miter.lab.experiments.experiment import Experiment, ExperimentError, SetChoice
from miter.lab.experiments.fingerprint import hash_data
from miter.lab.experiments.results import Results, Run
from miter.lab.experiments.results_file import ResultsFile, open_results
from miter.lab.experiments.task import Task, perform, single_threaded_sums
from miter.progress import Countdown

__all__ = ["run"]

Matrix = NDArray[np.float64]


def run(
    experiment: Experiment,
    results_path: str | PathLike[str] | None = None,
    n_workers: int | None = None,
    progress: bool = True,
) -> Results:
    """Run an experiment, or what is left of it.

    Parameters
    ----------
    experiment : Experiment
        What to run.
    results_path : str or path, optional
        A file that gets a line for every run as soon as it is done. If it holds some already, only
        the others are run; if it holds those of another experiment, it is refused.
    n_workers : int, optional
        How many runs go on at the same time, as joblib counts: -1 for all cores. None: one, or what
        an active ``joblib.parallel_config`` says, whose backend is used. Nothing but times and
        memory depends on it; times are the truest with one.
    progress : bool
        Whether to show a line of progress on stderr.

    Returns
    -------
    Results
        A row for each run, also of those that failed.

    Notes
    -----
    All learners see the same divisions of a set: those that ``experiment.resampling`` makes of its
    classes with the experiment's seed. A learner's `random_state`, where it was left open, depends
    on the seed and the division, and on neither the set nor the other learners.

    Examples
    --------
    >>> from miter.data import monks
    >>> from miter.lab import Experiment, run
    >>> results = run(Experiment({"monks-1": monks(1)}, ["univariate", "id3"], "5x2"))
    >>> results
    <Results: 20 runs, 1 sets, 2 learners, 5x2, 0 failed>
    """
    tables = [choice.read() for choice in experiment.sets]
    hashes = [hash_data(data) for data in tables]
    costs = [
        choice.read_costs(data.schema.classes)
        for choice, data in zip(experiment.sets, tables, strict=True)
    ]
    description = experiment.describe(hashes, costs)
    n_threads = 1 if effective_n_jobs(n_workers) > 1 else None
    tasks = list(_make_tasks(experiment, tables, hashes, costs, n_threads))
    with _opened(results_path, description) as file:
        runs = [] if file is None else list(file.runs)
        done = {run.key for run in runs}
        left = [task for task in tasks if task.key not in done]
        with Countdown(len(tasks), len(done), quiet=not progress) as countdown:
            for finished in _perform_all(left, n_workers):
                if file is not None:
                    file.append(finished)
                runs.append(finished)
                countdown.count(has_failed=finished.error is not None)
    return Results(description, runs)


def _opened(
    path: str | PathLike[str] | None, description: dict[str, object]
) -> AbstractContextManager[ResultsFile | None]:
    return nullcontext(None) if path is None else open_results(path, description)


def _perform_all(tasks: Sequence[Task], n_workers: int | None) -> Iterator[Run]:
    """Perform tasks side by side; runs come as they are done."""
    parallel = Parallel(n_jobs=n_workers, return_as="generator_unordered")
    runs = parallel(delayed(perform)(task) for task in tasks)
    try:
        # For runs in threads of this process; a worker sees to itself.
        with single_threaded_sums():
            yield from runs
    finally:
        runs.close()  # stops the workers when the user does


def _make_tasks(
    experiment: Experiment,
    tables: Sequence[Data],
    hashes: Sequence[str],
    costs: Sequence[Matrix | None],
    n_threads: int | None,
) -> Iterator[Task]:
    """Make the runs of all first divisions, then of all second ones, and so on.

    So those that are done are a fair sample of all, and so is the time they took.
    """
    learners = [(choice.estimator, _describe(choice.describe())) for choice in experiment.learners]
    divisions = [
        _divide(choice, data, experiment)
        for choice, data in zip(experiment.sets, tables, strict=True)
    ]
    for number in range(max(map(len, divisions))):
        repeat, fold = _place(experiment.resampling, number)
        seed = _derive_seed(experiment.seed, repeat, fold)
        for place, choice in enumerate(experiment.sets):
            if number >= len(divisions[place]):
                continue
            own: dict[str, object] = {"set": choice.name, "data_hash": hashes[place]}
            own |= {"seed": seed, "repeat": repeat, "fold": fold}
            for estimator, described in learners:
                parts = divisions[place][number]
                identity = own | described
                yield Task(identity, estimator, tables[place], *parts, n_threads, costs[place])


def _describe(learner: dict[str, object]) -> dict[str, object]:
    """Return the description of a learner under the names that a `Run` has for it."""
    return {
        "learner": learner["name"],
        "learner_class": learner["class"],
        "parameters": learner["parameters"],
    }


def _divide(choice: SetChoice, data: Data, experiment: Experiment) -> list[Partition]:
    try:
        return experiment.resampling.splits(data.labels, experiment.seed)
    except ValueError as error:
        raise ExperimentError(f"set {choice.name!r}: {error}") from None


def _place(resampling: Resampling, number: int) -> tuple[int, int]:
    """Return the repeat and the fold of a division."""
    if isinstance(resampling, Folds):
        return divmod(number, resampling.n_folds)
    return (number, 0) if isinstance(resampling, Bootstrap) else (0, number)


def _derive_seed(seed: int, repeat: int, fold: int) -> int:
    """Return a seed that has nothing to do with those of other divisions."""
    return int(np.random.SeedSequence([seed, repeat, fold]).generate_state(1)[0])
