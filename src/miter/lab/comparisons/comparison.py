"""Which learner is better: means, marks of significance, wins and ranks.

The tables of Yildiz and Alpaydin, *Univariate and multivariate decision trees*, section 4, with
their test, and Demsar's ranks over many sets below them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.checks import check_number
from miter.errors import did_you_mean
from miter.lab.comparisons.comparison_table import format_comparison
from miter.lab.comparisons.many_sets import (
    friedman_test,
    iman_davenport_test,
    mean_ranks,
    nemenyi_critical_difference,
)
from miter.lab.comparisons.measures import MEASURES, Measure
from miter.lab.comparisons.paired_runs import hold_against
from miter.lab.experiments.results import Results, Run
from miter.significance import Verdict

__all__ = ["Comparison", "Mean", "compare"]


@dataclass(frozen=True)
class Mean:
    """What a learner's runs on a set come to.

    Parameters
    ----------
    set, learner : str
        Names.
    mean : float, optional
        In the unit of the measure; None where no run has it.
    deviation : float, optional
        Standard deviation of the runs; None where there are fewer than two.
    n_runs, n_failed : int
        Runs that have the measure, and runs that failed.
    p_value : float, optional
        Of the test against the reference learner; None where it was not made.
    winner : int
        1 if significantly better than the reference learner, -1 if worse, else 0.

    Examples
    --------
    >>> from miter.lab.comparisons.comparison import Mean
    >>> Mean("iris", "c45", 94.1, 1.2, n_runs=10).is_complete
    True
    """

    set: str
    learner: str
    mean: float | None
    deviation: float | None
    n_runs: int
    n_failed: int = 0
    p_value: float | None = None
    winner: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether the mean is one of all runs."""
        return self.n_runs > 0 and self.n_failed == 0


@dataclass(frozen=True, eq=False)
class Comparison:
    """Learners side by side on every set; made by `compare`. `str` gives the table.

    Parameters
    ----------
    results : Results
        What is compared.
    measure : str
        One of `MEASURES`.
    reference : str
        The learner that others are tested against.
    significance : float
        Of significance.
    means : tuple of tuple of Mean
        A row a set, a column a learner.
    test_name : str, optional
        Of the test against the reference; None where none was made.

    Examples
    --------
    See `compare`.
    """

    results: Results
    measure: str
    reference: str
    significance: float
    means: tuple[tuple[Mean, ...], ...]
    test_name: str | None

    @property
    def overall(self) -> tuple[float | None, ...]:
        """The mean over all sets of each learner; None where a set has none."""
        columns = (np.array(column, float) for column in self._columns())
        means = (float(column.mean()) for column in columns)
        return tuple(None if np.isnan(mean) else mean for mean in means)

    @property
    def wins_ties_losses(self) -> tuple[tuple[int, int, int] | None, ...]:
        """Sets on which each learner is better than, as good as, worse than the reference."""
        counts: list[tuple[int, int, int] | None] = []
        for column in zip(*self.means, strict=True):
            winners = [mean.winner for mean in column if mean.p_value is not None]
            one = winners.count(1), winners.count(0), winners.count(-1)
            counts.append(one if winners else None)
        return tuple(counts)

    @property
    def ranks(self) -> tuple[float | None, ...]:
        """The mean rank of each learner that has a mean on every set; None for the others."""
        scores = self._scores
        if scores is None:
            return (None,) * len(self.results.learners)
        is_high = MEASURES[self.measure].higher_is_better
        ranks = iter(mean_ranks(scores, higher_is_better=is_high).tolist())
        return tuple(None if one is None else next(ranks) for one in self.overall)

    @property
    def friedman(self) -> tuple[Verdict, Verdict] | None:
        """Friedman's test and Iman and Davenport's; None for fewer than 3 learners or 2 sets."""
        scores = self._scores
        if scores is None or scores.shape[1] < 3:
            return None
        return friedman_test(scores), iman_davenport_test(scores)

    @property
    def critical_difference(self) -> float | None:
        """By how much mean ranks must differ (Nemenyi); None where Friedman's test is."""
        scores = self._scores
        if scores is None or scores.shape[1] < 3:
            return None
        n_sets, n_learners = scores.shape
        return nemenyi_critical_difference(n_sets, n_learners, self.significance)

    def by(self, measure: str) -> Comparison:
        """Return the same comparison by another measure."""
        return compare(self.results, measure, self.reference, self.significance)

    @property
    def also(self) -> tuple[Comparison, ...]:
        """What is told besides: where sets have costs, these below the accuracies."""
        is_twofold = self.measure == "accuracy" and self.results.has_costs
        return (self.by("cost"),) if is_twofold else ()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        failed = [asdict(run) for run in self.results.failed()]
        also = {other.measure: other._plain_table() for other in self.also}
        return self._plain_table() | also | {"failed": failed}

    def _plain_table(self) -> dict[str, Any]:
        learners = self.results.learners
        counts = self.wins_ties_losses
        return {
            "measure": self.measure,
            "reference": self.reference,
            "significance": self.significance,
            "resampling": self.results.resampling,
            "test": self.test_name,
            "means": [asdict(mean) for row in self.means for mean in row],
            "overall": dict(zip(learners, self.overall, strict=True)),
            "wins_ties_losses": dict(zip(learners, counts, strict=True)),
            "ranks": dict(zip(learners, self.ranks, strict=True)),
            "friedman": None if self.friedman is None else [_plain(v) for v in self.friedman],
            "critical_difference": self.critical_difference,
        }

    def to_text(self, width: int | None = None) -> str:
        """Return the table for a terminal; a `width` too small for it gives several parts."""
        return format_comparison(self, "text", width)

    def to_markdown(self) -> str:
        """Return the table as Markdown."""
        return format_comparison(self, "markdown")

    def to_latex(self) -> str:
        """Return the table for LaTeX."""
        return format_comparison(self, "latex")

    def to_csv(self) -> str:
        """Return the means as CSV, a line for each learner on each set."""
        return format_comparison(self, "csv")

    def __str__(self) -> str:
        return self.to_text()

    def _columns(self) -> list[list[float | None]]:
        return [[mean.mean for mean in column] for column in zip(*self.means, strict=True)]

    @cached_property
    def _scores(self) -> NDArray[np.float64] | None:
        """The means, sets x learners, of learners that have all; None if they are too few."""
        whole = [column for column in self._columns() if None not in column]
        if len(whole) < 2 or len(self.means) < 2:
            return None
        return np.array(whole, float).T


