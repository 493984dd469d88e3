"""What the report of a comparison says, as one plain dictionary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from miter.errors import DataError
from miter.lab import MEASURES, Results, compare
from miter.lab.comparisons.comparison import Comparison
from miter.reporting.origin import versions
from miter.reporting.plain import few_digits
from miter.show.colours import CLASS_COLOURS

__all__ = ["contents_of_results"]

#: Every learner can be the one that others are held against, up to this number; then the first.
MOST_REFERENCES = 12
#: So many failed runs are told of one by one.
MOST_FAILURES = 50


def contents_of_results(results: Results, *, title: str = "") -> dict[str, Any]:
    """Return what the report of an experiment says.

    Parameters
    ----------
    results : Results
        What `miter.lab.run` returned, or `read_results` read.
    title : str
        What stands above the page.

    Examples
    --------
    >>> from miter.data import monks
    >>> from miter.lab import Experiment, run
    >>> from miter.reporting.results import contents_of_results
    >>> results = run(Experiment({"monks-1": monks(1)}, ["id3", "DummyClassifier"]))
    >>> contents_of_results(results)["summary"][0]
    '2 learners on 1 set, 5x2: 20 runs.'
    """
    known = [name for name in MEASURES if _is_known(results, name)]
    if not known:
        raise DataError("no run of these results was finished, so there is nothing to compare")
    failed = results.failed()
    return {
        "kind": "comparison",
        "title": title or "Learners compared",
        "summary": _summary(results),
        "sets": [_set(results, item) for item in results.experiment["sets"]],
        "learners": [
            {
                "name": item["name"],
                "class": item["class"],
                "parameters": ", ".join(f"{k} = {v}" for k, v in item["parameters"].items()),
            }
            for item in results.experiment["learners"]
        ],
        "measures": {name: _measure(results, name) for name in known},
        "colours": list(CLASS_COLOURS),
        "failures": [
            f"{run.learner} on {run.set}, part {run.repeat + 1}.{run.fold + 1}: {run.error}"
            for run in failed[:MOST_FAILURES]
        ],
        "n_failed": len(failed),
        "origin": _origin(results),
    }


def _is_known(results: Results, name: str) -> bool:
    if name == "cost" and not results.has_costs:
        return False
    return bool(MEASURES[name].values(results))


def _summary(results: Results) -> list[str]:
    n_sets, n_learners = len(results.sets), len(results.learners)
    said = [
        f"{n_learners} learner{'s' * (n_learners != 1)} on {n_sets} set{'s' * (n_sets != 1)}, "
        f"{results.resampling}: {len(results):,} runs."
    ]
    if results.failed():
        said.append(f"{len(results.failed()):,} of them failed.")
    verdicts = compare(results).friedman
    if verdicts is not None:
        chance = verdicts[1].p_value
        said.append(
            "Over all sets the learners differ in accuracy by more than chance "
            f"(Iman and Davenport, p = {chance:.2g})."
            if chance < 0.05
            else "Over all sets chance alone could explain how their accuracies differ "
            f"(Iman and Davenport, p = {chance:.2g})."
        )
    return said


def _set(results: Results, item: dict[str, Any]) -> dict[str, Any]:
    run = next((run for run in results if run.set == item["name"]), None)
    n_rows = None if run is None else run.n_train + run.n_test
    return {"name": item["name"], "rows": n_rows, "hash": item["hash"]}


def _measure(results: Results, name: str) -> dict[str, Any]:
    """Return means, runs and ranks by a measure, and the tests against each learner."""
    measure = MEASURES[name]
    references = results.learners if len(results.learners) <= MOST_REFERENCES else ()
    comparisons = [compare(results, name, one) for one in references or results.learners[:1]]
    first = comparisons[0]
    verdicts = first.friedman
    return {
        "title": measure.title,
        "digits": measure.digits,
        "higher_is_better": measure.higher_is_better,
        "means": [[mean.mean for mean in row] for row in first.means],
        "deviations": [[mean.deviation for mean in row] for row in first.means],
        "failed": [[mean.n_failed for mean in row] for row in first.means],
        "overall": list(first.overall),
        "ranks": list(first.ranks),
        "critical_difference": first.critical_difference,
        "friedman": None if verdicts is None else verdicts[1].p_value,
        "runs": [
            [_scaled(results, name, place, learner) for learner in results.learners]
            for place in results.sets
        ],
        "tests": {comparison.reference: _tests(comparison) for comparison in comparisons},
    }


def _scaled(results: Results, name: str, place: str, learner: str) -> Sequence[Any]:
    measure = MEASURES[name]
    values = measure.values(results.of(place, learner))
    return few_digits((np.array(values, float) * measure.scale).tolist(), 5)


def _tests(comparison: Comparison) -> dict[str, Any]:
    return {
        "test": comparison.test_name,
        "winners": [[mean.winner for mean in row] for row in comparison.means],
        "p_values": [[mean.p_value for mean in row] for row in comparison.means],
        "wins": [None if one is None else list(one) for one in comparison.wins_ties_losses],
    }


def _origin(results: Results) -> dict[str, Any]:
    run = results.runs[0]
    return {
        "resampling": results.resampling,
        "seed": str(results.experiment["seed"]),
        "run_with": {
            "Miter": run.miter_version,
            "Python": run.python_version,
            "NumPy": run.numpy_version,
            "scikit-learn": run.sklearn_version,
        },
        "versions": versions(),
    }
