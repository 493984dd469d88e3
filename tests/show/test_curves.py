import numpy as np
import pytest

from miter.lab import CostSweep, LearningCurve, SizeCurve, SweepPoint, cost_curve, roc
from miter.show import plot_curve, save_picture

pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")
from matplotlib.figure import Figure

TRUTH, SCORE = [True, False, True, False], [0.9, 0.2, 0.6, 0.7]
CURVES = {
    "learning": LearningCurve((5, 10), np.array([[0.4, 0.3], [0.1, 0.2]])),
    "size": SizeCurve(
        "max_depth", (1, 2), *np.array([[3, 7], [0.3, 0.1], [0.3, 0.2], [0, 1], [0, 1]])
    ),
    "roc": roc(TRUTH, SCORE),
    "cost": cost_curve(TRUTH, SCORE),
    "sweep": CostSweep(
        *("road", 0.1, 5, 100.0),
        trained=(SweepPoint(0, 40, 2, 0.8, 0.1), SweepPoint(5, 10, 30, 0.7, 0.2)),
        relabelled=(SweepPoint(0, 41, 3, 0.8, 0.1), SweepPoint(5, 20, 33, 0.6, 0.3)),
    ),
}


@pytest.mark.parametrize("curve", CURVES.values(), ids=CURVES.keys())
@pytest.mark.parametrize(("suffix", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml")])
def test_every_curve_is_drawn(curve, suffix, start, tmp_path, looks_well):
    ax = plot_curve(curve)
    looks_well(ax)
    path = tmp_path / f"curve{suffix}"
    save_picture(ax, path)
    content = path.read_bytes()
    assert content.startswith(start)
    assert len(content) > 5000


def test_axes_that_are_given():
    ax = Figure().add_subplot()
    assert plot_curve(CURVES["roc"], ax=ax) is ax


def test_what_is_no_curve_is_refused():
    with pytest.raises(TypeError, match="a list is no curve; curves are LearningCurve, SizeCurve"):
        plot_curve([1, 2])


def test_without_matplotlib_the_extra_is_named(without_matplotlib):
    with without_matplotlib():
        plot_curve(CURVES["roc"])


def test_a_sweep_shows_both_errors_of_both_ways():
    ax = plot_curve(CURVES["sweep"])
    lines = {line.get_label(): line.get_xydata().tolist() for line in ax.get_lines()}
    assert lines == {
        "false negatives, trained with the costs": [[0, 40], [5, 10]],
        "false positives, trained with the costs": [[0, 2], [5, 30]],
        "false negatives, only re-labelled": [[0, 41], [5, 20]],
        "false positives, only re-labelled": [[0, 3], [5, 33]],
    }
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["0", "5"]


def test_hostile_names_are_text(hostile, looks_well):
    points = (SweepPoint(0, 40, 2, 0.8, 0.1), SweepPoint(5, 10, 30, 0.7, 0.2))
    for name in hostile:
        ax = plot_curve(CostSweep(name, 0.1, 5, 100.0, points, points))
        looks_well(ax)
        assert not ax.xaxis.label.get_parse_math()
