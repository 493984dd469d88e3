"""Colours that everybody tells apart, measured by what others see of them."""

import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest

from miter.show.colours import CLASS_COLOURS, HATCHES, class_style

#: What people without one kind of cones see of linear RGB: Machado, Oliveira and Fernandes 2009,
#: *A physiologically-based model for simulation of color vision deficiency*, severity 1.
SEEN = {
    "all": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(colour):
    part = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    x = TO_XYZ @ np.clip(rgb, 0, 1) / [0.9505, 1.0, 1.089]
    f = np.where(x > 0.008856, np.cbrt(x), 7.787 * x + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("kind", SEEN)
def test_every_two_colours_are_far_apart_to_every_eye(kind):
    seen = [lab(SEEN[kind] @ linear(colour)) for colour in CLASS_COLOURS]
    # A difference of 2.3 is just noticeable.
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) > 15


@pytest.mark.parametrize("kind", SEEN)
def test_every_colour_stands_out_on_white(kind):
    white = lab(SEEN[kind] @ np.ones(3))
    seen = [lab(SEEN[kind] @ linear(colour)) for colour in CLASS_COLOURS]
    assert min(np.linalg.norm(white - colour) for colour in seen) > 15


def test_no_two_of_eighty_classes_look_alike():
    looks = {(class_style(code).colour, class_style(code).hatch) for code in range(80)}
    assert len(looks) == len(CLASS_COLOURS) * len(HATCHES) == 80
    marks = {(class_style(code).colour, class_style(code).marker) for code in range(80)}
    assert len(marks) == 80


def test_the_first_ten_need_no_hatch():
    assert [class_style(code).hatch for code in range(10)] == [""] * 10
    assert all(class_style(code).hatch for code in range(10, 80))
    assert class_style(1000).colour in CLASS_COLOURS


@pytest.mark.parametrize("code", range(10))
def test_words_can_be_read_on_a_class(code):
    """The contrast that the guidelines for the web ask for, 4.5 to 1."""
    style = class_style(code)
    for ground, ink in ((style.colour, style.ink), (style.tint, "#1A1A1A")):
        light = sorted(TO_XYZ[1] @ linear(colour) for colour in (ground, ink))
        assert (light[1] + 0.05) / (light[0] + 0.05) >= 4.5


def test_colours_need_no_matplotlib():
    code = (
        "import sys; sys.modules['matplotlib'] = None; import miter.show.colours; "
        "print('matplotlib.figure' in sys.modules)"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert output.stdout.strip() == "False"
