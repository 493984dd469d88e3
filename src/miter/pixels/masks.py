"""What a classifier of pixels sees, beside the photograph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from miter.data.labels import label_text
from miter.data.schema import Label
from miter.errors import DataError
from miter.pixels.classifier import PixelClassifier
from miter.pixels.images import ImageLike, open_labels, open_photograph
from miter.show.canvas import axes_for, check_axes, divide_axes
from miter.show.class_key import class_patch
from miter.show.colours import class_style
from miter.show.lettering import PLAIN, fold, plain, show_legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_masks"]

#: Of a picture and of the legend, in inches.
WIDTH, KEY = 3.6, 1.5
#: How much of the photograph is left of what is no class that is shown.
DIM = 0.45
#: Along a side, of what is drawn.
MOST_DOTS = 1500


def plot_masks(
    model: PixelClassifier,
    image: ImageLike,
    class_: Label | None = None,
    *,
    labels: ImageLike | None = None,
    ax: Axes | None = None,
) -> NDArray[Any]:
    """Draw a photograph, and beside it what the classifier takes its pixels for.

    Parameters
    ----------
    model : PixelClassifier
        Fitted.
    image : array or path
        A photograph.
    class_ : label, optional
        Only this class in its colour, the rest of the photograph in grey; by default all classes in
        their colours.
    labels : array or path, optional
        The label image of the photograph, drawn as a third picture.
    ax : Axes, optional
        Where to draw: it is divided. By default a new figure.

    Returns
    -------
    ndarray of Axes
        Of the photograph, the answer and, where there are labels, the truth.

    Examples
    --------
    >>> import numpy as np
    >>> from miter import PixelClassifier
    >>> from miter.pixels import plot_masks
    >>> labels = np.repeat([[0], [3]], 8, axis=0) + np.zeros((16, 20), int)
    >>> photograph = np.random.default_rng(0).integers(0, 80, (16, 20, 3), np.uint8)
    >>> photograph[labels == 0] += 100
    >>> model = PixelClassifier(class_names={0: "Sky", 3: "Road"}, random_state=0)
    >>> axes = plot_masks(model.fit([photograph], [labels]), photograph, "Road", labels=labels)
    >>> axes[1].get_title()
    'Road: 50.0 % of the pixels'
    """
    check_axes(ax)
    if not isinstance(model, PixelClassifier):
        raise TypeError(f"a {type(model).__name__} knows no pixels; give a PixelClassifier")
    if class_ is not None:
        model.check_class(class_)
    photograph = open_photograph(image, "the photograph")
    pictures = [("answer", model.predict(image))]
    if labels is not None:
        pictures.append(("labels", open_labels(labels, "the label image")))
    for name, ids in pictures:
        if ids.shape != photograph.shape:
            sizes = " x ".join(map(str, ids.shape)), " x ".join(map(str, photograph.shape))
            raise DataError(f"the {name} are {sizes[0]} pixels, the photograph {sizes[1]}")
    # More pixels than a picture can show would only make it slow.
    step = max(1, max(photograph.shape) // MOST_DOTS)
    colours = photograph.rows(0, photograph.height)[::step, ::step]
    n_panels = 1 + len(pictures)
    high, wide = colours.shape[:2]
    host = axes_for(ax, (WIDTH * n_panels + KEY, WIDTH * high / wide + 0.7))
    *axes, key = divide_axes(host, [*[WIDTH] * n_panels, KEY], "")
    axes[0].imshow(colours)
    axes[0].set_title("photograph", fontsize=9)
    for own, (name, ids) in zip(axes[1:], pictures, strict=True):
        own.imshow(_paint(model, ids[::step, ::step], colours, class_))
        own.set_title(_title(model, name, ids, class_), fontsize=9, **PLAIN)
    for own in (*axes, key):
        own.set_axis_off()
    _name_classes(key, model, class_)
    return np.array(axes, object)


def _paint(
    model: PixelClassifier, ids: NDArray[np.uint8], colours: NDArray[Any], class_: Label | None
) -> NDArray[np.uint8]:
    """Return an image in which classes have their colours, and what is none of them is grey."""
    grey = colours.mean(axis=2, keepdims=True) * DIM + 255 * (1 - DIM)
    painted = np.repeat(grey, 3, axis=2)
    down, right = np.indices(ids.shape)
    is_striped = (down + right) // max(max(ids.shape) // 120, 1) % 3 == 0
    for place, number in _places(model, class_):
        style, own = class_style(place), ids == number
        painted[own] = [int(style.colour[i : i + 2], 16) for i in (1, 3, 5)]
        if style.hatch:
            painted[own & is_striped] = 255
    return painted.astype(np.uint8)


def _places(model: PixelClassifier, class_: Label | None) -> list[tuple[int, int]]:
    """Return the positions and the ids of the classes to paint."""
    names = [label_text(label) for label in model.classes_.tolist()]
    chosen = range(len(names)) if class_ is None else [names.index(label_text(class_))]
    return [(place, int(model.ids_[place])) for place in chosen]


def _title(model: PixelClassifier, name: str, ids: NDArray[np.uint8], class_: Label | None) -> str:
    if class_ is None:
        return name
    [(_, number)] = _places(model, class_)
    share = f"{plain(label_text(class_))}: {100 * np.mean(ids == number):.1f} % of the pixels"
    words = share if name == "answer" else f"labelled {share}"
    return "\n".join(fold(words, 230.0, 9.0, most=3))


def _name_classes(ax: Axes, model: PixelClassifier, class_: Label | None) -> None:
    from matplotlib.patches import Patch

    places = [place for place, _ in _places(model, class_)]
    handles = [Patch(**class_patch(place)) for place in places]
    names = [label_text(model.classes_.tolist()[place]) for place in places]
    show_legend(ax, handles, names, loc="center left")
