"""Classic problems, made rather than read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.schema import Column, Label, Schema
from miter.data.table import Data

__all__ = ["dnf", "l_problem", "led", "monks", "play_tennis"]

_BITS = ("0", "1")

# Which segments of a seven-segment display are lit, digit by digit.
_SEGMENTS = ("top", "upper_left", "upper_right", "middle", "lower_left", "lower_right", "bottom")
_DIGITS = (
    "1110111",
    "0010010",
    "1011101",
    "1011011",
    "0111010",
    "1101011",
    "1101111",
    "1010010",
    "1111111",
    "1111011",
)

# The L of `l_problem`: both coordinates of its corner, and how near and how far its points lie.
_CORNER = 0.05
_NEAREST, _FARTHEST = 0.01, 0.05

_MONKS_SIZES = (3, 3, 2, 3, 4, 2)

_TENNIS_COLUMNS = (
    Column("Outlook", "symbolic", ("Sunny", "Overcast", "Rain")),
    Column("Temp.", "symbolic", ("Hot", "Mild", "Cool", "Cold")),
    Column("Humidity", "symbolic", ("High", "Normal")),
    Column("Wind", "symbolic", ("Weak", "Strong")),
)
_TENNIS_ROWS = """
    Sunny    Hot  High   Weak   No
    Sunny    Hot  High   Strong No
    Overcast Hot  High   Weak   Yes
    Rain     Mild High   Weak   Yes
    Rain     Cool Normal Weak   Yes
    Rain     Cool Normal Strong No
    Overcast Cool Normal Weak   Yes
    Sunny    Mild High   Weak   No
    Sunny    Cold Normal Weak   Yes
    Rain     Mild Normal Strong Yes
    Sunny    Mild Normal Strong Yes
    Overcast Mild High   Strong Yes
    Overcast Hot  Normal Weak   Yes
    Rain     Mild High   Strong No
