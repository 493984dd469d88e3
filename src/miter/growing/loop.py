"""The one loop that grows every tree, level by level.

stop? -> the splitter finds a split for every open node -> rows move to their branches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from miter.data.schema import Schema
from miter.data.table import Data
from miter.growing.rows import Rows, RowsInMemory
from miter.growing.stopping import Stopping
from miter.level import Level, Sample
from miter.splits import PackedSplits
from miter.splitters.splitter import FoundSplits, Splitter
from miter.threads import resolve_threads
from miter.tree import Tree, take_notes

__all__ = ["Progress", "grow", "grow_forest", "grow_rows", "of_labelled"]

#: Told after each level: its number, the nodes still open, the part of the rows that is settled;
#: and, where rows are in parts, how many work on them.
Progress = Callable[..., None]


def grow(
    data: Data,
    splitter: Splitter,
    stopping: Stopping | None = None,
    *,
    unlabelled: Data | None = None,
    smoothing: float = 0.0,
    seed: int = 0,
    n_threads: int | None = None,
    progress: Progress | None = None,
) -> Tree:
    """Grow a tree.

    Parameters
    ----------
    data : Data
        Training rows, with labels.
    splitter : Splitter
        Finds the split of a node.
    stopping : Stopping, optional
        When to stop before the classes are pure.
    unlabelled : Data, optional
        Rows without labels: they take part in growing, not in the counts of the tree.
    smoothing : float
        See `Tree`.
    seed : int
        For splitters that use chance; the tree does not depend on the number of threads.
    n_threads : int, optional
        None: all cores.
    progress : callable, optional
        Called after each level.

    Returns
    -------
    Tree
        Not pruned.

    Examples
    --------
    >>> from miter.data import monks
    >>> from miter.growing.loop import grow
    >>> from miter.splitters import UnivariateSplitter
    >>> grow(monks(1), UnivariateSplitter(criterion="gain")).n_leaves
    28
    """
    rows = data if unlabelled is None else data.with_unlabelled(unlabelled)
    tree = grow_forest(
        rows,
        splitter,
        [Sample.whole(rows)],
        stopping,
        smoothing=smoothing,
        seed=seed,
        n_threads=n_threads,
        progress=progress,
    )[0]
    return tree if unlabelled is None else of_labelled(tree, data.schema)


def of_labelled(tree: Tree, schema: Schema) -> Tree:
    """Return the tree without what is known of rows without labels: nodes and counts.

    Parameters
    ----------
    tree : Tree
        Whose last class is that of rows without labels.
    schema : Schema
        Without that class.
    """
    losses = None if tree.losses is None else tree.losses[:, :-1]
    tree = replace(tree, schema=schema, counts=tree.counts[:, :-1], losses=losses)
    return tree.cut(tree.counts.sum(axis=1) <= 0)


def grow_forest(
    data: Data,
    splitter: Splitter,
    samples: Sequence[Sample],
    stopping: Stopping | None = None,
    *,
    max_features: int | None = None,
    smoothing: float = 0.0,
    seed: int = 0,
    n_threads: int | None = None,
    progress: Progress | None = None,
    finish: bool = True,
) -> list[Tree]:
    """Grow a tree for each sample of the rows.

    The open nodes of many trees are one level of the same loop, so that all cores are busy however
    small the trees are.

    Parameters
    ----------
    data : Data
        Training rows, with labels.
    splitter : Splitter
        Finds the split of a node.
    samples : sequence of Sample
        The rows of each tree.
    stopping : Stopping, optional
        When to stop before the classes are pure.
    max_features : int, optional
        How many columns, drawn anew for every node, a split may test.
    smoothing : float
        See `Tree`.
    seed, n_threads, progress
        As for `grow`.
    finish : bool
        Whether the splitter does what is left to do for all nodes together; not for parts of trees.

    Returns
    -------
    list of Tree
        Not pruned.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.data import monks
    >>> from miter.growing.loop import grow_forest
    >>> from miter.level import Sample
    >>> from miter.splitters import UnivariateSplitter
    >>> halves = [Sample(np.arange(i, 432, 2, dtype=np.int32)) for i in (0, 1)]
    >>> [tree.counts[0].sum() for tree in grow_forest(monks(1), UnivariateSplitter(), halves)]
    [np.float64(216.0), np.float64(216.0)]
    """
    stopping = stopping or Stopping()
    if not splitter.learns_from_classes:
        stopping = replace(stopping, divide_pure=True)
    threads = resolve_threads(n_threads)
    total = float(data.class_counts().sum())
    find = splitter.begin(data, stopping.min_leaf(total), threads)
    batches = _batches(samples)
    trees: list[Tree] = []
    for done, batch in enumerate(batches):
        level = Level.roots(data, batch, seed=seed + done, n_threads=threads)
        tell = None if progress is None else _part_of(progress, done, len(batches))
        rows = RowsInMemory(level, find, max_features)
        grown = grow_rows(rows, data.schema, stopping, total, tell)
        if data.costs is None:
            grown = replace(grown, losses=None)
        trees += _separate(grown, len(batch))
    trees = [replace(tree, smoothing=smoothing) for tree in trees]
    if not (finish and splitter.finishes):
        return trees
    return [
        splitter.finish(tree, sample.of(data), threads)
        for tree, sample in zip(trees, samples, strict=True)
    ]


def _batches(samples: Sequence[Sample]) -> list[list[Sample]]:
    """Divide samples so that the rows of a batch take no more than about 64 MB."""
    most = 2**24
    batches: list[list[Sample]] = []
    size = most
    for sample in samples:
        if size + len(sample.rows) > most:
            batches.append([])
            size = 0
        batches[-1].append(sample)
        size += len(sample.rows)
    return batches


def _part_of(progress: Progress, done: int, n_batches: int) -> Progress:
    return lambda depth, n_open, settled: progress(depth, n_open, (done + settled) / n_batches)


def grow_rows(
    rows: Rows,
    schema: Schema,
    stopping: Stopping,
    total: float,
    progress: Progress | None = None,
) -> Tree:
    """Grow what is below the nodes of a level, wherever their rows are.

    Parameters
    ----------
    rows : Rows
        The roots, of one tree or of many.
    schema : Schema
        What the columns and classes are.
    stopping : Stopping
        When nodes become leaves.
    total : float
        Weight of all training rows.
    progress : callable, optional
        Called after each level.

    Returns
    -------
    Tree
        The nodes of all trees, level by level.
    """
    weight = float(rows.counts.sum())
    # Splits, class counts and losses of the nodes of each level, in the order of their numbers.
    splits: list[PackedSplits] = []
    notes: list[str] = []
    counts, losses = [rows.counts], [rows.losses]
    is_open = _may_split(rows.counts, rows.losses, 0, stopping, total)
    n_nodes = len(is_open)
    rows = rows.only(is_open)
    depth = 0
    while is_open.any():
        found = rows.find()
        branches = rows.route(found)
        kept_splits = _drop_bad(found.splits, rows.counts, branches.counts, stopping, total)
        splits.append(_spread(kept_splits, is_open))
        notes += _spread_notes(found, kept_splits, is_open)
        kept = np.repeat(kept_splits.n_branches > 0, found.splits.n_branches)
        counts.append(branches.counts[kept])
        losses.append(branches.losses[kept])
        depth += 1
        child_open = kept & _may_split(branches.counts, branches.losses, depth, stopping, total)
        number = n_nodes + np.cumsum(kept) - 1
        rows, child_open = branches.move(child_open, number)
        del branches  # it holds the rows of the level that is done
        is_open = child_open[kept]
        n_nodes += len(is_open)
        if progress is not None:
            progress(depth, len(rows), 1 - float(rows.counts.sum()) / weight)
    splits.append(PackedSplits.of([None] * len(is_open)))
    notes += [""] * len(is_open)
    return Tree(
        schema,
        PackedSplits.join(splits),
        np.concatenate(counts),
        losses=np.concatenate(losses),
        notes=tuple(notes) if any(notes) else None,
    )


def _separate(grown: Tree, n_trees: int) -> list[Tree]:
    """Take apart the nodes of several trees that were grown level by level together."""
    if n_trees == 1:
        return [grown]
    splits = grown.splits
    tree_of = np.empty(len(splits), np.int64)
    tree_of[:n_trees] = np.arange(n_trees)
    # Children follow their parents, so every parent's tree is known before its children's.
    first, last = 0, n_trees
    while first < last:
        below = np.repeat(tree_of[first:last], splits.n_branches[first:last])
        tree_of[last : last + len(below)] = below
        first, last = last, last + len(below)
    order = np.argsort(tree_of, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(tree_of, minlength=n_trees))[:-1])
    losses = grown.losses
    return [
        Tree(
            grown.schema,
            splits.take(nodes),
            grown.counts[nodes],
            losses=None if losses is None else losses[nodes],
            notes=take_notes(grown.notes, nodes),
        )
        for nodes in parts
    ]


def _may_split(
    counts: NDArray[np.float64],
    losses: NDArray[np.float64],
    depth: int,
    stopping: Stopping,
    total: float,
) -> NDArray[np.bool_]:
    """Tell which nodes are worth a split: no answer is free, large enough, not too deep."""
    if stopping.max_depth is not None and depth >= stopping.max_depth:
        return np.zeros(len(counts), bool)
    weight = counts.sum(axis=1)
    # Fractions of rows do not add up exactly; a node of two whole rows must not fail for that.
    is_large: NDArray[np.bool_] = weight >= stopping.min_split(total) - 1e-9
    if stopping.divide_pure:
        return is_large
    errors = losses.min(axis=1)
    is_mixed = (errors > weight * 1e-12) & (errors > stopping.min_errors * (1 + 1e-12))
    return is_mixed & is_large


def _drop_bad(
    splits: PackedSplits,
    counts: NDArray[np.float64],
    branch_counts: NDArray[np.float64],
    stopping: Stopping,
    total: float,
) -> PackedSplits:
    """Return the splits without those that put all rows into one branch, or that mean nothing."""
    node = np.repeat(np.arange(len(splits)), splits.n_branches)
    least = max(stopping.min_leaf(total) - 1e-9, 1e-9)
    large = branch_counts.sum(axis=1) >= least
    bad = np.bincount(node, large, minlength=len(splits)) < 2
    if stopping.significance is not None:
        bad |= _chance(node, branch_counts, counts) > stopping.significance
    return splits.take(np.arange(len(splits)), bad | (splits.n_branches == 0))


def _chance(
    node: NDArray[np.int64], branch_counts: NDArray[np.float64], counts: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return for each node the p-value of Pearson's chi-squared test, branches against classes."""
    weight = counts.sum(axis=1)
    size = branch_counts.sum(axis=1)
    expected = size[:, None] * (counts / weight[:, None])[node]
    excess = np.divide(
        (branch_counts - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0
    )
    statistic = np.bincount(node, excess.sum(axis=1), minlength=len(counts))
    n_branches = np.bincount(node, size > 0, minlength=len(counts))
    freedom = (n_branches - 1) * ((counts > 0).sum(axis=1) - 1)
    p: NDArray[np.float64] = chi2.sf(statistic, np.maximum(freedom, 1))
    return p


def _spread(splits: PackedSplits, is_open: NDArray[np.bool_]) -> PackedSplits:
    """Put the splits of the open nodes among the closed ones, which are leaves."""
    if is_open.all():
        return splits
    position = np.cumsum(is_open) - 1
    return splits.take(np.where(is_open, position, 0), ~is_open)


def _spread_notes(found: FoundSplits, kept: PackedSplits, is_open: NDArray[np.bool_]) -> list[str]:
    """Return what is said of the nodes that have a split, and nothing for the others."""
    if found.notes is None:
        return [""] * len(is_open)
    is_kept = (kept.n_branches > 0).tolist()
    said = iter(note if own else "" for note, own in zip(found.notes, is_kept, strict=True))
    return [next(said) if is_one else "" for is_one in is_open.tolist()]
