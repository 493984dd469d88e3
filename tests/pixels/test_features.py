import colorsys

import numpy as np
import pytest
from PIL import Image
from scipy.ndimage import generic_filter

from miter.pixels import PixelFeatures
from miter.pixels.images import block_rows, open_photograph

EVERYTHING = PixelFeatures(("rgb", "hsv", "lab"), position=True, texture=True, neighbourhood=3)


@pytest.fixture
def photograph():
    pixels = np.random.default_rng(1).integers(0, 256, (13, 17, 3), np.uint8)
    pixels[0, :2] = [[0, 0, 0], [255, 255, 255]]
    return open_photograph(pixels, "noise")


def columns_of(features, photograph):
    """Return each column by its name, as an image."""
    X = features.matrix(photograph, 0, photograph.height)
    assert X.dtype == np.float32
    assert X.shape == (photograph.height * photograph.width, len(features.names))
    return {
        name: X[:, k].reshape(photograph.height, photograph.width)
        for k, name in enumerate(features.names)
    }


def test_red_green_blue_as_they_are(photograph):
    columns = columns_of(PixelFeatures(), photograph)
    assert list(columns) == ["red", "green", "blue"]
    assert (np.stack(list(columns.values()), -1) == photograph.pixels).all()


def test_hsv_is_that_of_the_standard_library(photograph):
    columns = columns_of(PixelFeatures(("hsv",)), photograph)
    for place in np.ndindex(photograph.height, photograph.width):
        hue, saturation, value = colorsys.rgb_to_hsv(*photograph.pixels[place] / 255)
        found = [columns[name][place] for name in ("hue", "saturation", "value")]
        assert found == pytest.approx([360 * hue, saturation, value], abs=1e-3)


@pytest.mark.parametrize(
    ("colour", "lab"),
    [
        # The corners of sRGB and a grey, to two decimals, for D65.
        ((0, 0, 0), (0, 0, 0)),
        ((255, 255, 255), (100, 0, 0)),
        ((255, 0, 0), (53.24, 80.09, 67.20)),
        ((0, 255, 0), (87.73, -86.18, 83.18)),
        ((0, 0, 255), (32.30, 79.19, -107.86)),
        ((128, 128, 128), (53.59, 0, 0)),
    ],
)
def test_lab(colour, lab):
    pixel = open_photograph(np.array([[colour]], np.uint8), "pixel")
    assert PixelFeatures(("lab",)).matrix(pixel, 0, 1)[0] == pytest.approx(lab, abs=0.02)


def test_position_is_a_share(photograph):
    columns = columns_of(PixelFeatures(position=True), photograph)
    assert columns["row"][:, 5] == pytest.approx((np.arange(13) + 0.5) / 13)
    assert columns["column"][5] == pytest.approx((np.arange(17) + 0.5) / 17)


def test_texture_is_that_of_the_squares_around(photograph):
    columns = columns_of(PixelFeatures(texture=True), photograph)
    grey = np.asarray(Image.fromarray(photograph.pixels).convert("L"), float)
    assert columns["grey_mean"] == pytest.approx(generic_filter(grey, np.mean, 5, mode="nearest"))
    assert columns["grey_deviation"] == pytest.approx(
        generic_filter(grey, np.std, 5, mode="nearest"), abs=1e-4
    )


def test_neighbours_and_repeated_edges(photograph):
    columns = columns_of(PixelFeatures(neighbourhood=2), photograph)
    red = photograph.pixels[..., 0]
    assert (columns["red_above"][2:] == red[:-2]).all()
    assert (columns["red_above"][:2] == red[0]).all()
    assert (columns["red_below"][:-2] == red[2:]).all()
    assert (columns["red_left"][:, 2:] == red[:, :-2]).all()
    assert (columns["red_right"][:, -2:] == red[:, -1:]).all()


@pytest.mark.parametrize("neighbourhood", [0, 1, 3])
@pytest.mark.parametrize("texture", [False, True])
def test_names_fit_columns(photograph, neighbourhood, texture):
    features = PixelFeatures(("lab", "rgb"), True, texture, neighbourhood)
    columns = columns_of(features, photograph)
    assert len(columns) == len(features.names) == 6 * (5 if neighbourhood else 1) + 2 + 2 * texture
    assert (columns["blue"] == photograph.pixels[..., 2]).all()


@pytest.mark.parametrize("block_pixels", [1, 17, 40, 100, 10**6])
def test_blocks_do_not_matter(photograph, block_pixels):
    whole = EVERYTHING.matrix(photograph, 0, photograph.height)
    blocks = block_rows(photograph.shape, block_pixels)
    parts = [EVERYTHING.matrix(photograph, top, bottom) for top, bottom in blocks]
    assert np.concatenate(parts).tobytes() == whole.tobytes()


def test_neighbours_further_than_the_photograph_is_large(photograph):
    columns = columns_of(PixelFeatures(neighbourhood=50), photograph)
    assert (columns["green_below"] == photograph.pixels[-1, :, 1]).all()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"colour": ("rbg",)}, "no colour space 'rbg'; did you mean 'rgb'"),
        ({"colour": "rgb"}, "colour is 'rgb'; give a tuple"),
        ({"colour": ()}, "colour is ()"),
        ({"colour": ("rgb", "rgb")}, "'rgb' twice"),
        ({"neighbourhood": -1}, "neighbourhood is -1"),
        ({"neighbourhood": 1.5}, "neighbourhood is 1.5"),
        ({"neighbourhood": 10**9}, "from 0 to 100"),
    ],
    ids=str,
)
def test_settings_that_mean_nothing(settings, words):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        PixelFeatures(**settings)
    assert words in str(error.value)
