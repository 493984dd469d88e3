"""Version 1 of the format: one tree, whose nodes stood in the model itself.

A model of version 1, as plain values::

    {
      "learner": "UnivariateTreeClassifier",
      "parameters": {...},
      "has_feature_names": false,
      "schema": {...},
      "nodes": [{"counts": [50, 50], "split": {...}, "children": [1, 2]}, ...],
      "costs": [[0, 1], [5, 0]],
      "pixels": {"features": {...}, "ids": [0, 3]}
    }

Costs are there where the tree was grown for some, pixels where it was learned from photographs:
such a model is a `PixelClassifier` with the tree as its estimator. The parameters and the terms of
linear splits had other names and shapes.
Here it is brought into the shape of version 2, which is checked when it is read: what has a shape
that version 1 cannot have is left as it is.
"""

from __future__ import annotations

from typing import Any

from miter.model_file.fields import FieldError, check_keys, inside, shown

__all__ = ["from_version_1"]

#: Names of parameters that are others now, by the learner, splitter or pruning that has them.
RENAMED = {
    "HybridTreeClassifier": {"level": "choice_significance"},
    "ICATree": {"level": "stop_significance", "n_starts": "n_init"},
    "ICATreeClassifier": {"level": "stop_significance", "n_starts": "n_init"},
    "LinearCombinationTreeClassifier": {"restarts": "n_init"},
    "LinearMachineTreeClassifier": {"max_variables": "max_features"},
    "NetworkTreeClassifier": {"rate": "learning_rate", "starts": "n_init"},
    "PerceptronTreeClassifier": {"rate": "learning_rate"},
    "annealed_machine": {"max_variables": "max_features"},
    "cross_validated": {"folds": "n_folds"},
    "hybrid": {"level": "choice_significance"},
    "ica": {"level": "stop_significance", "n_starts": "n_init"},
    "labelled_ica": {"level": "stop_significance", "n_starts": "n_init"},
    "linear_combination": {"restarts": "n_init"},
    "network": {"rate": "learning_rate", "starts": "n_init"},
    "perceptron": {"rate": "learning_rate"},
    "thermal_machine": {"significance": "eliminate_significance"},
}
#: Parameters that mean nothing any more.
GONE = {"cross_validated": ("max_rows",)}
#: The learners with a smoothing of their own, and what it is where the file does not say.
SMOOTHED = {"LinearMachineTreeClassifier": 1.0, "ICATreeClassifier": 1.0}
#: Parameters of linear machines that thermal training had no use for.
ANNEALED = ("l2", "terms", "anneal", "eliminate", "max_features")


def from_version_1(model: Any) -> dict[str, Any]:
    """Return the model as version 2 has it, or raise `FieldError`.

    Examples
    --------
    >>> from miter.model_file.version_1 import from_version_1
    >>> old = {"learner": "ICATree", "parameters": {"n_starts": 4}, "has_feature_names": False}
    >>> from_version_1(old | {"schema": {}, "nodes": []})["parameters"]
    {'n_init': 4}
    """
    needed = {"learner", "parameters", "has_feature_names", "schema", "nodes"}
    check_keys(model, needed, optional=frozenset({"costs", "pixels"}))
    learner, parameters, nodes = model["learner"], model["parameters"], model["nodes"]
    if type(learner) is not str:
        raise FieldError(f"there is no learner {shown(learner)}")
    if type(parameters) is not dict:
        raise FieldError("not an object with named fields", "parameters")
    smoothing = _smoothing(learner, parameters, nodes)
    learner, parameters = _learner(learner, parameters)
    state = {"has_feature_names": model["has_feature_names"]}
    if learner != "ICATree":
        state["costs"] = model.get("costs")
    if "costs" in model:
        parameters["costs"] = model["costs"]
    converted = {
        "learner": learner,
        "parameters": parameters,
        "schema": model["schema"],
        "state": state,
        "tree": {"smoothing": smoothing, "nodes": _nodes(nodes)},
    }
    return converted if "pixels" not in model else _of_pixels(converted, model["pixels"])


