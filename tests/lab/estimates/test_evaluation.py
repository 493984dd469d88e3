import json
from dataclasses import replace
from math import isclose, sqrt

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import confusion_matrix
from statsmodels.stats.proportion import proportion_confint

from miter.data import Column, Data, Schema, from_frame, read
from miter.errors import DataError
from miter.estimators.bagging import BaggedTreesClassifier
from miter.estimators.fitted import TreesClassifier
from miter.estimators.univariate import UnivariateTreeClassifier, id3
from miter.lab import Evaluation, evaluate


def test_report_of_the_lecture(dataset):
    train = read(dataset("monks-1"))
    test = read(dataset("monks-1", ".test"), schema=train.schema)
    report = evaluate(id3("normalised_gain").fit(train), test, train=train)
    assert str(report).splitlines()[:5] == [
        "Number of training instances: 124",
        "Number of test instances: 432. Unseen: 308, seen 124.",
        "Number correct: 350. Number incorrect: 82",
        "Generalization error: 26.62%. Memorization error: 0.00%",
        "Error: 18.98% +- 1.89% [15.56% - 22.95%]",
    ]


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    data = from_frame(X, load_iris().target_names[y])
    return UnivariateTreeClassifier(max_depth=2).fit(data), data


def test_confusion_is_scikit_learns(iris):
    model, data = iris
    truth = np.array(data.schema.classes)[data.labels]
    expected = confusion_matrix(truth, model.predict(data), labels=model.classes_)
    report = evaluate(model, data)
    assert (report.confusion == expected).all()
    assert report.n_test == report.n_correct + report.n_wrong == 150
    assert report.n_wrong == (truth != model.predict(data)).sum() > 0
    assert report.accuracy == 1 - report.error
    assert (report.terms, report.path_terms) == (2, pytest.approx(5 / 3))
    assert "Terms to read: 2. On the path of a row: 1.7" in str(report)


def test_many_trees_are_evaluated_like_one(iris):
    data = iris[1]
    model = BaggedTreesClassifier(id3(max_depth=1), n_estimators=5, random_state=0).fit(data)
    truth = np.array(data.schema.classes)[data.labels]
    assert evaluate(model, data).n_wrong == (model.predict(data) != truth).sum() > 0


@pytest.mark.parametrize(("n_correct", "n_wrong"), [(350, 82), (10, 0), (0, 7), (1, 0), (999, 1)])
def test_interval_is_that_of_statsmodels(n_correct, n_wrong):
    report = Evaluation(("a", "b"), np.array([[n_correct, n_wrong], [0, 0]]))
    expected = proportion_confint(n_wrong, n_correct + n_wrong, method="wilson")
    assert report.interval == pytest.approx(expected, abs=1e-12)


def test_deviation():
    report = Evaluation(("a", "b"), np.array([[3, 1], [0, 0]]))
    assert isclose(report.deviation, sqrt(0.25 * 0.75 / 3))
    assert Evaluation(("a", "b"), np.array([[0, 1], [0, 0]])).deviation == 0


def make(rows, labels=None):
    schema = Schema((Column("x", "numeric"), Column("z", "numeric")), ("a", "b"))
    y = None if labels is None else np.array(labels, np.int32)
    return Data(schema, np.array(rows, float), y)


def test_seen_rows():
    nan = np.nan
    train = make([[0, 1], [nan, 2], [5, nan], [9, 9]], [0, 0, 1, 1])
    model = UnivariateTreeClassifier(pruning=None, min_samples_leaf=1).fit(train)
    # Seen are the same values, whatever the class; missing is as good as missing, 0 as -0.
    rows = [[-0.0, 1], [nan, 2], [5, nan], [9, 9], [nan, nan], [9, nan], [1, 0]]
    test = make(rows, [1, 0, 1, 1, 0, 1, 0])
    report = evaluate(model, test, train=train)
    assert (report.n_train, report.n_seen, report.n_unseen) == (4, 4, 3)
    wrong = model.predict(test) != np.array(["b", "a", "b", "b", "a", "b", "a"])
    assert report.memorisation_error == wrong[:4].mean() > 0
    assert report.generalisation_error == wrong[4:].mean()


