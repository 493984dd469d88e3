import pickle
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import issparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from miter import (
    DataError,
    DataWarning,
    IntervalDiscretizer,
    ReducedError,
    TreeClassifier,
    UnivariateTreeClassifier,
    c45,
    id3,
    read,
)
from miter.data import led, play_tennis
from miter.splitters import UnivariateSplitter


# check_array_api_input skips itself unless SciPy's array API mode is on; nothing here uses it.
@pytest.mark.filterwarnings("ignore:Skipping check check_array_api_input")
@parametrize_with_checks(
    [
        UnivariateTreeClassifier(),
        id3(),
        UnivariateTreeClassifier(pruning=None, missing="class", numeric="intervals"),
        TreeClassifier(UnivariateSplitter()),
        IntervalDiscretizer(),
    ]
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def mixed_frame(n_rows=200, seed=0):
    random = np.random.default_rng(seed)
    age = random.integers(18, 80, n_rows).astype(float)
    colour = random.choice(["red", "green", "blue"], n_rows)
    size = random.choice(["S", "M", "L"], n_rows)
    member = random.random(n_rows) < 0.5
    y = np.where((age > 50) & (colour != "red") | (size == "L") & member, "buys", "leaves")
    age[random.random(n_rows) < 0.05] = np.nan
    frame = pd.DataFrame(
        {
            "age": age,
            "colour": colour,
            "size": pd.Categorical(size, ["S", "M", "L"], ordered=True),
            "member": member,
        }
    )
    return frame, y


def test_frames_need_no_encoding():
    X, y = mixed_frame()
    model = UnivariateTreeClassifier(pruning=None, min_samples_leaf=1).fit(X, y)
    kinds = [column.kind for column in model.tree_.schema.columns]
    assert kinds == ["numeric", "symbolic", "ordered", "symbolic"]
    assert model.score(X, y) > 0.95
    assert list(model.feature_names_in_) == ["age", "colour", "size", "member"]
    assert model.classes_.tolist() == ["buys", "leaves"]


def test_all_frames_give_the_same_tree():
    X, y = mixed_frame()
    X = X.drop(columns="size")
    expected = UnivariateTreeClassifier().fit(X, y).predict_proba(X)
    for frame in (pl.from_pandas(X), pa.Table.from_pandas(X)):
        model = UnivariateTreeClassifier().fit(frame, y)
        assert np.array_equal(model.predict_proba(frame), expected)


def test_never_seen_symbols_are_missing():
    X, y = mixed_frame()
    model = UnivariateTreeClassifier().fit(X, y)
    strange, empty = X.head(20).copy(), X.head(20).copy()
    strange["colour"] = "mauve"
    empty["colour"] = None
    with pytest.warns(DataWarning, match="'colour': 20 cells hold a value .* 'mauve'"):
        probabilities = model.predict_proba(strange)
    assert np.array_equal(probabilities, model.predict_proba(empty))


def test_a_missing_column_is_named():
    X, y = mixed_frame()
    model = UnivariateTreeClassifier().fit(X, y)
    with pytest.raises(ValueError, match="colour"):
        model.predict(X.drop(columns="colour"))


def test_categorical_features_by_name_position_and_mask():
    random = np.random.default_rng(0)
    X = np.column_stack([random.integers(0, 5, 300), random.normal(size=300)]).astype(float)
    y = np.isin(X[:, 0], [1, 3]).astype(int)
    for features in ([0], np.array([True, False])):
        model = id3(categorical_features=features).fit(X, y)
        assert (model.get_depth(), model.get_n_leaves()) == (1, 5)
    frame = pd.DataFrame(X, columns=["zip", "x"])
    for features in (["zip"], [0], [True, False]):
        assert id3(categorical_features=features).fit(frame, y).get_depth() == 1
    assert id3().fit(X, y).get_depth() > 1


@pytest.mark.parametrize("features", ["dtype", [7], [True], ["zap"]])
def test_wrong_categorical_features(features):
    X = pd.DataFrame({"zip": [1.0, 2.0], "x": [0.0, 1.0]})
    with pytest.raises(ValueError, match=r"categorical_features|zap"):
        id3(categorical_features=features).fit(X, [0, 1])


def test_sample_weight_is_repetition():
    X, y = load_iris(return_X_y=True)
    weight = np.random.default_rng(0).integers(0, 3, len(y))
    for tree in (c45(), UnivariateTreeClassifier(random_state=0)):
        weighted = clone(tree).fit(X, y, sample_weight=weight)
        repeated = tree.fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
        assert np.array_equal(weighted.predict_proba(X), repeated.predict_proba(X))


def test_class_weight():
    X, y = load_breast_cancer(return_X_y=True)
    plain = UnivariateTreeClassifier(max_depth=1).fit(X, y)
    heavy = UnivariateTreeClassifier(max_depth=1, class_weight={0: 50.0, 1: 1.0}).fit(X, y)
    found = [(model.predict(X)[y == 0] == 0).mean() for model in (plain, heavy)]
    assert found[1] > found[0]
    balanced = UnivariateTreeClassifier(class_weight="balanced").fit(X, y)
    assert balanced.tree_.counts[0] == pytest.approx([len(y) / 2] * 2)


def test_class_weight_of_classes_that_are_texts():
    X, y = load_iris(return_X_y=True)
    model = UnivariateTreeClassifier(class_weight={"0": 2.0}).fit(X, y.astype(str))
    assert model.tree_.counts[0].tolist() == [100, 50, 50]


def test_tiny_weights_are_warned_of():
    X, y = load_iris(return_X_y=True)
    with pytest.warns(UserWarning, match="Scale them to sum to the number of rows"):
        UnivariateTreeClassifier().fit(X, y, sample_weight=np.full(150, 1 / 150))


@pytest.mark.parametrize(
    ("weight", "words"),
    [
        ([1.0], "one weight for each row"),
        ([-1.0] + [1.0] * 149, r"sample_weight\[0\] is -1.0"),
        ([1.0] * 149 + [np.nan], r"sample_weight\[149\] is nan"),
        (np.zeros(150), "zero"),
    ],
)
def test_wrong_weights(weight, words):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=words):
        UnivariateTreeClassifier().fit(X, y, sample_weight=weight)


