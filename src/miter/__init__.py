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
    "BaggedTreesClassifier": "miter.estimators.bagging",
    "TreeClassifier": "miter.estimators.tree",
    "UnivariateTreeClassifier": "miter.estimators.univariate",
    "id3": "miter.estimators.univariate",
    "LinearCombinationTreeClassifier": "miter.estimators.linear_combination",
    "cart_lc": "miter.estimators.linear_combination",
    "ICATree": "miter.estimators.ica",
    "ICATreeClassifier": "miter.estimators.ica",
    "LinearMachineForestClassifier": "miter.estimators.forest",
    "LinearMachineTreeClassifier": "miter.estimators.linear_machine",
    "lmdt91": "miter.estimators.linear_machine",
    "lmdt93": "miter.estimators.linear_machine",
    "HybridTreeClassifier": "miter.estimators.neural",
    "NetworkTreeClassifier": "miter.estimators.neural",
    "PerceptronTreeClassifier": "miter.estimators.neural",
    "id_hybrid": "miter.estimators.neural",
    "id_lp": "miter.estimators.neural",
    "id_mlp": "miter.estimators.neural",
    "PixelClassifier": "miter.pixels",
    "IntervalDiscretizer": "miter.estimators.discretiser",
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
