"""Rules of trees: whether they answer as the tree, what post-pruning leaves, what machines need.

python experiments/rules.py [--quick] [--json] [--fresh] [--only SECTION]

agreement: rules before post-pruning beside their tree, on every row of ten sets and on random
points with missing and unseen values. post_pruning: rules, conditions and accuracy before and
after, 5x2 folds; beside them PART and JRip of Weka (Debian: apt-get install weka), where they are
installed.
inequalities: how many of a machine's inequalities the linear program proves to be needless, and
whether any random point in the region, or the program's own multipliers, says otherwise.
"""

from __future__ import annotations

import re
import tempfile
from argparse import Namespace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from lmdt_parts.weka import Weka, _java, as_arff
from resumable import Store, option_parser, read_joined, report_sections

from miter import LinearMachineTreeClassifier, RuleListClassifier, UnivariateTreeClassifier, c45
from miter.data import Data
from miter.lab.estimates.resampling import Folds
from miter.rules import machine_rules, merge_rules, post_prune, rules_of
from miter.rules.inequalities import MARGIN
from miter.rules.region import difference
from miter.splits import Condition, Machine

AGREEMENT_SETS = (
    *("vote", "breast", "german", "soybean-large", "segment"),
    *("horse-colic", "hepatitis", "vowel", "car", "dermatology"),
)
PRUNED_SETS = ("segment", "vote", "soybean-large", "breast", "german")
MACHINE_SETS = ("wine", "vehicle", "dermatology", "segment", "glass", "vowel", "ecoli", "zoo")
TREES = {
    "c45 unpruned": lambda: c45(pruning=None),
    "univariate": lambda: UnivariateTreeClassifier(random_state=0),
    "linear machines": lambda: LinearMachineTreeClassifier(random_state=0, n_threads=1),
}
MACHINES: dict[str, dict[str, Any]] = {
    "bent": {"terms": "bent"},
    "linear": {"terms": "linear"},
    "2 columns": {"terms": "linear", "max_features": 2},
}
PEERS = {"PART": "weka.classifiers.rules.PART", "JRip": "weka.classifiers.rules.JRip"}


def main() -> None:
    sections = {
        "agreement": (measure_agreement, agreement_text),
        "post_pruning": (measure_post_pruning, post_pruning_text),
        "inequalities": (measure_inequalities, inequalities_text),
    }
    report_sections(sections, option_parser(__doc__.splitlines()[0], sections).parse_args())


# ---- do rules answer as their tree? -----------------------------------------------------------


def measure_agreement(arguments: Namespace) -> dict[str, dict[str, Any]]:
    sets = AGREEMENT_SETS[:2] if arguments.quick else AGREEMENT_SETS
    n_points = 10_000 if arguments.quick else 100_000
    tasks = {
        (name, tree, n_points): partial(agreement, name, tree, n_points)
        for name in sets
        for tree in TREES
    }
    found = Store("rules_agreement", fresh=arguments.fresh, by_code=True).find(tasks)
    return {f"{name}, {tree}": value for (name, tree, _), value in found.items()}


def agreement(name: str, tree: str, n_points: int) -> dict[str, Any]:
    data = read_joined(name)
    grown = TREES[tree]().fit(data).tree_
    rules = rules_of(grown)
    merged = merge_rules(rules)
    points = random_points(data, n_points)
    differ = {
        place: int((rules.predict(X) != grown.predict(X)).sum())
        for place, X in (("rows", data.X), ("points", points))
    }
    # Merged conditions multiply shares in another order, so that a tie may fall otherwise.
    apart = float(np.abs(merged.predict_proba(points) - grown.predict_proba(points)).max())
    return {"rules": len(rules), "rows": data.n_rows, "differ": differ, "merged_apart": apart}


def random_points(data: Data, n_points: int, seed: int = 0) -> np.ndarray:
    """Return points within the ranges and a little beyond; a tenth missing, symbols also unseen."""
    random = np.random.default_rng(seed)
    X = np.empty((n_points, data.schema.n_columns))
    for place, column in enumerate(data.schema.columns):
        known = data.X[~np.isnan(data.X[:, place]), place]
        if column.kind == "numeric":
            low, high = (known.min(), known.max()) if len(known) else (0.0, 1.0)
            room = 0.1 * (high - low)
            X[:, place] = random.uniform(low - room, high + room, n_points)
            if len(known):  # on the very values of rows, too
                some = random.random(n_points) < 0.3
                X[some, place] = random.choice(known, int(some.sum()))
        else:
            X[:, place] = random.integers(0, len(column.values) + column.is_symbolic, n_points)
    X[random.random(X.shape) < 0.1] = np.nan
    return X


