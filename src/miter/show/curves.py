"""Curves as pictures, by matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from miter.errors import DataError
from miter.lab import CostCurve, LearningCurve, RocCurve, SizeCurve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_curve"]


def draw_curve(curve: LearningCurve | SizeCurve | RocCurve | CostCurve, path: Path | str) -> None:
    """Draw a curve of the laboratory into a file.

    Parameters
    ----------
    curve : LearningCurve, SizeCurve, RocCurve or CostCurve
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
        raise DataError('pictures need matplotlib: pip install "miter[plot]"') from None
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


_DRAW: dict[type, Any] = {
    LearningCurve: _draw_learning,
    SizeCurve: _draw_size,
    RocCurve: _draw_roc,
    CostCurve: _draw_cost,
}
