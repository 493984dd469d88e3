import warnings
from math import factorial

import numpy as np
import pytest

import miter
from miter.data import Column, Data, Schema, from_frame, play_tennis
from miter.errors import DataError
from miter.splits import SHARE, Category, Linear, Machine, Network, PackedSplits, Term, Threshold
from miter.tree import Tree

N_NUMBERS, N_SYMBOLS = 5, 2
COLUMNS = tuple(Column(f"x{i}", "numeric") for i in range(N_NUMBERS)) + tuple(
    Column(f"s{i}", "symbolic", ("a", "b", "c")) for i in range(N_SYMBOLS)
)
SCHEMA = Schema(COLUMNS, ("no", "yes", "perhaps"))
KINDS = ("threshold", "category", "linear", "bent", "condition", "machine", "network")


def wide(n_columns):
    """Return a schema of so many numbers."""
    return Schema(tuple(Column(f"x{i}", "numeric") for i in range(n_columns)), ("no", "yes"))


def draw_terms(random, n_outputs, schema, kind):
    """Return terms of some columns; a column may have two."""

    def draw(*shape):
        # Whole numbers make ties, which only the order of a sum decides.
        is_whole = random.random() < 0.3
        drawn = random.integers(-2, 3, shape) if is_whole else random.normal(size=shape)
        return (drawn * 0.1).tolist()

    terms = []
    n = random.integers(2, schema.n_columns + 1)
    for column in random.permutation(schema.n_columns)[:n].tolist():
        missing = draw(n_outputs)
        if schema.columns[column].values:
            terms.append(Term.symbol(column, draw(3, n_outputs), missing=missing))
            continue
        if kind == "bent":
            terms.append(Term.bent(column, 0.5, draw(n_outputs), draw(n_outputs), missing=missing))
        elif kind != "condition" or random.random() < 0.5:
            terms.append(Term.number(column, *draw(n_outputs), missing=missing))
        if kind == "condition":
            terms.append(Term.condition(column, 0.0, *draw(n_outputs), missing=missing))
    return tuple(terms)


def draw_split(random, schema, kind):
    n_numbers = sum(not column.values for column in schema.columns)
    missing = int(random.choice([SHARE, 0, 1]))
    if kind == "threshold":
        cuts = tuple(np.unique(random.integers(-1, 2, 2).astype(float)).tolist())
        return Threshold(int(random.integers(n_numbers)), cuts, missing)
    if kind == "category":
        branches = [(0, 1, 2), (0, 1, 0), (0, -1, 1)][random.integers(3)]
        return Category(int(random.integers(n_numbers, schema.n_columns)), branches, missing)
    if kind == "machine":
        return Machine(
            tuple(random.normal(size=3) * 0.1), draw_terms(random, 3, schema, kind), (0, 1, 2)
        )
    if kind == "network":
        terms = draw_terms(random, 2, schema, kind)
        return Network((0.1, -0.1), terms, tuple(random.normal(size=2)), float(random.normal() / 4))
    return Linear(draw_terms(random, 1, schema, kind), float(random.integers(-1, 2)) * 0.1)


def draw_tree(random, schema, kinds, n_inner=8):
    """Return a tree of random splits; some of its nodes have no rows."""
    splits, n_open = [], 1
    while n_open:
        n_open -= 1
        is_inner = len(splits) < 1 or (n_inner > 0 and random.random() < 0.7)
        split = draw_split(random, schema, random.choice(kinds)) if is_inner else None
        n_inner -= is_inner
        n_open += split.n_branches if split else 0
        splits.append(split)
    counts = random.integers(0, 5, (len(splits), schema.n_classes)).astype(float)
    counts[0] += 1
    return Tree(schema, PackedSplits.of(splits), counts)


def draw_rows(random, schema, n_rows, missing=0.2):
    X = np.where(
        random.random((n_rows, schema.n_columns)) < 0.5,
        random.normal(size=(n_rows, schema.n_columns)),
        random.integers(-1, 3, (n_rows, schema.n_columns)),
    )
    for c, column in enumerate(schema.columns):
        if column.values:
            X[:, c] = random.integers(0, 3, n_rows)
    X[random.random(X.shape) < missing] = np.nan
    return X


def model_of(*trees):
    return (
        miter.id3() if len(trees) == 1 else miter.BaggedTreesClassifier(voting="average")
    ).restore(trees)


def by_all_subsets(predict, X, background):
    """Return Shapley values from their definition."""
    n = X.shape[1]
    member = (np.arange(2**n)[:, None] >> np.arange(n)) & 1 == 1
    size = member.sum(axis=1)
    weight = np.array([factorial(s) * factorial(n - 1 - s) / factorial(n) for s in range(n)])
    values = []
    for x in X:
        total = 0
        for z in background:
            worth = predict(np.where(member, x, z))
            without = [np.flatnonzero(~member[:, c]) for c in range(n)]
            total += np.array(
                [weight[size[s]] @ (worth[s + 2**c] - worth[s]) for c, s in enumerate(without)]
            )
        values.append(total / len(background))
    return np.array(values)


def check_exact(model, X, background):
    found = miter.attribute(model, Data(model.schema_, X), Data(model.schema_, background))
    assert found.error is None
    expected = by_all_subsets(model.predict_shares, X, background)
    np.testing.assert_allclose(found.values, expected, rtol=0, atol=1e-10)
    check_sums(model, found, X, background)


