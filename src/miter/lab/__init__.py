"""The laboratory: measuring how good trees are."""

from miter.lab.evaluation import Evaluation, evaluate

__all__ = ["Evaluation", "evaluate"]
