"""Photographs and label images: PNG and JPEG files, or arrays."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image, ImageOps, UnidentifiedImageError

from miter.errors import DataError

__all__ = [
    "ImageLike",
    "Photograph",
    "block_rows",
    "open_labels",
    "open_photograph",
    "photographs_in",
    "size_of",
]

#: What can be given as an image: an array or the path of a file.
ImageLike = NDArray[Any] | str | PathLike[str]

#: The largest image that is read: a small file may claim any size. Pillow's own limit is lower,
#: and would warn of a photograph of 100 megapixels.
MOST_PIXELS = 2**28
#: Label ids are written with 8 bits.
MOST_IDS = 256
SUFFIXES = frozenset({".png", ".jpg", ".jpeg"})
COLOUR_MODES = frozenset({"1", "L", "LA", "P", "PA", "RGB", "RGBA", "CMYK", "YCbCr"})
LABEL_MODES = frozenset({"1", "L", "P", "I", "I;16", "I;16B"})

# What Pillow raises, in one format or another, where a file is damaged.
_DAMAGES = (OSError, SyntaxError, ValueError, EOFError, IndexError, struct.error, zlib.error)
_limit_lock = Lock()


@dataclass(frozen=True, eq=False)
class Photograph:
    """A photograph in memory, of which some rows at a time are looked at.

    Parameters
    ----------
    pixels : Image or ndarray
        An image of Pillow in the mode RGB, or an array of shape (height, width, channels) with
        at least three channels. It is not copied.
    name : str
        What errors call it.
    """

    pixels: Image.Image | NDArray[np.uint8]
    name: str

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width."""
        return self.height, self.width

    @property
    def height(self) -> int:
        """How many rows of pixels there are."""
        pixels = self.pixels
        return pixels.height if isinstance(pixels, Image.Image) else pixels.shape[0]

    @property
    def width(self) -> int:
        """How many pixels a row has."""
        pixels = self.pixels
        return pixels.width if isinstance(pixels, Image.Image) else pixels.shape[1]

    def rows(self, first: int, last: int) -> NDArray[np.uint8]:
        """Return the colours of some rows, of shape (last - first, width, 3)."""
        if isinstance(self.pixels, Image.Image):
            return np.asarray(self.pixels.crop((0, first, self.width, last)))
        return self.pixels[first:last, :, :3]


def open_photograph(image: ImageLike, name: str) -> Photograph:
    """Return a photograph, decoded, turned upright, in red, green and blue.

    Parameters
    ----------
    image : array or path
        An array of shape (height, width), grey, or (height, width, 3 or 4) of uint8, or a PNG or
        JPEG file. A fourth channel, transparency, is left out.
    name : str
        What errors call an array.

    Raises
    ------
    DataError
        When there is no such file, or it is damaged, or not a photograph.
    """
    if isinstance(image, str | PathLike):
        with _opened(image, ("PNG", "JPEG")) as file:
            _check_mode(file, image, COLOUR_MODES, "save it with 8 bits a channel")
            return Photograph(_upright_rgb(file), fspath(image))
    array = np.asarray(image)
    if array.ndim == 2 or (array.ndim == 3 and array.shape[2] == 1):
        array = np.broadcast_to(array.reshape(*array.shape[:2], 1), (*array.shape[:2], 3))
    if array.ndim != 3 or array.shape[2] not in (3, 4) or 0 in array.shape:
        raise DataError(f"{name} has the shape {array.shape}; give an array of height x width x 3")
    if array.dtype != np.uint8:
        raise DataError(f"{name} is of {array.dtype}; give uint8, from 0 to 255")
    return Photograph(array, name)


