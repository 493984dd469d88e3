"""What a fitted model computes, free of the engine: what every language writes down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from sklearn.utils.validation import check_is_fitted

from miter.data.columns.known import spellings
from miter.data.labels import label_text
from miter.data.schema import Column, Schema
from miter.estimators.ensemble import TreeEnsemble
from miter.estimators.fitted import OneTree
from miter.splits import SHARE, STAY
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
from miter.splits.words import say_branch
from miter.tree import Tree

__all__ = ["Node", "Program", "TreeProgram", "column_codes", "outcomes", "program_of"]

#: How the trees' answers become one: the only tree's, the share of votes, the mean probabilities.
Answer = Literal["tree", "votes", "mean"]


@dataclass(frozen=True)
class Node:
    """A node, whose branch for a row is the value of its expression.

    Parameters
    ----------
    expression : Expression or None
        A branch, `SHARE` or `STAY`; None for a leaf.
    children : tuple of int
        The node that each branch leads to.
    shares : tuple of float
        What part of a row goes to each child where it is shared out.
    probabilities : tuple of float
        Of the classes, for rows that end here.
    merit : tuple of float
        How good each class is as the answer to a row that is shared out, and partly ends here.
    label : int
        The class code of rows that end here whole.
    words : str
        What leads to the first branch.
    """

    expression: Expression | None
    children: tuple[int, ...]
    shares: tuple[float, ...]
    probabilities: tuple[float, ...]
    merit: tuple[float, ...]
    label: int
    words: str

    @cached_property
    def can_share(self) -> bool:
        """Whether a row may be shared out here."""
        return self.expression is not None and SHARE in outcomes(self.expression)

    @cached_property
    def can_end(self) -> bool:
        """Whether a row may end here."""
        return self.expression is None or STAY in outcomes(self.expression)


@dataclass(frozen=True)
class TreeProgram:
    """The nodes of a tree; the first is its root, and children come after their parents.

    Parameters
    ----------
    nodes : tuple of Node
        By number.
    """

    nodes: tuple[Node, ...]

    @cached_property
    def can_share(self) -> bool:
        """Whether a row may be shared out anywhere."""
        return any(node.can_share for node in self.nodes)

    @cached_property
    def depth(self) -> int:
        """Number of splits on the longest path."""
        depth = [0] * len(self.nodes)
        for number, node in enumerate(self.nodes):
            for child in node.children:
                depth[child] = depth[number] + 1
        return max(depth)


@dataclass(frozen=True)
class Program:
    """What a model answers to a row of numbers and codes of symbols.

    Parameters
    ----------
    schema : Schema
        Columns and classes.
    trees : tuple of TreeProgram
        One or more.
    answer : {"tree", "votes", "mean"}
        How their answers become one.
    costs : tuple of tuple of float, optional
        Predicted classes x true ones: mean probabilities are weighed by them.
    """

    schema: Schema
    trees: tuple[TreeProgram, ...]
    answer: Answer
    costs: tuple[tuple[float, ...], ...] | None = None

    @cached_property
    def has_merits(self) -> bool:
        """Whether trees answer by merits that are other than their probabilities."""
        nodes = (node for tree in self.trees for node in tree.nodes)
        return self.answer != "mean" and any(n.merit != n.probabilities for n in nodes)

    @property
    def labels(self) -> list[str]:
        """The classes as texts."""
        return [label_text(label) for label in self.schema.classes]

    @property
    def codes(self) -> Iterator[tuple[Column, dict[str, int] | None]]:
        """The columns, each with the codes of its texts; None for numbers."""
        return ((column, column_codes(column)) for column in self.schema.columns)

    def uses(self, kind: type) -> bool:
        """Tell whether a kind of expression is in a split of a tree."""
        splits = (node.expression for tree in self.trees for node in tree.nodes)
        return any(isinstance(e, kind) for split in splits if split for e in _walk(split))


def column_codes(column: Column) -> dict[str, int] | None:
    """Return the code of every text that means a value of a column; None for numbers.

    Examples
    --------
    >>> from miter.data import Column
    >>> from miter.exporting.program import column_codes
    >>> column_codes(Column("wind", "symbolic", ("Weak", "Strong")))
    {'Weak': 0, 'Strong': 1}
    """
    if column.kind == "numeric":
        return None
    codes = {value: code for code, value in enumerate(column.values)}
    for word, code in sorted(spellings(column.values).items()):
        for text in (word, word.upper(), word.capitalize()):
            codes.setdefault(text, code)
    return codes


def program_of(model: Any) -> Program:
    """Return what a fitted model of trees computes.

    Parameters
    ----------
    model : Fitted or Tree
        One tree or many.

    Raises
    ------
    ValueError
        When it is no such model.
    """
    if isinstance(model, Tree):
        return Program(model.schema, (_tree_program(model),), "tree")
    if not isinstance(model, (OneTree, TreeEnsemble)):
        raise ValueError(
            f"a {type(model).__name__} cannot be exported; give a tree or a forest of Miter's"
        )
    check_is_fitted(model)
    trees = tuple(map(_tree_program, model.trees_))
    if isinstance(model, OneTree):
        return Program(model.schema_, trees, "tree")
    if model.counts_votes:
        return Program(model.schema_, trees, "votes")
    costs = None if model.costs_ is None else tuple(map(tuple, model.costs_.tolist()))
    return Program(model.schema_, trees, "mean", costs)


def _tree_program(tree: Tree) -> TreeProgram:
    probabilities, merit = tree.probabilities.tolist(), tree.merit.tolist()
    nodes = []
    for number, split in enumerate(tree.splits):
        first = int(tree.first_child[number])
        last = first if split is None else first + split.n_branches
        expression = None if split is None else split.expression
        words = "" if expression is None else say_branch(expression, tree.schema, 0)
        nodes.append(
            Node(
                expression,
                tuple(range(first, last)),
                tuple(tree.share[first:last].tolist()),
                tuple(probabilities[number]),
                tuple(merit[number]),
                int(tree.labels[number]),
                words,
            )
        )
    return TreeProgram(tuple(nodes))


def outcomes(expression: Expression) -> set[float]:
    """Return the constants that may be the value of an expression, such as `SHARE`."""
    match expression:
        case Constant(value):
            return {value}
        case Lookup(_, values, otherwise):
            return {*values, otherwise}
        case IfMissing(_, missing, known):
            return outcomes(missing) | outcomes(known)
    return set()


def _walk(expression: Expression) -> Iterator[Expression]:
    yield expression
    match expression:
        case IfMissing(_, missing, known):
            inner: tuple[Expression, ...] = (missing, known)
        case Sum(parts):
            inner = tuple(part for _, part in parts)
        case Step(of) | Sigmoid(of):
            inner = (of,)
        case Largest(of):
            inner = of
        case Constant() | Cell() | Distance() | Lookup():
            inner = ()
    for part in inner:
        yield from _walk(part)
