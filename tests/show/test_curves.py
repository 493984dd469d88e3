import builtins

import numpy as np
import pytest

from miter.errors import DataError
from miter.lab import CostSweep, LearningCurve, SizeCurve, SweepPoint, cost_curve, roc
from miter.show import curves
from miter.show.curves import draw_curve

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
def test_every_curve_is_drawn(curve, suffix, start, tmp_path):
    path = tmp_path / f"curve{suffix}"
    draw_curve(curve, path)
    content = path.read_bytes()
    assert content.startswith(start)
    assert len(content) > 5000


def test_an_unknown_suffix_is_named(tmp_path):
    with pytest.raises(DataError, match=r"curve\.docx cannot be drawn"):
        draw_curve(CURVES["roc"], tmp_path / "curve.docx")
    assert list(tmp_path.iterdir()) == []


def test_without_matplotlib_the_extra_is_named(monkeypatch, tmp_path):
    real_import = builtins.__import__

    def no_matplotlib(name, *rest):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real_import(name, *rest)

    monkeypatch.setattr(builtins, "__import__", no_matplotlib)
    with pytest.raises(DataError, match=r"miter\[plot\]"):
        draw_curve(CURVES["roc"], tmp_path / "curve.png")


def test_a_sweep_shows_both_errors_of_both_ways():
    axes = Figure().add_subplot()
    curves._draw_sweep(CURVES["sweep"], axes)
    lines = {line.get_label(): line.get_xydata().tolist() for line in axes.get_lines()}
    assert lines == {
        "false negatives, trained with the costs": [[0, 40], [5, 10]],
        "false positives, trained with the costs": [[0, 2], [5, 30]],
        "false negatives, only re-labelled": [[0, 41], [5, 20]],
        "false positives, only re-labelled": [[0, 3], [5, 33]],
    }
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["0", "5"]
