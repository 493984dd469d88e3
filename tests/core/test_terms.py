"""Linear splits, machines and networks are made of the same terms."""

import numpy as np
import pytest

from miter import core

N_VALUES = [0, 0, 3]
X = np.array(
    [
        [1.0, 2.0, 0.0],
        [-1.0, 5.0, 1.0],
        [0.5, -3.0, 2.0],
        [np.nan, 0.0, 1.0],
        [2.0, np.nan, np.nan],
        [0.0, 1.0, 7.0],
    ]
)
# Column 0 is a number, column 1 a bent one, column 2 a symbol; weights of one output.
TERMS = [0, 0, 1, -1, 2, 3]
REALS = [1.5, 0.25, 1.0, -2.0, 0.5, 0.75, 1.0, -1.0, 2.0, 0.125]


def sums():
    """What the terms add for every row."""
    x, bent, symbol = X.T
    number = np.where(np.isnan(x), 0.25, 1.5 * x)
    beyond = bent - 1.0
    bent = np.where(np.isnan(bent), 0.75, beyond * np.where(beyond < 0, -2.0, 0.5))
    values = {0.0: 1.0, 1.0: -1.0, 2.0: 2.0}
    return number + bent + [values.get(v, 0.125) for v in symbol]


def branches(kind, ints, reals, n_branches=2):
    """Return the branch of every row at the root of a tree with this split."""
    n = 1 + n_branches
    splits = core.Splits(
        np.array([kind] + [0] * n_branches, np.uint8),
        np.array([0] + [len(ints)] * n),
        np.array(ints, np.int32),
        np.array([0] + [len(reals)] * n),
        np.array(reals),
        np.array([n_branches] + [0] * n_branches, np.int32),
        N_VALUES,
    )
    return core.Router(splits, np.ones(n)).end_nodes(X, True, 1) - 1


def for_two(first, second):
    """Return the real numbers of terms of two outputs, the second with other weights."""
    two = []
    for place, number in enumerate(REALS):
        is_centre = place == 2
        two += [number] if is_centre else [first * number, second * number]
    return two


@pytest.mark.parametrize("threshold", [-0.5, 0.0, 1.0, 4.0])
def test_terms_are_the_same_in_every_kind(threshold):
    expected = (sums() > threshold).astype(int)
    assert 0 < expected.sum() < len(X)
    linear = branches(3, [3, *TERMS], [threshold, *REALS])
    machine = branches(4, [2, 3, 0, 1, *TERMS], [threshold, 0.0, *for_two(0, 1)])
    network = branches(5, [2, 3, *TERMS], [0, -threshold, *for_two(0, 1), 0.0, 1.0, 0.5])
    assert linear.tolist() == machine.tolist() == network.tolist() == expected.tolist()


@pytest.mark.parametrize("kind", ["linear", "machine", "network"])
def test_terms_are_checked_alike(kind):
    heads = {"linear": (3, [3]), "machine": (4, [2, 3, 0, 1]), "network": (5, [2, 3])}
    code, head = heads[kind]
    reals = [0.0, *REALS] if kind == "linear" else [0.0, 0.0, *for_two(0, 1)]
    reals += [0.0, 1.0, 0.5] if kind == "network" else []
    wrong = {
        "terms and weights differ in number": (TERMS, reals[:-1]),
        "the column is of another kind": ([0, 0, 2, -1, 2, 3], reals),
        "a value has no weight": ([0, 0, 1, -1, 2, 4], reals),
        "no column 3": ([3, 0, 1, -1, 2, 3], reals),
    }
    for sentence, (terms, numbers) in wrong.items():
        with pytest.raises(ValueError, match=sentence):
            branches(code, [*head, *terms], numbers)
