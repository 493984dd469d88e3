"""What tests of pruning share."""

from itertools import product

import pytest


@pytest.fixture(scope="session")
def all_prunings():
    """Return a function from a tree to every set of nodes to cut at."""

    def below(tree, node=0):
        if tree.is_leaf[node]:
            return [frozenset()]
        first = int(tree.first_child[node])
        parts = [below(tree, c) for c in range(first, first + tree.splits.n_branches[node])]
        return [frozenset([node]), *(frozenset().union(*some) for some in product(*parts))]

    return below
