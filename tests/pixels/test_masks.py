"""Photographs beside what was made of them."""

import numpy as np
import pytest

import miter
from miter.errors import DataError
from miter.pixels import PixelClassifier, plot_masks

pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")
from matplotlib import pyplot

from miter.show.colours import class_style


def scene(n_classes=2, seed=0):
    """Return a photograph in stripes, and its labels."""
    random = np.random.default_rng(seed)
    labels = np.repeat(np.arange(n_classes), 8)[:, None] + np.zeros((1, 40), int)
    tone = np.linspace(20, 220, n_classes)[labels]
    photograph = np.clip(tone[..., None] + random.normal(0, 2, (*labels.shape, 3)), 0, 255)
    return photograph.astype(np.uint8), labels.astype(np.uint8)


def rgb(code):
    colour = class_style(code).colour
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


@pytest.fixture(scope="module")
def model():
    photograph, labels = scene()
    names = {0: "Sky", 1: "Road"}
    return PixelClassifier(miter.c45(), class_names=names, random_state=0).fit(
        [photograph], [labels]
    )


def test_classes_have_their_colours(model):
    photograph, labels = scene(seed=1)
    axes = plot_masks(model, photograph, labels=labels)
    assert [ax.get_title() for ax in axes] == ["photograph", "answer", "labels"]
    answer, truth = (ax.images[0].get_array() for ax in axes[1:])
    codes = {label: code for code, label in enumerate(model.classes_.tolist())}
    assert (truth[labels == 0] == rgb(codes["Sky"])).all()
    assert (answer[model.predict(photograph) == 1] == rgb(codes["Road"])).all()
    assert (axes[0].images[0].get_array() == photograph).all()


def test_one_class_on_a_grey_photograph(model):
    photograph, _ = scene(seed=1)
    axes = plot_masks(model, photograph, "Road")
    painted = axes[1].images[0].get_array()
    is_road = model.predict(photograph) == 1
    others = painted[~is_road].astype(int)
    assert (np.ptp(others, axis=-1) == 0).all()
    assert axes[1].get_title() == f"Road: {100 * is_road.mean():.1f} % of the pixels"
    assert len(axes) == 2


def test_beyond_ten_classes_there_are_stripes():
    photograph, labels = scene(12)
    names = {k: f"class {k:02d}" for k in range(12)}
    model = PixelClassifier(miter.c45(), class_names=names, random_state=0)
    axes = plot_masks(model.fit([photograph], [labels]), photograph, labels=labels)
    painted = axes[2].images[0].get_array()
    assert (painted[labels == 0] == rgb(0)).all()
    tenth = painted[labels == 10].reshape(-1, 3)
    assert len(np.unique(tenth, axis=0)) == 2


def test_large_photographs_are_thinned_out(model):
    photograph = np.zeros((10, 4000, 3), np.uint8)
    axes = plot_masks(model, photograph)
    assert axes[0].images[0].get_array().shape[1] == 2000


def test_a_file_and_axes_that_are_given(model, tmp_path):
    from PIL import Image

    photograph, _ = scene()
    Image.fromarray(photograph).save(tmp_path / "photo.png")
    figure, (left, _) = pyplot.subplots(1, 2)
    axes = plot_masks(model, tmp_path / "photo.png", ax=left)
    assert axes[0].figure.figure is figure


def test_hostile_names_are_text():
    photograph, labels = scene()
    names = {0: "<script> $x$", 1: "_" + "n" * 300}
    model = PixelClassifier(miter.c45(), class_names=names, random_state=0)
    axes = plot_masks(model.fit([photograph], [labels]), photograph, names[1])
    axes[0].figure.figure.canvas.draw()
    assert not axes[1].title.get_parse_math()


def test_wrong_wishes_are_refused(model):
    photograph, labels = scene()
    with pytest.raises(DataError, match=r"there is no class 'road' .* did you mean 'Road'"):
        plot_masks(model, photograph, "road")
    with pytest.raises(DataError, match="the labels are 16 x 39 pixels, the photograph 16 x 40"):
        plot_masks(model, photograph, labels=labels[:, 1:])
    with pytest.raises(TypeError, match="a UnivariateTreeClassifier knows no pixels"):
        plot_masks(miter.c45(), photograph)
