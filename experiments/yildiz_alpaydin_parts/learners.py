"""The five learners of the paper, as published and well trained, on one core."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from lmdt_parts.halves import N_REPETITIONS, Plan, Runs, run_learners
from lmdt_parts.learners import Learner, of_miter

from yildiz_alpaydin_parts import sets


def _learner(name: str, maker: str, **settings: Any) -> Learner:
    return Learner(name, of_miter(maker, n_threads=1, **settings))


#: By the paper's column: its settings, and our best tree of that kind.
AS_PUBLISHED = {
    "ID3": _learner("id3", "id3", min_samples_split=0.05, missing="training"),
    "CART": _learner("cart_lc", "cart_lc"),
    "ID-LP": _learner("id_lp", "id_lp"),
    "ID-MLP": _learner("id_mlp", "id_mlp"),
    "ID-Hybrid": _learner("id_hybrid", "id_hybrid"),
}
WELL_TRAINED = {
    "ID3": _learner("univariate", "UnivariateTreeClassifier"),
    "CART": _learner("linear_combination", "LinearCombinationTreeClassifier"),
    "ID-LP": _learner("perceptron", "PerceptronTreeClassifier"),
    "ID-MLP": _learner("network", "NetworkTreeClassifier"),
    "ID-Hybrid": _learner("hybrid", "HybridTreeClassifier"),
}
#: What the tables say of each way to train.
WAYS = {"as published": AS_PUBLISHED, "well trained": WELL_TRAINED}


def every_learner() -> Iterator[Learner]:
    """Go through the learners, those of a column together."""
    for column in AS_PUBLISHED:
        for of_column in WAYS.values():
            yield of_column[column]


def run_all(arguments: Namespace) -> tuple[dict[str, Runs], list[str]]:
    """Return what each learner does on the sets, by its name, and which cannot run here."""
    plan = Plan(
        "halves",
        sets.QUICK if arguments.quick else tuple(sets.FOLDERS),
        1 if arguments.quick else N_REPETITIONS,
        arguments.fresh,
        sets.load,
        "yildiz_alpaydin",
    )
    found = run_learners(plan, every_learner(), arguments.learner)
    # A second table of the same call is made of the same fits.
    arguments.fresh = False
    return found