def agreement_text(report: dict[str, dict[str, Any]]) -> str:
    lines = [f"{'set, tree':38} {'rules':>6} {'rows differ':>12} {'points differ':>14}"]
    for name, found in report.items():
        differ = found["differ"]
        lines.append(f"{name:38} {found['rules']:6} {differ['rows']:12} {differ['points']:14}")
    return "\n".join(lines)


# ---- what does post-pruning leave? ------------------------------------------------------------


def measure_post_pruning(arguments: Namespace) -> dict[str, Any]:
    sets = PRUNED_SETS[1:3] if arguments.quick else PRUNED_SETS
    n_folds = 2 if arguments.quick else 10
    peers = [] if Weka("PART", "").why_not() else list(PEERS)
    tasks = {
        (name, fold, learner): partial(one_fold, name, fold, learner)
        for name in sets
        for fold in range(n_folds)
        for learner in ("miter", *peers)
    }
    found = Store("rules_post_pruning", fresh=arguments.fresh).find(tasks)
    report: dict[str, Any] = {}
    for name in sets:
        report[name] = {}
        for learner in ("miter", *peers):
            runs = [found[name, fold, learner] for fold in range(n_folds)]
            for what in runs[0]:
                report[name][what] = np.mean([run[what] for run in runs], axis=0).tolist()
    return report


def halves(data: Data, fold: int) -> tuple[Data, Data]:
    """Return the rows to learn from and those to test: a stratified halving, one way or back."""
    train, test = Folds(2, n_repeats=5).splits(data.labels)[fold]
    return data.take(train), data.take(test)


def one_fold(name: str, fold: int, learner: str) -> dict[str, list[float]]:
    """Return accuracy in percent, rules, and conditions a rule."""
    train, test = halves(read_joined(name), fold)
    if learner in PEERS:
        return {learner: run_weka(learner, train, test)}
    tree = c45(pruning=None).fit(train)
    pruned_tree = c45(pruning="error_based").fit(train)
    before = rules_of(tree)
    after = post_prune(before, train)
    assert after == RuleListClassifier().fit(train).rules_
    sets = {
        "before": before,
        "before, merged": merge_rules(before),
        "after": after,
        "pruned tree": rules_of(pruned_tree),
    }
    return {
        what: [
            100 * float(np.mean(rules.predict(test.X) == test.labels)),
            len(rules),
            rules.n_conditions / max(len(rules), 1),
        ]
        for what, rules in sets.items()
    }


def run_weka(learner: str, train: Data, test: Data) -> list[float]:
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / "train.arff", Path(folder) / "test.arff"]
        for path, data in zip(paths, (train, test), strict=True):
            path.write_text(as_arff(data))
        output = _java(PEERS[learner], "-v", "-t", paths[0], "-T", paths[1])
    test_part = output[output.index("Error on test data") :]
    right = float(re.search(r"Correctly Classified Instances\s+([\d.]+)", test_part)[1])
    total = float(re.search(r"Total Number of Instances\s+([\d.]+)", test_part)[1])
    n_rules = int(re.search(r"Number of Rules\s*:\s*(\d+)", output)[1])
    model = output[: output.index("Number of Rules")]
    # The last rule of either is its default.
    n_conditions = len(re.findall(r"\ba\d+ (?:=|<=|>=|<|>) ", model))
    return [100 * right / total, n_rules - 1, n_conditions / max(n_rules - 1, 1)]


def post_pruning_text(report: dict[str, Any]) -> str:
    learners = list(next(iter(report.values())))
    lines = [f"{'set':15} " + " ".join(f"{learner:>21}" for learner in learners)]
    lines.append(f"{'':15} " + " ".join(["accuracy rules cond."] * len(learners)))
    for name, found in report.items():
        lines.append(f"{name:15} " + " ".join(_cells(found[one]) for one in learners))
    mean = {one: np.mean([found[one] for found in report.values()], axis=0) for one in learners}
    lines.append(f"{'mean':15} " + " ".join(_cells(mean[one]) for one in learners))
    return "\n".join(lines)


def _cells(numbers: Any) -> str:
    return f"{numbers[0]:8.2f} {numbers[1]:6.1f} {numbers[2]:5.2f}"


# ---- which inequalities does a machine need? --------------------------------------------------


