import numpy as np
import pytest

from miter.errors import DataError
from miter.pixels import PixelFeatures
from miter.pixels.labels import LabelIds
from miter.pixels.sampling import LabelledImage, sample_pixels


def numbered(n_images=3, height=5, width=7):
    """Return photographs in which every pixel has a colour of its own; its label is its blue."""
    images = []
    for number in range(n_images):
        place = np.arange(height * width, dtype=np.uint8).reshape(height, width)
        photograph = np.stack([place, np.full_like(place, number), place % 4], axis=-1)
        images.append(LabelledImage(photograph, place % 4, number))
    return images


def draw(images, n_pixels, seed=0, block_pixels=10, ignore=(3,)):
    return sample_pixels(
        images,
        LabelIds(None, ignore),
        PixelFeatures(),
        max_pixels=n_pixels,
        block_pixels=block_pixels,
        random=np.random.default_rng(seed),
    )


def test_pixels_keep_their_labels_and_none_comes_twice():
    X, labels = draw(numbered(), 40)
    assert X.shape == (40, 3)
    assert (X[:, 2] == labels).all()
    assert set(labels.tolist()) == {0, 1, 2}
    assert len({tuple(row) for row in X.tolist()}) == 40


def test_all_pixels_if_there_are_fewer():
    X, _ = draw(numbered(), 1000)
    assert len(X) == 3 * 27


def test_blocks_do_not_matter():
    one, other = (draw(numbered(), 40, block_pixels=n) for n in (1, 10**6))
    assert (one[0] == other[0]).all()
    assert (one[1] == other[1]).all()


def test_every_pixel_is_as_likely():
    counts = np.zeros((3, 35))
    for seed in range(400):
        X, _ = draw(numbered(), 20, seed)
        np.add.at(counts, (X[:, 1].astype(int), X[:, 0].astype(int)), 1)
    counts = counts[counts > 0]
    assert len(counts) == 81
    # Each is drawn 400 * 20 / 81 = 99 times on average, with a deviation of 8.6.
    assert counts.min() > 60
    assert counts.max() < 140


def test_label_image_of_another_size():
    photograph = np.zeros((4, 5, 3), np.uint8)
    images = [LabelledImage(photograph, np.zeros((5, 4), int), 0)]
    with pytest.raises(DataError, match="label image 0 has 4 x 5 pixels, but its photograph 5 x 4"):
        draw(images, 10)


def test_nothing_that_counts():
    with pytest.raises(DataError, match="no labelled pixels that count"):
        draw(numbered(), 10, ignore=(0, 1, 2, 3))
