"""Reasons: their sums, what a missing value could change, and ten of them to be read aloud.

That a column is named which could change the answer is held against trying every value: all values
of a symbol, and of a number one in each interval between the cuts of the tree that ask about it.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from resumable import Store, read_joined
from sklearn.datasets import load_breast_cancer, load_iris

from miter import counterfactual, explain, from_frame
from miter.data import Data, play_tennis
from miter.registry import make_learner

SETS = ("hepatitis", "horse-colic")
LEARNERS = ("univariate", "c45", "readable", "linear_machine", "linear_combination")
QUICK_LEARNERS = ("univariate", "linear_machine")
#: So many places along a number are tried where sums of columns decide.
N_PLACES = 2001


def ask(name: str, learner: str, n_rows: int) -> dict[str, Any]:
    """Explain rows with missing values, and try what each of these could be."""
    data = read_joined(name)
    model = make_learner(learner, {"random_state": 0, "n_threads": 1}).fit(data)
    X = np.asarray(data.X, float)
    numbers = np.flatnonzero(np.isnan(X).any(axis=1))[:n_rows]
    found = {"rows": 0, "missing": 0, "can change": 0, "only named": 0, "only tried": 0, "gap": 0.0}
    for number in numbers:
        said = explain(model, data.take(np.array([number])))
        named = {question.column for question in said.questions}
        tried = {*_changing(model, X[number])}
        found["rows"] += 1
        found["missing"] += int(np.isnan(X[number]).sum())
        found["can change"] += len(named & tried)
        found["only named"] += len(named - tried)
        found["only tried"] += len(tried - named)
        for step in said.steps:
            if step.margin is not None and step.without is not None:
                total = step.without + sum(reason.contribution for reason in step.reasons)
                found["gap"] = max(found["gap"], abs(total - step.margin))
    return found


def _changing(model: Any, row: NDArray[np.float64]) -> Iterator[str]:
    """Yield the missing columns some value of which changes the answer."""
    was = model.predict_codes(row[None])[0]
    for place in np.flatnonzero(np.isnan(row)):
        column = model.schema_.columns[place]
        values = (
            np.arange(len(column.values)) if column.values else _places(model, column, int(place))
        )
        rows = np.tile(row, (len(values), 1))
        rows[:, place] = values
        if (model.predict_codes(rows) != was).any():
            yield column.name


def _places(model: Any, column: Any, place: int) -> NDArray[np.float64]:
    """Return values of a number: over what training had, and on both sides of each cut."""
    spread = column.spread
    cuts = [
        cut
        for tree in model.trees_
        for split in tree.splits
        if split is not None and split.columns == (place,)
        for cut in getattr(split, "cuts", ())
    ]
    even = np.linspace(spread.least, spread.most, N_PLACES)
    places = np.unique(np.concatenate([even, cuts, np.nextafter(cuts, np.inf)]))
    places = places[(places >= spread.least) & (places <= spread.most)]
    return np.unique(np.round(places)) if spread.is_whole else places


def flowers() -> Data:
    """Return scikit-learn's iris, whose names have units."""
    iris = load_iris(as_frame=True)
    return from_frame(iris.data, iris.target_names[iris.target])


def tumours() -> Data:
    """Return scikit-learn's tumours."""
    cancer = load_breast_cancer(as_frame=True)
    return from_frame(cancer.data, cancer.target_names[cancer.target])


def votes() -> Data:
    """Return votes in Congress, with words in place of letters."""
    data = read_joined("vote")
    columns = tuple(replace(column, values=("yes", "no")) for column in data.schema.columns)
    return Data(replace(data.schema, columns=columns), data.X, data.y)


def incomes() -> Data:
    """Return 3,000 people of a census, and whether they earn more than 50,000 dollars a year."""
    data = read_joined("adult").take(np.arange(3000))
    assert data.schema.classes == (">50K", "<=50K")
    return Data(replace(data.schema, classes=("more", "no more")), data.X, data.y)


#: A set, a learner, and two rows of it, from 1 on.
ALOUD: tuple[tuple[str, Callable[[], Data], str, tuple[int, int]], ...] = (
    ("Is this weather for tennis?", play_tennis, "id3", (1, 6)),
    ("Which iris is it?", flowers, "readable", (61, 84)),
    ("Is this tumour malignant?", tumours, "readable", (14, 20)),
    ("Which party does this member of Congress belong to?", votes, "c45", (1, 108)),
    ("Does this person earn more than 50,000 dollars a year?", incomes, "readable", (10, 2)),
)


def read_aloud() -> list[str]:
    """Return ten explanations as Markdown."""
    lines = []
    for title, read, learner, numbers in ALOUD:
        data = read()
        model = make_learner(learner, {"random_state": 0, "n_threads": 1}).fit(data)
        for number in numbers:
            row = data.take(np.array([number - 1]))
            told = [str(explain(model, row)), str(counterfactual(model, row))]
            lines += [f"**{title}** (row {number})", "", "```text", *told, "```", ""]
    return lines


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """Ask on both sets and every learner."""
    warnings.simplefilter("ignore")
    learners, n_rows = (QUICK_LEARNERS, 40) if arguments.quick else (LEARNERS, 10_000)
    store = Store("why-reasons", fresh=arguments.fresh, label="reasons", by_code=True)
    tasks: dict[Any, Callable[[], Any]] = {
        (name, learner, n_rows): partial(ask, name, learner, n_rows)
        for learner in learners
        for name in SETS
    }
    return {" ".join(map(str, key)): value for key, value in store.find(tasks).items()}


def measure_aloud(arguments: argparse.Namespace) -> list[str]:
    """Fit five trees and explain two rows of each."""
    warnings.simplefilter("ignore")
    return read_aloud()


def as_text(found: dict[str, Any]) -> str:
    """Return a table, a line a set and learner."""
    head = ("rows", "missing", "can change", "only named", "only tried")
    lines = [f"{'Reasons':34}" + "".join(f"{word:>12}" for word in head) + "  margin less its sum"]
    for key, value in found.items():
        cells = "".join(f"{value[word]:12}" for word in head)
        lines.append(f"{key:34}{cells}  {value['gap']:19.1e}")
    return "\n".join(lines)
