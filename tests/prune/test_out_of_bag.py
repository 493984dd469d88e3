"""Leaves as large as rows that trees have not seen want them."""

import numpy as np
import pytest

from miter import BaggedTreesClassifier, TreeClassifier, id3
from miter.data import led
from miter.errors import DataError
from miter.growing.growth import Growth
from miter.growing.loop import grow
from miter.level import Sample
from miter.prune import OutOfBag
from miter.prune.out_of_bag import _clearly_best, _ends
from miter.splitters import RandomCutSplitter, UnivariateSplitter


def samples_of(n_rows, n_trees=20, share=0.8, seed=0):
    random = np.random.default_rng(seed)
    size = round(share * n_rows)
    drawn = (np.sort(random.choice(n_rows, size, replace=False)) for _ in range(n_trees))
    return [Sample(rows.astype(np.int32)) for rows in drawn]


def smallest_split(trees):
    return min(tree.counts.sum(axis=1)[~tree.is_leaf].min() for tree in trees)


def test_rows_end_where_the_tree_would_end_if_it_were_cut():
    data = led(300, noise=0.3, seed=0)
    tree = grow(data, UnivariateSplitter("gain"), seed=0)
    sizes = np.array([0.0, 4.0, 9.0, 40.0, 1e9])
    for size, ends in zip(sizes, _ends(tree, data.X, sizes), strict=True):
        cut = tree.cut(tree.counts.sum(axis=1) < size)
        assert tree.probabilities[ends] == pytest.approx(cut.predict_proba(data.X))


def test_noise_makes_larger_leaves_and_clear_classes_none():
    for noise, is_cut in ((0.0, False), (0.35, True)):
        data = led(600, noise=noise, seed=0)
        growth = Growth(data, [RandomCutSplitter()])
        samples = samples_of(600)
        trees, grown = OutOfBag().grow_many(growth, samples), growth.grow_samples(samples)
        n_cut, n_grown = (sum(tree.n_leaves for tree in own) for own in (trees, grown))
        assert n_cut < n_grown / 2 if is_cut else n_cut == n_grown
        assert all(tree.counts[0].sum() == 480 for tree in trees)


def test_sizes_are_in_multiples_of_a_row():
    data = led(600, noise=0.35, seed=0)
    found = [
        OutOfBag().grow_many(
            Growth(data.take(np.arange(600), np.full(600, weight)), [RandomCutSplitter()]),
            samples_of(600),
        )
        for weight in (2.0, 16.0)
    ]
    assert smallest_split(found[1]) == 8 * smallest_split(found[0])


def test_ways_take_turns():
    data = led(200, seed=0)
    ways = [UnivariateSplitter("gain"), RandomCutSplitter()]
    growth = Growth(data, ways, seed=3)
    samples = samples_of(200, 5)
    together = growth.grow_samples(samples)
    alone = growth.grow_samples(samples[1::2], ways[1])
    assert [str(list(tree.splits)) for tree in together[1::2]] == [
        str(list(tree.splits)) for tree in alone
    ]
    assert {split.n_branches for tree in together for split in tree.splits if split} == {2}


def test_without_rows_left_out_nothing_is_cut():
    data = led(200, noise=0.3, seed=0)
    whole = [Sample.whole(data)] * 3
    growth = Growth(data, [RandomCutSplitter()])
    trees = OutOfBag().grow_many(growth, whole)
    assert [tree.n_nodes for tree in trees] == [t.n_nodes for t in growth.grow_samples(whole)]


def test_how_sure_a_forest_is_does_not_count():
    random = np.random.default_rng(0)
    truth = random.normal(size=400)
    good, bad = truth + random.normal(size=400), truth + 3 * random.normal(size=400)

    def best(*answers):
        p = np.array(answers)
        return _clearly_best(p * truth, p**2, np.ones(400))

    assert best(good, 0.01 * good) == 0
    assert best(bad, 0.01 * good) == 1
    assert best(good, bad) == 0


def test_a_single_tree_holds_rows_out():
    data = led(600, noise=0.3, seed=0)
    pruned, grown = (
        TreeClassifier(RandomCutSplitter(), pruning=pruning, random_state=0).fit(data)
        for pruning in ("out_of_bag", None)
    )
    assert pruned.get_n_leaves() < grown.get_n_leaves()
    with pytest.raises(DataError, match="needs rows that the tree has not seen"):
        OutOfBag().prune(grown.tree_, None)


def test_any_bagged_tree_can_have_it():
    data = led(400, noise=0.3, seed=0)
    trees = BaggedTreesClassifier(id3(pruning="out_of_bag"), random_state=0).fit(data).trees_
    assert smallest_split(trees) >= 5


@pytest.mark.parametrize("share", [0, 1, -1, "half"])
def test_a_share_that_is_none_is_named(share):
    with pytest.raises(ValueError, match="share is"):
        OutOfBag(share)
