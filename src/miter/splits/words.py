"""Tests in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, assert_never

from miter.data.labels import label_text
from miter.data.schema import Column, Schema
from miter.splits.digits import say_number, say_product, whole_fraction
from miter.splits.expression import Cell, Distance, IfMissing, Largest, Lookup, Sigmoid, Step
from miter.splits.names import count_others, say_codes, say_name, say_values
from miter.splits.pieces import Pieces
from miter.splits.spoken import Test
from miter.splits.sums import FlatSum, Is, Part, columns_of, flatten

__all__ = ["Question", "Wording", "say_branch", "say_question"]

#: What a number of a column counts, where its cells are more than plain numbers.
_COUNTED = {"date": "day", "moment": "day", "days since": "day", "duration": "second"}
_COUNTED |= {"year": "year", "month": "month", "weekday": "weekday", "hour": "hour"}


@dataclass(frozen=True)
class Wording:
    """How sums are said.

    Parameters
    ----------
    order : tuple of int
        Columns in the order to say them; others follow.
    most : int, optional
        Say so many terms, and values of a set, and count the others.
    """

    order: tuple[int, ...] = ()
    most: int | None = None


@dataclass(frozen=True)
class Question:
    """A test said once, and what leads to each branch.

    Parameters
    ----------
    subject : tuple of str
        What is asked about: a column, or the terms of a sum, each with its sign; or, where each
        branch has a sum of its own and the largest decides, the columns in these.
    answers : tuple of str
        What is true of it for each branch, as ``<= 7``; the class, where each has a sum.
    sums : tuple of tuple of str
        The terms of each branch's sum; empty unless each has one.
    column : int, optional
        The one column that is asked about.
    """

    subject: tuple[str, ...]
    answers: tuple[str, ...]
    sums: tuple[tuple[str, ...], ...] = ()
    column: int | None = None


class Product(NamedTuple):
    """A factor, and in words what it multiplies."""

    factor: float
    word: str
    is_condition: bool = False


def say_branch(test: Test, schema: Schema, branch: int, wording: Wording = Wording()) -> str:
    """Say for which known values a test leads to a branch.

    Examples
    --------
    >>> from miter.data import Column, Schema
    >>> from miter.splits.expression import Cell, Step, Sum
    >>> from miter.splits.words import say_branch
    >>> schema = Schema((Column("height", "numeric"), Column("weight", "numeric")))
    >>> say_branch(Step(Sum(((2.0, Cell(0)), (-0.7, Cell(1)))), (7.0,)), schema, 0)
    '2 height - 0.7 weight <= 7'
    """
    match test:
        case IfMissing(_, _, known):
            return say_branch(known, schema, branch, wording)
        case Pieces():
            return _say_pieces(test, schema.columns[test.column], branch)
        case Step():
            return _say_step(test, schema, branch, wording)
        case Lookup(position, values):
            own = [code for code, b in enumerate(values) if b == branch]
            column = schema.columns[position]
            return say_values(column, own, wording.most) if own else _never(column)
        case Largest(of, classes):
            words = _say_total(flatten((1.0, of[branch])), schema, wording)
            name = say_name(label_text(schema.classes[classes[branch]]), may_be_number=True)
            return f"machine = {name}: {words} is largest"
    return f"{_say_total(flatten((1.0, test)), schema, wording)} = {branch}"


def say_question(
    test: Test, schema: Schema, n_branches: int, wording: Wording = Wording()
) -> Question:
    """Say what a test asks, and for which answer it leads to each branch.

    Examples
    --------
    >>> from miter.data import Column, Schema
    >>> from miter.splits.expression import Cell, Step, Sum
    >>> from miter.splits.words import say_question
    >>> schema = Schema((Column("height", "numeric"), Column("weight", "numeric")))
    >>> test = Step(Sum(((2.0, Cell(0)), (-0.7, Cell(1)))), (7.0,))
    >>> say_question(test, schema, 2)
    Question(subject=('2 height', '- 0.7 weight'), answers=('<= 7', '> 7'), sums=(), column=None)
    """
    branches = range(n_branches)
    match test:
        case IfMissing(_, _, known):
            return say_question(known, schema, n_branches, wording)
        case Pieces(position):
            column = schema.columns[position]
            answers = [_say_ranges(test, column, "", branch) for branch in branches]
            return _about(column, position, answers)
        case Step(Cell(position), cuts):
            column = schema.columns[position]
            said = [_say_threshold(column, cut) for cut in cuts]
            return _about(column, position, [_between("", said, branch) for branch in branches])
        case Step():
            terms, signs, values = _turned(test, schema, wording)
            answers = [_between("", values, branch, signs) for branch in branches]
            return Question(tuple(_say_terms(terms, wording)), tuple(answers))
        case Lookup(position, values):
            column = schema.columns[position]
            own = ([code for code, b in enumerate(values) if b == branch] for branch in branches)
            answers = [", ".join(say_codes(column, codes, wording.most)) for codes in own]
            return _about(column, position, answers)
        case Largest(of, classes):
            names = (label_text(schema.classes[code]) for code in classes)
            answers = [say_name(name, may_be_number=True) for name in names]
            totals = (flatten((1.0, one)) for one in of)
            sums = (
                _say_terms(_products(total, schema, wording), wording, total.constant)
                for total in totals
            )
            columns = dict.fromkeys((*wording.order, *sorted(columns_of(test))))
            about = [say_name(schema.columns[column].name) for column in columns]
            return Question(
                tuple(count_others(about, wording.most)), tuple(answers), tuple(map(tuple, sums))
            )
    words = _say_total(flatten((1.0, test)), schema, wording)
    return Question((words,), tuple(f"= {branch}" for branch in branches))


def _about(column: Column, position: int, answers: list[str]) -> Question:
    said = tuple(answer or "never" for answer in answers)
    return Question((say_name(column.name),), said, column=position)


def _never(column: Column) -> str:
    return f"no value of {say_name(column.name)}"


def _say_pieces(pieces: Pieces, column: Column, branch: int) -> str:
    name = say_name(column.name)
    if not pieces.cuts:
        return f"any value of {name}" if branch in pieces.branches else _never(column)
    return _say_ranges(pieces, column, name, branch) or _never(column)


def _say_ranges(pieces: Pieces, column: Column, name: str, branch: int) -> str:
    """Say which ranges of a number lead to a branch; without a name, what is true of it there."""
    cuts = [_say_cut(column, cut) for cut in pieces.cuts]
    said = []
    for i, own in enumerate(pieces.branches):
        if own != branch:
            continue
        low = high = None
        if i:
            low = (">" if pieces.belongs_left[i - 1] else ">="), cuts[i - 1]
        if i < len(cuts):
            high = ("<=" if pieces.belongs_left[i] else "<"), cuts[i]
        said.append(_say_range(name, low, high))
    return " or ".join(said)


def _say_range(name: str, low: tuple[str, str] | None, high: tuple[str, str] | None) -> str:
    """Say that something is between two bounds, each a sign and a number, or beyond one."""
    if low and high and name:
        return f"{low[1]} {low[0].replace('>', '<')} {name} {' '.join(high)}"
    bounds = " and ".join(" ".join(bound) for bound in (low, high) if bound) or "any value"
    return f"{name} {bounds}" if name else bounds


def _say_cut(column: Column, cut: float) -> str:
    if column.values:
        return say_name(column.values[int(cut)], may_be_number=True)
    return say_number(cut) if column.form is None else column.say(cut)


def _say_step(step: Step, schema: Schema, branch: int, wording: Wording) -> str:
    if isinstance(step.of, Cell):
        column = schema.columns[step.of.column]
        left, cuts = say_name(column.name), [_say_threshold(column, cut) for cut in step.cuts]
        return _between(left, cuts, branch)
    products, signs, values = _turned(step, schema, wording)
    return _between(_say_sum(products, wording), values, branch, signs)


def _turned(
    step: Step, schema: Schema, wording: Wording
) -> tuple[list[Product], tuple[str, str], list[str]]:
    """Return the terms of a sum, how it is compared, and with what; the first term is positive."""
    total = flatten((1.0, step.of))
    products = _products(total, schema, wording)
    values = [cut - total.constant for cut in step.cuts]
    if len(values) == 1 and products and products[0].factor < 0:
        turned = [product._replace(factor=-product.factor) for product in products]
        return turned, (">=", "<"), [say_number(-values[0])]
    return products, ("<=", ">"), [say_number(value) for value in values]


def _between(
    left: str, cuts: Sequence[str], branch: int, signs: tuple[str, str] = ("<=", ">")
) -> str:
    low = (signs[1], cuts[branch - 1]) if branch else None
    high = (signs[0], cuts[branch]) if branch < len(cuts) else None
    return _say_range(left, low, high)


def _say_threshold(column: Column, cut: float) -> str:
    if column.values:
        return say_name(column.values[int(cut)], may_be_number=True)
    return column.say(cut)


def _say_total(total: FlatSum, schema: Schema, wording: Wording) -> str:
    """Say a sum with its constant, which comes last."""
    return _say_sum(_products(total, schema, wording), wording, total.constant)


def _products(total: FlatSum, schema: Schema, wording: Wording) -> list[Product]:
    """Return the products of a sum, column by column in the order wanted."""
    rank = {column: place for place, column in enumerate(wording.order)}
    groups: dict[tuple[int, float] | Part, list[Part]] = {}
    for part, factor in total.factors.items():
        # Values of a symbol that add the same are said together.
        key = (part.column, factor) if isinstance(part, Is) else part
        groups.setdefault(key, []).append(part)
    said = [
        (_column(parts[0]), _say_group(total, parts, schema, wording)) for parts in groups.values()
    ]
    said.sort(key=lambda pair: rank.get(pair[0], len(rank)))
    return [product for _, product in said]


def _column(part: Part) -> int:
    match part:
        case Cell(column) | Distance(column) | Is(column) | Step(Cell(column)):
            return column
    return -1


def _say_group(total: FlatSum, parts: list[Part], schema: Schema, wording: Wording) -> Product:
    part, factor = parts[0], total.factors[parts[0]]
    match part:
        case Cell(position):
            return Product(factor, say_name(schema.columns[position].name))
        case Is(position):
            codes = [part.value for part in parts if isinstance(part, Is)]
            words = say_values(schema.columns[position], codes, wording.most)
            return Product(factor, f"[{words}]", True)
        case Distance(position, centre, is_above):
            return Product(factor, _say_distance(schema.columns[position], centre, is_above), True)
        case Step():
            return Product(factor, f"[{_say_step(part, schema, 1, wording)}]", True)
        case Sigmoid(of):
            return Product(factor, f"s({_say_total(flatten((1.0, of)), schema, wording)})", True)
        case Largest(of):
            sums = "; ".join(_say_total(flatten((1.0, one)), schema, wording) for one in of)
            return Product(factor, f"[position of the largest of {{{sums}}}]", True)
    assert_never(part)


def _say_distance(column: Column, centre: float, is_above: bool) -> str:
    """Say what a bent number counts: ``for each [age below 40]``."""
    where = say_number(centre) if column.form is None else column.say(centre)
    counted = ""
    if column.form is not None:
        counted = _COUNTED.get(column.form.part, column.form.unit)
    unit = f"{counted} of " if counted else ""
    return f"for each {unit}[{say_name(column.name)} {'above' if is_above else 'below'} {where}]"


def _say_sum(products: Sequence[Product], wording: Wording, constant: float = 0.0) -> str:
    """Say factors and what they multiply: ``0.7 height - 1.2 weight``."""
    return " ".join(_say_terms(products, wording, constant))


def _say_terms(products: Sequence[Product], wording: Wording, constant: float = 0.0) -> list[str]:
    """Say each term of a sum with its sign, of many the first, and the constant last."""
    shown, rest = list(products), 0
    if wording.most is not None and len(shown) > wording.most + 1:
        shown, rest = shown[: wording.most], len(shown) - wording.most
    as_fraction = all(whole_fraction(product.factor) is not None for product in products)
    words: list[str] = []
    for product in shown:
        sign = "-" if product.factor < 0 else "+" if words else ""
        said = _say_product(product, as_fraction)
        words.append(f"{sign}{' ' if words else ''}{said}")
    if rest:
        words.append(f"+ {rest:,} more terms")
    if constant != 0 or not words:
        sign = "-" if constant < 0 else "+" if words else ""
        words.append(f"{sign}{' ' if words else ''}{say_number(abs(constant))}")
    return words


def _say_product(product: Product, as_fraction: bool) -> str:
    factor = abs(product.factor)
    if product.word.startswith("for each"):
        return f"{say_number(factor)} {product.word}"
    return say_product(factor, product.word, as_fraction=as_fraction and not product.is_condition)
