"""The readable tree: the only walk that text, rules and pictures read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sklearn.utils.validation import check_is_fitted

from miter.checks import check_whole
from miter.data.schema import Label, Schema
from miter.estimators.fitted import Fitted
from miter.splits import Condition
from miter.tree import Tree

__all__ = ["Entry", "Outline"]


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

    @property
    def weight(self) -> float:
        """Weight of the training rows that came here."""
        return sum(self.counts)

    @property
    def errors(self) -> float:
        """Weight of those that are of another class."""
        return sum(count for code, count in enumerate(self.counts) if code != self.class_code)

    def say(self, schema: Schema) -> str:
        """Say the condition in words; nothing for the root."""
        return "" if self.condition is None else self.condition.say(schema)


class Outline:
    """The nodes of a tree in reading order: each node, then what lies below its branches in turn.

    Parameters
    ----------
    model : Fitted or Tree
        What to read: a fitted model of one tree, or a tree.
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

    def __init__(self, model: Fitted | Tree, *, max_depth: int | None = None) -> None:
        check_whole("max_depth", max_depth, 0, optional=True)
        self.tree = model if isinstance(model, Tree) else _only_tree(model)
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
        return [
            self._entry(first + b, entry.node, Condition(split, b), entry.depth + 1)
            for b in range(split.n_branches)
        ]

    def _entry(
        self, node: int, parent: int | None, condition: Condition | None, depth: int
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
        )


def _only_tree(model: Fitted) -> Tree:
    check_is_fitted(model)
    if len(model.trees_) > 1:
        raise ValueError(
            f"the model has {len(model.trees_)} trees; give one of them, as model.trees_[0]"
        )
    return model.trees_[0]
