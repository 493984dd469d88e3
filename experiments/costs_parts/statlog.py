"""German credit and heart disease with the costs of the Statlog project, by 5x2 folds."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from lmdt_parts.halves import halves
from lmdt_parts.learners import as_numbers
from resumable import Key, Store, data_path

from costs_parts import peers
from miter import LinearMachineForestClassifier, LinearMachineTreeClassifier, read
from miter.data import Data
from miter.data.costs import read_costs
from miter.lab.estimates.adapter import predict_codes
from miter.significance import five_by_two_f_test

SETS = ("german", "heart-statlog")


def measure(arguments: Namespace) -> dict[str, Any]:
    """Return for every set and learner the mean cost of a test row in each of ten fits."""
    n_repetitions = 1 if arguments.quick else 5
    tasks: dict[Key, Callable[[], float]] = {}
    for name in SETS:
        data = read(data_path(name))
        costs = read_costs(data_path(name, ".costs"), data.schema.classes)
        for learner, learn in LEARNERS.items():
            for repetition, fold, train, test in halves(data, n_repetitions):
                tasks[name, learner, repetition, fold] = partial(
                    cost_of, learn, data.take(train), data.take(test), costs, repetition
                )
    found: dict[str, dict[str, list[float]]] = {}
    store = Store("costs_statlog", fresh=arguments.fresh, label="statlog: ", by_code=True)
    for (name, learner, *_), cost in store.find(tasks).items():
        found.setdefault(name, {}).setdefault(learner, []).append(cost)
    return found


def cost_of(learn: Any, train: Data, test: Data, costs: np.ndarray, seed: int) -> float:
    """Return the mean cost of a test row."""
    answers = learn(train, test, costs, seed)
    return float(costs[answers, test.labels].mean())


def learn_ours(train, test, costs, seed):
    model = LinearMachineTreeClassifier(costs=costs, random_state=seed).fit(train)
    return predict_codes(model, test)


def relabel(train, test, costs, seed):
    model = LinearMachineTreeClassifier(random_state=seed).fit(train)
    answers = model.predict(test, costs=costs).tolist()
    return np.array([test.schema.classes.index(label) for label in answers])


def grow_forest(train, test, costs, seed):
    model = LinearMachineForestClassifier(costs=costs, random_state=seed).fit(train)
    return predict_codes(model, test)


def weigh_classes(train, test, costs, seed):
    problem = train.X, train.labels, test.X
    return peers.weigh_classes(as_numbers(train.schema), problem, costs, seed)


def learn_logistic(train, test, costs, seed):
    problem = train.X, train.labels, test.X
    return peers.answer_by_least_cost(as_numbers(train.schema), problem, costs)


LEARNERS = {
    "ours": learn_ours,
    "re-labelled leaves": relabel,
    "scikit-learn's tree, class weights": weigh_classes,
    "logistic regression, least cost": learn_logistic,
    "our forest": grow_forest,
}


def as_text(report: dict[str, Any]) -> str:
    """Write mean costs, and the F test of ours against each other learner."""
    lines = ["Mean cost of a test row, 5x2 folds", f"{'':38}" + "".join(f"{s:>18}" for s in SETS)]
    for learner in LEARNERS:
        cells = "".join(f"{cell(report[name], learner):>18}" for name in SETS)
        lines.append(f"{learner:38}{cells}")
    lines.append("+ ours costs significantly less, - significantly more: 5x2cv F test on cost, 5 %")
    return "\n".join(lines)


def cell(of_set: dict[str, list[float]], learner: str) -> str:
    """Return the mean with the sign of a significant difference."""
    mean = f"{np.mean(of_set[learner]):.4f}"
    if learner == "ours" or len(of_set[learner]) != 10:
        return mean + " "
    difference = np.subtract(of_set[learner], of_set["ours"]).reshape(5, 2)
    return mean + {1: "+", 0: " ", -1: "-"}[five_by_two_f_test(difference).winner()]
