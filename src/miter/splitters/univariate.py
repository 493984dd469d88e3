"""Tests of one column: ID3, C4.5 and their neighbours.

*Lecture 3: Decision Tree Learning* (2D5362): ID3, information gain, gain ratio, attribute costs,
thresholds, missing values. Yildiz and Alpaydin, *Univariate and Multivariate Decision Trees*,
section 1. Quinlan 1986 and 1993; Fayyad and Irani 1993.

Differs from the papers:

- The gain ratio chooses among columns with at least the average gain, and the threshold of a column
  by gain, both as C4.5 does; the lecture gives only the ratio.
- The 'most common value' of a number is its median, which lies on the larger side of any threshold.
- Where the class decides what a missing value becomes, a row to predict, which has none yet, takes
  the most common value of the node.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from miter import core
from miter.checks import check_choice, check_mapping, check_number
from miter.criteria import CRITERIA
from miter.data.schema import Schema
from miter.data.table import Data
from miter.errors import did_you_mean
from miter.level import Level, table_of
from miter.splits import PackedSplits
from miter.splitters.filling import Filling
from miter.splitters.splitter import FoundSplits, LevelFinder, Splitter

__all__ = ["UnivariateSplitter"]

#: In the order of `enum class Missing` in src/core/univariate.hpp; the last is not known there:
#: rows are filled before they are searched.
MISSING = ("node", "class", "fractions", "training")
THRESHOLDS = ("auto", "exact", "histogram")
NUMERIC = ("threshold", "intervals")
SYMBOLIC = ("values", "groups")

HISTOGRAM_BINS = 255
#: From this many rows on "auto" searches quantiles: there the best of 255 costs no accuracy.
HISTOGRAM_ROWS = 100_000


@dataclass(frozen=True)
class UnivariateSplitter(Splitter):
    """Finds the column and threshold, or the column whose values, divide the classes best.

    Parameters
    ----------
    criterion : {"gain", "normalised_gain", "gain_ratio", "gini", "tan_schlimmer", "nunez"}
        What to maximise: information gain; gain divided by log2 of the number of values (MLC++);
        gain divided by split information, among columns with at least average gain (C4.5); the
        decrease of the Gini index; and with costs of attributes gain^2 / cost (Tan and Schlimmer)
        and (2^gain - 1) / (cost + 1)^w (Nunez).
    numeric : {"threshold", "intervals"}
        Numbers: one threshold, or Fayyad and Irani's several cuts by description length.
    symbolic : {"values", "groups"}
        Symbols: a branch for each value, or two groups of values.
    missing : {"fractions", "node", "class", "training"}
        A row with a missing value: a fraction of it to each branch, in proportion to the rows that
        have a value; or it counts as the most common value at the node; or as the most common value
        of its class at the node; or as the mean of a number and the most common value of a symbol
        among all training rows.
    thresholds : {"auto", "exact", "histogram"}
        Search all thresholds, or 255 quantiles of each column; by itself from 100,000 rows on.
    attribute_costs : mapping of column name to cost, optional
        For "tan_schlimmer" and "nunez"; columns not named cost 1.
    cost_weight : float
        The exponent w of "nunez", 0 to 1.

    Examples
    --------
    >>> from miter.data import play_tennis
    >>> from miter.splitters import UnivariateSplitter
    >>> scores = UnivariateSplitter(criterion="gain").rank_columns(play_tennis())
    >>> {name: round(gain, 3) for name, gain in scores.items()}
    {'Outlook': 0.247, 'Humidity': 0.152, 'Temp.': 0.064, 'Wind': 0.048}
    """

    criterion: str = "gain_ratio"
    numeric: str = "threshold"
    symbolic: str = "values"
    missing: str = "fractions"
    thresholds: str = "auto"
    attribute_costs: Mapping[str, float] | None = None
    cost_weight: float = 1.0

    def __post_init__(self) -> None:
        check_choice("criterion", self.criterion, CRITERIA)
        check_choice("numeric", self.numeric, NUMERIC)
        check_choice("symbolic", self.symbolic, SYMBOLIC)
        check_choice("missing", self.missing, MISSING)
        check_choice("thresholds", self.thresholds, THRESHOLDS)
        check_mapping("attribute_costs", self.attribute_costs, "a mapping of columns to costs")
        for name, cost in (self.attribute_costs or {}).items():
            check_number(f"attribute_costs of {name!r}", cost, above=0)
        check_number("cost_weight", self.cost_weight, least=0, most=1)

    @property
    def asks_of_all_rows(self) -> bool:
        """Whether means and most common values of all training rows are wanted."""
        return self.missing == "training"

    def begin(self, data: Data, min_leaf: float, n_threads: int) -> LevelFinder:
        """Code the columns once; then search all nodes of a level at a time."""
        filling = Filling.of(data) if self.missing == "training" else None
        search = self._search(data, filling, min_leaf, n_threads)
        importance = data.importance()

        def find(level: Level) -> FoundSplits:
            if importance is not None:
                level = level.emphasised(importance)
            packed, of_class = search.find(level.native)
            splits = PackedSplits(*packed)
            return FoundSplits(splits if filling is None else filling.fold_all(splits), of_class)

        return find

    def rank_columns(self, data: Data) -> dict[str, float]:
        """Return what each column is worth at the root by the criterion, the best first.

        Columns that cannot divide the rows are left out.
        """
        filling = Filling.of(data) if self.missing == "training" else None
        search = self._search(data, filling, 0.0, 1)
        scores = search.scores(Level.root(data).native)[0]
        order = np.argsort(-scores, kind="stable")
        names = data.schema.names
        return {names[c]: float(scores[c]) for c in order if not np.isnan(scores[c])}

    def _search(
        self, data: Data, filling: Filling | None, min_leaf: float, n_threads: int
    ) -> core.UnivariateSearch:
        data = data if filling is None else filling.fill(data)
        histogram = self.thresholds == "histogram" or (
            self.thresholds == "auto" and data.n_rows >= HISTOGRAM_ROWS
        )
        options = core.UnivariateOptions(
            criterion=CRITERIA.index(self.criterion),
            missing=MISSING.index("fractions" if filling is not None else self.missing),
            intervals=self.numeric == "intervals",
            groups=self.symbolic == "groups",
            min_leaf=min_leaf,
            column_costs=self._column_costs(data.schema).tolist(),
            cost_weight=self.cost_weight,
            max_codes=HISTOGRAM_BINS if histogram else 0,
        )
        return core.UnivariateSearch(table_of(data), options, n_threads)

    def _column_costs(self, schema: Schema) -> NDArray[np.float64]:
        costs = np.ones(schema.n_columns)
        for name, cost in (self.attribute_costs or {}).items():
            if name not in schema.names:
                raise ValueError(
                    f"attribute_costs names {name!r}, which is not a column; "
                    + did_you_mean(name, schema.names)
                )
            costs[schema.names.index(name)] = cost
        return costs
