"""How a model was made, and the model itself."""

from __future__ import annotations

import gzip
import platform
from base64 import b64encode
from typing import Any

import numpy as np
import sklearn

import miter
from miter.data.check import TableCheck, check
from miter.data.table import Data
from miter.errors import ModelFileError
from miter.lab.experiments.fingerprint import describe_estimator, hash_data
from miter.model_file import dump
from miter.registry import ENTRIES

__all__ = ["check_contents", "learner_words", "model_contents", "origin_contents", "versions"]

#: A larger model file, as it stands in a page, is left out of it.
LARGEST_MODEL = 1_200_000
#: So many columns of the table are described.
MOST_COLUMNS = 500


def learner_words(model: Any) -> str:
    """Return what a learner is, in a few words.

    Examples
    --------
    >>> from miter import UnivariateTreeClassifier
    >>> from miter.reporting.origin import learner_words
    >>> learner_words(UnivariateTreeClassifier())
    'a tree that tests one column at a node'
    """
    for kind in type(model).__mro__:
        for entry in ENTRIES:
            if entry.public == kind.__name__:
                return entry.help.partition(";")[0]
    return "a decision tree"


def origin_contents(model: Any, data: Data) -> dict[str, Any]:
    """Return how a model and its report were made.

    Parameters
    ----------
    model : estimator
        Fitted.
    data : Data
        The rows of the report.
    """
    described = describe_estimator(model)
    seed = getattr(model, "random_state", None)
    return {
        "learner": described["class"],
        "parameters": {
            name: value for name, value in described["parameters"].items() if name != "random_state"
        },
        "seed": None if seed is None else str(seed),
        "data_hash": hash_data(data),
        "versions": versions(),
    }


def versions() -> dict[str, str]:
    """Return what a report is written with."""
    return {
        "Miter": miter.__version__,
        "Python": platform.python_version(),
        "NumPy": np.__version__,
        "scikit-learn": sklearn.__version__,
    }


def model_contents(model: Any, name: str) -> dict[str, Any] | None:
    """Return the model file, packed, and its name; None where it is too large, or cannot be."""
    try:
        content = dump(model)
    except (ModelFileError, TypeError, ValueError):  # a class of the user's own
        return None
    packed = b64encode(gzip.compress(content, 6, mtime=0)).decode()
    if len(packed) > LARGEST_MODEL:
        return None
    return {"name": f"{name or 'model'}.miter", "bytes": len(content), "gzip": packed}


def check_contents(data: Data) -> dict[str, Any]:
    """Return what the table of a report holds, and what is odd about it."""
    checked = check(data)
    return {
        "rows": checked.n_rows,
        "columns": [_column(column, checked) for column in checked.columns[:MOST_COLUMNS]],
        "n_columns": len(checked.columns),
        "left_out": list(checked.left_out),
        "written": checked.dialect,
        "target": checked.target,
        "classes": checked.classes,
        "remarks": [remark.say() for remark in checked.remarks],
    }


def _column(column: Any, checked: TableCheck) -> dict[str, Any]:
    most = sorted(column.values.items(), key=lambda item: -item[1])[:5]
    total = max(sum(column.values.values()), 1)
    return {
        "name": column.name,
        "kind": column.kind,
        "missing": column.n_missing,
        "missing_share": column.n_missing / max(checked.n_rows, 1),
        "n_values": column.n_values,
        "values": [[value, count / total] for value, count in most],
        "low": column.low,
        "mean": column.mean,
        "high": column.high,
        "distribution": list(column.distribution),
    }
