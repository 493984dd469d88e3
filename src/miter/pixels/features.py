"""From the pixels of a photograph to the rows of a matrix.

Draper, Brodley and Utgoff 1993, section 4: a row is the red, green and blue of a pixel, as numbers
from 0 to 255. Everything else here goes beyond the paper.

A photograph is read in blocks of rows, with as many rows more on either side as the features look
at, so that the rows of the matrix do not depend on the blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import correlate1d

from miter.data.schema import Column, first_repeated
from miter.errors import did_you_mean
from miter.pixels.images import Photograph

__all__ = ["COLOURS", "PixelFeatures"]

#: Texture is measured in a square of this many pixels a side, with the pixel in its middle.
WINDOW = 5
MOST_DISTANT = 100
SIDES = {"above": (-1, 0), "below": (1, 0), "left": (0, -1), "right": (0, 1)}

# Light that is twice as strong has twice the number; the inverse of the curve of sRGB.
_SHARES = np.arange(256) / 255
_LINEAR = np.where(_SHARES <= 0.04045, _SHARES / 12.92, ((_SHARES + 0.055) / 1.055) ** 2.4)
_TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
# Each row as a share of the white point D65, so that white is 1, 1, 1.
_TO_WHITE = (_TO_XYZ / _TO_XYZ.sum(axis=1, keepdims=True)).astype(np.float32)


def _to_hsv(colours: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return hue in degrees (0 where there is none), saturation and value from 0 to 1."""
    red, green, blue = np.moveaxis(colours.astype(np.float32), -1, 0)
    high, low = np.maximum(np.maximum(red, green), blue), np.minimum(np.minimum(red, green), blue)
    spread = high - low
    divisor = np.maximum(spread, 1)
    hue = np.where(high == green, (blue - red) / divisor + 2, (red - green) / divisor + 4)
    hue = np.where(high == red, (green - blue) / divisor % 6, hue) * 60
    return np.stack([hue, spread / np.maximum(high, 1), high / np.float32(255)], axis=-1)


