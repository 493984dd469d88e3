"""Curves as pictures, by matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from miter.data.labels import label_text
from miter.errors import DataError, need
from miter.lab import CostCurve, CostSweep, LearningCurve, RocCurve, SizeCurve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_curve"]


Curve = LearningCurve | SizeCurve | RocCurve | CostCurve | CostSweep


def draw_curve(curve: Curve, path: Path | str) -> None:
    """Draw a curve of the laboratory into a file.

    Parameters
    ----------
    curve : LearningCurve, SizeCurve, RocCurve, CostCurve or CostSweep
        What to draw.
    path : path
        Its suffix decides on the format: .png, .svg, .pdf.

    Examples
    --------
    >>> from miter.lab import roc
    >>> from miter.show.curves import draw_curve
    >>> draw_curve(roc([True, False], [0.9, 0.2]), "roc.png")  # doctest: +SKIP
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise need("matplotlib", "plot", "pictures") from None
    figure = Figure(figsize=(6.4, 4.4), layout="constrained")
    axes = figure.add_subplot()
    _DRAW[type(curve)](curve, axes)
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    try:
        figure.savefig(path, dpi=150)
    except ValueError as error:  # an unknown suffix
        raise DataError(f"{path} cannot be drawn: {error}") from None


def _draw_learning(curve: LearningCurve, axes: Axes) -> None:
    axes.errorbar(
        curve.sizes, 100 * curve.mean, 100 * curve.deviation, marker="o", capsize=3, color="C0"
    )
    axes.set(xlabel="training rows", ylabel="error, % of the rows left over")
    axes.set_ylim(bottom=0)


def _draw_size(curve: SizeCurve, axes: Axes) -> None:
    for name, values in (
        ("error", curve.error),
        ("on training rows", curve.train_error),
        ("bias", curve.bias),
        ("variance", curve.variance),
    ):
        axes.plot(curve.nodes, 100 * values, marker="o", label=name)
    for value, nodes, error in zip(curve.values, curve.nodes, curve.error, strict=True):
        axes.annotate(str(value), (nodes, 100 * error), (0, 6), textcoords="offset points")
    axes.set(xlabel=f"mean number of nodes ({curve.parameter} at the points)", ylabel="%")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)


def _draw_roc(curve: RocCurve, axes: Axes) -> None:
    axes.plot(curve.false_positive_rate, curve.true_positive_rate, color="C0")
    axes.plot([0, 1], [0, 1], color="0.6", linestyle=":", linewidth=1)
    axes.set(
        xlabel="false positive rate",
        ylabel="true positive rate",
        title=f"area {curve.area:.3f}",
        aspect="equal",
    )


def _draw_cost(curve: CostCurve, axes: Axes) -> None:
    price = curve.probability_cost
    axes.plot(price, curve.cost, color="C0")
    trivial = [min(p, 1 - p) for p in price]
    axes.plot(price, trivial, color="0.6", linestyle=":", linewidth=1, label="always one class")
    axes.set(
        xlabel="what missing the class can cost, as a part of all cost",
        ylabel="normalised expected cost",
    )
    axes.legend(frameon=False)


def _draw_sweep(sweep: CostSweep, axes: Axes) -> None:
    ways = (
        ("trained with the costs", "-", sweep.trained),
        ("only re-labelled", ":", sweep.relabelled),
    )
    for way, style, points in ways:
        for kind, colour in (("false_negatives", "C3"), ("false_positives", "C0")):
            counts = [getattr(point, kind) for point in points]
            name = f"{kind.replace('_', ' ')}, {way}"
            axes.plot(sweep.ratios, counts, marker="o", linestyle=style, color=colour, label=name)
    axes.set_xscale("symlog", linthresh=1)  # a ratio may be 0
    axes.set_xticks(sweep.ratios, [f"{ratio:g}" for ratio in sweep.ratios])
    axes.set_xticks([], minor=True)
    axes.set(
        xlabel=f"cost of missing class {label_text(sweep.of)}, where a false alarm costs 1",
        ylabel=f"test rows, of {sweep.n_test:.0f}",
    )
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)


_DRAW: dict[type, Any] = {
    LearningCurve: _draw_learning,
    SizeCurve: _draw_size,
    RocCurve: _draw_roc,
    CostCurve: _draw_cost,
    CostSweep: _draw_sweep,
}
