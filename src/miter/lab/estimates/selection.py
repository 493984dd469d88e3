"""Which columns a learner does best with: the wrapper model.

*Lecture 3: Decision Tree Learning* (2D5362), 'Wrapper Model', after John, Kohavi and Pfleger 1994,
*Irrelevant features and the subset selection problem*: the learner itself, cross-validated, says
how good a set of columns is.

Differs from the lecture: backward, a column goes if nothing is lost without it, so that of two sets
of columns as good as each other the smaller one wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.parallel import Parallel, delayed

from miter.data.table import Data
from miter.errors import DataError, did_you_mean
from miter.lab.estimates.adapter import fit_on, predict_codes
from miter.lab.estimates.resampling import Partition, Resampling, parse_resampling

__all__ = ["Selection", "SelectionStep", "select_features"]

DIRECTIONS = ("forward", "backward")

#: Mean accuracies that agree to as many digits differ by rounding errors only.
DIGITS = 12


@dataclass(frozen=True)
class SelectionStep:
    """One station of the way to the best columns.

    Parameters
    ----------
    columns : tuple of str
        The columns that are in, in the order of the table.
    changed : str or None
        The column that came in or went out; None at the start.
    accuracy : float
        Mean of the runs; that of the most common class where no column is in.
    deviation : float
        Standard deviation of this mean; 0 for a single run.

    Examples
    --------
    >>> from miter.lab import SelectionStep
    >>> print(SelectionStep(("a1", "a5"), "a5", 0.912, 0.013))
    91.20% +- 1.30%  a5: a1, a5
    """

    columns: tuple[str, ...]
    changed: str | None
    accuracy: float
    deviation: float

    def __str__(self) -> str:
        columns = ", ".join(self.columns) or "no columns"
        changed = "start" if self.changed is None else self.changed
        return f"{self.accuracy:.2%} +- {self.deviation:.2%}  {changed}: {columns}"


@dataclass(frozen=True)
class Selection:
    """The columns chosen, and the way there. `str` gives a line a step.

    Parameters
    ----------
    direction : {"forward", "backward"}
        Whether columns came in or went out.
    path : tuple of SelectionStep
        From the start to the columns chosen.

    Examples
    --------
    >>> from miter.lab import Selection, SelectionStep
    >>> start, step = SelectionStep((), None, 0.5, 0.0), SelectionStep(("a5",), "a5", 0.75, 0.02)
    >>> Selection("forward", (start, step)).names
    ('a5',)
    """

    direction: str
    path: tuple[SelectionStep, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The columns chosen, in the order of the table."""
        return self.path[-1].columns

    @property
    def accuracy(self) -> float:
        """The accuracy with the columns chosen; the search makes it a little too high."""
        return self.path[-1].accuracy

    def apply(self, data: Data) -> Data:
        """Return the rows with the columns chosen only; the others count as ignored."""
        return _take_columns(data, self.names)

    def __str__(self) -> str:
        return "\n".join(map(str, self.path))


