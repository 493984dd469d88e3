"""What learners can be compared by."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from miter.lab.experiments.results import Run

__all__ = ["MEASURES", "Measure"]


@dataclass(frozen=True)
class Measure:
    """Something that learners can be compared by.

    Parameters
    ----------
    column : str
        Of `Run`.
    title : str
        With the unit.
    scale : float
        What the column is multiplied with to have that unit.
    higher_is_better : bool
        False for costs, sizes and times.
    digits : int
        Decimals in tables.

    Examples
    --------
    >>> from miter.lab import MEASURES
    >>> MEASURES["fit"].title
    'Training time in ms'
    """

    column: str
    title: str
    scale: float = 1.0
    higher_is_better: bool = False
    digits: int = 1

    def values(self, runs: Iterable[Run]) -> list[float]:
        """Return what is known of it in runs, not scaled."""
        values = (getattr(run, self.column) for run in runs)
        return [value for value in values if value is not None]


#: By the names that users give.
MEASURES = {
    "accuracy": Measure("accuracy", "Accuracy in %", 100.0, higher_is_better=True),
    "balanced_accuracy": Measure(
        "balanced_accuracy", "Balanced accuracy in %", 100.0, higher_is_better=True
    ),
    "f1": Measure("f1", "F1, mean of the classes", higher_is_better=True, digits=3),
    "roc_auc": Measure("roc_auc", "Area under the ROC curve", higher_is_better=True, digits=3),
    "log_loss": Measure("log_loss", "Log loss", digits=3),
    "brier": Measure("brier", "Brier score", digits=3),
    "cost": Measure("cost", "Mean cost of a row", digits=3),
    "nodes": Measure("nodes", "Nodes"),
    "leaves": Measure("leaves", "Leaves"),
    "depth": Measure("depth", "Depth"),
    "terms": Measure("terms", "Terms to read"),
    "path_terms": Measure("path_terms", "Terms to read on the path of a row"),
    "fit": Measure("fit_seconds", "Training time in ms", 1000.0),
    "predict": Measure("predict_seconds", "Prediction time in ms", 1000.0),
}
