"""Decision trees that cut at any angle.

Names are loaded when they are first used, so that ``import miter`` and ``miter --help`` are quick.
"""

from importlib import import_module
from typing import Any

from miter.registry import ENTRIES

__version__ = "0.1.0"

_HOME = {entry.public: entry.home for entry in ENTRIES} | {
    "Data": "miter.data",
    "Schema": "miter.data",
    "cost_matrix": "miter.data.costs",
    "focus": "miter.data.costs",
    "from_frame": "miter.data",
    "read": "miter.data",
    "IntervalDiscretizer": "miter.estimators.discretiser",
    "Splitter": "miter.splitters",
    "CostComplexity": "miter.prune",
    "CrossValidated": "miter.prune",
    "CutToSize": "miter.prune",
    "ErrorBased": "miter.prune",
    "MinimumDescriptionLength": "miter.prune",
    "OutOfBag": "miter.prune",
    "Pessimistic": "miter.prune",
    "PricePerTerm": "miter.prune",
    "Pruning": "miter.prune",
    "ReducedError": "miter.prune",
    "SameAnswer": "miter.prune",
    "sampled": "miter.growing.sampling",
    "attribute": "miter.explaining",
    "check": "miter.data.check",
    "counterfactual": "miter.explaining",
    "explain": "miter.explaining",
    "evaluate": "miter.lab",
    "export": "miter.exporting",
    "export_text": "miter.show",
    "load": "miter.model_file",
    "plot_node": "miter.show",
    "plot_regions": "miter.show",
    "plot_tree": "miter.show",
    "rules_of": "miter.rules",
    "points": "miter.rules.points",
    "report": "miter.reporting",
    "save": "miter.model_file",
    "simplify": "miter.rules",
    "terms": "miter.lab",
    "DataError": "miter.errors",
    "DataWarning": "miter.errors",
    "ModelFileError": "miter.errors",
}

#: The rooms that are meant to be visited.
_ROOMS = ("data", "lab", "prune", "rules", "show", "splits", "splitters")

__all__ = [*_HOME, *_ROOMS]


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"miter.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'miter' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