def test_no_unseen_and_no_seen_rows(iris):
    model, data = iris
    report = evaluate(model, data, train=data)
    assert report.generalisation_error is None
    assert "Generalization error: unknown. Memorization error: 4.00%" in str(report)
    elsewhere = replace(data, X=data.X + 100)
    assert evaluate(model, elsewhere, train=data).memorisation_error is None


def test_without_training_rows(iris):
    report = evaluate(*iris)
    assert report.n_train is report.n_seen is report.n_unseen is report.n_wrong_seen is None
    assert report.generalisation_error is report.memorisation_error is None
    assert str(report).startswith("Number of test instances: 150.\nNumber correct: 144.")
    assert "training" not in str(report)


def test_confusion_matrix_in_words(iris):
    assert str(evaluate(*iris)).splitlines()[-4:] == [
        "            setosa  versicolor  virginica",
        "setosa          50           0          0",
        "versicolor       0          49          1",
        "virginica        0           5         45",
    ]


def test_plain_values_survive_json(iris):
    report = evaluate(*iris, train=iris[1])
    plain = report.to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain["n_wrong"] == 6
    assert plain["confusion"][2] == [0, 5, 45]
    assert plain["interval"] == list(report.interval)


def test_classes_in_another_order(iris):
    model, data = iris
    schema = replace(data.schema, classes=data.schema.classes[::-1])
    turned = Data(schema, data.X, 2 - data.labels)
    assert (evaluate(model, turned).confusion == evaluate(model, data).confusion).all()


def test_class_that_the_model_does_not_know(iris):
    model, data = iris
    schema = replace(data.schema, classes=("setosa", "versicolor", "rosa"))
    with pytest.raises(DataError, match="'rosa'"):
        evaluate(model, replace(data, schema=schema))


def test_rows_that_cannot_be_used(iris):
    model, data = iris
    with pytest.raises(DataError, match="no rows to test"):
        evaluate(model, data.take(np.array([], int)))
    with pytest.raises(DataError, match="no labels"):
        evaluate(model, replace(data, y=None))
    other = Data(Schema((Column("x", "numeric"),), ("a",)), np.zeros((1, 1)))
    with pytest.raises(DataError, match="other columns"):
        evaluate(model, data, train=other)


# ---- costs ---------------------------------------------------------------------------------

# Ten rows; true classes down, predicted ones across.
CONFUSION = np.array([[3, 1, 0], [0, 2, 1], [2, 0, 1]])
# Predicted classes down, true ones across.
COSTS = np.array([[0, 7, 5], [2, 0, 4], [9, 3, 0]])


class Oracle(TreesClassifier):
    """A model that answers as it was told."""

    schema_ = None

    def __init__(self, data, answers, costs_=None):
        self.schema_, self.costs_ = data.schema, costs_
        self.classes_ = np.array(data.schema.classes)
        self.answers = np.array(answers)

    def predict(self, rows):
        return self.answers

    def _columns_tested(self):
        return []


def make_told(**others):
    schema = Schema((Column("x", "numeric"),), ("a", "b", "c"))
    pairs = [(t, p) for t in range(3) for p in range(3) for _ in range(CONFUSION[t, p])]
    truth, predicted = zip(*pairs, strict=True)
    data = Data(schema, np.zeros((10, 1)), np.array(truth, np.int32))
    return Oracle(data, np.array(["a", "b", "c"])[list(predicted)], **others), data


def test_cost_by_hand():
    model, data = make_told()
    report = evaluate(model, data, costs=COSTS)
    assert (report.confusion == CONFUSION).all()
    # a called b: 2; b called c: 3; two c called a: 5 each.
    assert report.total_cost == 2 + 3 + 2 * 5
    assert report.mean_cost == 1.5
    assert report.false_negatives == (1, 1, 2)
    assert report.false_positives == (2, 1, 1)
    named = {"a": {"b": 7, "c": 5}, "b": {"a": 2, "c": 4}, "c": {"a": 9, "b": 3}}
    assert evaluate(model, data, costs=named).total_cost == 15


