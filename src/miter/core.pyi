"""Types of the native core; what it does is said in src/core."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Packed = tuple[
    NDArray[np.uint8],
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.int64],
    NDArray[np.float64],
    NDArray[np.int32],
]

class UnivariateSearch:
    def __init__(
        self,
        X: NDArray[Any],
        n_values: list[int],
        y: NDArray[np.int32],
        n_classes: int,
        criterion: int,
        missing: int,
        intervals: bool,
        groups: bool,
        min_leaf: float,
        column_costs: list[float],
        cost_weight: float,
        max_codes: int,
        n_threads: int,
    ) -> None: ...
    def find(
        self,
        rows: NDArray[np.int32],
        weights: NDArray[np.float64] | None,
        start: NDArray[np.int64],
        counts: NDArray[np.float64],
        allowed: NDArray[np.uint8] | None,
        by_class: bool,
        n_threads: int,
    ) -> tuple[Packed, NDArray[np.int32] | None]: ...
    def scores(
        self,
        rows: NDArray[np.int32],
        weights: NDArray[np.float64] | None,
        start: NDArray[np.int64],
        counts: NDArray[np.float64],
    ) -> NDArray[np.float64]: ...

def train_thermal(
    values: NDArray[np.float64],
    y: NDArray[np.int32],
    weights: NDArray[np.float64] | None,
    group: NDArray[np.int32],
    n_classes: int,
    n_groups: int,
    costs: NDArray[np.float64] | None,
    options: dict[str, Any],
) -> tuple[NDArray[np.float64], NDArray[np.uint8], float]: ...
def find_machines(
    X: NDArray[Any],
    y: NDArray[np.int32],
    costs: NDArray[np.float64] | None,
    n_classes: int,
    n_values: list[int],
    rows: NDArray[np.int32],
    weights: NDArray[np.float64] | None,
    start: NDArray[np.int64],
    counts: NDArray[np.float64],
    allowed: NDArray[np.uint8] | None,
    options: dict[str, Any],
    n_threads: int,
) -> Packed: ...
def find_ica_splits(
    X: NDArray[Any],
    y: NDArray[np.int32],
    n_classes: int,
    n_values: list[int],
    rows: NDArray[np.int32],
    weights: NDArray[np.float64] | None,
    start: NDArray[np.int64],
    counts: NDArray[np.float64],
    allowed: NDArray[np.uint8] | None,
    options: dict[str, Any],
    n_threads: int,
) -> Packed: ...
def find_combinations(
    X: NDArray[Any],
    y: NDArray[np.int32],
    n_classes: int,
    n_values: list[int],
    rows: NDArray[np.int32],
    weights: NDArray[np.float64] | None,
    start: NDArray[np.int64],
    counts: NDArray[np.float64],
    allowed: NDArray[np.uint8] | None,
    options: dict[str, Any],
    n_threads: int,
) -> Packed: ...

# X, y, n_classes, n_values, the entries of a Level, its allowed columns, groups, options, threads.
# Returns the splits, the groups, and of every node the penalty, the loss and the number of weights.
def find_units(
    *arguments: Any,
) -> tuple[
    Packed,
    NDArray[np.uint8],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.float64],
]: ...

# The same up to the groups, then penalties, parts, n_parts, options, n_threads; nodes x repeats x
# parts.
def part_errors(*arguments: Any) -> NDArray[np.float64]: ...

class Routing:
    @property
    def counts(self) -> NDArray[np.float64]: ...
    @property
    def losses(self) -> NDArray[np.float64] | None: ...
    @property
    def share(self) -> NDArray[np.float64]: ...

# X, y, costs, the entries of a Level, the arrays of PackedSplits, n_branches, n_values,
# missing_of_class, n_threads; mypy cannot follow two unpacked tuples in one call.
def route_level(*arguments: Any) -> Routing: ...
def move_rows(
    routing: Routing,
    rows: NDArray[np.int32],
    weights: NDArray[np.float64] | None,
    start: NDArray[np.int64],
    counts: NDArray[np.float64],
    is_open: NDArray[np.uint8],
    n_threads: int,
) -> tuple[NDArray[np.int32], NDArray[np.float64] | None, NDArray[np.int64]]: ...

class Router:
    def __init__(
        self,
        kind: NDArray[np.uint8],
        int_start: NDArray[np.int64],
        ints: NDArray[np.int32],
        real_start: NDArray[np.int64],
        reals: NDArray[np.float64],
        first_child: NDArray[np.int32],
        n_branches: NDArray[np.int32],
        share: NDArray[np.float64],
        n_values: list[int],
    ) -> None: ...
    def apply(self, X: NDArray[Any], n_threads: int) -> NDArray[np.int32]: ...
    def end_node(self, X: NDArray[Any], n_threads: int) -> NDArray[np.int32]: ...
    def blend(
        self, X: NDArray[Any], values: NDArray[np.float64], n_threads: int
    ) -> NDArray[np.float64]: ...
    def count(
        self,
        X: NDArray[Any],
        y: NDArray[np.int32],
        costs: NDArray[np.float64] | None,
        weights: NDArray[np.float64] | None,
        n_classes: int,
    ) -> NDArray[np.float64]: ...
    def paths(self, X: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int32]]: ...
