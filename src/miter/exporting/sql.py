"""One SELECT that SQLite, DuckDB and PostgreSQL understand.

Rows walk down the trees step by step: a recursive table holds the parts of rows, each at a node, so
that a row with a missing value may be in several. Every test is written once, whatever the depth of
the tree, and nothing is nested deeper than parsers like.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import assert_never

from miter.data.schema import Label
from miter.exporting.program import Node, Program
from miter.exporting.remark import no_zero_characters
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

__all__ = ["write_sql"]

#: In place of a branch: it is the position of the largest of the columns s0, s1, ...
LARGEST = -3
#: So many terms of a sum are added one by one: SQLite allows an expression of depth 1,000.
TOGETHER = 200

HEAD = """-- A decision made by Miter, for SQLite, DuckDB and PostgreSQL.
-- NULL is a missing value; a text that training never saw counts as one."""


def write_sql(program: Program, name: str) -> str:
    """Return a SELECT of all columns of a table, the prediction, and the class probabilities.

    Parameters
    ----------
    program : Program
        What the model computes.
    name : str
        The table.
    """
    no_zero_characters(program, "SQL")
    table = _identifier(name)
    nodes = _numbered(program)
    tables = {
        "miter_rows": f'SELECT ROW_NUMBER() OVER () AS "miter row", {table}.* FROM {table}',
        "miter_cells": _cells(program),
        f"miter_children({', '.join(CHILD)})": _children(nodes),
        f"miter_nodes({', '.join(_node_columns(program))})": _nodes(program, nodes),
        "miter_walk": _walk(program, nodes),
        "miter_sums": _sums(program),
        **_answers(program),
    }
    # Numbers of rows must be the same wherever they are used.
    shown = ",\n".join(f"{k} AS MATERIALIZED (\n{v}\n)" for k, v in tables.items())
    # PostgreSQL takes no hint for a table that is recursive.
    shown = shown.replace("miter_walk AS MATERIALIZED", "miter_walk AS")
    return f"{HEAD}\nWITH RECURSIVE\n{shown}\n{_outcome(program)};\n"


CHILD = ("parent", "branch", "node", "share")


def _numbered(program: Program) -> list[tuple[int, int, Node]]:
    """Return the tree, the number of its root, and each node: all are numbered as one."""
    found, root = [], 0
    for number, tree in enumerate(program.trees):
        found += [(number, root, node) for node in tree.nodes]
        root += len(tree.nodes)
    return found


def _cells(program: Program) -> str:
    """Write each column as a number: codes for symbols, NULL where it is missing."""
    lines = []
    for position, (column, codes) in enumerate(program.codes):
        cell = _identifier(column.name)
        if codes is None:
            number = f"CAST({cell} AS DOUBLE PRECISION)"
            # What is no number is missing, too; elsewhere it is larger than any number.
            value = f"CASE WHEN {number} - {number} = 0 THEN {number} END"
        else:
            whens = " ".join(f"WHEN {_text(text)} THEN {code}" for text, code in codes.items())
            value = f"CAST(CASE CAST({cell} AS TEXT) {whens} END AS DOUBLE PRECISION)"
        lines.append(f"{value} AS x{position}")
    shown = ",\n  ".join(['"miter row" AS n', *lines])
    return f"SELECT\n  {shown}\nFROM miter_rows"


def _children(nodes: Sequence[tuple[int, int, Node]]) -> str:
    rows = [
        f"({parent}, {branch}, {root + child}, {_number(share)})"
        for parent, (_, root, node) in enumerate(nodes)
        for branch, (child, share) in enumerate(zip(node.children, node.shares, strict=True))
    ]
    return _values(rows or ["(-1, 0, -1, 0e0)"])


def _node_columns(program: Program) -> list[str]:
    merit = _each(program, "m") if program.has_merits else []
    return ["node", "tree", "label", *_each(program, "p"), *merit]


def _nodes(program: Program, nodes: Sequence[tuple[int, int, Node]]) -> str:
    rows = []
    for number, (tree, _, node) in enumerate(nodes):
        if node.can_end:
            merit = node.merit if program.has_merits else ()
            numbers = map(_number, (*node.probabilities, *merit))
            rows.append(f"({number}, {tree}, {node.label}, {', '.join(numbers)})")
    return _values(rows)


def _walk(program: Program, nodes: Sequence[tuple[int, int, Node]]) -> str:
    """Write the recursive table: a part of a row, the node where it is, and what is found there."""
    splits = {n: node.expression for n, (_, _, node) in enumerate(nodes) if node.expression}
    roots = {n: splits[n] for n, (_, root, _) in enumerate(nodes) if n == root and n in splits}
    inner = {n: split for n, split in splits.items() if n not in roots}
    n_sums = max((len(e.of) for e in splits.values() if isinstance(e, Largest)), default=0)
    cells = [f"x{position}" for position in range(program.schema.n_columns)]
    starts = sorted({root for _, root, _ in nodes})
    start = " UNION ALL ".join(f"SELECT {root} AS node" for root in starts)
    found = _found(roots, n_sums, "r.node", "")
    first = ["c.n", "r.node", "CAST(1 AS DOUBLE PRECISION) AS share", "0 AS shared", *found]
    share = "CASE WHEN w.branch = -1 THEN k.share ELSE 1e0 END"
    shared = "CASE WHEN w.branch = -1 THEN 1 ELSE w.shared END"
    later = ["w.n", "k.node", f"w.share * {share}", shared, *_found(inner, n_sums, "k.node", "w.")]
    is_next = ["w.branch = k.branch", "(w.branch = -1 AND k.share > 0)"]
    if n_sums:
        is_next.append(f"(w.branch = {LARGEST} AND k.branch = {_first_of_largest(n_sums)})")
    lines = [
        f"SELECT\n  {_list([*first, *(f'c.{cell}' for cell in cells)])}",
        f"FROM miter_cells AS c CROSS JOIN ({start}) AS r",
        "UNION ALL",
        f"SELECT\n  {_list([*later, *(f'w.{cell}' for cell in cells)])}",
        "FROM miter_walk AS w JOIN miter_children AS k",
        f"  ON k.parent = w.node AND ({' OR '.join(is_next)})",
    ]
    return "\n".join(lines)


def _found(splits: Mapping[int, Expression], n_sums: int, node: str, source: str) -> list[str]:
    """Write the branch at a node, -2 at a leaf, and the sums of which the largest decides."""

    def branch(expression: Expression) -> str:
        return str(LARGEST) if isinstance(expression, Largest) else _write(expression, source)

    def part(position: int) -> Callable[[Expression], str]:
        return lambda e: _write(e.of[position], source)  # type: ignore[union-attr, index]

    columns = [f"CAST({_choose(node, splits, branch, '-2')} AS INTEGER) AS branch"]
    for k in range(n_sums):
        own = {n: e for n, e in splits.items() if isinstance(e, Largest) and k < len(e.of)}
        value = _choose(node, own, part(k), "-1e308")
        columns.append(f"CAST({value} AS DOUBLE PRECISION) AS s{k}")
    return columns


def _choose(
    node: str, splits: Mapping[int, Expression], write: Callable[[Expression], str], otherwise: str
) -> str:
    """Write a choice by the number of a node, by halves: there may be thousands."""
    if not splits:
        return otherwise
    numbers = sorted(splits)
    if len(numbers) > 4:
        middle = numbers[len(numbers) // 2]
        low = {n: e for n, e in splits.items() if n < middle}
        high = {n: e for n, e in splits.items() if n >= middle}
        words = _choose(node, low, write, otherwise), _choose(node, high, write, otherwise)
        return f"CASE WHEN {node} < {middle} THEN {words[0]}\n  ELSE {words[1]} END"
    whens = "\n  ".join(f"WHEN {n} THEN {write(splits[n])}" for n in numbers)
    return f"CASE {node} {whens}\n  ELSE {otherwise} END"


def _first_of_largest(n: int) -> str:
    """Write the position of the first of the largest of s0, s1, ...

    What comes before has been found to be smaller than something behind it.
    """
    whens = []
    for k in range(n - 1):
        behind = " AND ".join(f"w.s{k} >= w.s{j}" for j in range(k + 1, n))
        whens.append(f"WHEN {behind} THEN {k}")
    return f"CASE {' '.join(whens)} ELSE {n - 1} END"


def _sums(program: Program) -> str:
    """Write what the ends of a row's parts say: of each tree, or of all together."""
    by = "w.n" if program.answer == "mean" else "w.n, e.tree"
    merit = "m" if program.has_merits else "p"
    sums = [f"SUM(w.share * e.p{k}) AS p{k}" for k in range(program.schema.n_classes)]
    if program.answer != "mean":
        sums += ["MAX(w.shared) AS shared", "MIN(e.label) AS label"]
        pairs = zip(_each(program, merit), _each(program, "m"), strict=True)
        sums += [f"SUM(w.share * e.{one}) AS {other}" for one, other in pairs]
    lines = [
        f"SELECT\n  {_list(['w.n', *sums])}",
        "FROM miter_walk AS w JOIN miter_nodes AS e ON e.node = w.node",
        f"WHERE w.branch = -2\nGROUP BY {by}",
    ]
    return "\n".join(lines)


