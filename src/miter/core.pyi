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

class Table:
    def __init__(
        self,
        X: NDArray[Any],
        y: NDArray[np.int32],
        costs: NDArray[np.float64] | None,
        n_classes: int,
        n_values: list[int],
    ) -> None: ...

class Level:
    def __init__(
        self,
        rows: NDArray[np.int32],
        weights: NDArray[np.float64] | None,
        start: NDArray[np.int64],
        counts: NDArray[np.float64],
        allowed: NDArray[np.uint8] | None,
        seed: int,
        n_threads: int,
    ) -> None: ...

class Splits:
    def __init__(
        self,
        kind: NDArray[np.uint8],
        int_start: NDArray[np.int64],
        ints: NDArray[np.int32],
        real_start: NDArray[np.int64],
        reals: NDArray[np.float64],
        n_branches: NDArray[np.int32],
        n_values: list[int],
    ) -> None: ...
    def influences(
        self, X: NDArray[Any], rows: NDArray[np.int32], start: NDArray[np.int64], n_threads: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]: ...

# Fields of options are set by keywords; those not named keep their defaults.
class UnivariateOptions:
    def __init__(
        self,
        *,
        criterion: int = ...,
        missing: int = ...,
        intervals: bool = ...,
        groups: bool = ...,
        min_leaf: float = ...,
        column_costs: list[float] = ...,
        cost_weight: float = ...,
        max_codes: int = ...,
    ) -> None: ...

class MachineOptions:
    def __init__(
        self,
        *,
        l2: float = ...,
        temperatures: list[float] = ...,
        bent: bool = ...,
        max_iterations: int = ...,
        tolerance: float = ...,
        max_rows: int = ...,
        eliminate: bool = ...,
        max_columns: int = ...,
        folds: int = ...,
    ) -> None: ...

class ThermalOptions:
    def __init__(
        self,
        *,
        in_passes: bool = ...,
        a: float = ...,
        b: float = ...,
        keep_best: bool = ...,
        eliminate: int = ...,
        delta: float = ...,
        early_start: float = ...,
    ) -> None: ...

class SparseOptions:
    def __init__(
        self,
        *,
        max_terms: int = ...,
        n_conditions: int = ...,
        events: float = ...,
        l2: float = ...,
        min_leaf: float = ...,
        max_rows: int = ...,
    ) -> None: ...

class CombinationOptions:
    def __init__(
        self,
        *,
        gini: bool = ...,
        deletion: float = ...,
        n_init: int = ...,
        l2: float = ...,
        max_rounds: int = ...,
        tolerance: float = ...,
        min_leaf: float = ...,
        max_rows: int = ...,
    ) -> None: ...

class IcaOptions:
    def __init__(
        self,
        *,
        rule: int = ...,
        cut: int = ...,
        must_gain: list[float] = ...,
        stop: bool = ...,
        max_density: float = ...,
        n_init: int = ...,
        max_rows: int = ...,
        min_leaf: float = ...,
        n_labels: int = ...,
        emphasis: float = ...,
    ) -> None: ...

class GradientOptions:
    def __init__(self, *, rate: float = ..., epochs: int = ...) -> None: ...

class ColumnScales:
    def __init__(self, *, low: list[float] = ..., range: list[float] = ...) -> None: ...

class UnitOptions:
    def __init__(
        self,
        *,
        n_hidden: int = ...,
        least_hidden: int = ...,
        most_hidden: int = ...,
        l2: list[float] = ...,
        n_init: int = ...,
        max_iterations: int = ...,
        tolerance: float = ...,
        by_gradient: bool = ...,
        gradient: GradientOptions = ...,
        scales: ColumnScales = ...,
        max_rows: int = ...,
    ) -> None: ...

class UnivariateSearch:
    def __init__(self, table: Table, options: UnivariateOptions, n_threads: int) -> None: ...
    def find(self, level: Level) -> tuple[Packed, NDArray[np.int32] | None]: ...
    def scores(self, level: Level) -> NDArray[np.float64]: ...

def find_random_cuts(table: Table, level: Level, min_leaf: float) -> Packed: ...
def find_machines(table: Table, level: Level, options: MachineOptions) -> Packed: ...
def find_thermal_machines(
    table: Table,
    level: Level,
    seeds: NDArray[np.uint64],
    t_quantiles: NDArray[np.float64],
    options: ThermalOptions,
) -> Packed: ...

