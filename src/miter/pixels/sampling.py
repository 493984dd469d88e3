"""Training pixels: some of all labelled pixels of many photographs, each as likely as any other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike

import numpy as np
from numpy.typing import NDArray

from miter.errors import DataError
from miter.pixels.features import PixelFeatures
from miter.pixels.images import (
    ImageLike,
    Photograph,
    block_rows,
    open_labels,
    open_photograph,
    size_of,
)
from miter.pixels.labels import LabelIds

__all__ = ["LabelledImage", "pair_images", "sample_pixels"]


@dataclass(frozen=True, eq=False)
class LabelledImage:
    """A photograph and its label image, neither of them read yet.

    Parameters
    ----------
    photograph, labels : array or path
        Of the same height and width.
    number : int
        Its place among others, by which errors call arrays.
    """

    photograph: ImageLike
    labels: ImageLike
    number: int

    def open_photograph(self) -> Photograph:
        """Return the photograph."""
        return open_photograph(self.photograph, f"photograph {self.number}")

    def open_labels(self) -> NDArray[np.uint8]:
        """Return the label ids."""
        return open_labels(self.labels, self._labels_name)

    def count(self, ids: LabelIds, block_pixels: int) -> int:
        """Return how many pixels count; an error if the two images do not fit each other."""
        labels = self.open_labels()
        size = size_of(self.photograph, f"photograph {self.number}")
        if labels.shape != size:
            raise DataError(
                f"{self._labels_name} has {labels.shape[1]} x {labels.shape[0]} pixels, but its "
                f"photograph {size[1]} x {size[0]}; give a label image of the same size"
            )
        return int(ids.count(labels, self._labels_name, block_pixels)[ids.counts].sum())

    @property
    def _labels_name(self) -> str:
        is_array = isinstance(self.labels, np.ndarray | list)
        return f"label image {self.number}" if is_array else str(self.labels)


def pair_images(images: Sequence[ImageLike], labels: Sequence[ImageLike]) -> list[LabelledImage]:
    """Return each photograph with its label image; an error if the lists do not fit."""
    for name, given, n_axes in (("images", images, 4), ("labels", labels, 3)):
        if isinstance(given, str | PathLike) or getattr(given, "ndim", n_axes) < n_axes:
            raise DataError(f"{name} is one image; give a list of images")
    if len(images) != len(labels):
        raise DataError(
            f"there are {len(images)} photographs and {len(labels)} label images; give a label "
            "image for each photograph"
        )
    if not len(images):
        raise DataError("there are no photographs; give at least one")
    return [
        LabelledImage(image, own, number)
        for number, (image, own) in enumerate(zip(images, labels, strict=True))
    ]


def sample_pixels(
    images: Sequence[LabelledImage],
    ids: LabelIds,
    features: PixelFeatures,
    *,
    max_pixels: int,
    block_pixels: int,
    random: np.random.Generator,
) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """Draw pixels without replacement.

    Label images are read twice, photographs once, one at a time.

    Parameters
    ----------
    images : sequence of LabelledImage
        All of them are looked at before the first pixel is drawn.
    ids : LabelIds
        Which pixels count.
    features : PixelFeatures
        The columns.
    max_pixels : int
        How many to draw; all if there are fewer.
    block_pixels : int
        Pixels whose features are held at a time. Has no part in what is drawn.
    random : Generator
        Draws.

    Returns
    -------
    X : ndarray of shape (n_pixels, n_columns)
        The features.
    labels : ndarray of shape (n_pixels,)
        The ids.
    """
    counts = [image.count(ids, block_pixels) for image in images]
    starts = np.concatenate([[0], np.cumsum(counts)])
    total = int(starts[-1])
    if total == 0:
        raise DataError("there are no labelled pixels that count; label some, or ignore less")
    if total <= max_pixels:
        chosen = np.arange(total)
    else:
        chosen = np.sort(random.choice(total, max_pixels, replace=False, shuffle=False))
    drawn = []
    for number, image in enumerate(images):
        first, last = np.searchsorted(chosen, starts[number : number + 2])
        if first < last:
            own = chosen[first:last] - starts[number]
            drawn += _take(image, ids, features, own, block_pixels)
    return np.concatenate([X for X, _ in drawn]), np.concatenate([labels for _, labels in drawn])


def _take(
    image: LabelledImage,
    ids: LabelIds,
    features: PixelFeatures,
    chosen: NDArray[np.int64],
    block_pixels: int,
) -> list[tuple[NDArray[np.float32], NDArray[np.uint8]]]:
    """Return features and ids of chosen pixels, numbered among those of the image that count."""
    photograph, labels = image.open_photograph(), image.open_labels()
    taken = []
    n_before = 0
    for top, bottom in block_rows(labels.shape, block_pixels):
        block = labels[top:bottom].ravel()
        counting = np.flatnonzero(ids.counts[block])
        first, last = np.searchsorted(chosen, [n_before, n_before + len(counting)])
        places = counting[chosen[first:last] - n_before]
        n_before += len(counting)
        if len(places):
            taken.append((features.matrix(photograph, top, bottom)[places], block[places]))
    return taken