def _answers(program: Program) -> dict[str, str]:
    """Write the tables that lead from what trees say to the one answer."""
    p, m, n_trees = _each(program, "p"), _each(program, "m"), len(program.trees)
    if program.answer == "mean":
        shares = [f"{share} / {n_trees} AS {share}" for share in p]
        merits = [f"{share} AS {merit}" for share, merit in zip(p, m, strict=True)]
        if program.costs is not None:
            products = (
                " - ".join(f"{_number(cost)} * {share}" for cost, share in zip(row, p, strict=True))
                for row in program.costs
            )
            merits = [f"0 - {words} AS {merit}" for words, merit in zip(products, m, strict=True)]
        return {
            "miter_shares": f"SELECT n, {', '.join(shares)} FROM miter_sums",
            "miter_merits": f"SELECT n, {', '.join([*p, *merits])} FROM miter_shares",
            **_decide("miter_merits", p, m, "-1"),
        }
    one = _decide("miter_sums", [*p, "shared", "label"], m, "CASE WHEN shared = 0 THEN label END")
    if program.answer == "tree":
        return one
    votes = (f"SUM(CASE WHEN answer = {k} THEN 1e0 ELSE 0e0 END)" for k in range(len(p)))
    shares = [f"{v} / {n_trees} AS {s}" for v, s in zip(votes, p, strict=True)]
    merits = [f"{share} AS {merit}" for share, merit in zip(p, m, strict=True)]
    return {
        "miter_tree_best": one["miter_best"],
        "miter_tree_answers": one["miter_answers"].replace("miter_best", "miter_tree_best"),
        "miter_votes": f"SELECT n, {', '.join(shares)} FROM miter_tree_answers GROUP BY n",
        "miter_merits": f"SELECT n, {', '.join([*p, *merits])} FROM miter_votes",
        **_decide("miter_merits", p, m, "-1"),
    }


