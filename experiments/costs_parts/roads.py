"""Road pixels: Table 3 of the paper, and pictures like its Figures 1 and 2."""

from __future__ import annotations

import csv
import os
import sys
from argparse import Namespace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from resumable import PROJECT, Store
from sklearn.preprocessing import StandardScaler

from costs_parts import peers
from miter import LinearMachineTreeClassifier, PixelClassifier, lmdt93
from miter.data.costs import cost_matrix, focus
from miter.pixels import read_classes
from miter.pixels.images import open_labels, open_photograph

RATIOS = (1, 2, 5, 10, 20, 200)
PAPER = {
    1: (44.6, 26.8, 83.6),
    2: (27.0, 44.2, 83.2),
    5: (17.8, 53.0, 83.3),
    10: (10.8, 125.4, 80.0),
    20: (9.2, 190.8, 79.3),
    200: (8.4, 296.0, 75.0),
}
N_PIXELS = 8211
ROAD, UNLABELLED = "Road", "Unlabelled"
PICTURE = PROJECT / "experiments" / "results" / "road_{}.png"


def folder() -> Path:
    """Return the folder of the photographs."""
    data = Path(os.environ.get("MITER_DATA", PROJECT.parent / "shared" / "data"))
    if not (data / "road-scenes").is_dir():
        sys.exit(f"{data / 'road-scenes'} is not there; set MITER_DATA to the folder of the data")
    return data / "road-scenes"


# ---- Table 3 ---------------------------------------------------------------------------------


def measure_table(arguments: Namespace) -> dict[str, Any]:
    """Return for every learner and ratio the means over the runs."""
    n_runs = 2 if arguments.quick else 10
    ratios = (1, 5, 10) if arguments.quick else RATIOS
    X, y = all_pixels()
    ways = {(name, ratio): (learn, ratio) for name, learn in LEARNERS.items() for ratio in ratios}
    ways["no costs",] = learn_plain, 1
    tasks = {
        (*way, seed): partial(run_once, learn, X, y, ratio, seed)
        for way, (learn, ratio) in ways.items()
        for seed in range(n_runs)
    }
    found = Store("costs_table3", fresh=arguments.fresh, label="table 3: ", by_code=True).find(
        tasks
    )

    def means(*way: Any) -> list[float]:
        runs = [found[*way, seed] for seed in range(n_runs)]
        return np.mean(runs, axis=0).tolist()

    return {
        "n_runs": n_runs,
        "n_pixels": N_PIXELS,
        "means": {name: {ratio: means(name, ratio) for ratio in ratios} for name in LEARNERS},
        "no costs": means("no costs"),
    }


def all_pixels() -> tuple[np.ndarray, np.ndarray]:
    """Return red, green and blue, and the class, of every labelled pixel of the ten photographs."""
    names = read_classes(folder() / "classes.csv")
    X, y = [], []
    for path in sorted((folder() / "images").glob("*.png")):
        X.append(colours_of(path).reshape(-1, 3))
        y.append(open_labels(folder() / "labels" / path.name, path.name).ravel())
    ids = np.concatenate(y)
    labels = np.array([names[number] for number in range(max(names) + 1)])[ids]
    is_known = labels != UNLABELLED
    return np.concatenate(X)[is_known].astype(float), labels[is_known]


def colours_of(path: Path) -> np.ndarray:
    """Return all pixels of a photograph."""
    photograph = open_photograph(path, path.name)
    return photograph.rows(0, photograph.height)


