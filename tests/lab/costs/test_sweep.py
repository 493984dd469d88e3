import json

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from miter import UnivariateTreeClassifier, id3
from miter.data import Column, Data, Schema, led
from miter.data.costs import cost_matrix, focus
from miter.errors import DataError
from miter.lab import MinimumCostClassifier, evaluate, sweep_costs

TREE = UnivariateTreeClassifier(random_state=0)


@pytest.fixture(scope="module")
def rows():
    return led(400), led(600, seed=1)


@pytest.fixture(scope="module")
def sweep(rows):
    train, test = rows
    return sweep_costs(TREE, train, "8", [1, 20], test=test)


def test_a_sweep_by_hand():
    # Nothing to split: one leaf with three a, one b and two c.
    schema = Schema((Column("x", "numeric"),), ("a", "b", "c"))
    data = Data(schema, np.zeros((6, 1)), np.array([0, 0, 0, 1, 2, 2], np.int32))
    tree = id3()
    sweep = sweep_costs(tree, data, "b", [1, 2, 50], others=0.5, test=data)
    # Expected costs of a, b, c as answers: 0.5 * 2 + ratio, 5, 0.5 * 3 + ratio.
    expected = [(1, 1, 0, 0.5, 2 / 6), (2, 1, 0, 0.5, 3 / 6), (50, 0, 5, 1 / 6, 5 / 6)]
    for points in (sweep.trained, sweep.relabelled):
        for point, (ratio, missed, alarms, accuracy, cost) in zip(points, expected, strict=True):
            assert point.ratio == ratio
            assert (point.false_negatives, point.false_positives) == (missed, alarms)
            assert point.accuracy == pytest.approx(accuracy)
            assert point.mean_cost == pytest.approx(cost)
    assert (sweep.of, sweep.others, sweep.n_runs, sweep.n_test) == ("b", 0.5, 1, 6)


def test_trained_points_are_those_of_trees_trained_so(rows, sweep):
    train, test = rows
    for point in sweep.trained:
        costs = focus("8", point.ratio)
        report = evaluate(UnivariateTreeClassifier(costs=costs, random_state=0).fit(train), test)
        assert point.false_negatives == report.false_negatives[8]
        assert point.false_positives == report.false_positives[8]
        assert point.accuracy == report.accuracy
        assert point.mean_cost == pytest.approx(report.mean_cost)


def test_relabelled_points_are_those_of_one_tree(rows, sweep):
    train, test = rows
    model = UnivariateTreeClassifier(random_state=0).fit(train)
    for point in sweep.relabelled:
        matrix = cost_matrix(focus("8", point.ratio), train.schema.classes)
        codes = model.predict(test, costs=matrix).astype(int)
        assert point.false_negatives == ((test.labels == 8) & (codes != 8)).sum()
        assert point.false_positives == ((test.labels != 8) & (codes == 8)).sum()
        assert point.mean_cost == pytest.approx(matrix[codes, test.labels].mean())


def test_what_is_dear_is_missed_less(sweep):
    for cheap, dear in (sweep.trained, sweep.relabelled):
        assert dear.false_negatives < cheap.false_negatives
        assert dear.false_positives > cheap.false_positives


def test_means_over_folds(rows):
    data, _ = rows
    sweep = sweep_costs(TREE, data, "8", [5], resampling="4-fold", seed=3)
    assert (sweep.n_runs, sweep.n_test) == (4, 100)
    again = sweep_costs(TREE, data, "8", [5], resampling="4-fold", seed=3)
    assert again == sweep
    other = sweep_costs(TREE, data, "8", [5], resampling="4-fold", seed=4)
    assert other != sweep
    assert sweep_costs(TREE, data, "8", [5]).n_runs == 10


def test_costs_of_the_estimator_are_replaced(rows, sweep):
    train, test = rows
    given = UnivariateTreeClassifier(costs=focus("1", 100), random_state=0)
    assert sweep_costs(given, train, "8", [1, 20], test=test) == sweep


def test_table(sweep):
    lines = str(sweep).splitlines()
    assert lines[0] == "Class 8, one run with 600 test rows; other confusions cost 0.1"
    assert lines[3].split() == ["ratio", *["missed", "false", "alarms", "accuracy", "cost"] * 2]
    dear = sweep.relabelled[1]
    assert lines[5].split()[:3] == ["20", ":", "1"]
    assert lines[5].split()[-4:-2] == [f"{dear.false_negatives:.1f}", f"{dear.false_positives:.1f}"]
    assert lines[5].split()[-2:] == [f"{dear.accuracy:.2%}", f"{dear.mean_cost:.4f}"]
    assert len({len(line) for line in lines[2:]}) == 1


def test_dictionaries_survive_json(sweep):
    plain = sweep.to_dicts()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert [(item["ratio"], item["way"]) for item in plain] == [
        *[(1, "trained"), (1, "relabelled")],
        *[(20, "trained"), (20, "relabelled")],
    ]
    assert plain[3]["false_negatives"] == sweep.relabelled[1].false_negatives


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"of": "eight"}, "there is no class 'eight'; known are '0'"),
        ({"ratios": []}, "there are no ratios"),
        ({"ratios": [-1]}, "ratio is -1; give a number, 0 or more"),
        ({"others": -1}, "others is -1; give a number, 0 or more"),
        ({"estimator": GaussianNB()}, "GaussianNB cannot be trained with costs; take a tree"),
        ({"estimator": MinimumCostClassifier(id3())}, "MinimumCostClassifier cannot be trained"),
        ({"test": led(5), "resampling": "5x2"}, "there are test rows, so none are held out"),
        ({"resampling": "5y2"}, "there is no resampling '5y2'"),
    ],
    ids=str,
)
def test_mistakes(rows, changes, sentence):
    settings = {"estimator": TREE, "data": rows[0], "of": "8", "ratios": [1]} | changes
    with pytest.raises(ValueError, match=sentence):
        sweep_costs(**settings)


def test_mistakes_are_of_the_data():
    with pytest.raises(DataError):
        sweep_costs(TREE, led(50), "x")
