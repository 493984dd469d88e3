"""Colours of classes: one place for pictures and pages, the same for a class in all of them.

The first seven are those of Okabe and Ito 2008, *Color universal design*, which people with any
kind of colour vision tell apart; three were added that keep their distance from these and from each
other under all of them (`tests/show/test_colours.py` measures it). From the eleventh class on
colours come again, with another hatch and another mark.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CLASS_COLOURS", "FAINT", "HATCHES", "INK", "LINE", "MARKERS", "Style", "class_style"]

#: Blue, orange, green, purple, sky blue, vermilion, yellow; violet, brown, slate.
CLASS_COLOURS = (
    *("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442"),
    *("#7A2EDB", "#663311", "#334444"),
)
#: As matplotlib writes them: what lies over a colour, the first time, the second, ...
HATCHES = ("", "////", "....", "xxxx", "----", "\\\\\\\\", "++++", "oooo")
#: As matplotlib writes them: circle, square, triangle, ...
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*")

#: Of words; of lines and frames; of what is only beside the point.
INK, LINE, FAINT = "#1A1A1A", "#6B6B6B", "#C8C8C8"


@dataclass(frozen=True)
class Style:
    """How a class looks.

    Parameters
    ----------
    colour : str
        As ``#rrggbb``.
    hatch : str
        What lies over the colour, as matplotlib writes it; empty for the first ten classes.
    marker : str
        What stands for a row of the class, as matplotlib writes it.

    Examples
    --------
    >>> from miter.show.colours import Style
    >>> Style("#0072B2", "", "o").ink
    '#FFFFFF'
    """

    colour: str
    hatch: str
    marker: str

    @property
    def ink(self) -> str:
        """The colour of words upon it: whichever of black and white stands out more."""
        light = _luminance(self.colour)
        return "#FFFFFF" if 1.05 / (light + 0.05) > (light + 0.05) / 0.05 else "#000000"

    @property
    def tint(self) -> str:
        """A light shade, for what lies behind dark words."""
        return _mix(self.colour, 0.25)


def class_style(code: int) -> Style:
    """Return how a class looks, by its position among the classes of a model.

    Parameters
    ----------
    code : int
        From 0 on.

    Examples
    --------
    >>> from miter.show.colours import class_style
    >>> class_style(0)
    Style(colour='#0072B2', hatch='', marker='o')
    >>> class_style(10)
    Style(colour='#0072B2', hatch='////', marker='s')
    """
    again, place = divmod(code, len(CLASS_COLOURS))
    hatch = HATCHES[again % len(HATCHES)]
    return Style(CLASS_COLOURS[place], hatch, MARKERS[(place + again) % len(MARKERS)])


def _parts(colour: str) -> list[int]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def _mix(colour: str, share: float) -> str:
    """Return so much of a colour in white."""
    mixed = (round(255 + share * (part - 255)) for part in _parts(colour))
    return "#" + "".join(f"{part:02X}" for part in mixed)


def _luminance(colour: str) -> float:
    """Return how light a colour is, from 0 to 1, as the guidelines for the web reckon it."""
    linear = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (part / 255 for part in _parts(colour))
    )
    return sum(w * part for w, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