def run_once(learn: Any, X: np.ndarray, y: np.ndarray, ratio: float, seed: int) -> list[float]:
    """Return false negatives, false positives, accuracy and total cost on the test pixels."""
    rows = np.random.default_rng(seed).choice(len(X), N_PIXELS, replace=False)
    train, prune, test = np.split(rows, [N_PIXELS // 2, N_PIXELS // 2 + N_PIXELS // 4])
    answers = learn(X, y, (train, prune, test), ratio, seed)
    true = y[test]
    classes = np.unique(y).tolist()
    places = np.searchsorted(classes, answers), np.searchsorted(classes, true)
    return [
        float(np.sum((true == ROAD) & (answers != ROAD))),
        float(np.sum((true != ROAD) & (answers == ROAD))),
        100 * float(np.mean(answers == true)),
        float(cost_matrix(focus(ROAD, ratio), classes)[places].sum()),
    ]


def learn_ours(X, y, parts, ratio, seed):
    """Train with the costs; the pruning pixels are for training, too."""
    train, test = np.concatenate(parts[:2]), parts[2]
    model = LinearMachineTreeClassifier(costs=focus(ROAD, ratio), random_state=seed)
    return model.fit(X[train], y[train]).predict(X[test])


def relabel(X, y, parts, ratio, seed):
    """Train without costs and label the leaves by them."""
    train, test = np.concatenate(parts[:2]), parts[2]
    return plain_tree(seed, X, y, train).predict(X[test], costs=focus(ROAD, ratio))


def learn_plain(X, y, parts, ratio, seed):
    """Train without costs: every mistake alike, as the paper's first line has it."""
    train, test = np.concatenate(parts[:2]), parts[2]
    return plain_tree(seed, X, y, train).predict(X[test])


_plain_trees: dict[int, LinearMachineTreeClassifier] = {}


def plain_tree(seed: int, X: np.ndarray, y: np.ndarray, train: np.ndarray) -> Any:
    """Return the tree that knows no costs; it is the same for all ratios."""
    if seed not in _plain_trees:
        _plain_trees[seed] = LinearMachineTreeClassifier(random_state=seed).fit(X[train], y[train])
    return _plain_trees[seed]


def learn_published(X, y, parts, ratio, seed):
    """Train thermally, in proportion to costs; prune by cost on pixels of their own."""
    train, prune, test = parts
    model = lmdt93(costs=focus(ROAD, ratio), random_state=seed)
    return model.fit(X[train], y[train], X_val=X[prune], y_val=y[prune]).predict(X[test])


def weigh_classes(X, y, parts, ratio, seed):
    """Let scikit-learn's tree weigh the classes."""
    classes, problem, costs = as_codes(X, y, parts, ratio)
    return classes[peers.weigh_classes("passthrough", problem, costs, seed)]


def learn_logistic(X, y, parts, ratio, seed):
    """Let a logistic regression answer with the least expected cost."""
    classes, problem, costs = as_codes(X, y, parts, ratio)
    return classes[peers.answer_by_least_cost(StandardScaler(), problem, costs)]


def as_codes(X, y, parts, ratio) -> tuple[np.ndarray, peers.Problem, np.ndarray]:
    """Return the classes, rows with class codes, and the cost matrix."""
    train, test = np.concatenate(parts[:2]), parts[2]
    classes, codes = np.unique(y[train], return_inverse=True)
    return classes, (X[train], codes, X[test]), cost_matrix(focus(ROAD, ratio), classes.tolist())


LEARNERS = {
    "ours": learn_ours,
    "re-labelled leaves": relabel,
    "lmdt93, as published": learn_published,
    "scikit-learn's tree, class weights": weigh_classes,
    "logistic regression, least cost": learn_logistic,
}


def table_as_text(report: dict[str, Any]) -> str:
    """Write the table of the paper and one for each learner."""
    ratios = list(report["means"]["ours"])
    lines = [
        "Road pixels by red, green and blue: false negatives, false positives, accuracy and total",
        f"cost on a quarter of {report['n_pixels']:,} random pixels, means of {report['n_runs']} "
        "runs; other confusions cost 0.1.",
        f"{'':41}" + "".join(f"{f'{ratio} : 1':>9}" for ratio in ratios),
    ]
    for name, place in (("false negatives", 0), ("false positives", 1), ("accuracy", 2)):
        of_paper = "".join(f"{PAPER[int(ratio)][place]:9.1f}" for ratio in ratios)
        lines.append(f"{f'the paper, other scenes: {name}':41}{of_paper}")
    whats = ("false negatives", "false positives", "accuracy", "total cost")
    for name, means in report["means"].items():
        lines.append(name)
        for place, what in enumerate(whats):
            values = "".join(f"{means[ratio][place]:9.1f}" for ratio in ratios)
            lines.append(f"    {what:37}{values}")
    alike = report["no costs"]
    lines.append(
        f"ours without costs, every mistake alike: {alike[0]:.1f} false negatives, {alike[1]:.1f} "
        f"false positives, {alike[2]:.1f} % right"
    )
    cheapest = [
        min(report["means"], key=lambda name, r=ratio: report["means"][name][r][3])
        for ratio in ratios
    ]
    lines.append("the least total cost has")
    lines += [f"    {f'{r} : 1':9}{name}" for r, name in zip(ratios, cheapest, strict=True)]
    return "\n".join(lines)


# ---- Figures 1 and 2 -------------------------------------------------------------------------


def measure_figures(arguments: Namespace) -> dict[str, Any]:
    """Learn from the training frames; draw the road in each of the others at three ratios."""
    with (folder() / "frames.csv").open() as file:
        frames = {row["frame"]: row["split"] for row in csv.DictReader(file)}
    train = [name for name, split in frames.items() if split == "train"]
    held_out = [name for name, split in frames.items() if split == "test"]
    if arguments.quick:
        held_out = held_out[:1]
    ratios = (1, 5, 20)
    models = {}
    for ratio in ratios:
        models[ratio] = PixelClassifier(
            LinearMachineTreeClassifier(costs=focus(ROAD, ratio), random_state=0),
            class_names=read_classes(folder() / "classes.csv"),
            ignore=[UNLABELLED],
            max_pixels=20_000,
            random_state=0,
        ).fit(*paths_of(train))
    return {name: draw_frame(name, models) for name in held_out}


def paths_of(names: list[str]) -> tuple[list[Path], list[Path]]:
    """Return the photographs and label images of frames."""
    return tuple(
        [folder() / kind / f"{name}.png" for name in names] for kind in ("images", "labels")
    )


def draw_frame(name: str, models: dict[int, PixelClassifier]) -> dict[str, Any]:
    """Draw a frame and the pixels called road; count what is missed and what is too much."""
    from matplotlib.figure import Figure

    [[photograph], [labels]] = paths_of([name])
    ids = open_labels(labels, labels.name)
    names = read_classes(folder() / "classes.csv")
    road = next(number for number, text in names.items() if text == ROAD)
    unknown = next(number for number, text in names.items() if text == UNLABELLED)
    figure = Figure(figsize=(10, 8.4), layout="constrained")
    panels = figure.subplots(2, 2).ravel()
    panels[0].imshow(colours_of(photograph))
    panels[0].set_title(name)
    counts = {}
    for axes, (ratio, model) in zip(panels[1:], models.items(), strict=True):
        mask = model.mask(photograph, ROAD)
        missed = int(np.sum((ids == road) & ~mask))
        alarms = int(np.sum((ids != road) & (ids != unknown) & mask))
        counts[ratio] = {"false_negatives": missed, "false_positives": alarms}
        axes.imshow(mask, cmap="gray")
        axes.set_title(f"{ratio} : 1")
        axes.set_xlabel(f"{missed:,} road pixels missed, {alarms:,} false alarms")
    for axes in panels:
        axes.set_xticks([])
        axes.set_yticks([])
    path = Path(str(PICTURE).format(name))
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, dpi=110)
    return {"picture": str(path.relative_to(PROJECT)), "counts": counts}


def figures_as_text(report: dict[str, Any]) -> str:
    """Write the counts and where the pictures are."""
    lines = [
        "Photographs not learned from: road pixels missed and false alarms; learned from 20,000",
        "pixels of six others",
        f"{'':20}" + "".join(f"{f'{ratio} : 1':>20}" for ratio in (1, 5, 20)),
    ]
    for name, frame in report.items():
        cells = "".join(
            f"{count['false_negatives']:>11,}{count['false_positives']:>9,}"
            for count in frame["counts"].values()
        )
        lines.append(f"{name:20}{cells}   {frame['picture']}")
    return "\n".join(lines)
