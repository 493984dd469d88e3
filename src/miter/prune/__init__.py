"""Taking splits out again, one file a method."""

from miter.prune.pessimistic import Pessimistic
from miter.prune.pruner import Pruner
from miter.prune.reduced_error import ReducedError

__all__ = ["PRUNERS", "Pessimistic", "Pruner", "ReducedError"]

#: The methods that can be asked for by name.
PRUNERS: dict[str, type[Pruner]] = {"pessimistic": Pessimistic, "reduced_error": ReducedError}