def measure_inequalities(arguments: Namespace) -> dict[str, Any]:
    sets = MACHINE_SETS[:2] if arguments.quick else MACHINE_SETS
    n_points = 10_000 if arguments.quick else 100_000
    tasks = {
        (name, terms, n_points): partial(inequalities, name, terms, n_points)
        for name in sets
        for terms in MACHINES
    }
    found = Store("rules_inequalities", fresh=arguments.fresh, by_code=True).find(tasks)
    return {f"{name}, {terms}": value for (name, terms, _), value in found.items()}


def inequalities(name: str, terms: str, n_points: int) -> dict[str, Any]:
    """Look at every machine of a tree: what is removed, what proves it, what points say."""
    data = read_joined(name)
    model = LinearMachineTreeClassifier(random_state=0, n_threads=1, **MACHINES[terms]).fit(data)
    points = inside(data, n_points)
    total: dict[str, Any] = dict.fromkeys(("machines", "before", "after", "silent", "changed"), 0)
    total |= {"points": 0, "least_proved": np.inf, "dropped": 0, "columns": 0}
    for above, machine in machines_of(model.tree_):
        found = machine_rules(machine, data.X, data.schema, above)
        shorter = machine_rules(machine, data.X, data.schema, above, drop_terms=True)
        n = machine.n_branches
        here = points
        for condition in above:
            here = here[condition.holds(here)]
        total["machines"] += 1
        total["before"] += n * (n - 1)
        total["after"] += found.n_inequalities
        total["silent"] += len(found.cannot_win)
        total["points"] += len(here)
        total["changed"] += changed(machine, found, here)
        total["dropped"] += len(shorter.dropped)
        total["columns"] += len(machine.terms)
        proved = [least for rule in found.rules for _, least in rule.implied]
        proved += [least for _, least in found.cannot_win]
        total["least_proved"] = min([total["least_proved"], *proved])
    if total["least_proved"] == np.inf:
        total["least_proved"] = None
    return total


def machines_of(tree: Any) -> list[tuple[tuple[Condition, ...], Machine]]:
    """Return each machine of a tree, and what holds on the way to it."""
    found, stack = [], [(0, ())]
    while stack:
        node, above = stack.pop()
        split = tree.splits[node]
        if split is None:
            continue
        if isinstance(split, Machine):
            found.append((above, split))
        first = int(tree.first_child[node])
        stack += [(first + b, (*above, Condition(split, b))) for b in range(split.n_branches)]
    return found


def inside(data: Data, n_points: int) -> np.ndarray:
    """Return points within the ranges of rows, and mixtures of rows that are near each other."""
    random = np.random.default_rng(0)
    X = data.X.astype(float)
    low, high = np.nanmin(X, axis=0), np.nanmax(X, axis=0)
    anywhere = random.uniform(low, high, (n_points // 2, X.shape[1]))
    pairs = random.integers(0, len(X), (2, n_points - len(anywhere)))
    share = random.random((pairs.shape[1], 1))
    mixed = share * X[pairs[0]] + (1 - share) * X[pairs[1]]
    points = np.concatenate([anywhere, mixed])
    for place, column in enumerate(data.schema.columns):
        if column.kind != "numeric":
            seen = X[~np.isnan(X[:, place]), place]
            points[:, place] = random.choice(seen, n_points)
        is_missing = np.isnan(X[:, place]).mean()
        points[random.random(n_points) < is_missing, place] = np.nan
    return points


def changed(machine: Machine, found: Any, points: np.ndarray) -> int:
    """Return how many decisions about points the removed inequalities would have changed."""
    routes = machine.route(points)
    wrong = np.isin(routes, [branch for branch, _ in found.cannot_win])
    for rule in found.rules:
        holds = np.ones(len(points), bool)
        for other in rule.against:
            holds &= difference(machine, rule.branch, other).holds(points)
        wrong |= holds != (routes == rule.branch)
    return int(wrong.sum())


def inequalities_text(report: dict[str, Any]) -> str:
    lines = [
        f"An inequality goes if it is proved to hold by {MARGIN:g} of its largest number or more.",
        f"{'set, terms':22} {'machines':>8} {'before':>7} {'after':>6} {'no win':>6} "
        f"{'points':>8} {'changed':>8} {'least proved':>13} {'columns dropped':>16}",
    ]
    for name, found in report.items():
        least = "-" if found["least_proved"] is None else f"{found['least_proved']:.2g}"
        dropped = f"{found['dropped']} of {found['columns']}"
        lines.append(
            f"{name:22} {found['machines']:8} {found['before']:7} {found['after']:6} "
            f"{found['silent']:6} {found['points']:8} {found['changed']:8} {least:>13} "
            f"{dropped:>16}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
