"""The readable tree: the only walk that text, rules and pictures read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from miter.checks import check_whole
from miter.data.schema import Label, Schema
from miter.estimators.fitted import Fitted
from miter.show.rows import coded_rows
from miter.splits import Condition, Split
from miter.splits.spoken import Spoken, speak
from miter.splits.words import Wording, say_branch
from miter.tree import Tree

__all__ = ["Entry", "Outline", "only_tree"]


@dataclass(frozen=True)
class Entry:
    """One node, said aloud.

    Parameters
    ----------
    node : int
        Its number in the tree.
    parent : int or None
        The number of the node above it; None for the root.
    branch : int or None
        Which branch of its parent leads here.
    depth : int
        How many splits are above it.
    condition : Condition or None
        What holds for rows that come from the parent; None for the root.
    counts : tuple of float
        Weight of the training rows of each class.
    class_code : int
        The class that rows get which end here, as a position in `counts`.
    label : label
        That class, as the user wrote it.
    is_leaf : bool
        Whether there is no split.
    note : str
        What the splitter has to say about its choice; empty for most trees.
    spoken : Spoken or None
        The test that leads here as it is said, perhaps rounded; None for the root.

    Examples
    --------
    >>> from miter.show import Entry
    >>> from miter.splits import Condition, Threshold
    >>> condition = Condition(Threshold(0, (1.5,)), 0)
    >>> entry = Entry(3, 1, 0, 2, condition, (6.0, 2.0), 0, "Yes", True)
    >>> entry.weight, entry.errors
    (8.0, 2.0)
    """

    node: int
    parent: int | None
    branch: int | None
    depth: int
    condition: Condition | None
    counts: tuple[float, ...]
    class_code: int
    label: Label
    is_leaf: bool
    note: str = ""
    spoken: Spoken | None = None

    @property
    def weight(self) -> float:
        """Weight of the training rows that came here."""
        return sum(self.counts)

    @property
    def errors(self) -> float:
        """Weight of those that are of another class."""
        return sum(count for code, count in enumerate(self.counts) if code != self.class_code)

    def say(self, schema: Schema, most: int | None = None) -> str:
        """Say the condition in words, at most so many terms of it; nothing for the root."""
        if self.condition is None:
            return ""
        if self.spoken is None:
            return self.condition.say(schema)
        wording = Wording(self.spoken.order, most)
        return say_branch(self.spoken.test, schema, self.condition.branch, wording)


class Outline:
    """The nodes of a tree in reading order: each node, then what lies below its branches in turn.

    Parameters
    ----------
    model : Fitted or Tree
        What to read: a fitted model of one tree, or a tree.
    X : DataFrame, array or Data, optional
        Rows like those of training. With them the terms of a test are said in the order of what
        they do at its node, and its numbers in as few digits as decide alike for its rows.
    max_depth : int, optional
        Leave out what lies below more splits than this.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import play_tennis
    >>> from miter.show import Outline
    >>> outline = Outline(id3().fit(play_tennis()), max_depth=1)
    >>> [entry.say(outline.schema) for entry in outline]
    ['', 'Outlook = Sunny', 'Outlook = Overcast', 'Outlook = Rain']
    """

    def __init__(
        self, model: Fitted | Tree, X: Any = None, *, max_depth: int | None = None
    ) -> None:
        check_whole("max_depth", max_depth, 0, optional=True)
        self.tree = only_tree(model)
        self.rows = None if X is None else coded_rows(model, X)
        self.max_depth = max_depth

    @property
    def schema(self) -> Schema:
        """The columns and classes in whose words conditions are said."""
        return self.tree.schema

    def __iter__(self) -> Iterator[Entry]:
        # A stack, because a tree may be deeper than Python can call.
        stack = [self._entry(0, None, None, 0)]
        while stack:
            entry = stack.pop()
            yield entry
            if self.max_depth is None or entry.depth < self.max_depth:
                stack.extend(reversed(self._children(entry)))

    def _children(self, entry: Entry) -> list[Entry]:
        split = self.tree.splits[entry.node]
        if split is None:
            return []
        first = int(self.tree.first_child[entry.node])
        spoken = self._speak(entry.node, split)
        return [
            self._entry(first + b, entry.node, Condition(split, b), entry.depth + 1, spoken)
            for b in range(split.n_branches)
        ]

    def _speak(self, node: int, split: Split) -> Spoken:
        rows = None if self.rows is None else self.rows[self.rows_at(node)]
        return speak(split.expression, self.schema, rows, self.tree.importances)

    def rows_at(self, node: int) -> NDArray[np.int32]:
        """Return which of the rows given come to a node."""
        by_node, starts = self._visits
        return by_node[starts[node] : starts[node + 1]]

    @cached_property
    def _visits(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The rows that come to each node, one node after the other."""
        assert self.rows is not None
        return self.tree.rows_of_nodes(self.rows)

    def _entry(
        self,
        node: int,
        parent: int | None,
        condition: Condition | None,
        depth: int,
        spoken: Spoken | None = None,
    ) -> Entry:
        code = int(self.tree.labels[node])
        return Entry(
            node,
            parent,
            None if condition is None else condition.branch,
            depth,
            condition,
            tuple(self.tree.counts[node].tolist()),
            code,
            self.schema.classes[code],
            bool(self.tree.splits.n_branches[node] == 0),
            "" if self.tree.notes is None else self.tree.notes[node],
            spoken,
        )


def only_tree(model: Any) -> Tree:
    """Return the tree of a fitted model that has one; an error says what to give instead."""
    if isinstance(model, Tree):
        return model
    check_is_fitted(model)
    if not isinstance(model, Fitted):
        inner = " For a pipeline give its last step, model[-1]." if hasattr(model, "steps") else ""
        raise TypeError(
            f"the tests of a {type(model).__name__} cannot be said in words of its columns: it is "
            f"no model of Miter's; give a fitted one, or one of its trees.{inner}"
        )
    if len(model.trees_) > 1:
        raise ValueError(
            f"the model has {len(model.trees_)} trees; give one of them, as model.trees_[0]"
        )
    return model.trees_[0]
