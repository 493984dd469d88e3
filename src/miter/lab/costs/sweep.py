"""What becomes of errors while missing one class gets dearer.

Draper, Brodley and Utgoff 1993, *Goal-directed classification using linear machine decision trees*,
section 4, table 3: a tree is trained for each ratio of what it costs to miss a class to what a
false alarm costs.

Differs from the paper: beside each such tree stands one that was trained without costs and only
answers for them, which tells what training with costs is good for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone

from miter.data.costs import cost_matrix, focus
from miter.data.labels import label_text
from miter.data.schema import Label
from miter.data.table import Data
from miter.errors import DataError, did_you_mean
from miter.lab.estimates.adapter import fit_on, predict_codes, takes_data
from miter.lab.estimates.minimum_cost import MinimumCostClassifier
from miter.lab.estimates.resampling import parse_resampling

__all__ = ["CostSweep", "SweepPoint", "sweep_costs"]

#: Of the paper.
RATIOS = (1, 2, 5, 10, 20, 200)

Matrix = NDArray[np.float64]
Counts = tuple[float, float, float, float]


@dataclass(frozen=True)
class SweepPoint:
    """The errors at one ratio, as means over the runs.

    Parameters
    ----------
    ratio : float
        What it costs to miss a row of the class, where a false alarm costs 1.
    false_negatives, false_positives : float
        Test rows of the class that were missed, and others that were taken for it.
    accuracy : float
        Share of test rows predicted rightly, whatever their class.
    mean_cost : float
        Of a test row.

    Examples
    --------
    >>> from miter.lab import SweepPoint
    >>> SweepPoint(5, 17.8, 53.0, 0.833, 0.11).false_negatives
    17.8
    """

    ratio: float
    false_negatives: float
    false_positives: float
    accuracy: float
    mean_cost: float


@dataclass(frozen=True)
class CostSweep:
    """What `sweep_costs` found. `str` gives a table.

    Parameters
    ----------
    of : label
        The class that is not to be missed.
    others : float
        What it costs to take one of the other classes for another.
    n_runs : int
        How often the rows were divided.
    n_test : float
        Test rows of a run, in the mean.
    trained : tuple of SweepPoint
        Trees trained with the costs, one for each ratio.
    relabelled : tuple of SweepPoint
        One tree trained without costs, that answers for those of each ratio.

    Examples
    --------
    >>> from miter.lab import CostSweep, SweepPoint
    >>> point = SweepPoint(5, 17.8, 53.0, 0.833, 0.11)
    >>> print(CostSweep("road", 0.1, 5, 2052, (point,), (point,)))
    Class road, mean of 5 runs with 2052 test rows; other confusions cost 0.1
    <BLANKLINE>
                                trained with the costs                   only re-labelled for them
        ratio  missed  false alarms  accuracy     cost     missed  false alarms  accuracy     cost
        5 : 1    17.8          53.0    83.30%   0.1100       17.8          53.0    83.30%   0.1100
    """

    of: Label
    others: float
    n_runs: int
    n_test: float
    trained: tuple[SweepPoint, ...]
    relabelled: tuple[SweepPoint, ...]

    @property
    def ratios(self) -> tuple[float, ...]:
        """The ratios, in the order given."""
        return tuple(point.ratio for point in self.trained)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return two dictionaries a ratio: of the trees trained for it, and of the re-labelled."""
        return [
            {"way": way, **asdict(point)}
            for pair in zip(self.trained, self.relabelled, strict=True)
            for way, point in zip(("trained", "relabelled"), pair, strict=True)
        ]

    def __str__(self) -> str:
        runs = "one run" if self.n_runs == 1 else f"mean of {self.n_runs} runs"
        title = (
            f"Class {label_text(self.of)}, {runs} with {self.n_test:.0f} test rows; other "
            f"confusions cost {self.others:g}"
        )
        head = f"{'missed':>8}{'false alarms':>14}{'accuracy':>10}{'cost':>9}"
        width = len(head)
        lines = [
            f"{'':9}{'trained with the costs':>{width}}   {'only re-labelled for them':>{width}}",
            f"{'ratio':>9}{head}   {head}",
        ]
        lines += [
            f"{f'{one.ratio:g} : 1':>9}{_say(one)}   {_say(other)}"
            for one, other in zip(self.trained, self.relabelled, strict=True)
        ]
        return "\n".join([title, "", *lines])


def _say(point: SweepPoint) -> str:
    return (
        f"{point.false_negatives:8.1f}{point.false_positives:14.1f}{point.accuracy:10.2%}"
        f"{point.mean_cost:9.4f}"
    )


