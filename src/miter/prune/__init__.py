"""Taking splits out again, one file a method."""

from miter.prune.cost_complexity import CostComplexity
from miter.prune.cross_validated import CrossValidated
from miter.prune.pessimistic import Pessimistic
from miter.prune.pruner import Pruner
from miter.prune.reduced_error import ReducedError

__all__ = ["PRUNERS", "CostComplexity", "CrossValidated", "Pessimistic", "Pruner", "ReducedError"]

#: The methods that can be asked for by name.
PRUNERS: dict[str, type[Pruner]] = {
    "cost_complexity": CostComplexity,
    "cross_validated": CrossValidated,
    "pessimistic": Pessimistic,
    "reduced_error": ReducedError,
}
