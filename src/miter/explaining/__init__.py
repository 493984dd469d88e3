"""Why a row gets its answer, what would change it, and what each column adds to it."""

from miter.explaining.counterfactual import Counterfactual, counterfactual
from miter.explaining.explanation import Explanation, Reason, Step, explain
from miter.explaining.unknown import Question

__all__ = [
    "Counterfactual",
    "Explanation",
    "Question",
    "Reason",
    "Step",
    "counterfactual",
    "explain",
]