def sweep_costs(
    estimator: BaseEstimator,
    data: Data,
    of: Label,
    ratios: Sequence[float] = RATIOS,
    *,
    others: float = 0.1,
    test: Data | None = None,
    resampling: str | None = None,
    seed: int = 0,
) -> CostSweep:
    """Train with costs that make missing a class dearer and dearer, and count the errors.

    Parameters
    ----------
    estimator : TreeClassifier
        What to train; any of Miter's that has a parameter `costs`.
    data : Data
        Rows with labels.
    of : label
        The class.
    ratios : sequence of float
        What it costs to miss a row of the class, where a false alarm costs 1.
    others : float
        What it costs to take one of the other classes for another.
    test : Data, optional
        Test rows. Without them, rows of `data` are held out.
    resampling : str, optional
        How they are; see `miter.lab.parse_resampling`. By default ``"10-fold"``.
    seed : int
        Divides the rows.

    Returns
    -------
    CostSweep
        Means over the runs.

    Examples
    --------
    >>> from miter import UnivariateTreeClassifier
    >>> from miter.data import led
    >>> from miter.lab import sweep_costs
    >>> sweep = sweep_costs(UnivariateTreeClassifier(), led(500), "8", [1, 20], resampling="5-fold")
    >>> cheap, dear = sweep.trained
    >>> dear.false_negatives < cheap.false_negatives, dear.false_positives > cheap.false_positives
    (True, True)
    """
    _check(estimator, ratios)
    own = _find_class(of, data.schema.classes)
    matrices = [cost_matrix(focus(of, ratio, others), data.schema.classes) for ratio in ratios]
    parts = list(_divide(data, test, resampling, seed))
    counts = np.array([_run(estimator, *part, own, matrices) for part in parts]).mean(axis=0)
    n_test = float(np.mean([rest.n_rows for _, rest in parts]))
    points = (_summarise(ratios, way) for way in counts)
    return CostSweep(data.schema.classes[own], float(others), len(parts), n_test, *points)


def _check(estimator: BaseEstimator, ratios: Sequence[float]) -> None:
    is_wrapped = isinstance(estimator, MinimumCostClassifier)
    if is_wrapped or not takes_data(estimator) or "costs" not in estimator.get_params(deep=False):
        raise DataError(
            f"{type(estimator).__name__} cannot be trained with costs; take a tree of Miter, such "
            "as univariate or linear_machine"
        )
    if len(ratios) == 0:
        raise DataError("there are no ratios; give at least one")


def _find_class(of: Label, classes: Sequence[Label]) -> int:
    names = [label_text(label) for label in classes]
    if label_text(of) not in names:
        raise DataError(f"there is no class {of!r}; {did_you_mean(str(of), names)}")
    return names.index(label_text(of))


def _divide(
    data: Data, test: Data | None, resampling: str | None, seed: int
) -> Iterator[tuple[Data, Data]]:
    """Return the training and test rows of every run."""
    if test is not None:
        if resampling is not None:
            raise DataError("there are test rows, so none are held out; leave resampling out")
        yield data, test
        return
    for train, rest in parse_resampling(resampling or "10-fold").splits(data.labels, seed):
        yield data.take(train), data.take(rest)


def _run(
    estimator: BaseEstimator, train: Data, test: Data, own: int, matrices: Sequence[Matrix]
) -> list[list[Counts]]:
    """Count the errors of trees trained for each matrix, and of one re-labelled for each."""
    plain = fit_on(clone(estimator).set_params(costs=None), train)
    trained, relabelled = [], []
    for matrix in matrices:
        fitted = fit_on(clone(estimator).set_params(costs=matrix), train)
        trained.append(_count(predict_codes(fitted, test), test, own, matrix))
        relabelled.append(_count(predict_codes(plain, test, matrix), test, own, matrix))
    return [trained, relabelled]


def _count(codes: NDArray[np.int64], rows: Data, own: int, matrix: Matrix) -> Counts:
    """Return the false negatives and positives of a class, the accuracy and the mean cost."""
    is_own, is_called = rows.labels == own, codes == own
    return (
        float((is_own & ~is_called).sum()),
        float((is_called & ~is_own).sum()),
        float((codes == rows.labels).mean()),
        float(matrix[codes, rows.labels].mean()),
    )


def _summarise(ratios: Sequence[float], means: NDArray[np.float64]) -> tuple[SweepPoint, ...]:
    return tuple(
        SweepPoint(float(ratio), *row) for ratio, row in zip(ratios, means.tolist(), strict=True)
    )
