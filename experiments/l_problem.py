"""The L problem of Utgoff and Brodley 1991: one segment at the root, the other below it.

python experiments/l_problem.py [--quick] [--json] [--fresh]

Counts the seeds in which the tree has exactly two machines, one along each segment. An L that
stands upright can also be found by eliminating a variable; one that is turned, or a machine that
keeps its variables, shows what thermal training does alone. Draws results/l_problem.png.
"""

from __future__ import annotations

import json
from argparse import Namespace
from functools import partial
from pathlib import Path

import numpy as np
from resumable import PROJECT, Store, options

from miter import lmdt91
from miter.data import Data, l_problem
from miter.splits import Machine

PICTURE = PROJECT / "experiments" / "results" / "l_problem.png"
N_ROWS = 400
CORNER = np.array([0.05, 0.05])
ENDS = np.array([[0.05, 1.0], [1.0, 0.05]])
CENTRE = np.array([0.5, 0.5])
TURN = 30.0  # degrees

# A line is along a segment if it has nearly its direction and passes its middle no farther away
# than the points of the L.
LARGEST_ANGLE = 10.0
LARGEST_OFFSET = 0.05

SETTINGS = {
    "as published": {},
    "no elimination": {"eliminate": None},
    "a = 0.999": {"a": 0.999},
    "a = 0.999, no elimination": {"a": 0.999, "eliminate": None},
}
LAYOUTS = {"upright": 0.0, "turned": TURN}


def main() -> None:
    arguments = options(__doc__.splitlines()[0])
    report = measure(arguments)
    print(json.dumps(report, indent=2) if arguments.json else as_text(report))


def measure(arguments: Namespace) -> dict[str, dict[str, float]]:
    """Grow the trees, count and draw."""
    n_seeds = 10 if arguments.quick else 100
    tasks = {
        (f"{name}, {layout}", seed): partial(one, seed, settings, turn)
        for name, settings in SETTINGS.items()
        for layout, turn in LAYOUTS.items()
        for seed in range(n_seeds)
    }
    found = Store("l_problem", fresh=arguments.fresh).find(tasks)
    runs = {
        (name, layout): [found[f"{name}, {layout}", seed] for seed in range(n_seeds)]
        for name in SETTINGS
        for layout in LAYOUTS
    }
    draw(runs, PICTURE)
    return {f"{name}, {layout}": summary(of) for (name, layout), of in runs.items()}


def turned(points: np.ndarray, degrees: float) -> np.ndarray:
    """Turn points about the centre of the square."""
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return (points - CENTRE) @ np.array([[cos, sin], [-sin, cos]]) + CENTRE


def problem(seed: int, turn: float) -> Data:
    data = l_problem(N_ROWS, seed)
    return Data(data.schema, turned(data.X, turn), data.y)


def one(seed: int, settings: dict, turn: float) -> dict:
    data = problem(seed, turn)
    tree = lmdt91(random_state=seed, **settings).fit(data).tree_
    nodes = [node for node in range(tree.n_nodes) if tree.splits[node] is not None]
    lines = [line_of(tree.splits[node]) for node in nodes]
    segments = [segment_along(line, turn) for line in lines]
    return {
        "lines": lines,
        # Where the second machine decides: on this side of the first.
        "side": (-1, 1)[nodes[1] - 1] if len(nodes) > 1 else None,
        "found": len(segments) == 2 and {*segments} == {0, 1},
        "first": segments[0] if segments else None,
        "accuracy": 100 * float(np.mean(tree.predict(data.X) == data.labels)),
    }


def line_of(machine: Machine) -> list[float]:
    """Return p, q and r of the line p x + q y + r = 0 between the two classes of a machine."""
    line = [0.0, 0.0, machine.constants[1] - machine.constants[0]]
    for term in machine.terms:
        [(outer, inner)] = term.weights
        line[term.column] = inner - outer
    return line


def segment_along(line: list[float], turn: float) -> int | None:
    """Return which segment a line lies along, if any."""
    normal, constant = np.array(line[:2]), line[2]
    length = np.linalg.norm(normal)
    if length == 0:
        return None
    corner, *ends = turned(np.vstack([CORNER, ENDS]), turn)
    for segment, end in enumerate(ends):
        direction = (end - corner) / np.linalg.norm(end - corner)
        angle = np.degrees(np.arcsin(min(abs(normal @ direction) / length, 1.0)))
        offset = abs(normal @ (corner + end) / 2 + constant) / length
        if angle <= LARGEST_ANGLE and offset <= LARGEST_OFFSET:
            return segment
    return None