"""


def led(n_rows: int, noise: float = 0.1, seed: int = 0) -> Data:
    """Draw digits on a faulty seven-segment display (Breiman et al. 1984).

    Each digit is equally likely; each segment shows the wrong state with probability `noise`.
    At 10 % noise no classifier can be right more often than 74 % of the time.

    Parameters
    ----------
    n_rows : int
        How many digits.
    noise : float
        Between 0 and 1.
    seed : int
        The same seed draws the same rows.

    Returns
    -------
    Data
        Seven symbolic columns with the values '0' and '1', ten classes '0' to '9'.

    Examples
    --------
    >>> from miter.data import led
    >>> data = led(500, noise=0.0)
    >>> data.X.shape, data.schema.classes[:3]
    ((500, 7), ('0', '1', '2'))
    """
    _check_n_rows(n_rows)
    if not 0 <= noise <= 1:
        raise ValueError(f"noise is {noise}; give a probability, 0 to 1")
    random = np.random.default_rng(seed)
    digits = random.integers(10, size=n_rows)
    lit = np.array([[int(bit) for bit in digit] for digit in _DIGITS])[digits]
    inverted = random.random(lit.shape) < noise
    columns = [Column(segment, "symbolic", _BITS) for segment in _SEGMENTS]
    return _make(columns, tuple("0123456789"), lit ^ inverted, digits)


def dnf(n_rows: int | None = None, seed: int = 0) -> Data:
    """Make the concept *ab or c(not d)e* over five two-valued symbols.

    Pagallo (1989) made it for trees with several symbols in a test; Utgoff and Brodley (1991)
    find it with two linear machines.

    Parameters
    ----------
    n_rows : int, optional
        How many rows to draw, with replacement; None for each of the 32 possible rows once.
    seed : int
        The same seed draws the same rows.

    Returns
    -------
    Data
        Symbolic columns a to e with the values '0' and '1', classes '0' and '1'.

    Examples
    --------
    >>> from miter.data import dnf
    >>> dnf().class_counts()
    array([21., 11.])
    """
    space = np.array(list(product((0, 1), repeat=5)))
    if n_rows is not None:
        _check_n_rows(n_rows)
        space = space[np.random.default_rng(seed).integers(len(space), size=n_rows)]
    a, b, c, d, e = space.astype(bool).T
    columns = [Column(name, "symbolic", _BITS) for name in "abcde"]
    return _make(columns, _BITS, space, (a & b) | (c & ~d & e))


def l_problem(n_rows: int = 200, seed: int = 0) -> Data:
    """Draw points along both sides of an L-shaped boundary (Utgoff and Brodley 1991, section 3.1).

    The boundary is two segments of equal length that meet at (0.05, 0.05) and run to the edges of
    the unit square; each wants a split of its own. The points lie along the segments, 0.01 to 0.05
    from them, those between the arms of class 'inner' and those around them of class 'outer'.

    The paper shows the problem in a figure without numbers, so the measures are ours. It speaks of
    instances *from* a segment and of those from the other as distant, so the points keep to the
    segments: where they fill the square, a diagonal is right about more of them than either
    segment.

    Parameters
    ----------
    n_rows : int
        How many points.
    seed : int
        The same seed draws the same rows.

    Returns
    -------
    Data
        Numeric columns x and y, classes 'outer' and 'inner'.

    Examples
    --------
    >>> from miter.data import l_problem
    >>> l_problem(100).X.shape
    (100, 2)
    """
    _check_n_rows(n_rows)
    random = np.random.default_rng(seed)
    is_inner, is_upright = random.integers(2, size=(2, n_rows)).astype(bool)
    distance = random.uniform(_NEAREST, _FARTHEST, n_rows)
    across = _CORNER + np.where(is_inner, distance, -distance)
    along = random.uniform(across, 1.0)
    points = np.where(is_upright, (across, along), (along, across)).T
    columns = [Column("x", "numeric"), Column("y", "numeric")]
    return _make(columns, ("outer", "inner"), points, is_inner)


def monks(problem: int) -> Data:
    """Make one of the three MONK's problems (Thrun et al. 1991): all 432 rows, without noise.

    The rows are in lexicographic order, as in the original test files. Class '1' is

    - problem 1: a1 = a2, or a5 = 1;
    - problem 2: exactly two of the six attributes have their first value;
    - problem 3: a5 = 3 and a4 = 1, or a5 is not 4 and a2 is not 3.

    Parameters
    ----------
    problem : {1, 2, 3}
        Which of the three.

    Returns
    -------
    Data
        Symbolic columns a1 to a6 with the values '1', '2', ...; classes '0' and '1'.

    Examples
    --------
    >>> from miter.data import monks
    >>> monks(1).class_counts()
    array([216., 216.])
    """
    if problem not in (1, 2, 3):
        raise ValueError(f"there is no MONK's problem {problem!r}; the problems are 1, 2 and 3")
    codes = np.array(list(product(*map(range, _MONKS_SIZES))))
    columns = [
        Column(f"a{position}", "symbolic", tuple(str(value + 1) for value in range(size)))
        for position, size in enumerate(_MONKS_SIZES, 1)
    ]
    return _make(columns, _BITS, codes, _is_monk(problem, codes + 1))


def play_tennis() -> Data:
    """Return the fourteen days of the play-tennis table, as the course notes print them.

    Three cells differ from Mitchell (1997): D7 has weak wind, D9 is cold, D10 has strong wind.

    Returns
    -------
    Data
        Four symbolic columns, classes 'Yes' and 'No'.

    Examples
    --------
    >>> from miter.data import play_tennis
    >>> data = play_tennis()
    >>> [column.say(code) for column, code in zip(data.schema.columns, data.X[8])]
    ['Sunny', 'Cold', 'Normal', 'Weak']
    """
    classes = ("Yes", "No")
    rows = [line.split() for line in _TENNIS_ROWS.strip().splitlines()]
    codes = [
        [column.values.index(cell) for column, cell in zip(_TENNIS_COLUMNS, row[:-1], strict=True)]
        for row in rows
    ]
    labels = [classes.index(row[-1]) for row in rows]
    return _make(_TENNIS_COLUMNS, classes, np.array(codes), labels, target="Play Tennis")


def _is_monk(problem: int, a: NDArray[np.int64]) -> NDArray[Any]:
    """Return which rows of attribute values a1 to a6 belong to a MONK's problem."""
    a1, a2, _, a4, a5, _ = a.T
    if problem == 1:
        member = (a1 == a2) | (a5 == 1)
    elif problem == 2:
        member = (a == 1).sum(axis=1) == 2
    else:
        member = ((a5 == 3) & (a4 == 1)) | ((a5 != 4) & (a2 != 3))
    return np.asarray(member)


def _make(
    columns: Sequence[Column],
    classes: tuple[Label, ...],
    matrix: NDArray[Any],
    labels: Sequence[int] | NDArray[Any],
    target: str = "class",
) -> Data:
    schema = Schema(tuple(columns), classes, target)
    return Data(schema, matrix.astype(np.float64), np.asarray(labels).astype(np.int32))


def _check_n_rows(n_rows: int) -> None:
    if n_rows < 1:
        raise ValueError(f"n_rows is {n_rows}; ask for one row or more")