def test_pipelines_grids_and_pickles():
    X, y = load_wine(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), UnivariateTreeClassifier())
    assert cross_val_score(pipeline, X, y).mean() > 0.85
    grid = GridSearchCV(
        UnivariateTreeClassifier(),
        {"criterion": ["gain", "gini"], "pruning": [None, "pessimistic", ReducedError(0.2)]},
        cv=3,
    ).fit(X, y)
    again = pickle.loads(pickle.dumps(grid.best_estimator_))
    assert np.array_equal(again.predict(X), grid.predict(X))
    assert clone(again).get_params()["criterion"] == again.criterion


def test_what_a_fitted_tree_tells():
    X, y = load_iris(return_X_y=True)
    model = UnivariateTreeClassifier(pruning=None).fit(X, y)
    leaves = model.apply(X)
    path = model.decision_path(X)
    assert issparse(path)
    assert path.shape == (150, model.tree_.n_nodes)
    assert np.array_equal(path[np.arange(150), leaves], np.ones((1, 150)))
    assert set(leaves) == set(np.flatnonzero(model.tree_.is_leaf))
    assert path.sum(axis=1).max() == model.get_depth() + 1
    assert model.get_n_leaves() == len(set(leaves))
    assert model.feature_importances_.shape == (4,)
    assert model.feature_importances_[2:].sum() > 0.9
    assert np.array_equal(model.predict(X), model.predict_proba(X).argmax(axis=1))


def test_validation_rows_of_ones_own():
    data, validation = led(500, seed=1), led(300, seed=2)
    by_data = id3(pruning="reduced_error").fit(data, X_val=validation)
    held_out = id3(pruning="reduced_error", random_state=0).fit(data)
    # Nothing is held out of the training rows when there are validation rows.
    assert by_data.tree_.counts[0].sum() == 500
    assert held_out.tree_.counts[0].sum() < 400
    labels = np.array(data.schema.classes)
    by_array = id3(pruning="reduced_error", categorical_features=range(7)).fit(
        data.X, labels[data.labels], X_val=validation.X, y_val=labels[validation.labels]
    )
    assert np.array_equal(by_array.predict(data.X), by_data.predict(data))


def test_wrong_validation_rows():
    X, y = load_iris(return_X_y=True)
    model = UnivariateTreeClassifier(pruning="reduced_error")
    with pytest.raises(DataError, match="without y_val"):
        model.fit(X, y, X_val=X)
    with pytest.raises(DataError, match="the label of row 0 is 9; the classes are 0, 1, 2"):
        model.fit(X, y, X_val=X, y_val=np.full(150, 9))


def test_data_in_place_of_a_frame():
    data = play_tennis()
    model = id3().fit(data)
    assert np.array_equal(model.predict(data), np.array(["Yes", "No"])[data.labels])
    with pytest.raises(DataError, match="leave y out"):
        id3().fit(data, ["Yes"] * 14)
    with pytest.raises(DataError, match="other columns"):
        model.predict(led(10))


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"criterion": "entropy"}, "criterion is 'entropy'"),
        ({"pruning": "pesimistic"}, "did you mean 'pessimistic'"),
        ({"max_depth": -3}, "max_depth is -3"),
        ({"min_samples_leaf": 0}, "min_samples_leaf is 0"),
        ({"n_threads": 0}, "n_threads is 0"),
        ({"class_weight": "even"}, "class_weight is 'even'"),
        ({"class_weight": {7: 1.0}}, "names 7, which is not a class"),
        ({"class_weight": {0: -1.0}}, "class_weight of 0 is -1.0"),
    ],
)
def test_wrong_parameters_are_named_in_fit(parameters, words):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=words):
        UnivariateTreeClassifier(**parameters).fit(X, y)