def _smoothing(learner: str, parameters: dict[str, Any], nodes: Any) -> Any:
    """Return what the estimator made of its parameters when the file was read."""
    if learner in SMOOTHED:
        return parameters.get("smoothing", SMOOTHED[learner])
    has_losses = type(nodes) is list and any(type(n) is dict and "losses" in n for n in nodes)
    return 1.0 if has_losses else 0.0


def _learner(learner: str, parameters: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return learner and parameters by their names of today."""
    parameters = {name: _part(value) for name, value in _renamed(learner, parameters).items()}
    if learner == "LinearMachineTreeClassifier":
        training = parameters.pop("training", "annealed")
        if training != "annealed":
            settings = training if type(training) is dict else {}
            parameters = {n: v for n, v in parameters.items() if n not in ANNEALED} | settings
            parameters.pop("splitter", None)
            return "ThermalMachineTreeClassifier", parameters
    return learner, parameters


def _renamed(owner: Any, parameters: dict[str, Any]) -> dict[str, Any]:
    names = RENAMED.get(owner, {}) if type(owner) is str else {}
    gone = GONE.get(owner, ()) if type(owner) is str else ()
    kept = {name: value for name, value in parameters.items() if name not in gone}
    renamed = {names.get(name, name): value for name, value in kept.items()}
    if "restarts" in names and type(renamed.get("n_init")) is int:
        renamed["n_init"] += 1  # the first start was not counted
    return renamed


def _part(value: Any) -> Any:
    """Return a splitter or a pruning by the names of today; anything else as it is."""
    if type(value) is not dict:
        return value
    if "pruner" in value:
        settings = {name: setting for name, setting in value.items() if name != "pruner"}
        return {"pruning": value["pruner"]} | _renamed(value["pruner"], settings)
    if "splitter" in value:
        return _renamed(value["splitter"], value)
    # Names that say now what an object is were names like others.
    return (
        {"pairs": list(map(list, value.items()))}
        if {"learner", "pruning"} & value.keys()
        else value
    )


def _nodes(nodes: Any) -> Any:
    """Return the nodes with terms as all kinds of split have them now."""
    if type(nodes) is not list:
        return nodes
    return [
        node | {"split": _split(node["split"])} if type(node) is dict and "split" in node else node
        for node in nodes
    ]


def _split(split: Any) -> Any:
    if (
        type(split) is not dict
        or split.get("kind") != "linear"
        or type(split.get("terms")) is not list
    ):
        return split
    return split | {"terms": [_term(term) for term in split["terms"]]}


def _term(term: Any) -> Any:
    """Return what a column adds to the one sum of a linear split as rows of one weight."""
    if type(term) is not dict or "weights" not in term:
        return term
    weights = term["weights"]
    is_symbolic = type(weights) is list
    rows = [[weight] for weight in weights] if is_symbolic else [[weights]]
    missing = [term.get("missing", 0.0)]
    return term | {"weights": rows, "missing": missing, "is_symbolic": is_symbolic}


def _of_pixels(model: dict[str, Any], section: Any) -> dict[str, Any]:
    """Return a classifier of pixels whose estimator the model is."""
    with inside("pixels"):
        check_keys(section, {"features", "ids"})
    schema, ids = model["schema"], section["ids"]
    classes = schema.get("classes") if type(schema) is dict else None
    names = None
    if type(ids) is list and type(classes) is list and all(type(c) is str for c in classes):
        names = {"pairs": [list(pair) for pair in zip(ids, classes, strict=False)]}
    estimator = {"learner": model["learner"], "parameters": model["parameters"]}
    return model | {
        "learner": "PixelClassifier",
        "parameters": {"estimator": estimator, "class_names": names},
        "state": model["state"] | section,
    }
