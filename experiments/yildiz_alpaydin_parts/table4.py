"""Table 4: time of learning, as ratios to scikit-learn's tree on the same rows in the same run."""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from lmdt_parts.halves import halves
from lmdt_parts.learners import Learner, as_numbers
from resumable import Store
from sklearn.tree import DecisionTreeClassifier

from yildiz_alpaydin_parts import sets
from yildiz_alpaydin_parts.learners import WAYS, every_learner
from yildiz_alpaydin_parts.published import LEARNERS, SECONDS

#: Fits of which the fastest counts; what takes longer than this is fitted once.
N_FITS, LONG_SECONDS = 5, 2.0

PEER = "scikit-learn"
#: What must not take so many times as long as ID-LP.
OF_ID_LP = ("CART", "ID-Hybrid")


def measure(arguments: Namespace) -> dict[str, Any]:
    """Time every learner on half of every set, all learners of a set one after the other."""
    names = sets.QUICK if arguments.quick else tuple(sets.FOLDERS)
    store = Store("yildiz_alpaydin_time", fresh=arguments.fresh, label="table4: ", by_code=True)
    able = [learner for learner in every_learner() if learner.why_not() is None]
    seconds = store.find({name: partial(_time_all, name, able) for name in names})
    return {
        "seconds": seconds,
        "ratio": {learner.name: _ratio(seconds, learner.name, PEER) for learner in able},
        "to ID-LP": {
            f"{column}, {way}": {
                "sets": {
                    name: own[of[column].name] / own[of["ID-LP"].name]
                    for name, own in seconds.items()
                },
                "all": sum(own[of[column].name] for own in seconds.values())
                / sum(own[of["ID-LP"].name] for own in seconds.values()),
            }
            for way, of in WAYS.items()
            for column in OF_ID_LP
            if {of[column].name, of["ID-LP"].name} <= {learner.name for learner in able}
        },
    }


def _time_all(name: str, able: list[Learner]) -> dict[str, float]:
    data = sets.load(name)
    _, _, rows, _ = next(halves(data, 1))
    train = data.take(rows)
    # The peer is not charged for what turns symbols into the numbers that it needs.
    numbers = as_numbers(train.schema).fit_transform(train.X)
    tree = DecisionTreeClassifier(random_state=0)
    of_peer = {PEER: _time(lambda: tree.fit(numbers, train.labels))}
    return of_peer | {learner.name: _time(partial(learner.fit, train, 0)) for learner in able}


def _time(fit: Callable[[], object]) -> float:
    fastest = np.inf
    for _ in range(N_FITS):
        begin = time.perf_counter()
        fit()
        fastest = min(fastest, time.perf_counter() - begin)
        if fastest > LONG_SECONDS:
            break
    return float(fastest)


def _ratio(seconds: dict[str, dict[str, float]], one: str, other: str) -> float:
    """Return the geometric mean over the sets."""
    return float(np.exp(np.mean([np.log(own[one] / own[other]) for own in seconds.values()])))


def as_text(report: dict[str, Any]) -> str:
    """Write seconds and ratios, a table for each learner."""
    seconds = report["seconds"]
    lines = [
        "Table 4: seconds of learning on half of the rows, on one core, and times those of "
        "scikit-learn's tree"
    ]
    for column in LEARNERS:
        own = {
            way: of[column].name for way, of in WAYS.items() if of[column].name in report["ratio"]
        }
        if not own:
            continue
        lines.append(f"{column:14}{'paper':>8}{'peer':>9}" + "".join(f"{way:>22}" for way in own))
        for name, of_set in seconds.items():
            peer = of_set[PEER]
            cells = "".join(
                f"{of_set[one]:12.4f} {of_set[one] / peer:8.1f}x" for one in own.values()
            )
            lines.append(f"{name:14}{SECONDS[name][column][0]:8.0f}{peer:9.4f}{cells}")
        means = "".join(f"{report['ratio'][one]:21.1f}x" for one in own.values())
        lines += [f"{'mean ratio':31}{means}", ""]
    for what, ratios in report["to ID-LP"].items():
        of_sets = ratios["sets"]
        most = max(of_sets, key=lambda name: of_sets[name])
        lines.append(
            f"{what}: {ratios['all']:.1f} times ID-LP for all sets together, at most "
            f"{of_sets[most]:.1f} ({most})"
        )
    return "\n".join(lines)
