import builtins

import numpy as np
import pytest

from miter.errors import DataError
from miter.lab import LearningCurve, SizeCurve, cost_curve, roc
from miter.show.curves import draw_curve

pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")

TRUTH, SCORE = [True, False, True, False], [0.9, 0.2, 0.6, 0.7]
CURVES = {
    "learning": LearningCurve((5, 10), np.array([[0.4, 0.3], [0.1, 0.2]])),
    "size": SizeCurve(
        "max_depth", (1, 2), *np.array([[3, 7], [0.3, 0.1], [0.3, 0.2], [0, 1], [0, 1]])
    ),
    "roc": roc(TRUTH, SCORE),
    "cost": cost_curve(TRUTH, SCORE),
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