def open_labels(image: ImageLike, name: str) -> NDArray[np.uint8]:
    """Return the label ids of a label image.

    Parameters
    ----------
    image : array or path
        An array of shape (height, width) of whole numbers, or a PNG file in grey or with a
        palette. JPEG files cannot be used: they do not keep numbers as they are.
    name : str
        What errors call an array.

    Returns
    -------
    ndarray of shape (height, width), uint8

    Raises
    ------
    DataError
        When there is no such file, it is damaged, or its pixels are not numbers from 0 to 255.
    """
    if isinstance(image, str | PathLike):
        name = fspath(image)
        with _opened(image, ("PNG",)) as file:
            cure = "a label image has one number a pixel: save it as 8-bit grey, or with a palette"
            _check_mode(file, image, LABEL_MODES, cure)
            array = np.array(file)
    else:
        array = np.asarray(image)
    if array.ndim != 2 or 0 in array.shape or array.dtype.kind not in "biu":
        raise DataError(
            f"{name} has the shape {array.shape} and the type {array.dtype}; "
            "give whole numbers, an array of height x width"
        )
    if array.dtype != np.uint8 and array.dtype != bool:
        low, high = int(array.min()), int(array.max())
        if low < 0 or high >= MOST_IDS:
            raise DataError(f"{name} has ids from {low} to {high}; give ids from 0 to 255")
    return array.astype(np.uint8, copy=False)


def size_of(image: ImageLike, name: str) -> tuple[int, int]:
    """Return height and width of a photograph; of a file only the head is read."""
    if isinstance(image, str | PathLike):
        with _opened(image, ("PNG", "JPEG")) as file:
            is_turned = file.getexif().get(ExifTags.Base.Orientation, 1) in (5, 6, 7, 8)
            return file.size if is_turned else file.size[::-1]
    return open_photograph(image, name).shape


def block_rows(shape: tuple[int, ...], block_pixels: int) -> Iterator[tuple[int, int]]:
    """Yield the first row of each block, and the row after its last; a block has one at least.

    Examples
    --------
    >>> from miter.pixels.images import block_rows
    >>> list(block_rows((5, 10), block_pixels=20))
    [(0, 2), (2, 4), (4, 5)]
    """
    height, width = shape[:2]
    n_rows = max(1, block_pixels // width)
    for top in range(0, height, n_rows):
        yield top, min(top + n_rows, height)


def photographs_in(path: Path) -> list[Path]:
    """Return the PNG and JPEG files of a folder, sorted by name; a file is itself."""
    if not path.is_dir():
        return [path]
    found = [
        file
        for file in sorted(path.iterdir())
        if file.suffix.lower() in SUFFIXES and not file.name.startswith(".")
    ]
    if not found:
        raise DataError(f"the folder {path} has no PNG or JPEG files; give one that has")
    return found


@contextmanager
def _opened(path: str | PathLike[str], formats: tuple[str, ...]) -> Iterator[Image.Image]:
    """Open an image file; whatever goes wrong with it becomes a `DataError`."""
    kinds = " or ".join(formats)
    try:
        with _open_large(path, formats) as file:
            if file.width * file.height > MOST_PIXELS:
                raise DataError(
                    f"{path} has {file.width} x {file.height} pixels, more than "
                    f"{MOST_PIXELS:,}; cut it into parts"
                )
            yield file
    except DataError:
        raise
    except FileNotFoundError:
        raise DataError(f"there is no file {path}; check the name and the folder") from None
    except UnidentifiedImageError:
        raise DataError(f"{path} is not a {kinds} image, or is damaged; save it anew") from None
    except _DAMAGES as error:
        why = getattr(error, "strerror", None) or error
        raise DataError(f"{path} cannot be read: {why}; save it anew") from None


def _open_large(path: str | PathLike[str], formats: tuple[str, ...]) -> Image.Image:
    """Open a file without Pillow's limit, which is one variable for the whole program."""
    with _limit_lock:
        limit, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, None
        try:
            return Image.open(path, formats=formats)
        finally:
            Image.MAX_IMAGE_PIXELS = limit


def _check_mode(
    file: Image.Image, path: str | PathLike[str], modes: frozenset[str], cure: str
) -> None:
    if file.mode not in modes:
        raise DataError(f"{path} has pixels of the kind {file.mode}; {cure}")


def _upright_rgb(file: Image.Image) -> Image.Image:
    """Decode an image; a camera that was held sideways says so in the file."""
    file.load()
    if "transparency" in file.info and file.mode == "P":
        file = file.convert("RGBA")
    image = file if file.mode == "RGB" else file.convert("RGB")
    # In place, because a copy of a large photograph is not wanted.
    ImageOps.exif_transpose(image, in_place=True)
    return image
