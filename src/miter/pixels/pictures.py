"""Answers as pictures: PNG files that are there as a whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from miter.model_file import replacing
from miter.pixels.images import Photograph, block_rows

__all__ = ["PICTURES", "Answer", "picture_files", "write_pictures"]

TINT = (255, 0, 96)


@dataclass(frozen=True, eq=False)
class Answer:
    """What a classifier says of a photograph.

    Parameters
    ----------
    photograph : Photograph
        An image of Pillow's; an overlay is painted into it.
    labels : ndarray of shape (height, width), uint8
        The id of each pixel.
    class_id : int, optional
        The class of interest.
    probability : ndarray of shape (height, width), uint8, optional
        How probable the class of interest is; 255 is certain.
    block_pixels : int
        So many pixels are painted at a time.
    """

    photograph: Photograph
    labels: NDArray[np.uint8]
    class_id: int | None
    probability: NDArray[np.uint8] | None
    block_pixels: int

    def draw_mask(self) -> Image.Image:
        """Return the class of interest in white on black."""
        mask = (self.labels == self.class_id).view(np.uint8)
        mask *= 255
        return Image.fromarray(mask)

    def draw_labels(self) -> Image.Image:
        """Return the label ids as grey values."""
        return Image.fromarray(self.labels)

    def draw_probability(self) -> Image.Image:
        """Return the probability of the class of interest as grey values."""
        assert self.probability is not None
        return Image.fromarray(self.probability)

    def draw_overlay(self) -> Image.Image:
        """Return the photograph with the class of interest tinted; the photograph is used up."""
        image = self.photograph.pixels
        assert isinstance(image, Image.Image)
        for top, bottom in block_rows(self.labels.shape, self.block_pixels):
            colours = self.photograph.rows(top, bottom).astype(np.uint16)
            is_tinted = self.labels[top:bottom] == self.class_id
            colours[is_tinted] = (colours[is_tinted] + np.array(TINT, np.uint16)) // 2
            image.paste(Image.fromarray(colours.astype(np.uint8)), (0, top))
        return image


#: The pictures by name.
PICTURES: dict[str, Callable[[Answer], Image.Image]] = {
    "mask": Answer.draw_mask,
    "labels": Answer.draw_labels,
    "probability": Answer.draw_probability,
    "overlay": Answer.draw_overlay,
}


def picture_files(
    photograph: str | PathLike[str], folder: str | PathLike[str], pictures: Sequence[str]
) -> dict[str, Path]:
    """Return where the pictures of a photograph go."""
    stem = Path(photograph).stem
    return {name: Path(folder, f"{stem}_{name}.png") for name in pictures}


def write_pictures(answer: Answer, places: Mapping[str, Path]) -> None:
    """Write pictures of an answer; if one cannot be written, none is.

    Parameters
    ----------
    answer : Answer
        What to draw.
    places : mapping of str to Path
        Names of pictures to files.
    """
    with ExitStack() as stack:
        files = {name: stack.enter_context(replacing(path)) for name, path in places.items()}
        for name, draw in PICTURES.items():  # the overlay comes last
            if name in files:
                draw(answer).save(files[name], format="PNG")
