"""Which kind of test a hybrid takes, and what it says about it."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from miter import HybridTreeClassifier, load, save
from miter.data import Column, Data, Schema, monks
from miter.growing.loop import grow, grow_forest
from miter.growing.stopping import Stopping
from miter.level import Level, Sample
from miter.prune import Pessimistic
from miter.show import Outline
from miter.significance import five_by_two_f_test
from miter.splits import Linear, Network, Threshold
from miter.splitters import HybridSplitter
from miter.splitters.hybrid import _Contest


def table(X, y):
    schema = Schema(tuple(Column(f"x{c}", "numeric") for c in range(X.shape[1])), (*range(3),))
    return Data(schema, X, np.asarray(y, np.int32))


def circle(n_rows=500, seed=0):
    X = np.random.default_rng(seed).normal(size=(n_rows, 2))
    return table(X, (X**2).sum(axis=1) < 2 * np.log(2))


def line(n_rows=500, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 2))
    odds = 1 / (1 + np.exp(-4 * (X[:, 0] - X[:, 1])))
    return table(X, random.random(n_rows) < odds)


def step(n_rows=500, seed=0):
    """One column tells, by a threshold, with a tenth of the labels wrong."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 2))
    return table(X, (X[:, 0] > 0) ^ (random.random(n_rows) < 0.1))


def chosen(data, splitter):
    found = splitter.begin(data, 1, 1)(Level.root(data))
    return found.splits[0], found.notes[0]


@pytest.mark.parametrize("choice", ["f_test", "t_test", "aic", "bic"])
def test_a_circle_needs_a_network_and_a_line_does_not(choice):
    split, note = chosen(circle(), HybridSplitter(choice))
    assert isinstance(split, Network)
    assert note.startswith("network: ")
    split, note = chosen(line(), HybridSplitter(choice))
    assert isinstance(split, Linear)
    assert note.startswith("linear: ")


@pytest.mark.parametrize("choice", ["f_test", "t_test", "aic", "bic"])
def test_one_column_is_simplest(choice):
    split, note = chosen(step(), HybridSplitter(choice, univariate=True))
    assert isinstance(split, Threshold)
    assert note.startswith("univariate: ")
    assert isinstance(chosen(circle(), HybridSplitter(choice, univariate=True))[0], Network)
    assert isinstance(chosen(line(), HybridSplitter(choice, univariate=True))[0], Linear)


def test_where_both_are_equal_the_network_is_rare():
    taken = [isinstance(chosen(line(100, s), HybridSplitter())[0], Network) for s in range(40)]
    assert sum(taken) <= 4


def gains_of(data):
    """Return by how much the network errs less, repetitions x parts."""
    contest = _Contest(HybridSplitter(), data, 1)
    level = Level.root(data)
    linear = contest.perceptron.find(level)
    parts = contest._draw_parts(level, 5, 2)
    errors = contest.perceptron.part_errors(level, linear.groups, linear.l2, parts)
    others = contest.network.part_errors(level, linear.groups, np.ones(1), parts)
    return (errors - others)[0]


def test_the_figures_of_the_test_are_kept():
    data = circle()
    verdict = five_by_two_f_test(gains_of(data))
    note = chosen(data, HybridSplitter())[1]
    assert f"F = {verdict.statistic:.3g}, p = {verdict.p_value / 2:.2g}" in note
    assert f"errs {100 * verdict.difference:.1f} points less than linear" in note


def test_a_network_that_is_not_ahead_is_not_tried_further():
    lengths = set()
    for seed in range(30):
        data = line(200, seed)
        so_far = np.cumsum(gains_of(data).sum(axis=1))
        behind = np.flatnonzero(so_far <= 0)
        note = chosen(data, HybridSplitter())[1]
        if len(behind) == 0:
            assert "F = " in note
            continue
        n = behind[0] + 1
        lengths.add(n)
        points = abs(100 * so_far[n - 1] / (2 * n))
        assert f"errs {points:.1f} points" in note
        assert note.endswith(f"after {n} of 5 repetitions") == (n < 5)
    assert {1, 2} <= lengths


