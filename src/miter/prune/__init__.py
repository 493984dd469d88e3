"""Taking splits out again, one file a method."""

from miter.prune.cost_complexity import CostComplexity
from miter.prune.cross_validated import CrossValidated
from miter.prune.pessimistic import Pessimistic
from miter.prune.price_per_term import PathTree, PricePerTerm, TreePath
from miter.prune.pruning import NoPruning, Pruning
from miter.prune.reduced_error import ReducedError

__all__ = [
    "PRUNINGS",
    "CostComplexity",
    "CrossValidated",
    "NoPruning",
    "PathTree",
    "Pessimistic",
    "PricePerTerm",
    "Pruning",
    "ReducedError",
    "TreePath",
]

#: The methods that can be asked for by name.
PRUNINGS: dict[str, type[Pruning]] = {
    "cost_complexity": CostComplexity,
    "cross_validated": CrossValidated,
    "pessimistic": Pessimistic,
    "price_per_term": PricePerTerm,
    "reduced_error": ReducedError,
}
