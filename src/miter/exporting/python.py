"""Plain Python that needs no library."""

from __future__ import annotations

from typing import assert_never

from miter.exporting.program import Node, Program
from miter.exporting.remark import one_line
from miter.splits.expression import (
    Cell,
    Constant,
    Distance,
    Expression,
    IfMissing,
    Largest,
    Lookup,
    Sigmoid,
    Step,
    Sum,
)

__all__ = ["write_python"]

HEAD = '''"""A decision made by Miter: predict(row) and predict_proba(row).

A row is a mapping of the names in COLUMNS to values: numbers, texts of symbols, None or NaN where
a value is missing. A text that training never saw counts as missing. Probabilities come in the
order of CLASSES.
"""

import math
'''

WALK = '''

def predict(row):
    """Return the class of a row."""
    return CLASSES[_predict(_read(row))]


def predict_proba(row):
    """Return the probability of each class, in the order of CLASSES."""
    return _predict_proba(_read(row))


def _read(row):
    return [
        _number(row[name]) if codes is None else _code(row[name], codes)
        for name, codes in COLUMNS.items()
    ]


def _is_missing(value):
    return value is None or value != value


def _number(value):
    return math.nan if _is_missing(value) else float(value)


def _code(value, codes):
    if _is_missing(value):
        return math.nan
    if not isinstance(value, (str, bool)) and float(value).is_integer():
        value = int(value)
    text = str(value)
    return codes.get(text, codes.get(text.strip(), math.nan))


def _end(tree, x):
    """Return the node where a row ends; None where it is shared out."""
    node = tree[0]
    while node[0] is not None:
        branch = node[0](x)
        if branch == STAY:
            break
        if branch == SHARE:
            return None
        node = tree[node[1][int(branch)]]
    return node


def _blend(tree, x, values):
    """Return the values of the nodes where parts of a row end, summed by their shares."""
    total = [0.0] * len(CLASSES)
    left = [(0, 1.0)]
    while left:
        number, share = left.pop()
        node = tree[number]
        branch = STAY if node[0] is None else node[0](x)
        if branch == STAY:
            for k, value in enumerate(node[values]):
                total[k] += share * value
        elif branch == SHARE:
            parts = [(child, share * part) for child, part in zip(node[1], node[2]) if part > 0]
            left.extend(reversed(parts))
        else:
            left.append((node[1][int(branch)], share))
    return total


def _label(tree, x):
    end = _end(tree, x)
    return _first_of_largest(_blend(tree, x, MERIT)) if end is None else end[LABEL]


def _shares(tree, x):
    end = _end(tree, x)
    return _blend(tree, x, PROBABILITIES) if end is None else list(end[PROBABILITIES])


def _first_of_largest(merit):
    """Return the position of the first that is largest, but for rounding."""
    highest = max(merit)
    least = highest - 1e-12 * max(1.0, abs(highest))
    return next(k for k, value in enumerate(merit) if value >= least)


def _largest(values):
    return values.index(max(values))


def _add(parts):
    total = 0.0
    for part in parts:
        total += part
    return total


def _step(value, cuts):
    return sum(value > cut for cut in cuts)


def _sigmoid(value):
    return 1.0 / (1.0 + math.exp(-value)) if value > -700.0 else 0.0
'''

ANSWERS = {
    "tree": """

def _predict_proba(x):
    return _shares(TREES[0], x)


def _predict(x):
    return _label(TREES[0], x)
""",
    "votes": """

def _predict_proba(x):
    votes = [0.0] * len(CLASSES)
    for tree in TREES:
        votes[_label(tree, x)] += 1.0
    return [vote / len(TREES) for vote in votes]


def _predict(x):
    return _first_of_largest(_predict_proba(x))
""",
    "mean": """

def _predict_proba(x):
    total = [0.0] * len(CLASSES)
    for tree in TREES:
        total = [before + share for before, share in zip(total, _shares(tree, x))]
    return [share / len(TREES) for share in total]


def _predict(x):
    shares = _predict_proba(x)
    if COSTS is None:
        return _first_of_largest(shares)
    return _first_of_largest([-_add(c * p for c, p in zip(row, shares)) for row in COSTS])
""",
}


def write_python(program: Program) -> str:
    """Return a module with `predict(row)` and `predict_proba(row)`.

    Parameters
    ----------
    program : Program
        What the model computes.
    """
    columns = "".join(f"    {c.name!a}: {codes!a},\n" for c, codes in program.codes)
    lines = [
        HEAD,
        f"CLASSES = {list(program.schema.classes)!a}",
        f"COLUMNS = {{\n{columns}}}",
        "SHARE, STAY = -1, -2  # a row goes to all branches in parts; no branch fits it",
        "# A node: its branch for a row x, children, their shares, probabilities, label, and what",
        "# is gained by each class as an answer, where that is not its probability.",
        f"PROBABILITIES, LABEL, MERIT = 3, 4, {5 if program.has_merits else 3}",
        f"COSTS = {program.costs!r}",
        WALK + ANSWERS[program.answer],
        "\nTREES = [",
    ]
    for tree in program.trees:
        nodes = (line for node in tree.nodes for line in _node(node, program.has_merits))
        lines += ["    [", *(f"        {line}" for line in nodes)]
        lines.append("    ],")
    return "\n".join([*lines, "]", ""])


def _node(node: Node, has_merits: bool) -> list[str]:
    answer = f"{node.probabilities!r}, {node.label}{f', {node.merit!r}' if has_merits else ''}"
    if node.expression is None:
        return [f"(None, (), (), {answer}),"]
    branch = f"lambda x: {_write(node.expression)}"
    words = f"# {one_line(node.words)}?"
    return [words, f"({branch}, {node.children!r}, {node.shares!r}, {answer}),"]


def _write(expression: Expression) -> str:
    match expression:
        case Constant(value):
            return repr(value)
        case Cell(column):
            return f"x[{column}]"
        case Distance(column, centre, is_above):
            beyond = f"x[{column}] - {centre!r}" if is_above else f"{centre!r} - x[{column}]"
            return f"max({beyond}, 0.0)"
        case Lookup(column, values, otherwise):
            return f"({values!r}[int(x[{column}])] if x[{column}] >= 0 else {otherwise!r})"
        case IfMissing(column, missing, known):
            return f"({_write(known)} if x[{column}] == x[{column}] else {_write(missing)})"
        case Sum(parts):
            words = [_write(p) if f == 1 else f"{f!r} * {_write(p)}" for f, p in parts]
            return f"_add(({', '.join(words)},))" if len(words) > 1 else f"({words[0]})"
        case Step(of, (cut,)):
            return f"({_write(of)} > {cut!r})"
        case Step(of, cuts):
            return f"_step({_write(of)}, {cuts!r})"
        case Sigmoid(of):
            return f"_sigmoid({_write(of)})"
        case Largest(of):
            return f"_largest(({', '.join(map(_write, of))},))"
    assert_never(expression)
