"""Taking splits out again, one file a method."""

from miter.prune.cost_complexity import CostComplexity, cost_complexity_path
from miter.prune.cross_validated import CrossValidated
from miter.prune.cut_to_size import CutToSize
from miter.prune.description import MinimumDescriptionLength
from miter.prune.error_based import ErrorBased
from miter.prune.pessimistic import Pessimistic
from miter.prune.pruning import NoPruning, Pruning
from miter.prune.reduced_error import ReducedError
from miter.prune.same_answer import SameAnswer

__all__ = [
    "PRUNINGS",
    "CostComplexity",
    "CrossValidated",
    "CutToSize",
    "ErrorBased",
    "MinimumDescriptionLength",
    "NoPruning",
    "Pessimistic",
    "Pruning",
    "ReducedError",
    "SameAnswer",
    "cost_complexity_path",
]

#: The methods that can be asked for by name.
PRUNINGS: dict[str, type[Pruning]] = {
    "cost_complexity": CostComplexity,
    "cross_validated": CrossValidated,
    "cut_to_size": CutToSize,
    "error_based": ErrorBased,
    "mdl": MinimumDescriptionLength,
    "pessimistic": Pessimistic,
    "reduced_error": ReducedError,
    "same_answer": SameAnswer,
}
