"""Learners side by side on many sets: accuracy, size, time, and which differences are no chance."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from lmdt_parts import learners, sets
from lmdt_parts.halves import N_REPETITIONS, Plan, Runs, compare, mean_of, run_learners
from miter.data import Data

SIGNIFICANCE = 0.05
MEANS = (
    ("mean", "mean accuracy", 2),
    ("decisions", "decision nodes", 2),
    ("seconds", "fit s", 3),
)


@dataclass(frozen=True)
class Comparison:
    """A section: which learners meet on which sets.

    Parameters
    ----------
    section : str
        Its name on the command line.
    title : str
        Above its table.
    sets, quick_sets : tuple of str
        All of them, and those of the quick version.
    learners : tuple
        The first is held against each of the others.
    earlier : dict
        Mean accuracy and nodes, leaves included, in another run by the same protocol, by learner.
    experiment : str
        Before the section in the names of files with results.
    load : callable
        From the name of a set to its rows.
    """

    section: str
    title: str
    sets: tuple[str, ...]
    quick_sets: tuple[str, ...]
    learners: tuple[Any, ...]
    earlier: dict[str, tuple[float, float]]
    experiment: str = "lmdt"
    load: Callable[[str], Data] = sets.load


COMPARISONS = (
    Comparison(
        "peers15",
        "Fifteen small sets, 5x2cv",
        sets.SMALL,
        sets.QUICK_SMALL,
        (
            learners.OURS,
            learners.LMDT91,
            learners.LMDT93,
            learners.CART,
            learners.LOGISTIC,
            learners.LMT,
            learners.FT,
        ),
        {"lmt": (84.0, 3.3), "ft": (83.3, 5.3), "logistic": (83.0, 1.0), "cart": (80.8, 28.0)},
    ),
    Comparison(
        "larger11",
        "Eleven larger sets, 5x2cv",
        sets.LARGER,
        sets.QUICK_LARGER,
        (
            learners.OURS,
            learners.CART,
            learners.LOGISTIC,
            learners.LMDT91,
            learners.LMDT93,
        ),
        {},
    ),
)


def measure(comparison: Comparison, arguments: Namespace) -> dict[str, Any]:
    """Run what is not known yet and return all figures of the section."""
    plan = Plan(
        comparison.section,
        comparison.quick_sets if arguments.quick else comparison.sets,
        1 if arguments.quick else N_REPETITIONS,
        arguments.fresh,
        comparison.load,
        comparison.experiment,
    )
    known, notes = run_learners(plan, comparison.learners, arguments.learner)
    runs = {learner.name: known.get(learner.name, {}) for learner in comparison.learners}
    first = comparison.learners[0].name
    return {
        "sets": plan.sets,
        "repetitions": plan.n_repetitions,
        "first": first,
        "notes": notes,
        "earlier": comparison.earlier,
        "learners": {name: _figures(runs[name], runs[first], plan.sets) for name in runs},
    }


def _figures(runs: Runs, first: Runs, names: tuple[str, ...]) -> dict[str, Any]:
    accuracy = {name: _percent(mean_of(runs, name, "accuracy")) for name in names}
    verdicts = {name: compare(first, runs, name) for name in names}
    winners = [verdict.winner(SIGNIFICANCE) for verdict in verdicts.values() if verdict is not None]
    return {
        "accuracy": accuracy,
        "mean": _mean(accuracy.values()),
        "decisions": _mean(mean_of(runs, name, "decisions") for name in names),
        "seconds": _mean(mean_of(runs, name, "seconds") for name in names),
        "p": {name: verdict and verdict.p_value for name, verdict in verdicts.items()},
        "winner": {
            name: verdict and verdict.winner(SIGNIFICANCE) for name, verdict in verdicts.items()
        },
        "first is better": winners.count(1) if winners else None,
        "first is worse": winners.count(-1) if winners else None,
    }


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _mean(values: Any) -> float | None:
    """Return the mean if all values are known."""
    values = list(values)
    return None if None in values else float(np.mean(values))


def as_text(report: dict[str, Any], title: str) -> str:
    """Write the table of a section."""
    of, first = report["learners"], report["first"]
    if report["repetitions"] < N_REPETITIONS:
        title += f", here {report['repetitions']} of {N_REPETITIONS} halvings"
    lines = [title, f"{'':28}" + "".join(f"{name:>11}" for name in of)]
    for name in report["sets"]:
        lines.append(_row(name, [_accuracy(of[learner], name) for learner in of]))
    for key, label, digits in MEANS:
        lines.append(_row(label, [_number(own[key], digits) for own in of.values()]))
    lines += _earlier_rows(report)
    for verdict in ("better", "worse"):
        counts = [own[f"first is {verdict}"] if name != first else None for name, own in of.items()]
        lines.append(_row(f"{first} significantly {verdict}", [_number(n, 0) for n in counts]))
    lines.append(f"+ {first} is significantly better, - significantly worse: 5x2cv F test, 5 %")
    return "\n".join(lines + report["notes"])


def _earlier_rows(report: dict[str, Any]) -> list[str]:
    earlier = report["earlier"]
    if not earlier:
        return []
    pairs = [earlier.get(name, (None, None)) for name in report["learners"]]
    return [
        _row("accuracy, an earlier run", [_number(pair[0]) for pair in pairs]),
        _row("all nodes, an earlier run", [_number(pair[1]) for pair in pairs]),
    ]


def _row(label: str, cells: list[str]) -> str:
    return f"{label:28}" + "".join(f"{cell:>11}" for cell in cells)


def _accuracy(own: dict[str, Any], name: str) -> str:
    mark = {1: "+", -1: "-"}.get(own["winner"][name], " ")
    return _number(own["accuracy"][name])[:-1] + mark


def _number(value: float | None, digits: int = 2) -> str:
    """Write a number, and one blank for a mark."""
    return ". " if value is None else f"{value:.{digits}f} "
