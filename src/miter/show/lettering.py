"""Words in pictures: whatever names hold, they are text; measured, so that boxes fit them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.font_manager import FontProperties
    from matplotlib.legend import Legend
    from matplotlib.text import Text

__all__ = ["as_printed", "drawable", "fold", "plain", "show_legend", "width_of", "write"]

#: What every text of a picture has: names are never formulas.
PLAIN: dict[str, Any] = {"parse_math": False, "usetex": False}

#: A name in quotes, as `say_name` writes it, with what may be escaped in it.
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
#: Names that nobody takes for anything else, though they are several words.
_CALM = re.compile(r"(?!\d)\w[\w .%/#&()-]*")
_SIGNS = {"<=": "\N{LESS-THAN OR EQUAL TO}", ">=": "\N{GREATER-THAN OR EQUAL TO}"}
_SIGNS |= {"-": "\N{MINUS SIGN}"}
_WORDS = frozenset({"and", "or", "in", "is", "for", "each", "of", "more"})
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def plain(name: object) -> str:
    r"""Return a name that stands alone, so that it needs no quotes: letters that can be drawn.

    Examples
    --------
    >>> from miter.show.lettering import plain
    >>> plain("Iris setosa"), plain("two\nlines")
    ('Iris setosa', 'two\\nlines')
    """
    return drawable(str(name))


def as_printed(words: str) -> str:
    r"""Return words of `miter.splits.words` with the signs of print, and quotes only where needed.

    Examples
    --------
    >>> from miter.show.lettering import as_printed
    >>> as_printed("2 'petal length (cm)' <= 7")
    '2 petal length (cm) ≤ 7'
    >>> as_printed("'a <= b' = '1 or 2'")
    "'a <= b' = '1 or 2'"
    """
    parts, end = [], 0
    for match in _QUOTED.finditer(words):
        parts += [_print_signs(words[end : match.start()]), _unquoted(match.group())]
        end = match.end()
    return drawable("".join([*parts, _print_signs(words[end:])]))


def _print_signs(words: str) -> str:
    return re.sub(r"(?<!\S)(<=|>=|-)(?=[\s\d.])", lambda sign: _SIGNS[sign.group()], words)


def _unquoted(quoted: str) -> str:
    name = quoted[1:-1]
    is_calm = _CALM.fullmatch(name) and _WORDS.isdisjoint(name.split())
    return name if is_calm and name == name.strip() else quoted


def drawable(words: str) -> str:
    """Return words that the fonts in use can draw: codes in place of letters that they lack.

    Examples
    --------
    >>> from miter.show.lettering import drawable
    >>> drawable("ab")
    'ab'
    """
    return _drawable(words, _families())


@lru_cache(maxsize=10_000)
def _drawable(words: str, families: tuple[str, ...]) -> str:
    known = _letters(families)
    parts: list[str] = []
    codes: list[str] = []
    for letter in words:
        if letter.isprintable() and ord(letter) in known:
            parts += [_bracketed(codes), letter]
            codes = []
        elif letter.isprintable():
            codes.append(f"{ord(letter):X}")
        else:  # such as a newline, or what turns the direction of writing
            parts += [_bracketed(codes), letter.encode("unicode_escape").decode()]
            codes = []
    return "".join([*parts, _bracketed(codes)])


def _bracketed(codes: Sequence[str]) -> str:
    return f"[{' '.join(codes)}]" if codes else ""


def _families() -> tuple[str, ...]:
    """Return the fonts that texts are drawn with, as the user has set them."""
    from matplotlib import rcParams

    generic: Any = rcParams
    named = (generic.get(f"font.{family}", [family]) for family in rcParams["font.family"])
    return tuple(family for families in named for family in families)


@cache
def _letters(families: tuple[str, ...]) -> frozenset[int]:
    """Return what the fonts of these names can draw, upright and in bold."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    by_weight = []
    for weight in ("normal", "bold"):
        known: set[int] = set()
        for family in families:
            wanted = FontProperties(family=[family], weight=weight)
            try:
                known |= get_font(findfont(wanted, fallback_to_default=False)).get_charmap().keys()
            except ValueError:  # a font that is not there
                continue
        if not known:  # then matplotlib's own is taken
            known |= get_font(findfont(FontProperties(weight=weight))).get_charmap().keys()
        by_weight.append(known)
    return frozenset(set.intersection(*by_weight))


