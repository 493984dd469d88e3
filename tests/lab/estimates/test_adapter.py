from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from miter.data import Column, Data, Schema, from_frame, monks, play_tennis, read
from miter.estimators.bagging import BaggedTreesClassifier
from miter.estimators.univariate import UnivariateTreeClassifier, id3
from miter.lab.estimates.adapter import fit_on, predict_codes, predict_proba_of, takes_data

SCALED = make_pipeline(StandardScaler(), LogisticRegression())
MIXED = Schema(
    (
        Column("colour", "symbolic", ("red", "green", "blue")),
        Column("size", "ordered", ("small", "large", "huge")),
        Column("weight", "numeric"),
    ),
    ("no", "maybe", "yes"),
)


def make(rows, labels, weight=None):
    weight = None if weight is None else np.array(weight, float)
    return Data(MIXED, np.array(rows, float), np.array(labels, np.int32), weight)


@pytest.fixture
def mixed():
    rows = [[0, 2, 1.0], [1, 0, np.nan], [0, 1, 3.0], [np.nan, np.nan, 8.0]]
    return make(rows, [0, 2, 0, 2])


def test_trees_get_the_data_itself():
    data = monks(1)
    tree = fit_on(id3(), data)
    assert tree.tree_.schema == data.schema
    assert (predict_codes(tree, data) == data.labels).all()
    assert np.array_equal(predict_proba_of(tree, data), tree.predict_proba(data))
    forest = fit_on(BaggedTreesClassifier(n_estimators=5, random_state=0), data)
    assert takes_data(forest)
    assert (predict_codes(forest, data) == data.labels).mean() > 0.9


def test_labels_of_a_tree_become_codes_in_the_order_of_the_schema():
    X, y = load_iris(return_X_y=True)
    data = from_frame(X, load_iris().target_names[y])
    schema = replace(data.schema, classes=data.schema.classes[::-1])
    turned = Data(schema, data.X, (2 - data.labels).astype(np.int32))
    assert (predict_codes(fit_on(id3(), turned), turned) == turned.labels).all()


def test_others_get_plain_numbers(mixed):
    encoded = fit_on(KNeighborsClassifier(1), mixed)["encode"].transform(mixed.X)
    # Red, green, unknown; the ordered size; the number: what is missing is the mean.
    expected = [[1, 0, 0, 2, 1], [0, 1, 0, 0, 4], [1, 0, 0, 1, 3], [0, 0, 1, 1, 8]]
    assert np.array_equal(encoded, expected)


def test_values_that_training_rows_do_not_have(mixed):
    model = fit_on(KNeighborsClassifier(1), mixed)
    blue = make([[2, 1, np.nan]], [0])
    assert np.array_equal(model["encode"].transform(blue.X), [[0, 0, 0, 1, 4]])
    assert predict_codes(model, blue).shape == (1,)


def test_column_without_a_single_value(mixed):
    X = mixed.X.copy()
    X[:, 2] = np.nan
    model = fit_on(KNeighborsClassifier(1), replace(mixed, X=X))
    assert (model["encode"].transform(X)[:, -1] == 0).all()


def test_numbers_are_as_scikit_learn_reads_them():
    X, y = load_iris(return_X_y=True)
    data = from_frame(X, y)
    expected = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    model = fit_on(clone(expected), data)
    assert np.array_equal(predict_codes(model, data), expected.predict(X))
    assert np.array_equal(predict_proba_of(model, data), expected.predict_proba(X))


def test_pipelines_get_the_same_encoding(dataset):
    data = read(dataset("hepatitis"))
    assert np.isnan(data.X).any()
    model = fit_on(SCALED, data)
    assert isinstance(model, Pipeline)
    assert (predict_codes(model, data) == data.labels).mean() > 0.85


def test_estimator_is_not_changed():
    for estimator in (id3(), GaussianNB(), SCALED):
        fit_on(estimator, play_tennis())
        assert not hasattr(estimator, "classes_")


@pytest.mark.parametrize(
    "estimator",
    [
        id3(),
        DecisionTreeClassifier(random_state=0),
        # Weights go to the last step only, so the one before must not need them.
        make_pipeline(MinMaxScaler(), LogisticRegression()),
    ],
)
def test_weight_two_is_the_row_twice(estimator):
    data = play_tennis()
    weight = np.array([2.0, 1, 0, 3, 1, 1, 2, 0, 1, 1, 1, 2, 1, 1])
    weighted = fit_on(estimator, replace(data, weight=weight))
    repeated = fit_on(estimator, data.take(np.repeat(np.arange(14), weight.astype(int))))
    assert predict_proba_of(weighted, data) == pytest.approx(
        predict_proba_of(repeated, data), abs=1e-3
    )


@pytest.mark.parametrize(
    "estimator", [KNeighborsClassifier(1), make_pipeline(StandardScaler(), KNeighborsClassifier(1))]
)
def test_weights_that_cannot_be_used(estimator, mixed):
    with pytest.raises(ValueError, match="have weights, and KNeighborsClassifier cannot use any"):
        fit_on(estimator, replace(mixed, weight=np.ones(4)))


def test_class_that_no_training_row_has(mixed):
    probabilities = predict_proba_of(fit_on(GaussianNB(), mixed), mixed)
    assert probabilities.shape == (4, 3)
    assert (probabilities[:, 1] == 0).all()
    assert probabilities.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("estimator", [id3(), UnivariateTreeClassifier(), LogisticRegression()])
def test_rows_of_one_class(estimator, mixed):
    for rows in (mixed.take(np.array([1, 3])), replace(mixed, weight=np.array([0, 1, 0, 1.0]))):
        model = fit_on(estimator, rows)
        assert isinstance(model, DummyClassifier)
        assert predict_codes(model, mixed).tolist() == [2, 2, 2, 2]
        assert predict_proba_of(model, mixed).tolist() == [[0, 0, 1]] * 4


def test_no_columns(mixed):
    bare = Data(Schema((), MIXED.classes), np.zeros((3, 0)), np.array([1, 2, 1], np.int32))
    assert predict_codes(fit_on(id3(), bare), bare).tolist() == [1, 1, 1]
    heavy = replace(bare, weight=np.array([1.0, 5, 1]))
    assert predict_codes(fit_on(GaussianNB(), heavy), bare).tolist() == [2, 2, 2]


def test_no_probabilities(mixed):
    with pytest.raises(TypeError, match="LinearSVC gives no probabilities"):
        predict_proba_of(fit_on(LinearSVC(), mixed), mixed)