def compare(
    results: Results,
    measure: str = "accuracy",
    reference: str | None = None,
    significance: float = 0.05,
) -> Comparison:
    """Compare the learners of an experiment.

    Every learner is tested against one of them on every set: with 5x2 folds by the combined F
    test, with k folds by the paired t test, with anything repeated by the corrected resampled t
    test. A set on which one of both failed in some run is not tested.

    Parameters
    ----------
    results : Results
        What `run` returned.
    measure : str
        One of `MEASURES`.
    reference : str, optional
        The learner that others are tested against; by default the first.
    significance : float
        Of significance, between 0 and 1.

    Returns
    -------
    Comparison
        Prints as a table.

    Examples
    --------
    >>> from miter.data import monks
    >>> from miter.lab import Experiment, compare, run
    >>> sets = {"monks-1": monks(1), "monks-3": monks(3)}
    >>> results = run(Experiment(sets, ["id3", "DecisionTreeClassifier", "DummyClassifier"]))
    >>> comparison = compare(results)
    >>> comparison.test_name
    'combined 5x2cv F test'
    >>> comparison.means[1][2].winner
    -1
    """
    reference = results.learners[0] if reference is None else reference
    for noun, name, known in (
        ("measure", measure, MEASURES),
        ("learner", reference, results.learners),
    ):
        if name not in known:
            raise ValueError(f"there is no {noun} {name!r}; {did_you_mean(name, known)}")
    if measure == "cost" and not results.has_costs:
        raise ValueError("no set has costs, so there is none to compare by; give the sets costs")
    check_number("significance", significance, above=0, below=1)
    rows = tuple(
        _compare_on(results, name, measure, reference, significance) for name in results.sets
    )
    means = tuple(tuple(mean for mean, _ in row) for row in rows)
    names = (verdict.name for row in rows for _, verdict in row if verdict is not None)
    return Comparison(results, measure, reference, significance, means, next(names, None))


def _compare_on(
    results: Results, set_name: str, measure: str, reference: str, significance: float
) -> list[tuple[Mean, Verdict | None]]:
    held = results.of(set_name, reference)
    row = []
    for learner in results.learners:
        runs = results.of(set_name, learner)
        verdict = None
        if learner != reference:
            verdict = hold_against(runs, held, MEASURES[measure], results.resampling)
        row.append(
            (_mean(set_name, learner, runs, MEASURES[measure], verdict, significance), verdict)
        )
    return row


def _mean(
    set_name: str,
    learner: str,
    runs: tuple[Run, ...],
    measure: Measure,
    verdict: Verdict | None,
    significance: float,
) -> Mean:
    values = np.array(measure.values(runs)) * measure.scale
    return Mean(
        set_name,
        learner,
        mean=float(values.mean()) if len(values) else None,
        deviation=float(values.std(ddof=1)) if len(values) > 1 else None,
        n_runs=len(values),
        n_failed=sum(run.error is not None for run in runs),
        p_value=None if verdict is None else verdict.p_value,
        winner=0 if verdict is None else verdict.winner(significance),
    )


def _plain(verdict: Verdict) -> dict[str, Any]:
    return {
        "test": verdict.name,
        # JSON has no word for the infinite statistic of ranks that never vary.
        "statistic": verdict.statistic if np.isfinite(verdict.statistic) else None,
        "p_value": verdict.p_value,
    }