@lru_cache(maxsize=100)
def _font(size: float, bold: bool, families: tuple[str, ...]) -> FontProperties:
    from matplotlib.font_manager import FontProperties

    return FontProperties(size=size, weight="bold" if bold else "normal")


def width_of(words: str, size: float, *, bold: bool = False) -> float:
    """Return how wide words are drawn, in points."""
    return _width(words, size, bold, _families())


@lru_cache(maxsize=50_000)
def _width(words: str, size: float, bold: bool, families: tuple[str, ...]) -> float:
    from matplotlib.textpath import text_to_path

    font = _font(size, bold, families)
    return float(text_to_path.get_text_width_height_descent(words, font, False)[0])


def fold(
    words: str, width: float, size: float, *, bold: bool = False, most: int | None = None
) -> list[str]:
    """Return words in lines that are no wider than so many points.

    Parameters
    ----------
    words : str
        That can be drawn.
    width : float
        In points.
    size : float
        Of the letters.
    bold : bool
        Whether they are bold.
    most : int, optional
        So many lines, the last of which ends in dots where there were more.
    """
    lines, line = [], ""
    for word in _breakable(words, width, size, bold):
        longer = line + word
        if line and width_of(longer.rstrip(), size, bold=bold) > width:
            lines.append(line.rstrip())
            line = word.lstrip()
        else:
            line = longer
    lines.append(line.rstrip())
    if most is None or len(lines) <= most:
        return lines
    return [*lines[: most - 1], _dotted(lines[most - 1], width, size, bold)]


def _breakable(words: str, width: float, size: float, bold: bool) -> Iterable[str]:
    """Yield pieces, with the blanks behind them, between which a line may end."""
    for word in re.findall(r"\s*\S+(?:\s+$)?", words):
        rest = word
        while width_of(rest.strip(), size, bold=bold) > width and len(rest) > 1:
            n = _fitting(rest, width, size, bold)
            yield rest[:n]
            rest = rest[n:]
        yield rest


def _fitting(word: str, width: float, size: float, bold: bool) -> int:
    """Return how many letters of a word fit on a line; rather up to a hyphen or the like."""
    n = max(int(len(word) * width / width_of(word, size, bold=bold)), 1)
    while n > 1 and width_of(word[:n], size, bold=bold) > width:
        n -= 1
    good = [match.end() for match in re.finditer(r"[-_/.,;:)]", word[:n]) if match.end() > n // 2]
    return good[-1] if good else n


def _dotted(line: str, width: float, size: float, bold: bool) -> str:
    while line and width_of(line + ELLIPSIS, size, bold=bold) > width:
        line = line[:-1]
    return line.rstrip() + ELLIPSIS


def write(ax: Axes, x: float, y: float, words: str, **style: Any) -> Text:
    """Write words that can be drawn into axes; they are never read as a formula."""
    return ax.text(x, y, words, **PLAIN, **style)


def show_legend(
    ax: Axes, handles: Sequence[Any], names: Sequence[str], *, size: float = 8.0, **style: Any
) -> Legend:
    """Give axes a legend, whatever the names are: folded, also if they begin with an underscore."""
    legend = ax.legend(handles, ["."] * len(names), frameon=False, fontsize=size, **style)
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set(text="\n".join(fold(plain(name), 150.0, size, most=3)), **PLAIN)
    legend.get_title().set_fontsize(size)
    return legend