# The splits, and of each its node, its number of terms, and the bits that it gains.
def find_sparse_tests(
    table: Table, level: Level, options: SparseOptions
) -> tuple[Packed, NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]: ...
def find_combinations(table: Table, level: Level, options: CombinationOptions) -> Packed: ...
def find_ica_splits(table: Table, level: Level, options: IcaOptions) -> Packed: ...

# The splits, the groups, and of every node the penalty, the loss and the number of weights.
def find_units(
    table: Table,
    level: Level,
    groups: NDArray[np.uint8] | None,
    exchange: bool,
    options: UnitOptions,
) -> tuple[
    Packed, NDArray[np.uint8], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]
]: ...

# Nodes x repeats x parts.
def part_errors(
    table: Table,
    level: Level,
    groups: NDArray[np.uint8],
    l2: NDArray[np.float64],
    first: NDArray[np.int32],
    spread: NDArray[np.int32],
    n_parts: int,
    options: UnitOptions,
) -> NDArray[np.float64]: ...

class TreeTrainingOptions:
    def __init__(
        self,
        *,
        l2: float = ...,
        smoothing: float = ...,
        n_batches: int = ...,
        seed: int = ...,
        n_threads: int = ...,
    ) -> None: ...

class TreeTraining:
    def __init__(
        self,
        table: Table,
        splits: Splits,
        share: NDArray[np.float64],
        probability: NDArray[np.float64],
        rows: NDArray[np.int32],
        start: NDArray[np.int64],
        weights: NDArray[np.float64] | None,
        importance: NDArray[np.float64] | None,
        options: TreeTrainingOptions,
    ) -> None: ...
    def run_pass(self, rate: float) -> float: ...
    def splits(self) -> Packed: ...

class Routing:
    @property
    def counts(self) -> NDArray[np.float64]: ...
    @property
    def losses(self) -> NDArray[np.float64] | None: ...

def route_level(
    table: Table, level: Level, splits: Splits, missing_of_class: NDArray[np.int32] | None
) -> Routing: ...
def move_rows(
    routing: Routing, level: Level, is_open: NDArray[np.uint8]
) -> tuple[NDArray[np.int32], NDArray[np.float64] | None, NDArray[np.int64]]: ...

# The branch of every entry; entries of branches, and those shared out of nodes; then, in whole
# numbers, counts of branches, counts shared out of nodes, and the same of losses.
def tally_level(
    table: Table,
    level: Level,
    splits: Splits,
    missing_of_class: NDArray[np.int32] | None,
    weight_scale: float,
    cost_scale: float,
) -> tuple[
    NDArray[np.int32],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64] | None,
    NDArray[np.int64] | None,
]: ...
def move_tallied(
    level: Level,
    branch: NDArray[np.int32],
    n_branches: NDArray[np.int32],
    share: NDArray[np.float64],
    is_open: NDArray[np.uint8],
) -> tuple[NDArray[np.int32], NDArray[np.float64] | None, NDArray[np.int64]]: ...

class Router:
    def __init__(self, splits: Splits, share: NDArray[np.float64]) -> None: ...
    def end_nodes(
        self, X: NDArray[Any], follow_largest: bool, n_threads: int
    ) -> NDArray[np.int32]: ...
    def blend(
        self, X: NDArray[Any], values: NDArray[np.float64], n_threads: int
    ) -> NDArray[np.float64]: ...
    def count(self, table: Table, weights: NDArray[np.float64] | None) -> NDArray[np.float64]: ...
    def tally(
        self, table: Table, weights: NDArray[np.float64] | None, scale: float
    ) -> NDArray[np.int64]: ...
    def paths(self, X: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int32]]: ...

# Values and their variances, rows x columns x width, and how many pairs of rows were sampled.
def attribute(
    tree: Router,
    X: NDArray[Any],
    background: NDArray[Any],
    values: NDArray[np.float64],
    max_states: int,
    n_draws: int,
    seed: int,
    n_threads: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64], int]: ...
def read_delimited(
    text: NDArray[np.uint8],
    separator: str,
    decimal: str,
    places: list[int],
    width: int,
    missing: list[str],
    skip: int,
) -> tuple[
    NDArray[np.float64],
    list[tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int8]]],
    NDArray[np.uint8],
    int,
]: ...
def end_of_records(text: NDArray[np.uint8], separator: str) -> int: ...