def parts_of(data, n_parts=2):
    return _Contest(HybridSplitter(), data, 1)._draw_parts(Level.root(data), 5, n_parts)


def test_parts_are_even():
    data = circle(200)
    parts = parts_of(data)
    assert (parts.spread == 1).all()
    for first in parts.first:
        for c in (0, 1):
            ones = first[data.labels == c]
            assert abs((ones == 0).sum() - (ones == 1).sum()) <= 1
    assert len({tuple(first) for first in parts.first}) == 5


def test_equal_rows_are_dealt_over_the_parts():
    data = circle(200)
    times = 1 + np.arange(200) % 4
    rows = np.repeat(np.arange(200), times)
    several = parts_of(data.take(rows), 3)
    assert np.array_equal(several.spread, np.minimum(times, 3)[rows])
    weighted = parts_of(replace(data, weight=times.astype(float)), 3)
    assert np.array_equal(weighted.first[:, rows], several.first)
    assert np.array_equal(weighted.spread[rows], several.spread)
    left_out = sum(weighted.share(0, part) for part in range(3))
    assert np.allclose(left_out, 1)


@pytest.mark.parametrize("univariate", [False, True])
def test_a_row_twice_is_a_row_of_the_weight_2_in_the_contest(univariate):
    data = line(150)
    times = 1 + np.arange(150) % 3
    weighted = replace(data, weight=times.astype(float))
    repeated = data.take(np.repeat(np.arange(150), times))
    (one, note), (other, same_note) = (
        chosen(rows, HybridSplitter(univariate=univariate)) for rows in (weighted, repeated)
    )
    assert note == same_note
    assert type(one) is type(other)
    assert np.array_equal(one.route(data.X), other.route(data.X))


def test_a_perceptron_without_mistakes_needs_no_test():
    X = np.random.default_rng(0).normal(size=(100, 2))
    X[:, 0] += np.where(X[:, 0] > 0, 5, -5)
    _, note = chosen(table(X, X[:, 0] > 0), HybridSplitter())
    assert note == "linear: linear makes no mistake on rows left out"


@pytest.mark.parametrize("univariate", [False, True])
def test_trees_that_grow_together_do_not_disturb_each_other(univariate):
    data, stopping = monks(2), Stopping(max_depth=2)
    splitter = HybridSplitter("aic", univariate=univariate)
    rows = np.arange(432, dtype=np.int32)
    together = grow_forest(data, splitter, [Sample(rows[:300]), Sample(rows[100:])], stopping)
    alone = grow_forest(data, splitter, [Sample(rows[:300])], stopping)
    assert together[0].notes[0] == alone[0].notes[0]
    assert str(together[0].splits[0]) == str(alone[0].splits[0])


def test_notes_stay_with_their_nodes(tmp_path):
    data = monks(2)
    tree = grow(data, HybridSplitter(univariate=True), Stopping(min_samples_split=40))
    assert all(bool(note) != leaf for note, leaf in zip(tree.notes, tree.is_leaf, strict=True))
    pruned = Pessimistic().prune(tree)
    assert all(bool(note) != leaf for note, leaf in zip(pruned.notes, pruned.is_leaf, strict=True))
    model = HybridTreeClassifier(random_state=0, pruning="pessimistic").fit(data)
    save(model, tmp_path / "model.json")
    for other in (load(tmp_path / "model.json"), pickle.loads(pickle.dumps(model))):
        assert other.tree_.notes == model.tree_.notes
        assert np.array_equal(other.predict_proba(data), model.predict_proba(data))
    assert next(iter(Outline(model))).note == model.tree_.notes[0]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"choice": "ftest"}, "choice is 'ftest'; did you mean 'f_test'"),
        ({"choice_significance": 1.0}, "choice_significance is 1.0; give a number between 0 and 1"),
        ({"univariate": "yes"}, "univariate is 'yes'; give True or False"),
        ({"training": "best"}, "training is 'best'; known are 'optimal', 'gradient'"),
        ({"hidden": 2.5}, "hidden is 2.5; give a whole number"),
    ],
)
def test_settings_that_mean_nothing(settings, words):
    with pytest.raises(ValueError, match=words):
        HybridSplitter(**settings)