def _decide(source: str, kept: Sequence[str], merits: Sequence[str], known: str) -> dict[str, str]:
    """Write which class is best: the first of the largest merit, but for rounding."""
    whens = []
    for k, merit in enumerate(merits[:-1]):
        behind = " AND ".join(f"{merit} >= {other}" for other in merits[k + 1 :])
        whens.append(f"WHEN {behind} THEN {merit}")
    whens_of_largest = " ".join(whens) or f"WHEN 1 = 1 THEN {merits[0]}"
    highest = f"CASE {whens_of_largest} ELSE {merits[-1]} END"
    size = "CASE WHEN ABS(highest) > 1 THEN ABS(highest) ELSE 1e0 END"
    is_best = [
        f"WHEN {merit} >= highest - 1e-12 * {size} THEN {k}" for k, merit in enumerate(merits)
    ]
    answer = f"CASE {' '.join(is_best)} END"
    if known != "-1":
        answer = f"COALESCE({known}, {answer})"
    own = ", ".join(["n", *kept, *merits])
    return {
        "miter_best": f"SELECT {own}, {highest} AS highest FROM {source}",
        "miter_answers": f"SELECT {own}, {answer} AS answer FROM miter_best",
    }


def _outcome(program: Program) -> str:
    labels = program.schema.classes
    whens = " ".join(f"WHEN {k} THEN {_literal(label)}" for k, label in enumerate(labels))
    shares = (
        f"a.p{k} AS {_identifier(f'probability {label}')}" for k, label in enumerate(program.labels)
    )
    columns = ["r.*", f"CASE a.answer {whens} END AS prediction", *shares]
    join = 'miter_rows AS r JOIN miter_answers AS a ON a.n = r."miter row"'
    return f'SELECT\n  {_list(columns)}\nFROM {join}\nORDER BY r."miter row"'


