"""A comparison in the words and numbers of a table."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from miter.errors import did_you_mean
from miter.lab.comparisons.measures import MEASURES
from miter.lab.comparisons.tables import Entry, Table, to_latex, to_markdown, to_text

if TYPE_CHECKING:
    from miter.lab.comparisons.comparison import Comparison, Mean
    from miter.significance import Verdict

__all__ = ["FORMS", "format_comparison", "number"]

BETTER, WORSE, FAILED = "+", "-", "!"
NOTHING = "."
#: Numbers from here on have no decimals.
LARGE = 1000

Summary = tuple[str, tuple[Entry, ...]]


def format_comparison(comparison: Comparison, form: str = "text", width: int | None = None) -> str:
    """Write a comparison.

    Parameters
    ----------
    comparison : Comparison
        What `compare` returned.
    form : {"text", "markdown", "latex", "csv", "json"}
        The first three are tables for people; where sets have costs, one of these follows that of
        the accuracies. CSV has a line for each learner on each set.
    width : int, optional
        Of the terminal, for text.

    Examples
    --------
    >>> from miter.data import monks
    >>> from miter.lab import Experiment, compare, run
    >>> from miter.lab import format_comparison
    >>> results = run(Experiment({"monks-1": monks(1)}, ["DummyClassifier"], "holdout 0.5"))
    >>> print(format_comparison(compare(results), "csv"))
    set,learner,mean,deviation,n_runs,n_failed,p_value,winner
    monks-1,DummyClassifier,50.0,,1,0,,0
    """
    if form not in FORMS:
        raise ValueError(f"there is no format {form!r}; {did_you_mean(form, FORMS)}")
    if form == "text":
        return _join(comparison, lambda table: to_text(table, width))
    return FORMS[form](comparison)


def _join(comparison: Comparison, write: Callable[[Table], str]) -> str:
    tables = [_tabulate(comparison, _failures(comparison))]
    tables += [_tabulate(other) for other in comparison.also]
    return "\n\n".join(map(write, tables))


def _to_csv(comparison: Comparison) -> str:
    file = io.StringIO()
    rows = [asdict(mean) for row in comparison.means for mean in row]
    writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue().rstrip("\n")


def _to_json(comparison: Comparison) -> str:
    return json.dumps(comparison.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)


#: The ways to write a comparison.
FORMS: dict[str, Callable[[Comparison], str]] = {
    "text": lambda comparison: _join(comparison, to_text),
    "markdown": lambda comparison: _join(comparison, to_markdown),
    "latex": lambda comparison: _join(comparison, to_latex),
    "csv": _to_csv,
    "json": _to_json,
}


def _tabulate(comparison: Comparison, failures: Iterable[str] = ()) -> Table:
    results = comparison.results
    usual = MEASURES[comparison.measure].digits
    digits = [_digits(column, usual) for column in zip(*comparison.means, strict=True)]
    body = (
        (name, _entries(row, digits, comparison))
        for name, row in zip(results.sets, comparison.means, strict=True)
    )
    head = ("set", *results.learners)
    summary, notes = _summary(comparison), (*_notes(comparison), *failures)
    return Table(_title(comparison), head, tuple(body), tuple(summary), notes)


def _digits(column: Sequence[Mean], usual: int) -> int:
    """Return how many decimals the numbers of a column have: none where some are large."""
    return 0 if any((mean.mean or 0) >= LARGE for mean in column) else usual


def _title(comparison: Comparison) -> str:
    n_runs = max(mean.n_runs for row in comparison.means for mean in row)
    what = f"mean ± standard deviation of {n_runs} runs" if n_runs > 1 else "one run"
    results = comparison.results
    return (
        f"{MEASURES[comparison.measure].title}, {what} "
        f"({results.resampling}, seed {results.experiment['seed']})"
    )


def _entries(
    row: Sequence[Mean], digits: Sequence[int], comparison: Comparison
) -> tuple[Entry, ...]:
    values = [mean.mean for mean in row if mean.mean is not None]
    measure = MEASURES[comparison.measure]
    choose = max if measure.higher_is_better else min
    best = number(choose(values), measure.digits) if len(values) > 1 else None
    return tuple(
        # What looks the same is as good.
        _entry(mean, own, mean.mean is not None and number(mean.mean, measure.digits) == best)
        for mean, own in zip(row, digits, strict=True)
    )


def _entry(mean: Mean, digits: int, is_best: bool) -> Entry:
    mark = FAILED if mean.n_failed else {1: BETTER, -1: WORSE, 0: ""}[mean.winner]
    if mean.mean is None:
        return Entry(NOTHING, mark=mark)
    deviation = "" if mean.deviation is None else f"{mean.deviation:.{digits}f}"
    return Entry(f"{mean.mean:.{digits}f}", deviation, mark, is_best)


def _summary(comparison: Comparison) -> Iterator[Summary]:
    if len(comparison.means) > 1:
        yield "mean", _numbers(comparison.overall, MEASURES[comparison.measure].digits)
    if any(rank is not None for rank in comparison.ranks):
        ranks = (NOTHING if rank is None else f"{rank:.2f}" for rank in comparison.ranks)
        yield "mean rank", tuple(map(Entry, ranks))
    counts = comparison.wins_ties_losses
    if any(counts):
        words = (NOTHING if count is None else "/".join(map(str, count)) for count in counts)
        yield "win/tie/loss", tuple(map(Entry, words))
    if comparison.measure == "accuracy":
        yield from _other_measures(comparison)


def _other_measures(comparison: Comparison) -> Iterator[Summary]:
    """Sum up the sizes and times below a table of accuracies."""
    for measure, name in (("nodes", "nodes"), ("fit", "fit in ms")):
        overall = comparison.by(measure).overall
        if any(value is not None for value in overall):
            yield name, _numbers(overall, MEASURES[measure].digits)


def _numbers(values: Sequence[float | None], digits: int) -> tuple[Entry, ...]:
    return tuple(Entry(NOTHING if value is None else number(value, digits)) for value in values)


def _notes(comparison: Comparison) -> Iterator[str]:
    if comparison.test_name is not None:
        yield (
            f"Marks: {BETTER} better, {WORSE} worse than {comparison.reference} "
            f"({comparison.test_name}, level {comparison.level:g})."
        )
    if comparison.friedman is not None:
        yield _say_ranks(comparison, comparison.friedman[0])


def _failures(comparison: Comparison) -> Iterator[str]:
    for row in comparison.means:
        for mean in row:
            if mean.n_failed:
                yield f"{FAILED} {_failure(mean, comparison)}"


def _say_ranks(comparison: Comparison, verdict: Verdict) -> str:
    said = f"Ranks: {verdict.name} gives p = {verdict.p_value:.2g}; "
    if not verdict.is_significant(comparison.level):
        return said + "the learners do not differ significantly."
    return said + (
        f"mean ranks {comparison.critical_difference:.2f} or more apart differ "
        f"(Nemenyi, level {comparison.level:g})."
    )


def _failure(mean: Mean, comparison: Comparison) -> str:
    runs = comparison.results.of(mean.set, mean.learner)
    first = next(run for run in runs if run.error is not None)
    return (
        f"{mean.learner} failed in {mean.n_failed} of {len(runs)} runs on {mean.set}, first in "
        f"repeat {first.repeat}, fold {first.fold}: {first.error}"
    )


def number(value: float, digits: int = 1) -> str:
    """Write a number with some decimals, a large one with none.

    Examples
    --------
    >>> from miter.lab.comparisons.comparison_table import number
    >>> number(94.123), number(0.5261, digits=3), number(12634.2)
    ('94.1', '0.526', '12634')
    """
    return f"{value:.{digits if abs(value) < LARGE else 0}f}"
