"""Five halvings in both directions, the same for all learners, and every fit written down."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from resumable import Store
from sklearn.model_selection import StratifiedKFold

from lmdt_parts import sets
from miter.data import Data
from miter.lab.experiments.fingerprint import hash_data
from miter.significance import Verdict, five_by_two_f_test

N_REPETITIONS = 5

#: By set: a list of repetitions, each with what two fits gave.
Runs = dict[str, list[list[dict[str, Any]]]]


def halves(data: Data, n_repetitions: int) -> Iterator[tuple[int, int, np.ndarray, np.ndarray]]:
    """Yield repetition, fold, training rows and test rows."""
    for repetition in range(n_repetitions):
        folds = StratifiedKFold(2, shuffle=True, random_state=repetition)
        for fold, (train, test) in enumerate(folds.split(data.X, data.labels)):
            yield repetition, fold, train, test


@dataclass(frozen=True)
class Plan:
    """Which sets, how often, and what to do with results of earlier runs.

    Parameters
    ----------
    section : str
        For the names of the files with results; a file a learner.
    sets : tuple of str
        Names of sets.
    n_repetitions : int
        Halvings of each.
    fresh : bool
        Forget what is known of the learners that are run.
    load : callable
        From the name of a set to its rows.
    experiment : str
        Before the section in the names of files.
    """

    section: str
    sets: tuple[str, ...]
    n_repetitions: int
    fresh: bool
    load: Callable[[str], Data] = sets.load
    experiment: str = "lmdt"


def run_learners(
    plan: Plan, learners: Iterable[Any], chosen: Sequence[str] | None
) -> tuple[dict[str, Runs], list[str]]:
    """Return what each learner does on the sets, by its name, and which cannot run here.

    Of those that are not chosen, where some are, only what is known already.
    """
    runs: dict[str, Runs] = {}
    notes = []
    for learner in learners:
        if (reason := learner.why_not()) is not None:
            notes.append(reason)
            continue
        only_stored = chosen is not None and learner.name not in chosen
        runs[learner.name] = run_learner(plan, learner, only_stored=only_stored)
    return runs, notes


def run_learner(plan: Plan, learner: Any, *, only_stored: bool = False) -> Runs:
    """Return what a learner does on the sets; what is not known yet is run, or left out."""
    store = Store(
        f"{plan.experiment}_{plan.section}_{learner.name}",
        fresh=plan.fresh and not only_stored,
        label=f"{plan.section}, {learner.name}: ",
    )
    tasks = {name: _tasks(plan, name, learner) for name in plan.sets}
    if only_stored:
        tasks = {name: own for name, own in tasks.items() if store.knows(own)}
    found = store.find({key: task for own in tasks.values() for key, task in own.items()})
    fits = {name: [found[key] for key in own] for name, own in tasks.items()}
    return {
        name: [own[first : first + 2] for first in range(0, len(own), 2)]
        for name, own in fits.items()
    }


def _tasks(plan: Plan, name: str, learner: Any) -> dict[str, Callable[[], Any]]:
    """Return the fits of a learner on a set by their keys."""
    data, tasks = plan.load(name), {}
    identity = _identity(plan.load, name)
    for repetition, fold, train, test in halves(data, plan.n_repetitions):
        key = f"{name} {identity}, {learner.identity()}, {repetition} {fold}"
        seed = 2 * repetition + fold
        tasks[key] = partial(_run, learner, data, train, test, seed)
    return tasks


@cache
def _identity(load: Callable[[str], Data], name: str) -> str:
    """Return what the results on a set depend on: its rows and columns, hashed."""
    return hash_data(load(name))[:8]


def _run(learner: Any, data: Data, train: np.ndarray, test: np.ndarray, seed: int) -> Any:
    return learner.run(data.take(train), data.take(test), seed)


def mean_of(runs: Runs, name: str, what: str) -> float | None:
    """Return the mean over the fits of a set; None where it has no such number."""
    values = [fit[what] for pair in runs.get(name, []) for fit in pair]
    return float(np.mean(values)) if values and None not in values else None


def compare(first: Runs, second: Runs, name: str) -> Verdict | None:
    """Test whether one learner is better than another on a set; None with too few halvings."""
    scores = [
        np.array([[fit["accuracy"] for fit in pair] for pair in runs.get(name, [])])
        for runs in (first, second)
    ]
    if any(score.shape != (N_REPETITIONS, 2) for score in scores):
        return None
    return five_by_two_f_test(scores[0] - scores[1])
