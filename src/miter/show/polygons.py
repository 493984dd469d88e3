"""Polygons cut along straight lines: what a plane of linear tests looks like, exactly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Polygon", "area", "clip", "largest_parts", "rectangle"]

#: Corners in order, one a row.
Polygon = NDArray[np.float64]


def rectangle(x0: float, x1: float, y0: float, y1: float) -> Polygon:
    """Return the corners of a rectangle."""
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], float)


def area(polygon: Polygon) -> float:
    """Return how large a polygon is."""
    if len(polygon) < 3:
        return 0.0
    x, y = (polygon - polygon[0]).T
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2


def clip(polygon: Polygon, values: NDArray[np.float64], *, strict: bool = False) -> Polygon:
    """Return the part of a polygon where a linear function is 0 or more.

    Sutherland and Hodgman 1974, *Reentrant polygon clipping*, for one line.

    Parameters
    ----------
    polygon : ndarray of shape (n_corners, 2)
        Of any shape.
    values : ndarray of shape (n_corners,)
        The function at the corners.
    strict : bool
        Whether it must be more than 0: a polygon on which it is 0 everywhere is then left out.

    Examples
    --------
    >>> from miter.show.polygons import clip, rectangle
    >>> square = rectangle(0, 1, 0, 1)
    >>> clip(square, square[:, 0] - 0.5).tolist()
    [[0.5, 0.0], [1.0, 0.0], [1.0, 1.0], [0.5, 1.0]]
    """
    inside = values > 0 if strict else values >= 0
    if inside.all():
        return polygon
    if not inside.any():
        return polygon[:0]
    corners = []
    for i in range(len(polygon)):
        j = (i + 1) % len(polygon)
        if inside[i]:
            corners.append(polygon[i])
        if inside[i] != inside[j]:
            part = values[i] / (values[i] - values[j])
            corners.append(polygon[i] + part * (polygon[j] - polygon[i]))
    return np.array(corners)


def largest_parts(polygon: Polygon, values: NDArray[np.float64]) -> list[Polygon]:
    """Return the part of a convex polygon where each of several linear functions is the largest.

    Of equal ones the first is.

    Parameters
    ----------
    polygon : ndarray of shape (n_corners, 2)
        Convex.
    values : ndarray of shape (n_corners, n_functions)
        The functions at the corners.
    """
    parts = []
    for own in range(values.shape[1]):
        # Points in the plane of the polygon carry the values of all functions along.
        part = np.column_stack([polygon, values])
        for other in range(values.shape[1]):
            if other != own and len(part):
                lead = part[:, 2 + own] - part[:, 2 + other]
                part = clip(part, lead, strict=other < own)
        parts.append(part[:, :2])
    return parts
