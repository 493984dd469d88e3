"""Why a row gets its answer, what would change it, and what each column adds to it."""

from miter.explaining.attribution import Attribution, attribute
from miter.explaining.counterfactual import Counterfactual, counterfactual
from miter.explaining.explanation import Explanation, Reason, Step, explain
from miter.explaining.unknown import Question

__all__ = [
    "Attribution",
    "Counterfactual",
    "Explanation",
    "Question",
    "Reason",
    "Step",
    "attribute",
    "counterfactual",
    "explain",
]