def _write(expression: Expression, source: str) -> str:
    match expression:
        case Constant(value):
            return _number(value)
        case Cell(column):
            return f"{source}x{column}"
        case Distance(column, centre, is_above):
            cell, number = f"{source}x{column}", _number(centre)
            low, high = (number, cell) if is_above else (cell, number)
            return f"CASE WHEN {high} > {low} THEN {high} - {low} ELSE 0e0 END"
        case Lookup(column, values, otherwise):
            return _look_up(f"{source}x{column}", values, otherwise)
        case IfMissing(column, missing, known):
            choice = f"THEN {_write(missing, source)} ELSE {_write(known, source)}"
            return f"CASE WHEN {source}x{column} IS NULL {choice} END"
        case Sum(parts):
            return _add(
                _write(p, source) if f == 1 else f"{_number(f)} * {_write(p, source)}"
                for f, p in parts
            )
        case Step(of, cuts):
            inner = _write(of, source)
            return _add(f"CASE WHEN {inner} > {_number(cut)} THEN 1 ELSE 0 END" for cut in cuts)
        case Sigmoid(of):
            inner = _write(of, source)
            # PostgreSQL fails where a result is too large or too small for a number.
            small, large = f"WHEN {inner} < -700 THEN 0e0", f"WHEN {inner} > 700 THEN 1e0"
            return f"CASE {small} {large} ELSE 1e0 / (1e0 + EXP(-({inner}))) END"
        case Largest(of):
            words = [_write(part, source) for part in of]
            whens = (
                f"WHEN {' AND '.join(f'{v} >= {w}' for w in words[k + 1 :])} THEN {k}"
                for k, v in enumerate(words[:-1])
            )
            return f"CASE {' '.join(whens)} ELSE {len(of) - 1} END"
    assert_never(expression)


def _look_up(cell: str, values: Sequence[float], otherwise: float) -> str:
    codes: dict[float, list[str]] = {}
    for code, value in enumerate(values):
        if value != otherwise:
            codes.setdefault(value, []).append(str(code))
    if not codes:
        return _number(otherwise)
    whens = (f"WHEN {cell} IN ({', '.join(own)}) THEN {_number(v)}" for v, own in codes.items())
    return f"CASE {' '.join(whens)} ELSE {_number(otherwise)} END"


def _add(parts: Iterable[str]) -> str:
    words = list(parts)
    while len(words) > TOGETHER:
        blocks = (words[start : start + TOGETHER] for start in range(0, len(words), TOGETHER))
        words = [f"({' + '.join(block)})" for block in blocks]
    return f"({' + '.join(words)})"


def _each(program: Program, letter: str) -> list[str]:
    return [f"{letter}{k}" for k in range(program.schema.n_classes)]


def _values(rows: Iterable[str]) -> str:
    return "VALUES\n  " + ",\n  ".join(rows)


def _list(columns: Iterable[str]) -> str:
    return ",\n  ".join(columns)


def _number(value: float) -> str:
    """Write a number with its exponent: without it, DuckDB and PostgreSQL see a decimal."""
    number = repr(float(value))
    number = number if "e" in number else f"{number}e0"
    return f"({number})" if value < 0 else number


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _literal(label: Label) -> str:
    if isinstance(label, bool):
        return "TRUE" if label else "FALSE"
    return _text(label) if isinstance(label, str) else repr(label)
