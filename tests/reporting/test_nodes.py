import json

import numpy as np
import pytest

from miter.reporting.nodes import node_contents, plain_test, within_page
from miter.show import Outline
from miter.splits import Category, Linear, Machine, Network, Term, Threshold

from .conftest import MODELS, fitted, table

TREES = [name for name in MODELS if "votes" not in name and "mean" not in name]


@pytest.mark.parametrize("name", TREES)
def test_a_list_for_each_thing_has_a_place_for_each_node(name):
    tree = fitted(name).tree_
    contents = node_contents(tree, table().X, tree.counts)
    json.dumps(contents, allow_nan=False)
    lists = [value for value in contents.values() if isinstance(value, list)]
    assert {len(one) for one in lists} == {tree.n_nodes}
    said = {entry.node: entry.say(tree.schema) for entry in Outline(tree, table().X)}
    if tree.sums_terms:
        assert contents["words"] == [said[node] for node in range(tree.n_nodes)]
    assert [test is None for test in contents["tests"]] == tree.is_leaf.tolist()


@pytest.mark.parametrize(
    "split",
    [
        Threshold(1, (0.5, 2.0), 1),
        Category(0, (0, -1, 1)),
        Linear((Term.number(0, 2.0), Term.bent(1, 0.5, -1.0, 2.0)), 3.0),
        Machine((0.0, 1.0), (Term.symbol(0, ((1.0, 0.0), (0.0, 1.0), (2.0, 2.0))),), (0, 1)),
        Network((0.1, 0.2), (Term.number(0, 1.0, -1.0),), (1.0, 2.0), 0.5),
    ],
    ids=lambda split: type(split).__name__,
)
def test_tests_are_plain(split):
    plain = plain_test(split.expression)
    assert json.loads(json.dumps(plain)) == plain


def test_a_tree_that_is_too_large_is_cut_where_few_rows_came():
    tree = fitted("id3").tree_
    cut, goes_on = within_page(tree, 12)
    assert cut.n_nodes <= 12
    assert all(cut.is_leaf[goes_on])
    weight = cut.counts.sum(axis=1)
    inner = np.flatnonzero(~cut.is_leaf)
    assert weight[inner].min() >= weight[goes_on].max()
    # Rows that end where the tree ends get its answers.
    X = table(200, seed=8).X
    ends = cut.apply(X)
    whole = ~np.isin(ends, goes_on)
    known = ~np.isnan(X).any(axis=1) & whole
    assert (cut.predict(X[known]) == tree.predict(X[known])).all()
    assert goes_on


def test_a_small_tree_is_whole():
    tree = fitted("id3").tree_
    assert within_page(tree) == (tree, [])
