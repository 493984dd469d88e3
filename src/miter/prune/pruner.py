"""What every pruner can do."""

from __future__ import annotations

import numpy as np

from miter.data.table import Data
from miter.tree import Tree

__all__ = ["Pruner"]


class Pruner:
    """Takes splits out of a tree again. Subclass it and write `prune`."""

    def hold_out(self, data: Data, random: np.random.Generator) -> tuple[Data, Data | None]:
        """Return the rows to grow on, and those kept back for pruning; None if it needs none."""
        return data, None

    def prune(self, tree: Tree, validation: Data | None) -> Tree:
        """Return the pruned tree.

        Parameters
        ----------
        tree : Tree
            As it was grown.
        validation : Data or None
            Rows that the tree was not grown on: the user's, or those that were held out.
        """
        raise NotImplementedError(f"{type(self).__name__} must define prune")
