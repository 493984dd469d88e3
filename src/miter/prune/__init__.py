"""Taking splits out again, one file a method."""

from miter.prune.cost_complexity import CostComplexity
from miter.prune.cross_validated import CrossValidated
from miter.prune.out_of_bag import OutOfBag
from miter.prune.pessimistic import Pessimistic
from miter.prune.pruning import NoPruning, Pruning
from miter.prune.reduced_error import ReducedError

__all__ = [
    "PRUNINGS",
    "CostComplexity",
    "CrossValidated",
    "NoPruning",
    "OutOfBag",
    "Pessimistic",
    "Pruning",
    "ReducedError",
]

#: The methods that can be asked for by name.
PRUNINGS: dict[str, type[Pruning]] = {
    "cost_complexity": CostComplexity,
    "cross_validated": CrossValidated,
    "out_of_bag": OutOfBag,
    "pessimistic": Pessimistic,
    "reduced_error": ReducedError,
}
