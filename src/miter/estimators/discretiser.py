"""Numbers into intervals: Fayyad and Irani's multi-interval cut as a transformer.

Fayyad and Irani 1993, *Multi-interval discretization of continuous-valued attributes for
classification learning*; cited by *Lecture 3: Decision Tree Learning* (2D5362).
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from miter.data.frames import from_frame
from miter.data.schema import Schema
from miter.data.table import Data
from miter.level import Level
from miter.splits import Threshold
from miter.splitters import UnivariateSplitter

__all__ = ["IntervalDiscretizer"]


class IntervalDiscretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Cut every column where the classes change, as often as the description length allows.

    A cut is made where the information it gains about the class is worth more bits than it takes to
    describe the cut. A column that says nothing about the class gets no cut and becomes constant.

    Attributes
    ----------
    cuts_ : list of ndarray
        The cuts of each column, ascending. Interval i holds ``cuts[i - 1] < x <= cuts[i]``.
    n_features_in_ : int
        Columns seen in `fit`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from miter import IntervalDiscretizer
    >>> X, y = load_iris(return_X_y=True)
    >>> [len(cuts) for cuts in IntervalDiscretizer().fit(X, y).cuts_]
    [2, 2, 2, 2]
    """

    cuts_: list[NDArray[np.float64]]

    def fit(self, X: Any, y: Any) -> Self:
        """Find the cuts.

        Parameters
        ----------
        X : array of shape (n_rows, n_columns)
            Numbers; missing values may be among them.
        y : sequence
            Class labels.

        Returns
        -------
        self
        """
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None"
            )
        X = self._validate(X, reset=True)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        data = from_frame(X, y)
        self.cuts_ = [_cuts(data, column) for column in range(data.schema.n_columns)]
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Return the number of the interval of every cell; missing stays missing."""
        check_is_fitted(self)
        X = self._validate(X, reset=False)
        result = np.empty(X.shape)
        for column, cuts in enumerate(self.cuts_):
            x = X[:, column]
            result[:, column] = np.where(np.isnan(x), np.nan, np.searchsorted(cuts, x, side="left"))
        return result

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        return tags

    def _validate(self, X: Any, *, reset: bool) -> NDArray[Any]:
        matrix: NDArray[Any] = validate_data(
            self, X, reset=reset, dtype=(np.float64, np.float32), ensure_all_finite="allow-nan"
        )
        return matrix


def _cuts(data: Data, column: int) -> NDArray[np.float64]:
    schema = Schema((data.schema.columns[column],), data.schema.classes)
    alone = Data(schema, data.X[:, [column]], data.y)
    splitter = UnivariateSplitter(criterion="gain", numeric="intervals", thresholds="exact")
    split = splitter.begin(alone, 0.0, 1)(Level.root(alone)).splits[0]
    return np.array(split.cuts if isinstance(split, Threshold) else [])