def summary(runs: list[dict]) -> dict[str, float]:
    found = [run for run in runs if run["found"]]
    return {
        "seeds": len(runs),
        "found": len(found),
        "upright segment first": sum(run["first"] == 0 for run in found),
        "machines": float(np.mean([len(run["lines"]) for run in runs])),
        "accuracy": float(np.mean([run["accuracy"] for run in runs])),
    }


def as_text(report: dict[str, dict[str, float]]) -> str:
    lines = [
        "The L problem, 400 points",
        f"{'':36}{'both segments':>15}{'machines':>10}{'accuracy':>10}",
    ]
    for name, row in report.items():
        found = f"{row['found']} of {row['seeds']}"
        lines.append(f"{name:36}{found:>15}{row['machines']:10.2f}{row['accuracy']:10.2f}")
    return "\n".join([*lines, f"\n{PICTURE.relative_to(PROJECT)}"])


def draw(runs: dict[tuple[str, str], list[dict]], path: Path) -> None:
    """Draw one seed with its points, and the lines of all seeds upright and turned."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13.5, 5.1), layout="constrained")
    single, *many = figure.subplots(1, 3)
    published = runs["as published", "upright"]
    typical = next((seed for seed, run in enumerate(published) if run["found"]), 0)
    draw_points(single, typical)
    draw_lines(single, published[typical], width=1.8, alpha=1.0)
    single.set_title(f"as published, seed {typical}")
    panels = [("as published", "upright"), ("a = 0.999, no elimination", "turned")]
    for axes, key in zip(many, panels, strict=True):
        draw_segments(axes, LAYOUTS[key[1]])
        for run in runs[key]:
            draw_lines(axes, run, width=0.5, alpha=0.2)
        n_found = sum(run["found"] for run in runs[key])
        axes.set_title(f"{key[0]}: {n_found} of {len(runs[key])} seeds")
    for axes, turn in zip((single, *many), (0.0, 0.0, TURN), strict=True):
        bends = turned(np.vstack([CORNER, ENDS]), turn)
        low = (bends.min(axis=0) + bends.max(axis=0)) / 2 - 0.7
        axes.set(aspect="equal", xlabel="x", ylabel="y")
        axes.set(xlim=(low[0], low[0] + 1.4), ylim=(low[1], low[1] + 1.4))
    handles, labels = single.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    figure.savefig(path, dpi=130)


def draw_points(axes, seed: int) -> None:
    data = problem(seed, 0.0)
    for code, (marker, colour) in enumerate((("o", "tab:blue"), ("^", "tab:orange"))):
        points = data.X[data.labels == code]
        label = f"class {data.schema.classes[code]}"
        axes.scatter(*points.T, s=9, marker=marker, color=colour, linewidths=0, label=label)
    draw_segments(axes, 0.0)


def draw_segments(axes, turn: float) -> None:
    bends = turned(np.vstack([ENDS[0], CORNER, ENDS[1]]), turn)
    axes.plot(*bends.T, color="0.8", linewidth=6, zorder=0, solid_joinstyle="miter", label="the L")


def draw_lines(axes, run: dict, *, width: float, alpha: float) -> None:
    """Draw the first two machines; the second only where it decides."""
    for place, line in enumerate(run["lines"][:2]):
        points = points_on(line)
        if place == 1:
            *normal, constant = run["lines"][0]
            points[(points @ normal + constant) * run["side"] < 0] = np.nan
        colour, label = (("black", "first machine"), ("tab:red", "second machine"))[place]
        axes.plot(*points.T, color=colour, linewidth=width, alpha=alpha, label=label)


def points_on(line: list[float]) -> np.ndarray:
    """Return points of a line that reaches beyond the picture."""
    normal, constant = np.array(line[:2]), line[2]
    foot = CENTRE - normal * (normal @ CENTRE + constant) / (normal @ normal)
    direction = np.array([-normal[1], normal[0]]) / np.linalg.norm(normal)
    return foot + np.linspace(-2, 2, 4001)[:, None] * direction


if __name__ == "__main__":
    main()
