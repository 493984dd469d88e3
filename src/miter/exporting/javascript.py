"""A JavaScript module of its own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, assert_never

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

__all__ = ["write_javascript", "write_routing"]

HEAD = """// A decision made by Miter: predict(row) and predictProba(row).
//
// A row is an object of the names in columns to values: numbers, texts of symbols, null or NaN
// where a value is missing. A text that training never saw counts as missing. Probabilities come in
// the order of classes.
"""

DOORS = """
/** The class of a row. */
export function predict(row) {
  return classes[answer(read(row))];
}

/** The probability of each class, in the order of classes. */
export function predictProba(row) {
  return chances(read(row));
}
"""

ROUTING = """
/** A row as numbers and codes of symbols; NaN where a value is missing. */
export function read(row) {
  return columns.map((name, position) => {
    if (!(name in row)) throw new Error(`the row has no ${JSON.stringify(name)}`);
    const value = row[name];
    if (value === null || value === undefined) return NaN;
    if (codes[position] === null) return Number(value);
    const text = String(value);
    return codes[position].get(text) ?? codes[position].get(text.trim()) ?? NaN;
  });
}

/** The numbers of the nodes where parts of a row x end, each with its share. */
export function ends(tree, x) {
  const found = [];
  const left = [[0, 1]];
  while (left.length > 0) {
    const [number, share] = left.pop();
    const node = tree[number];
    const branch = node.branch === null ? STAY : node.branch(x);
    if (branch === STAY) {
      found.push([number, share]);
    } else if (branch === SHARE) {
      for (let b = node.children.length - 1; b >= 0; --b) {
        if (node.shares[b] > 0) left.push([node.children[b], share * node.shares[b]]);
      }
    } else {
      left.push([node.children[branch], share]);
    }
  }
  return found;
}

/** Whether a row x is shared out over several branches on its way. */
export function isShared(tree, x) {
  let node = tree[0];
  while (node.branch !== null) {
    const branch = node.branch(x);
    if (branch < 0) return branch === SHARE;
    node = tree[node.children[branch]];
  }
  return false;
}

const largestOf = (values) => values.reduce((a, b) => (b > a ? b : a));
const largest = (values) => values.indexOf(largestOf(values));
const add = (parts) => parts.reduce((total, part) => total + part, 0);
const step = (value, cuts) => cuts.filter((cut) => value > cut).length;
const sigmoid = (value) => 1 / (1 + Math.exp(-value));
"""

BLENDING = """
function blend(tree, parts, values) {
  const total = classes.map(() => 0);
  for (const [number, share] of parts) {
    tree[number][values].forEach((value, k) => { total[k] += share * value; });
  }
  return total;
}

function label(tree, x) {
  const parts = ends(tree, x);
  if (isShared(tree, x)) return firstOfLargest(blend(tree, parts, MERIT));
  return tree[parts[0][0]].label;
}

const shares = (tree, x) => blend(tree, ends(tree, x), "probabilities");

/** The position of the first that is largest, but for rounding. */
function firstOfLargest(merit) {
  const highest = largestOf(merit);
  const least = highest - 1e-12 * Math.max(1, Math.abs(highest));
  return merit.findIndex((value) => value >= least);
}
"""

ANSWERS = {
    "tree": """
const chances = (x) => shares(trees[0], x);
const answer = (x) => label(trees[0], x);
""",
    "votes": """
function chances(x) {
  const votes = classes.map(() => 0);
  for (const tree of trees) votes[label(tree, x)] += 1;
  return votes.map((vote) => vote / trees.length);
}

const answer = (x) => firstOfLargest(chances(x));
""",
    "mean": """
function chances(x) {
  const total = classes.map(() => 0);
  for (const tree of trees) shares(tree, x).forEach((share, k) => { total[k] += share; });
  return total.map((share) => share / trees.length);
}

