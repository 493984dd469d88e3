"""Paper 003, the lecture: its figures."""

import pytest

from miter import evaluate, id3, read
from miter.data import play_tennis


def test_play_tennis_tree():
    model = id3().fit(play_tennis())
    tree = model.tree_
    assert tree.splits[0].say(tree.schema, 0) == "Outlook = Sunny"
    # Overcast is a leaf; under Sunny the lecture tests Humidity, gain 0.970.
    assert tree.counts[2].tolist() == [4, 0]
    assert tree.splits[1].say(tree.schema, 0) == "Humidity = High"


def test_monks_1_report(dataset):
    path = dataset("monks-1")
    train = read(path)
    test = read(path.with_suffix(".test"), schema=train.schema)
    model = id3("normalised_gain").fit(train)
    result = evaluate(model, test, train=train)
    assert (result.n_train, result.n_test, result.n_wrong) == (124, 432, 82)
    assert (result.n_seen, result.n_unseen) == (124, 308)
    percent = [100 * x for x in (result.error, result.deviation, *result.interval)]
    assert percent == pytest.approx([18.98, 1.89, 15.56, 22.95], abs=0.005)
    assert 100 * result.generalisation_error == pytest.approx(26.62, abs=0.005)
    assert result.memorisation_error == 0


@pytest.mark.parametrize(("criterion", "n_wrong"), [("gain", 75), ("gain_ratio", 79)])
def test_monks_1_with_other_criteria(dataset, criterion, n_wrong):
    path = dataset("monks-1")
    train = read(path)
    test = read(path.with_suffix(".test"), schema=train.schema)
    assert evaluate(id3(criterion).fit(train), test).n_wrong == n_wrong
