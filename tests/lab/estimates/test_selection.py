import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from miter.data import Column, Data, Schema, from_frame, monks
from miter.errors import DataError
from miter.estimators.univariate import id3
from miter.lab.estimates.resampling import Folds
from miter.lab.estimates.selection import select_features

NAMES = ("n1", "a", "n2", "n3", "b", "n4")


@pytest.fixture(scope="module")
def six_columns():
    """The class is *a and b*; the other columns are noise."""
    X = np.random.default_rng(0).random((200, 6)) < [0.5, 0.7, 0.5, 0.5, 0.7, 0.5]
    columns = tuple(Column(name, "symbolic", ("0", "1")) for name in NAMES)
    y = (X[:, 1] & X[:, 4]).astype(np.int32)
    return Data(Schema(columns, ("no", "yes"), ignored=("id",)), X.astype(float), y)


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_two_of_six_columns_matter(six_columns, direction):
    selection = select_features(id3(), six_columns, direction)
    assert selection.names == ("a", "b")
    assert selection.accuracy == 1


def test_path_forward(six_columns):
    start, first, second = select_features(id3(), six_columns).path
    assert (start.columns, start.changed) == ((), None)
    assert start.accuracy == pytest.approx(1 - six_columns.labels.mean(), abs=0.01)
    assert {first.changed, second.changed} == {"a", "b"}
    assert first.columns == (first.changed,)
    assert second.columns == ("a", "b")
    assert start.accuracy < first.accuracy < second.accuracy


def test_path_backward(six_columns):
    path = select_features(id3(), six_columns, "backward").path
    assert path[0].columns == NAMES
    assert path[0].changed is None
    for last, step in pairwise(path):
        assert step.columns == tuple(name for name in last.columns if name != step.changed)
        assert step.accuracy >= last.accuracy
    # Of columns as little missed as each other the first goes first.
    assert [step.changed for step in path[1:]] == ["n1", "n2", "n3", "n4"]


def test_accuracies_are_those_of_the_folds(six_columns):
    data = replace(six_columns, y=six_columns.y ^ (np.arange(200) % 9 == 0))
    selection = select_features(id3(), data, cv="2x3-fold", seed=4)
    step = selection.path[-1]
    chosen = selection.apply(data)
    runs = []
    for train, test in Folds(3, 2).splits(data.labels, 4):
        predicted = id3().fit(chosen.take(train)).predict(chosen.take(test))
        runs.append((predicted == np.array(data.schema.classes)[data.labels[test]]).mean())
    assert step.accuracy == pytest.approx(np.mean(runs), abs=1e-12)
    assert step.deviation == pytest.approx(np.std(runs, ddof=1) / np.sqrt(6), abs=1e-12)


def test_as_many_columns_as_asked_for(six_columns):
    forward = select_features(id3(), six_columns, n_features=4)
    assert {"a", "b"} < set(forward.names)
    assert [len(step.columns) for step in forward.path] == [0, 1, 2, 3, 4]
    backward = select_features(id3(), six_columns, "backward", n_features=1)
    assert [len(step.columns) for step in backward.path] == [6, 5, 4, 3, 2, 1]
    assert set(backward.names) < {"a", "b"}
    assert len(select_features(id3(), six_columns, n_features=6).path) == 7
    assert len(select_features(id3(), six_columns, "backward", n_features=6).path) == 1


def test_backward_finds_what_only_works_together():
    # In the first MONK's problem a1 and a2 matter only together: alone neither helps.
    backward = select_features(id3(), monks(1), "backward")
    assert backward.names == ("a1", "a2", "a5")
    assert backward.accuracy == 1
    assert select_features(id3(), monks(1), "forward").names == ("a5",)


def test_nothing_helps():
    random = np.random.default_rng(1)
    data = from_frame(random.normal(size=(80, 2)), np.repeat(["a", "b"], [70, 10]))
    selection = select_features(id3(), data)
    assert selection.names == ()
    assert selection.accuracy == pytest.approx(70 / 80)
    assert select_features(id3(), data, "backward").names == ()


def test_any_classifier(six_columns):
    selection = select_features(LogisticRegression(), six_columns, cv=Folds(3))
    assert selection.names == ("a", "b")


def test_the_seed_decides_and_the_workers_do_not(six_columns):
    data = replace(six_columns, y=six_columns.y ^ (np.arange(200) % 5 == 0))
    alone = select_features(id3(), data, n_features=3, seed=1)
    assert select_features(id3(), data, n_features=3, seed=1) == alone
    assert select_features(id3(), data, n_features=3, seed=1, n_workers=2) == alone
    assert select_features(id3(), data, n_features=3, seed=2) != alone


def test_columns_are_taken_whole(six_columns):
    chosen = select_features(id3(), six_columns).apply(six_columns)
    assert chosen.schema.names == ("a", "b")
    assert chosen.schema.ignored == ("id", "n1", "n2", "n3", "n4")
    assert np.array_equal(chosen.X, six_columns.X[:, [1, 4]])
    assert chosen.y is six_columns.y
    with pytest.raises(DataError, match="no column 'a'; known are 'x0'"):
        select_features(id3(), six_columns).apply(from_frame(np.zeros((1, 1))))


def test_one_run_has_no_deviation(six_columns):
    path = select_features(id3(), six_columns, cv="holdout 0.5").path
    assert [step.deviation for step in path] == [0] * len(path)


def test_path_in_words(six_columns):
    lines = str(select_features(id3(), six_columns)).splitlines()
    assert lines[0].endswith("start: no columns")
    assert re.fullmatch(r"100\.00% \+- 0\.00%  [ab]: a, b", lines[-1])


def test_requests_that_make_no_sense(six_columns):
    with pytest.raises(ValueError, match="direction is 'forwards'; did you mean 'forward'"):
        select_features(id3(), six_columns, "forwards")
    for n_features in (0, 7, "all", 2.5):
        with pytest.raises(ValueError, match=r"n_features is .*; give 'best', or a number 1 to 6"):
            select_features(id3(), six_columns, n_features=n_features)
    with pytest.raises(ValueError, match="there is no resampling 'five'"):
        select_features(id3(), six_columns, cv="five")