function answer(x) {
  const found = chances(x);
  if (costs === null) return firstOfLargest(found);
  return firstOfLargest(costs.map((row) => -add(row.map((cost, k) => cost * found[k]))));
}
""",
}


def write_javascript(program: Program) -> str:
    """Return a module that exports `predict`, `predictProba`, `classes` and `columns`.

    Parameters
    ----------
    program : Program
        What the model computes.
    """
    merit = "merit" if program.has_merits else "probabilities"
    lines = [
        HEAD,
        f"export const classes = {_json(program.schema.classes)};",
        f"const costs = {_json(program.costs)};",
        *_tables(program),
        "// What is gained by each class as an answer to a row that is shared out.",
        f'const MERIT = "{merit}";',
        DOORS + ROUTING + BLENDING + ANSWERS[program.answer],
        *_trees(program),
    ]
    return "\n".join([*lines, ""])


def write_routing(program: Program) -> str:
    """Return a module that sends rows down trees, for pages that know who is below whom.

    It exports `read`, `ends`, `isShared`, `columns`, and for each tree its `tests`: functions from
    a row to a branch, null for leaves.

    Parameters
    ----------
    program : Program
        What the model computes.
    """
    lines = [*_tables(program), ROUTING, "export const tests = ["]
    for tree in program.trees:
        tests = ("null" if n.expression is None else _function(n.expression) for n in tree.nodes)
        lines += ["[", ",\n".join(tests), "],"]
    return "\n".join([*lines, "];", ""])


def _tables(program: Program) -> list[str]:
    codes = (
        "null" if c is None else f"new Map({_json(list(c.items()))})" for _, c in program.codes
    )
    return [
        f"export const columns = {_json(program.schema.names)};",
        f"const codes = {_array(codes)};",
        "const SHARE = -1, STAY = -2; // a row goes to all branches in parts; no branch fits it",
    ]


def _trees(program: Program) -> Iterator[str]:
    yield "export const trees = ["
    for tree in program.trees:
        yield "  ["
        for node in tree.nodes:
            if node.expression is not None:
                words = one_line(node.words).replace("<", "\\u003c")
                yield f"    // {words}?"
            fields = [*_route(node), *_answer(node, program.has_merits)]
            yield f"    {{ {', '.join(fields)} }},"
        yield "  ],"
    yield "];"


def _json(value: Any) -> str:
    # Inside a page, `</script>` would end the script.
    return json.dumps(value).replace("<", "\\u003c")


def _array(texts: Iterable[str]) -> str:
    return f"[{', '.join(texts)}]"


def _route(node: Node) -> Iterator[str]:
    if node.expression is None:
        yield "branch: null"
        return
    yield f"branch: {_function(node.expression)}"
    yield f"children: {_json(node.children)}"
    if node.can_share:
        yield f"shares: {_json(node.shares)}"


def _function(expression: Expression) -> str:
    return f"(x) => {_write(expression)}"


def _answer(node: Node, has_merits: bool) -> Iterator[str]:
    if node.can_end:
        yield f"probabilities: {_json(node.probabilities)}"
        yield f"label: {node.label}"
        if has_merits:
            yield f"merit: {_json(node.merit)}"


def _write(expression: Expression) -> str:
    match expression:
        case Constant(value):
            return _number(value)
        case Cell(column):
            return f"x[{column}]"
        case Distance(column, centre, is_above):
            beyond = [f"x[{column}]", _number(centre)]
            return f"Math.max({' - '.join(beyond if is_above else reversed(beyond))}, 0)"
        case Lookup(column, values, otherwise):
            return f"(x[{column}] >= 0 ? {_json(values)}[x[{column}]] : {_number(otherwise)})"
        case IfMissing(column, missing, known):
            return f"(x[{column}] === x[{column}] ? {_write(known)} : {_write(missing)})"
        case Sum(parts):
            words = [_write(p) if f == 1 else f"{_number(f)} * {_write(p)}" for f, p in parts]
            return f"add({_array(words)})" if len(words) > 1 else f"({words[0]})"
        case Step(of, (cut,)):
            return f"({_write(of)} > {_number(cut)} ? 1 : 0)"
        case Step(of, cuts):
            return f"step({_write(of)}, {_json(cuts)})"
        case Sigmoid(of):
            return f"sigmoid({_write(of)})"
        case Largest(of):
            return f"largest({_array(map(_write, of))})"
    assert_never(expression)


def _number(value: float) -> str:
    return f"({value!r})" if value < 0 else repr(value)
