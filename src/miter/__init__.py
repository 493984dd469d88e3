"""Decision trees that cut at any angle.

Names are loaded when they are first used, so that ``import miter`` and ``miter --help`` are quick.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOME = {
    "Data": "miter.data",
    "Schema": "miter.data",
    "read": "miter.data",
    "from_frame": "miter.data",
    "BaggedTreesClassifier": "miter.ensemble",
    "TreeClassifier": "miter.classifier",
    "UnivariateTreeClassifier": "miter.classifier",
    "id3": "miter.classifier",
    "LinearCombinationTreeClassifier": "miter.linear_combination_trees",
    "cart_lc": "miter.linear_combination_trees",
    "ICATree": "miter.ica_trees",
    "ICATreeClassifier": "miter.ica_trees",
    "LinearMachineForestClassifier": "miter.forest",
    "LinearMachineTreeClassifier": "miter.linear_machine_trees",
    "lmdt91": "miter.linear_machine_trees",
    "lmdt93": "miter.linear_machine_trees",
    "HybridTreeClassifier": "miter.neural_trees",
    "NetworkTreeClassifier": "miter.neural_trees",
    "PerceptronTreeClassifier": "miter.neural_trees",
    "id_hybrid": "miter.neural_trees",
    "id_lp": "miter.neural_trees",
    "id_mlp": "miter.neural_trees",
    "PixelClassifier": "miter.pixels",
    "IntervalDiscretizer": "miter.discretise",
    "Pessimistic": "miter.prune",
    "ReducedError": "miter.prune",
    "evaluate": "miter.lab",
    "export_text": "miter.show",
    "save": "miter.model_file",
    "load": "miter.model_file",
    "DataError": "miter.errors",
    "ModelFileError": "miter.errors",
}

__all__ = [*_HOME]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'miter' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