def check_sums(model, found, X, background):
    mean = model.predict_shares(background).mean(axis=0)
    np.testing.assert_allclose(found.expected, mean, rtol=0, atol=1e-12)
    total = found.values.sum(axis=1) + found.expected
    np.testing.assert_allclose(total, model.predict_shares(X), rtol=0, atol=1e-10)


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_the_sum_over_all_subsets(kind, missing, seed):
    random = np.random.default_rng([seed, KINDS.index(kind)])
    model = model_of(draw_tree(random, SCHEMA, [kind]))
    check_exact(model, *(draw_rows(random, SCHEMA, n, missing) for n in (4, 5)))


@pytest.mark.parametrize("seed", range(6))
def test_trees_of_all_kinds_of_split(seed):
    random = np.random.default_rng(seed)
    model = model_of(draw_tree(random, SCHEMA, KINDS, n_inner=20))
    check_exact(model, *(draw_rows(random, SCHEMA, n) for n in (4, 5)))


@pytest.mark.parametrize("kind", ["threshold", "linear", "bent", "condition", "machine", "network"])
def test_twelve_columns(kind):
    random = np.random.default_rng(12)
    schema = wide(12)
    model = model_of(draw_tree(random, schema, [kind], n_inner=15))
    check_exact(model, *(draw_rows(random, schema, n) for n in (2, 3)))


def test_a_forest_is_the_mean_of_its_trees():
    random = np.random.default_rng(0)
    model = model_of(*(draw_tree(random, SCHEMA, KINDS) for _ in range(4)))
    check_exact(model, *(draw_rows(random, SCHEMA, n) for n in (3, 4)))


def test_votes_are_attributed_as_votes():
    data = from_frame(np.random.default_rng(0).normal(size=(60, 4)), ["a", "b", "c"] * 20)
    model = miter.BaggedTreesClassifier(n_estimators=5, random_state=0).fit(data)
    assert model.counts_votes
    check_exact(model, data.X[:4], data.X[:5])


def test_grown_trees():
    data = play_tennis()
    check_exact(miter.id3().fit(data), data.X, data.X)


def test_too_many_decisions_are_sampled_with_an_error():
    random = np.random.default_rng(3)
    schema = wide(12)
    model = model_of(draw_tree(random, schema, ["linear"], n_inner=15))
    X, background = (draw_rows(random, schema, n) for n in (6, 10))
    rows, others = Data(schema, X), Data(schema, background)
    with pytest.warns(UserWarning, match="decisions; they were estimated") as said:
        found = miter.attribute(model, rows, others, max_states=10, n_threads=1)
    assert len(said) == 1
    check_sums(model, found, X, background)
    exact = by_all_subsets(model.predict_shares, X, background)
    beyond = (found.values - exact)[found.error > 0] / found.error[found.error > 0]
    assert 0.5 < np.sqrt((beyond**2).mean()) < 1.5
    # What no order drawn has shown has no error of its own.
    assert np.abs(found.values - exact)[found.error == 0].max(initial=0) < found.error.mean()
    with pytest.warns(UserWarning, match="standard errors"):
        again = miter.attribute(model, rows, others, max_states=10, n_threads=2)
    np.testing.assert_array_equal(again.values, found.values)
    np.testing.assert_array_equal(again.error, found.error)
    with pytest.warns(UserWarning, match="standard errors"):
        other = miter.attribute(model, rows, others, max_states=10, seed=1)
    assert not np.array_equal(other.values, found.values)


@pytest.mark.parametrize("cell", [1.0, np.nan])
def test_deep_trees_do_not_exhaust_the_stack(cell):
    n = 1500
    schema = wide(n)
    # A chain: each node has a leaf, and the node that goes on.
    tests = [Threshold(i, (0.0,)) for i in range(n)]
    splits = [tests[0], *(split for test in tests[1:] for split in (None, test)), None, None]
    tree = Tree(schema, PackedSplits.of(splits), np.ones((len(splits), 2)))
    X, background = Data(schema, np.full((1, n), cell)), Data(schema, np.ones((1, n)) - 2)
    with warnings.catch_warnings(action="ignore"):
        found = miter.attribute(model_of(tree), X, background, n_permutations=1)
    assert np.abs(found.values).max() < 1e-12  # all nodes say the same


def test_results():
    data = play_tennis()
    tree = miter.id3().fit(data)
    found = miter.attribute(tree, data, data.take(np.arange(5)))
    assert found.values.shape == (14, 4, 2)
    frame = found.to_frame()
    assert list(frame.columns) == ["row", "column", "class", "value"]
    wind = frame[(frame.row == 3) & (frame.column == "Wind") & (frame["class"] == "Yes")]
    assert wind.value.item() == found.values[3, 3, found.classes.index("Yes")]
    assert found.to_dict()["error"] is None
    assert str(found).startswith("mean size of what it adds, 14 rows\ncolumn")
    assert "(expected)" in str(miter.attribute(tree, data.take(np.array([0])), data))


def test_wrong_input():
    data = play_tennis()
    tree = miter.id3().fit(data)
    none = data.take(np.array([], int))
    with pytest.raises(DataError, match="the background has no rows"):
        miter.attribute(tree, data, none)
    assert miter.attribute(tree, none, data).values.shape == (0, 4, 2)
    with pytest.raises(TypeError, match="not a fitted model"):
        miter.attribute("tree", data, data)
    with pytest.raises(ValueError, match="max_states is 0"):
        miter.attribute(tree, data, data, max_states=0)
    with pytest.raises(ValueError, match="n_permutations is 0"):
        miter.attribute(tree, data, data, n_permutations=0)
