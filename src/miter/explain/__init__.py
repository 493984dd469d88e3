"""Why a row gets its answer, what would change it, and what each column adds to it."""

from miter.explain.counterfactual import Counterfactual, counterfactual

__all__ = ["Counterfactual", "counterfactual"]