def test_a_splitter_is_needed():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="give a Splitter"):
        TreeClassifier().fit(X, y)


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_values_are_placed(value):
    X, y = load_iris(return_X_y=True)
    X[17, 2] = value
    with pytest.raises(ValueError, match=r"x2.*inf.*17|17.*inf.*x2"):
        UnivariateTreeClassifier().fit(X, y)


def test_one_class_only():
    with pytest.raises(ValueError, match="at least two classes"):
        UnivariateTreeClassifier().fit(np.zeros((5, 2)), [1] * 5)


def test_a_failed_fit_leaves_the_old_tree():
    X, y = load_iris(return_X_y=True)
    model = UnivariateTreeClassifier().fit(X, y)
    before = model.predict(X)
    with pytest.raises(ValueError, match="classes"):
        model.fit(X, np.zeros(150))
    assert np.array_equal(model.predict(X), before)


def test_progress_is_silent_on_quick_fits(capsys):
    X, y = load_iris(return_X_y=True)
    UnivariateTreeClassifier(verbose=True).fit(X, y)
    assert capsys.readouterr() == ("", "")


def test_html_repr_and_set_output():
    X, y = load_iris(return_X_y=True, as_frame=True)
    assert "UnivariateTreeClassifier" in UnivariateTreeClassifier()._repr_html_()
    with config_context(transform_output="pandas"):
        result = IntervalDiscretizer().fit(X, y).transform(X)
    assert list(result.columns) == list(X.columns)
    assert result.nunique().tolist() == [3, 3, 3, 3]


def test_discretizer_keeps_missing_values_and_drops_noise():
    X, y = load_iris(return_X_y=True)
    X = np.column_stack([X, np.random.default_rng(0).normal(size=150)])
    X[3, 2] = np.nan
    discretizer = IntervalDiscretizer().fit(X, y)
    assert len(discretizer.cuts_[4]) == 0
    result = discretizer.transform(X)
    assert np.isnan(result[3, 2])
    assert np.isnan(result).sum() == 1


@pytest.mark.parametrize("name", ["vote", "horse-colic", "hepatitis"])
@pytest.mark.parametrize("missing", ["node", "class", "fractions", "training"])
def test_sets_with_many_missing_values(dataset, name, missing):
    data = read(dataset(name))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = c45(missing=missing).fit(data)
    accuracy = (model.tree_.predict(data.X) == data.labels).mean()
    assert accuracy > data.class_counts().max() / data.n_rows


def test_labels_that_cannot_be_used_are_named():
    X = np.arange(8.0).reshape(4, 2)
    with pytest.raises(ValueError, match="label of row 2 is missing"):
        UnivariateTreeClassifier().fit(X, np.array(["a", "b", None, "a"], object))
    with pytest.raises(ValueError, match="the labels mix"):
        UnivariateTreeClassifier().fit(X, np.array(["a", 1, "b", 2], object))


def test_duplicate_columns_are_named():
    X = pd.DataFrame(np.arange(8.0).reshape(4, 2), columns=["a", "a"])
    with pytest.raises(DataError, match="two columns are called 'a'"):
        UnivariateTreeClassifier().fit(X, [0, 1, 0, 1])


@pytest.mark.parametrize("n_threads", ["x", 1.5, True, -1, 10**6])
def test_senseless_threads_are_named(n_threads):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="n_threads is"):
        UnivariateTreeClassifier(n_threads=n_threads).fit(X, y)


def test_weights_that_overflow_are_refused():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(DataError, match="scale them down"):
        UnivariateTreeClassifier().fit(X, y, sample_weight=np.full(150, 1e307))


def test_many_classes_are_cut_into_many_intervals():
    y = np.repeat(np.arange(700), 50)
    assert len(IntervalDiscretizer().fit(y[:, None].astype(float), y).cuts_[0]) == 699


def test_more_threads_than_the_system_gives():
    """A limit on the address space stops new threads; those that are there do the work."""
    code = """
import resource
import numpy as np
from miter import UnivariateTreeClassifier
X = np.random.default_rng(0).normal(size=(2000, 1200)).astype(np.float32)
resource.setrlimit(resource.RLIMIT_AS, (4 << 30,) * 2)
model = UnivariateTreeClassifier(n_threads=1000, max_depth=1, thresholds="histogram")
print(model.fit(X, X[:, 0] > 0).get_depth())
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "1\n"), result.stderr