def test_costs_in_words():
    model, data = make_told()
    plain, costly = str(evaluate(model, data)), str(evaluate(model, data, costs=COSTS))
    assert "cost" not in plain
    assert costly.removeprefix(plain).splitlines() == [
        "",
        "",
        "Total cost: 15. Mean cost: 1.5000",
        "",
        "   false negatives  false positives",
        "a                1                2",
        "b                1                1",
        "c                2                1",
    ]


def test_large_and_broken_costs_are_written_out():
    report = Evaluation(("a", "b"), np.array([[1, 1], [0, 0]]), total_cost=1234567.1 + 0.2)
    assert "Total cost: 1234567.3. Mean cost: 617283.6500" in str(report)


def test_costs_survive_json():
    model, data = make_told()
    plain = evaluate(model, data, costs=COSTS).to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert (plain["total_cost"], plain["mean_cost"]) == (15, 1.5)
    assert (plain["false_negatives"], plain["false_positives"]) == ([1, 1, 2], [2, 1, 1])
    without = evaluate(model, data).to_dict()
    assert (without["total_cost"], without["mean_cost"]) == (None, None)


def test_costs_of_rows():
    model, data = make_told()
    by_row = np.arange(30.0).reshape(10, 3)
    by_row[np.arange(10), data.labels] = 0
    # Wrong are row 3 (a called b), 6 (b called c), 7 and 8 (c called a).
    assert evaluate(model, data, costs=by_row).total_cost == 10 + 20 + 21 + 24
    with pytest.raises(DataError, match=r"costs of rows have shape \(9, 3\)"):
        evaluate(model, data, costs=by_row[:9])


def test_costs_of_the_model_are_the_default():
    model, data = make_told(costs_=COSTS)
    assert evaluate(model, data).total_cost == 15
    assert evaluate(model, data, costs=1 - np.eye(3)).total_cost == 4


def test_a_model_trained_with_costs_is_tested_with_them(iris):
    _, data = iris
    costs = {"versicolor": {"virginica": 9}, "virginica": {"versicolor": 1, "setosa": 1}}
    costs["setosa"] = {"virginica": 9, "versicolor": 1}
    model = UnivariateTreeClassifier(max_depth=2, costs=costs).fit(data)
    report = evaluate(model, data)
    prices = np.array([[0, 1, 9], [0, 0, 9], [1, 1, 0]])
    assert report.total_cost == (report.confusion * prices.T).sum() > 0
    assert report.false_negatives[2] < evaluate(*iris).false_negatives[2]


def test_costs_with_an_unknown_class():
    model, data = make_told()
    with pytest.raises(DataError, match="costs name 'd', which is not a class"):
        evaluate(model, data, costs={"a": {"d": 1}})


# ---- frames, and many classes ----------------------------------------------------------------


@pytest.mark.parametrize("library", [lambda X: X, pl.from_pandas])
def test_frames(library):
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = UnivariateTreeClassifier().fit(library(X), y)
    report = evaluate(model, library(X), y)
    assert report.accuracy == model.score(library(X), y)
    assert evaluate(model, library(X.assign(target=y))).n_wrong == report.n_wrong
    assert evaluate(model, library(X), y, train=library(X)).n_seen == 150
    assert report.roc_auc.value > 0.9
    with pytest.raises(DataError, match="give y, or a column 'target'"):
        evaluate(model, library(X))


def test_a_matrix_that_is_too_wide():
    random = np.random.default_rng(0)
    names = tuple(f"a rather long name {n}" for n in range(8))
    report = Evaluation(names, random.integers(0, 90, (8, 8)))
    text = report.to_text(width=80)
    assert max(map(len, text.splitlines())) <= 80
    assert "h = a rather long name 7" in text
    many = Evaluation(tuple(range(60)), random.integers(0, 90, (60, 60)))
    text = many.to_text(width=80)
    assert max(map(len, text.splitlines())) <= 80
    assert "The most frequent mistakes" in text
    assert "and 50 more classes" in text


def test_measures_survive_json(iris):
    plain = evaluate(*iris).to_dict()
    assert plain["by_class"][0]["recall"]["value"] == 1
    assert plain["roc_auc"]["interval"][0] <= plain["roc_auc"]["value"]
    assert set(plain) >= {"balanced_accuracy", "f1", "log_loss", "brier"}