def select_features(
    estimator: Any,
    data: Data,
    direction: Literal["forward", "backward"] = "forward",
    cv: Resampling | str = "5-fold",
    n_features: int | Literal["best"] = "best",
    seed: int = 0,
    n_workers: int | None = None,
) -> Selection:
    """Choose columns by the accuracy that a learner reaches with them.

    Forward, the column that helps most comes in, one after the other; backward, the column that is
    missed least goes out. A symbol is one column, whatever its values.

    Parameters
    ----------
    estimator : classifier
        One of Miter or of scikit-learn, not fitted; see `miter.lab.adapter.fit_on`.
    data : Data
        Rows with their classes.
    direction : {"forward", "backward"}
        Start with no columns, or with all.
    cv : Resampling or str
        How accuracy is measured; see `miter.lab.parse_resampling`. All columns are tried on the
        same parts of the rows.
    n_features : int or "best"
        "best": stop when no column brings accuracy up, or, backward, when every column would be
        missed. A number: go on to as many columns.
    seed : int
        Divides the rows.
    n_workers : int, optional
        Processes that fit at the same time, -1 for as many as there are cores; None for one, or
        what `joblib.parallel_config` says. The choice does not depend on it.

    Returns
    -------
    Selection
        The columns and the path to them.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import monks
    >>> from miter.lab import select_features
    >>> selection = select_features(id3(), monks(1), "backward")
    >>> selection.names
    ('a1', 'a2', 'a5')
    """
    _check_request(data, direction, n_features)
    resampling = parse_resampling(cv) if isinstance(cv, str) else cv
    partitions = resampling.splits(data.labels, seed)
    start = () if direction == "forward" else data.schema.names
    with Parallel(n_jobs=n_workers) as parallel:
        measure = partial(_measure, parallel, estimator, data, partitions)
        path = measure({None: start})
        while len(path[-1].columns) != n_features:
            steps = measure(_next_columns(path[-1].columns, data.schema.names, direction))
            best = max(steps, key=_rounded_accuracy, default=None)
            if best is None or (n_features == "best" and not _is_gain(path[-1], best)):
                break
            path.append(best)
    return Selection(direction, tuple(path))


def _check_request(data: Data, direction: str, n_features: int | str) -> None:
    if direction not in DIRECTIONS:
        raise ValueError(f"direction is {direction!r}; {did_you_mean(str(direction), DIRECTIONS)}")
    n_columns = data.schema.n_columns
    if n_features != "best" and n_features not in range(1, n_columns + 1):
        raise ValueError(f"n_features is {n_features!r}; give 'best', or a number 1 to {n_columns}")


def _next_columns(
    columns: tuple[str, ...], names: tuple[str, ...], direction: str
) -> dict[str | None, tuple[str, ...]]:
    """Return, by the column that would come in or go out, the columns there would be then."""
    if direction == "forward":
        inside = {*columns}
        return {
            new: tuple(name for name in names if name in inside or name == new)
            for new in names
            if new not in inside
        }
    return {old: tuple(name for name in columns if name != old) for old in columns}


def _measure(
    parallel: Parallel,
    estimator: Any,
    data: Data,
    partitions: Sequence[Partition],
    candidates: Mapping[str | None, tuple[str, ...]],
) -> list[SelectionStep]:
    """Try sets of columns, each on all partitions."""
    runs = parallel(
        delayed(_accuracies)(estimator, _take_columns(data, columns), partitions)
        for columns in candidates.values()
    )
    return [
        SelectionStep(columns, changed, float(run.mean()), _deviation_of_mean(run))
        for (changed, columns), run in zip(candidates.items(), runs, strict=True)
    ]


def _accuracies(estimator: Any, data: Data, partitions: Sequence[Partition]) -> NDArray[np.float64]:
    accuracies = []
    for train, test in partitions:
        predicted = predict_codes(fit_on(estimator, data.take(train)), data.take(test))
        accuracies.append(float((predicted == data.labels[test]).mean()))
    return np.array(accuracies)


def _deviation_of_mean(run: NDArray[np.float64]) -> float:
    return float(run.std(ddof=1)) / sqrt(len(run)) if len(run) > 1 else 0.0


def _rounded_accuracy(step: SelectionStep) -> float:
    """Return the accuracy to as many digits as count, so that of equals the first is taken."""
    return round(step.accuracy, DIGITS)


def _is_gain(last: SelectionStep, step: SelectionStep) -> bool:
    gain = _rounded_accuracy(step) - _rounded_accuracy(last)
    return gain > 0 or (gain == 0 and len(step.columns) < len(last.columns))


def _take_columns(data: Data, names: Sequence[str]) -> Data:
    known = data.schema.names
    for name in names:
        if name not in known:
            raise DataError(f"the rows have no column {name!r}; {did_you_mean(name, known)}")
    places = [known.index(name) for name in names]
    schema = replace(
        data.schema,
        columns=tuple(data.schema.columns[place] for place in places),
        ignored=(*data.schema.ignored, *(name for name in known if name not in names)),
    )
    return replace(data, schema=schema, X=data.X[:, places])
