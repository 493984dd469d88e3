"""All weights of a tree trained together, once it is grown.

Nodes are found one by one, each for its own rows: what a node should leave to those below it no
node can know. So the tree is made soft, as in a hierarchical mixture of experts (Jordan and Jacobs
1994, *Hierarchical mixtures of experts and the EM algorithm*): a machine's branches get the
probabilities softmax(discriminants / T), a hyperplane's two the logistic function of its sum over
T, a leaf the product of those on its path, and the weights of all nodes go down the gradient of the
cross-entropy of the mixture. Leaves get the classes of the rows that they explain. Then the tree is
hard again: the largest discriminant decides, and rows are counted anew. It keeps its shape.

How it is done, and why:

- Training begins at the grown tree, with inputs scaled by each node's own rows, and with the same
  L2 penalty. Adam (Kingma and Ba 2015) takes some hundred to a thousand steps. Equal rows are in
  one batch, and batches depend on nothing but the values of rows: the order of rows does not
  matter, and a row of weight 2 is that row twice.
- A missing number stands at the mean of the node, and a missing symbol adds nothing.
- The temperature stays at 1. A colder tree with the same penalty is the same as a tree at 1 with
  less of a penalty, as weights over T are all that counts: what is left to choose is the penalty.
- Tests of one column have no weights, and networks too many: both route rows as they are.
- A row goes no further where its probability is below a hundredth.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from miter import core
from miter.checks import check_number
from miter.data.table import Data
from miter.level import table_of
from miter.splits import PackedSplits
from miter.splitters.annealed_machine import AnnealedMachineSplitter
from miter.splitters.linear_combination import LinearCombinationSplitter
from miter.splitters.machine_or_column import MachineOrColumnSplitter
from miter.splitters.perceptron import PerceptronSplitter
from miter.splitters.splitter import LevelFinder, Splitter
from miter.tree import Tree

__all__ = ["WholeTreeSplitter"]

#: Rows that training goes through, about; how often through all of them, at least and at most.
ROWS, LEAST_PASSES, MOST_PASSES = 200_000, 5, 60
#: Rows of a batch, about; batches of a pass, at least and at most.
BATCH_ROWS, LEAST_BATCHES, MOST_BATCHES = 512, 4, 100
#: How far a weight of scaled inputs goes in the first steps; less and less to the last.
RATE = 0.05
#: So many rows of its parent are added to those of a leaf.
SMOOTHING = 1.0


@dataclass(frozen=True)
class WholeTreeSplitter(Splitter):
    """Finds splits as another splitter does, and trains all weights of the grown tree together.

    Parameters
    ----------
    nodes : Splitter
        Finds machines or hyperplanes, perhaps among tests of one column.
    l2 : float
        Half of this times the squared weights of scaled inputs is added to the loss, which is a sum
        over rows.

    Examples
    --------
    >>> from miter.data import dnf
    >>> from miter.growing.loop import grow
    >>> from miter.splitters import AnnealedMachineSplitter, WholeTreeSplitter
    >>> machines = AnnealedMachineSplitter()
    >>> trees = grow(dnf(), machines), grow(dnf(), WholeTreeSplitter(machines))
    >>> [tree.n_nodes for tree in trees]
    [9, 9]
    """

    nodes: (
        AnnealedMachineSplitter
        | MachineOrColumnSplitter
        | PerceptronSplitter
        | LinearCombinationSplitter
    ) = field(default_factory=AnnealedMachineSplitter)
    l2: float = 0.3

    def __post_init__(self) -> None:
        check_number("l2", self.l2, above=0)

    @property
    def finishes(self) -> bool:
        """Whether `finish` does something."""
        return True

    @property
    def asks_of_all_rows(self) -> bool:
        """Whether the other splitter wants to know something of all training rows."""
        return self.nodes.asks_of_all_rows

    def begin(self, data: Data, min_leaf: float, n_threads: int) -> LevelFinder:
        """Return the function that finds the splits of a level, that of the other splitter."""
        return self.nodes.begin(data, min_leaf, n_threads)

    def finish(self, tree: Tree, data: Data, n_threads: int) -> Tree:
        """Train all weights of a grown tree together, and count its rows anew."""
        if tree.n_nodes == 1 or not tree.sums_terms:
            return tree
        n_rows = float(data.copies_of(np.arange(data.n_rows)).sum())
        n_passes = round(np.clip(ROWS / n_rows, LEAST_PASSES, MOST_PASSES))
        n_batches = round(np.clip(n_rows / BATCH_ROWS, LEAST_BATCHES, MOST_BATCHES))
        training = core.TreeTraining(
            table_of(data),
            tree.native_splits,
            tree.share,
            replace(tree, smoothing=SMOOTHING).probabilities,
            *tree.rows_of_nodes(data.X),
            data.weight,
            data.importance(),
            core.TreeTrainingOptions(
                l2=self.l2, smoothing=SMOOTHING, n_batches=n_batches, n_threads=n_threads
            ),
        )
        for done in range(n_passes):
            training.run_pass(rate=RATE * (1 - done / n_passes))
        return replace(tree, splits=PackedSplits(*training.splits())).recounted(data)
