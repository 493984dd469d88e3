"""Pruning by description length: examples worked by hand, and brute force."""

from math import comb, log2, pi

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miter import LinearMachineTreeClassifier, UnivariateTreeClassifier
from miter.data import Column, Data, Schema, led
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.prune import MinimumDescriptionLength
from miter.prune.description import bits_of_classes, bits_of_misclassifications, bits_of_split
from miter.splits import Category, Machine, Network, PackedSplits, Term, Threshold
from miter.splitters import UnivariateSplitter
from miter.tree import Tree

SCHEMA = Schema((Column("x", "numeric"), Column("z", "numeric")), (0, 1))
STUMP = PackedSplits.of([Threshold(0, (0.0,)), None, None])


def test_classes_worked_by_hand():
    # Two classes: sum n_i log(n / n_i) + 1/2 log(n / 2) + log(pi / Gamma(1)).
    assert bits_of_classes([4, 4]) == pytest.approx(8 + log2(4) / 2 + log2(pi))
    assert bits_of_classes([8, 0]) == pytest.approx(log2(4) / 2 + log2(pi))
    # Three: Gamma(3/2) is half the root of pi; 6 rows, a third each: 6 log2 3.
    assert bits_of_classes([2, 2, 2]) == pytest.approx(
        6 * log2(3) + log2(3) + log2(pi**1.5 / (pi**0.5 / 2))
    )
    assert bits_of_classes([0, 0]) == 0


def test_misclassifications_worked_by_hand():
    # The answer, how many exceptions, and which; of three classes each exception tells its own.
    assert bits_of_misclassifications(2, 8, 2) == pytest.approx(1 + log2(9) + log2(comb(8, 2)))
    assert bits_of_misclassifications(2, 8, 3) == pytest.approx(
        log2(3) + log2(9) + log2(comb(8, 2)) + 2
    )


def test_splits_worked_by_hand():
    # One of 2 columns, one of 15 gaps; two cuts, two of 15 gaps.
    assert bits_of_split(Threshold(0, (1.0,)), 2, 16) == pytest.approx(1 + log2(15))
    assert bits_of_split(Threshold(0, (1.0, 2.0)), 2, 16) == pytest.approx(1 + log2(comb(15, 2)))
    # Four values in two groups: a bit each.
    assert bits_of_split(Category(0, (0, 1, 1, 0)), 2, 16) == pytest.approx(1 + 4)
    # Three discriminants of two columns: both of 2 columns, 2 x 3 numbers of 2 bits.
    machine = Machine((0.0,) * 3, (Term.number(0, 1, 2, 3), Term.number(1, 1, 2, 3)), (0, 1, 2))
    assert bits_of_split(machine, 2, 16) == pytest.approx(1 + 0 + 6 * 2)
    # Two hidden units of one column: each a weight, a constant and a factor; a threshold.
    network = Network((0.0, 0.0), (Term.number(0, 1, 2),), (1.0, 1.0), 0.5)
    assert bits_of_split(network, 2, 16) == pytest.approx(1 + 1 + 7 * 2)


@pytest.mark.parametrize("leaves", ["classes", "misclassifications"])
def test_trees_worked_by_hand(leaves):
    """A stump over 16 rows, all right: 1 + 1 + log2 15 for the split, two leaves; or one leaf.

    Classes: the split 5.91, leaves 2 x (1 + 1 + 1.65) = 7.30, together 13.2; the root alone
    1 + 16 + 1.5 + 1.65 = 20.2. With (8, 8) of (12, 4) and (4, 4)... nothing is gained.
    """
    useful = Tree(SCHEMA, STUMP, np.array([[8.0, 8], [8, 0], [0, 8]]))
    useless = Tree(SCHEMA, STUMP, np.array([[8.0, 8], [4, 4], [4, 4]]))
    as_leaf, as_split = MinimumDescriptionLength(leaves).bits(useful)
    assert as_split[0] == pytest.approx(2 + log2(15))
    if leaves == "classes":
        assert as_leaf == pytest.approx([18.5 + log2(pi), 2 + log2(pi), 2 + log2(pi)])
    else:
        assert as_leaf == pytest.approx([2 + log2(17) + log2(comb(16, 8)), *[2 + log2(9)] * 2])
    assert MinimumDescriptionLength(leaves).prune(useful).n_nodes == 3
    assert MinimumDescriptionLength(leaves).prune(useless).n_nodes == 1


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    missing=st.sampled_from([0.0, 0.1]),
    leaves=st.sampled_from(["classes", "misclassifications"]),
)
def test_the_shortest_of_all_prunings_is_found(all_prunings, seed, missing, leaves):
    data = led(120, noise=0.15, seed=seed)
    X = data.X.copy()
    X[np.random.default_rng(seed).random(X.shape) < missing] = np.nan
    data = Data(data.schema, X, data.labels % 3)
    tree = grow(data, UnivariateSplitter("gain"), Stopping(max_depth=3))

    def length(t):
        as_leaf, as_split = MinimumDescriptionLength(leaves).bits(t)
        return np.where(t.is_leaf, as_leaf, as_split).sum()

    candidates = [
        tree.cut(np.isin(np.arange(tree.n_nodes), list(nodes))) for nodes in all_prunings(tree)
    ]
    pruned = MinimumDescriptionLength(leaves).prune(tree)
    assert length(pruned) == pytest.approx(min(map(length, candidates)))


def test_costs_count_in_misclassifications():
    counts = np.array([[30.0, 4], [30, 0], [0, 4]])
    dear = np.array([[9.0 * 4, 30], [0, 30], [36, 0]])
    cheap = np.array([[0.1 * 4, 30], [0, 30], [0.4, 0]])
    pruning = MinimumDescriptionLength("misclassifications")
    assert pruning.prune(Tree(SCHEMA, STUMP, counts, losses=dear)).n_nodes == 3
    assert pruning.prune(Tree(SCHEMA, STUMP, counts, losses=cheap)).n_nodes == 1


def test_by_name():
    data = led(300, noise=0.2, seed=0)
    full = UnivariateTreeClassifier(pruning=None).fit(data)
    pruned = UnivariateTreeClassifier(pruning="mdl").fit(data)
    assert 1 < pruned.get_n_leaves() < full.get_n_leaves()
    machines = LinearMachineTreeClassifier(pruning="mdl", random_state=0).fit(data)
    assert machines.get_n_leaves() <= 20


def test_pure_noise_is_pruned_to_the_root():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(200, 5)), random.integers(0, 2, 200)
    for leaves in ("classes", "misclassifications"):
        model = UnivariateTreeClassifier(pruning=MinimumDescriptionLength(leaves)).fit(X, y)
        assert model.get_n_leaves() == 1


def test_senseless_leaves_are_refused():
    with pytest.raises(ValueError, match="leaves is 'class'; did you mean 'classes'"):
        MinimumDescriptionLength("class")
