"""From a tree to its rules: one for every place where a row can end."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

from miter.rules.rule import Rule, RuleSet
from miter.splits import STAY, Category, Condition, Split
from miter.tree import Tree

__all__ = ["only_tree", "rules_of"]


def rules_of(model: Any) -> RuleSet:
    """Return the rules of a tree: together they answer every row as it does.

    A rule for each leaf, and one for each node where rows end that no branch fits: they have a
    value that no training row had there.

    Parameters
    ----------
    model : Fitted or Tree
        A fitted model of one tree, or a tree; of a forest give one of its trees. A
        `RuleListClassifier` has its own.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import play_tennis
    >>> from miter.rules import rules_of
    >>> rules_of(id3().fit(play_tennis())).say()[2]
    'IF Outlook = Overcast THEN Yes (4 rows, 100%)'
    """
    own = getattr(model, "rules_", None)
    if isinstance(own, RuleSet):
        return own
    tree = only_tree(model)
    rules = []
    # A stack, because a tree may be deeper than Python can call; in the order of its router.
    stack: list[tuple[int, tuple[Condition, ...], tuple[float, ...]]] = [(0, (), ())]
    while stack:
        node, conditions, shares = stack.pop()
        split = tree.splits[node]
        if split is None:
            rules.append(_rule(tree, node, conditions, shares))
            continue
        if _lets_rows_stay(split):
            path = (*conditions, Condition(split, STAY))
            rules.append(_rule(tree, node, path, (*shares, 0.0)))
        first = int(tree.first_child[node])
        for b in reversed(range(split.n_branches)):
            path = (*conditions, Condition(split, b))
            stack.append((first + b, path, (*shares, float(tree.share[first + b]))))
    return RuleSet(tree.schema, tuple(rules))


def only_tree(model: Any) -> Tree:
    """Return the one tree of a model, or say what to give instead."""
    if isinstance(model, Tree):
        return model
    check_is_fitted(model)
    if not hasattr(model, "trees_"):
        raise TypeError(f"a {type(model).__name__} is not made of trees of Miter's")
    if len(model.trees_) > 1:
        raise ValueError(
            f"the model has {len(model.trees_)} trees, each with rules of its own; give one of "
            "them, as model.trees_[0]"
        )
    tree: Tree = model.trees_[0]
    return tree


def _lets_rows_stay(split: Split) -> bool:
    return isinstance(split, Category) and min(split.branches) < 0


def _rule(
    tree: Tree, node: int, conditions: tuple[Condition, ...], shares: tuple[float, ...]
) -> Rule:
    counts = tree.counts[node]
    if conditions and conditions[-1].branch == STAY:
        counts = counts * 0.0  # each training row had a branch
    return Rule(
        conditions,
        int(tree.labels[node]),
        tuple(counts.tolist()),
        tuple(tree.probabilities[node].tolist()),
        shares,
        tuple(tree.merit[node].tolist()),
    )
