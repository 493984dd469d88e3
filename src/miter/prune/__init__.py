"""Taking splits out again, one file a method."""

from typing import Any

from miter.checks import check_choice
from miter.errors import did_you_mean
from miter.prune.cost_complexity import CostComplexity, cost_complexity_path
from miter.prune.cross_validated import CrossValidated
from miter.prune.cut_to_size import CutToSize
from miter.prune.description import MinimumDescriptionLength
from miter.prune.error_based import ErrorBased
from miter.prune.pessimistic import Pessimistic
from miter.prune.price_per_term import PathTree, PricePerTerm, TreePath
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
    "PathTree",
    "Pessimistic",
    "PricePerTerm",
    "Pruning",
    "ReducedError",
    "SameAnswer",
    "TreePath",
    "cost_complexity_path",
    "make_pruning",
]

#: The methods that can be asked for by name.
PRUNINGS: dict[str, type[Pruning]] = {
    "cost_complexity": CostComplexity,
    "cross_validated": CrossValidated,
    "cut_to_size": CutToSize,
    "error_based": ErrorBased,
    "mdl": MinimumDescriptionLength,
    "pessimistic": Pessimistic,
    "price_per_term": PricePerTerm,
    "reduced_error": ReducedError,
    "same_answer": SameAnswer,
}


def make_pruning(pruning: Pruning | str | None, **settings: Any) -> Pruning:
    """Return a pruning: one that is given, one by its name and settings, or None for no pruning.

    Examples
    --------
    >>> from miter.prune import make_pruning
    >>> make_pruning("cut_to_size", most=5)
    CutToSize(most=5, of='leaves')
    """
    if pruning is None:
        return NoPruning()
    if isinstance(pruning, Pruning):
        return pruning
    check_choice("pruning", pruning, (*PRUNINGS, None))
    kind = PRUNINGS[pruning]
    known = list(getattr(kind, "__dataclass_fields__", {}))
    for name in settings:
        if name not in known:
            near = did_you_mean(name, known) if known else "it has none"
            raise ValueError(f"pruning {pruning!r} has no setting {name!r}; {near}")
    return kind(**settings)
