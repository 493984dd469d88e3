"""Looking at pictures with the eyes of the renderer."""

from itertools import combinations

import numpy as np
import pytest

from miter.errors import DataError

pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")
from matplotlib.text import Text

#: Names that would break what does not take them as text.
HOSTILE = [
    "<script>alert(1)</script>",
    "$x$ and $\\frac{",
    'it\'s "quoted" & <b>',
    "n" * 300,
    "\N{GRINNING FACE}\N{THUMBS UP SIGN} emoji",
    "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
    "\u6f22\u5b57",
    "two\nlines\tand a tab",
    "_begins with an underscore",
    "\u202eturned",
    "100 %",
    "",
]


@pytest.fixture
def hostile():
    return list(HOSTILE)


def _texts(figure):
    """Return all that is to be read in a figure, with its place."""
    figure.canvas.draw()
    found = [text for text in figure.findobj(Text) if text in _titles(figure)]
    for ax in figure.axes:
        found += [*ax.texts, ax.title, ax._left_title, ax._right_title]
        if ax.get_legend() is not None:
            found += [ax.get_legend().get_title(), *ax.get_legend().get_texts()]
        for axis in (ax.xaxis, ax.yaxis) if ax.axison else ():
            found += [axis.label, axis.offsetText, *_labels_in_sight(axis)]
    seen = [text for text in found if text.get_visible() and text.get_text().strip()]
    return [(text.get_text(), text.get_window_extent(), text.get_rotation()) for text in seen]


def _titles(figure):
    """Return what stands above a figure and above its parts."""
    return [one._suptitle for one in (figure, *figure.subfigs) if one._suptitle is not None]


def _labels_in_sight(axis):
    """Yield the labels of ticks, but for those beyond the limits, which are never drawn."""
    low, high = sorted(axis.get_view_interval())
    slack = 1e-9 * (high - low)
    for tick in axis.get_major_ticks() + axis.get_minor_ticks():
        if low - slack <= tick.get_loc() <= high + slack:
            yield tick.label1


@pytest.fixture
def looks_well():
    """Return a function that complains of texts that are cut off or lie upon each other."""

    def check(picture, dots=200):
        one = picture.flat[0] if hasattr(picture, "flat") else picture
        figure = one.figure.figure
        # Drawn as it is saved; by default with a few more dots, so that rounding is small.
        figure.set_dpi(dots)
        texts = _texts(figure)
        assert texts, "there is nothing to read"
        edge = figure.bbox
        for words, box, _ in texts:
            is_inside = box.x0 >= edge.x0 - 2 and box.x1 <= edge.x1 + 2
            is_inside &= box.y0 >= edge.y0 - 2 and box.y1 <= edge.y1 + 2
            assert is_inside, f"{words!r} is cut off: {box} in {edge}"
        for (words, a, turned), (other, b, also) in combinations(texts, 2):
            if turned % 90 or also % 90:
                continue  # the boxes of oblique words overlap where they do not
            wide = min(a.x1, b.x1) - max(a.x0, b.x0)
            high = min(a.y1, b.y1) - max(a.y0, b.y0)
            # Boxes of lines include room for letters that are not there.
            least = 0.25 * min(a.height, b.height)
            assert wide <= 1 or high <= least, f"{words!r} lies upon {other!r}"

    return check


@pytest.fixture
def without_matplotlib(monkeypatch):
    """Make matplotlib impossible to import, and return the error that must name the extra."""
    import builtins

    real_import = builtins.__import__

    def no_matplotlib(name, *rest):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real_import(name, *rest)

    monkeypatch.setattr(builtins, "__import__", no_matplotlib)
    return lambda: pytest.raises(DataError, match=r"miter\[plot\]")


@pytest.fixture
def make_rows():
    """Return a function that makes rows of given columns and classes, which a tree can tell."""
    import pandas as pd

    def make(columns, classes, n=300, seed=0, values=()):
        random = np.random.default_rng(seed)
        X = pd.DataFrame(random.normal(size=(n, len(columns))), columns=columns)
        if values:
            X["values"] = random.choice(np.array(values, object), n)
        corners = random.normal(size=(len(classes), len(columns)))
        y = np.array(classes, object)[(X[columns].to_numpy() @ corners.T).argmax(axis=1)]
        return X, y

    return make
