"""Curves of the laboratory as pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from miter.data.labels import label_text
from miter.lab import CostCurve, CostSweep, LearningCurve, RocCurve, SizeCurve
from miter.show.canvas import axes_for, tidy_axes
from miter.show.colours import CLASS_COLOURS, LINE
from miter.show.lettering import PLAIN, fold, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_curve"]

Curve = LearningCurve | SizeCurve | RocCurve | CostCurve | CostSweep

FIRST, SECOND, THIRD, FOURTH = CLASS_COLOURS[:4]


def plot_curve(curve: Curve, *, ax: Axes | None = None) -> Axes:
    """Draw a curve of the laboratory.

    Parameters
    ----------
    curve : LearningCurve, SizeCurve, RocCurve, CostCurve or CostSweep
        What to draw.
    ax : Axes, optional
        Where; by default a new figure.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from miter.lab import roc
    >>> from miter.show import plot_curve
    >>> plot_curve(roc([True, False], [0.9, 0.2])).get_title()
    'area 1.000'
    """
    if type(curve) not in _DRAW:
        known = ", ".join(kind.__name__ for kind in _DRAW)
        raise TypeError(f"a {type(curve).__name__} is no curve; curves are {known}")
    ax = axes_for(ax)
    _DRAW[type(curve)](curve, ax)
    tidy_axes(ax)
    return ax


def _draw_learning(curve: LearningCurve, ax: Axes) -> None:
    ax.errorbar(
        *(curve.sizes, 100 * curve.mean, 100 * curve.deviation),
        marker="o",
        capsize=3,
        color=FIRST,
    )
    ax.set(xlabel="training rows", ylabel="error, % of the rows left over")
    ax.set_ylim(bottom=0)


def _draw_size(curve: SizeCurve, ax: Axes) -> None:
    lines = (
        ("error", curve.error, FIRST, "o"),
        ("on training rows", curve.train_error, SECOND, "s"),
        ("bias", curve.bias, THIRD, "^"),
        ("variance", curve.variance, FOURTH, "D"),
    )
    for name, values, colour, marker in lines:
        ax.plot(curve.nodes, 100 * values, marker=marker, color=colour, label=name)
    for value, nodes, error in zip(curve.values, curve.nodes, curve.error, strict=True):
        place: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "fontsize": 8}
        ax.annotate(plain(value), (nodes, 100 * error), (0, 6), **place, **PLAIN)
    ax.set(xlabel=f"mean number of nodes ({curve.parameter} at the points)", ylabel="%")
    ax.set_ylim(bottom=0)
    ax.legend(frameon=False)


def _draw_roc(curve: RocCurve, ax: Axes) -> None:
    ax.plot(curve.false_positive_rate, curve.true_positive_rate, color=FIRST)
    ax.plot([0, 1], [0, 1], color=LINE, linestyle=":", linewidth=1)
    ax.set(
        xlabel="false positive rate",
        ylabel="true positive rate",
        title=f"area {curve.area:.3f}",
        aspect="equal",
    )


def _draw_cost(curve: CostCurve, ax: Axes) -> None:
    price = curve.probability_cost
    ax.plot(price, curve.cost, color=FIRST, label="with the best threshold")
    trivial = [min(p, 1 - p) for p in price]
    ax.plot(price, trivial, color=LINE, linestyle=":", linewidth=1, label="always one class")
    ax.set(
        xlabel="what missing the class can cost, as a part of all cost",
        ylabel="normalised expected cost",
    )
    ax.legend(frameon=False)


def _draw_sweep(sweep: CostSweep, ax: Axes) -> None:
    ways = (
        ("trained with the costs", "-", sweep.trained),
        ("only re-labelled", ":", sweep.relabelled),
    )
    kinds = (("false_negatives", CLASS_COLOURS[5], "s"), ("false_positives", FIRST, "o"))
    for way, style, points in ways:
        for kind, colour, marker in kinds:
            counts = [getattr(point, kind) for point in points]
            name = f"{kind.replace('_', ' ')}, {way}"
            ax.plot(
                *(sweep.ratios, counts), marker=marker, linestyle=style, color=colour, label=name
            )
    ax.set_xscale("symlog", linthresh=1)  # a ratio may be 0
    ax.set_xticks(sweep.ratios, [f"{ratio:g}" for ratio in sweep.ratios])
    ax.set_xticks([], minor=True)
    words = f"cost of missing class {plain(label_text(sweep.of))}, where a false alarm costs 1"
    ax.set_xlabel("\n".join(fold(words, 380.0, 10.0, most=3)), **PLAIN)
    ax.set_ylabel(f"test rows, of {sweep.n_test:.0f}")
    ax.set_ylim(bottom=0)
    ax.legend(frameon=False)


_DRAW: dict[type, Any] = {
    LearningCurve: _draw_learning,
    SizeCurve: _draw_size,
    RocCurve: _draw_roc,
    CostCurve: _draw_cost,
    CostSweep: _draw_sweep,
}
