import numpy as np
import pytest

import miter
from miter.data import led
from miter.reporting import sizes
from miter.reporting.sizes import size_contents

from .conftest import fitted, table


@pytest.mark.parametrize("name", ["univariate", "id3", "linear machine", "costs"])
def test_errors_of_a_size_are_those_of_the_pruned_tree(name):
    tree = fitted(name).tree_
    data = table(300)
    known = data.take(np.flatnonzero(~np.isnan(data.X).any(axis=1)))
    contents = size_contents(tree, tree.count(known))
    leaf_from = np.array(contents["leaf_from"])
    for place, step in enumerate(contents["steps"]):
        cut = tree.cut(leaf_from <= place)
        assert step["leaves"] == cut.n_leaves
        assert step["splits"] == cut.n_nodes - cut.n_leaves
        # Rounded to five digits.
        assert step["wrong"] == pytest.approx(
            np.mean(cut.predict(known.X) != known.labels), abs=1e-5
        )


def test_sizes_fall_from_the_whole_tree_to_its_root():
    tree = fitted("id3").tree_
    steps = size_contents(tree, None)["steps"]
    splits = [step["splits"] for step in steps]
    assert splits[0] == tree.n_nodes - tree.n_leaves
    assert splits[-1] == 0
    assert splits == sorted(splits, reverse=True)
    assert steps[0]["wrong"] is None


def test_a_large_tree_has_few_sizes(monkeypatch):
    monkeypatch.setattr(sizes, "LARGE", 20)
    monkeypatch.setattr(sizes, "MOST_SIZES", 12)
    tree = miter.id3(min_samples_leaf=1).fit(led(900, seed=1)).tree_
    contents = size_contents(tree, tree.counts)
    splits = [step["splits"] for step in contents["steps"]]
    assert len(splits) <= 13
    assert splits[0] == tree.n_nodes - tree.n_leaves
    assert splits[-1] == 0
    leaf_from = np.array(contents["leaf_from"])
    for place, step in enumerate(contents["steps"]):
        assert tree.cut(leaf_from <= place).n_leaves == step["leaves"]


def test_a_leaf_has_one_size():
    contents = size_contents(fitted("a leaf").tree_, None)
    assert contents == {"leaf_from": [0], "steps": [{"splits": 0, "leaves": 1, "wrong": None}]}