def _to_lab(colours: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return CIE L*, a* and b* of sRGB colours, for the white point D65."""
    red, green, blue = np.moveaxis(_LINEAR.astype(np.float32)[colours], -1, 0)
    # Written out: a matrix product may round the last bit differently in blocks of another size.
    x, y, z = (_curve(row[0] * red + row[1] * green + row[2] * blue) for row in _TO_WHITE)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def _curve(share: NDArray[np.float32]) -> NDArray[np.float32]:
    straight = share * np.float32(841 / 108) + np.float32(4 / 29)
    return np.where(share > (6 / 29) ** 3, np.cbrt(share), straight)


#: The colour spaces: the names of their columns, and how they are made of red, green and blue.
COLOURS: dict[str, tuple[tuple[str, ...], Callable[[NDArray[np.uint8]], NDArray[Any]]]] = {
    "rgb": (("red", "green", "blue"), lambda colours: colours),
    "hsv": (("hue", "saturation", "value"), _to_hsv),
    "lab": (("lightness", "lab_a", "lab_b"), _to_lab),
}


@dataclass(frozen=True)
class PixelFeatures:
    """What is known of a pixel.

    Parameters
    ----------
    colour : tuple of {"rgb", "hsv", "lab"}
        The colour spaces: red, green and blue from 0 to 255; hue in degrees, saturation and value
        from 0 to 1; CIE L*a*b*.
    position : bool
        Where the pixel is: its row and column as shares of the height and the width.
    texture : bool
        Mean and standard deviation of the grey values in a square of 5 x 5 pixels around it.
    neighbourhood : int
        The colours of the four pixels that are so many pixels above, below, left and right of it;
        0: none. Beyond the edge the pixels of the edge are repeated.

    Examples
    --------
    >>> from miter.pixels import PixelFeatures
    >>> PixelFeatures(("rgb",), position=True).names
    ('red', 'green', 'blue', 'row', 'column')
    """

    colour: tuple[str, ...] = ("rgb",)
    position: bool = False
    texture: bool = False
    neighbourhood: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.colour, tuple) or not self.colour:
            raise ValueError(f"colour is {self.colour!r}; give a tuple of names, as ('rgb',)")
        for name in self.colour:
            if name not in COLOURS:
                raise ValueError(
                    f"there is no colour space {name!r}; {did_you_mean(str(name), COLOURS)}"
                )
        repeated = first_repeated(self.colour)
        if repeated is not None:
            raise ValueError(f"colour names {repeated!r} twice; name it once")
        distance: object = self.neighbourhood
        is_whole = isinstance(distance, Integral) and not isinstance(distance, bool)
        if not is_whole or not 0 <= self.neighbourhood <= MOST_DISTANT:
            raise ValueError(
                f"neighbourhood is {distance!r}; give a whole number from 0 to {MOST_DISTANT}"
            )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        colours = [name for space in self.colour for name in COLOURS[space][0]]
        names = list(colours)
        if self.neighbourhood:
            names += [f"{name}_{side}" for side in SIDES for name in colours]
        names += ["row", "column"] if self.position else []
        names += ["grey_mean", "grey_deviation"] if self.texture else []
        return tuple(names)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of the matrix, all of them numbers."""
        return tuple(Column(name, "numeric") for name in self.names)

    @property
    def halo(self) -> int:
        """How many pixels further than itself a pixel's features look."""
        return max(self.neighbourhood, WINDOW // 2 if self.texture else 0)

    def matrix(self, photograph: Photograph, top: int, bottom: int) -> NDArray[np.float32]:
        """Return the features of some rows of a photograph, a row of the matrix for each pixel.

        Parameters
        ----------
        photograph : Photograph
            What to look at.
        top, bottom : int
            The first row of pixels, and the one after the last.

        Returns
        -------
        ndarray of shape (n_pixels, n_columns), float32
            Pixels from left to right, then from top to bottom.
        """
        shape = (bottom - top, photograph.width, len(self.names))
        matrix = np.empty(shape, np.float32)
        column = 0
        for part in self._parts(photograph, top, bottom):
            width = part.shape[-1]
            matrix[..., column : column + width] = part
            column += width
        return matrix.reshape(-1, shape[-1])

    def _parts(self, photograph: Photograph, top: int, bottom: int) -> Iterator[NDArray[Any]]:
        """Yield columns in the order of `names`, each of shape (rows, width, columns) or spread."""
        block = _framed_rows(photograph, top, bottom, self.halo)
        # Colours are needed as far out as the neighbours are.
        margin = self.halo - self.neighbourhood
        seen = _inside(block, margin)
        spaces = [COLOURS[space][1](seen) for space in self.colour]
        for down, right in [(0, 0), *(SIDES.values() if self.neighbourhood else ())]:
            for space in spaces:
                distance = self.neighbourhood
                yield _inside(space, distance, down * distance, right * distance)
        if self.position:
            rows = (np.arange(top, bottom) + 0.5) / photograph.height
            yield rows[:, np.newaxis, np.newaxis]
            columns = (np.arange(photograph.width) + 0.5) / photograph.width
            yield columns[np.newaxis, :, np.newaxis]
        if self.texture:
            yield _inside(_texture(block), self.halo)


def _framed_rows(photograph: Photograph, top: int, bottom: int, halo: int) -> NDArray[np.uint8]:
    """Return some rows with a frame around; beyond the photograph its edge is repeated."""
    first, last = max(0, top - halo), min(photograph.height, bottom + halo)
    rows = photograph.rows(first, last)
    if halo == 0:
        return rows
    frame = ((halo - (top - first), halo - (last - bottom)), (halo, halo), (0, 0))
    return np.pad(rows, frame, mode="edge")


def _inside(block: NDArray[Any], margin: int, down: int = 0, right: int = 0) -> NDArray[Any]:
    """Return a block without its frame, or what is so many pixels further down and right."""
    height, width = block.shape[:2]
    return block[margin + down : height - margin + down, margin + right : width - margin + right]


def _texture(colours: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return mean and standard deviation of grey around every pixel.

    Sums are of whole numbers, so that they are exact wherever a block begins.
    """
    red, green, blue = np.moveaxis(colours.astype(np.int32), -1, 0)
    # Grey as television defines it, rounded: what Pillow calls 'L'.
    grey = (19595 * red + 38470 * green + 7471 * blue + 2**15) >> 16
    total, squares = _window_sum(grey), _window_sum(grey * grey)
    n_pixels = WINDOW * WINDOW
    variance = (n_pixels * squares - total * total) / n_pixels**2
    return np.stack([total / n_pixels, np.sqrt(variance)], axis=-1)


def _window_sum(values: NDArray[np.int32]) -> NDArray[np.int32]:
    ones = np.ones(WINDOW)
    return correlate1d(correlate1d(values, ones, axis=0), ones, axis=1)
