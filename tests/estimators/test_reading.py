"""What estimators make of what they are given: names, kinds, order, targets."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from miter import DataError, DataWarning, ICATree, UnivariateTreeClassifier, from_frame, id3
from miter.registry import ENTRIES, LEARNERS, make_learner


def frame(n_rows=120, seed=0):
    random = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "age": random.integers(18, 80, n_rows),
            "colour": random.choice(["red", "green", "blue"], n_rows),
            "code": random.integers(0, 4, n_rows),
        }
    )
    y = pd.Series((table["age"] > 50) & (table["colour"] != "red"), name="buys")
    return table, y


def test_the_target_is_called_as_the_series():
    X, y = frame()
    assert id3().fit(X, y).schema_.target == "buys"
    assert id3().fit(X, y.to_numpy()).schema_.target == "class"
    assert id3().fit(pl.from_pandas(X), pl.from_pandas(y)).schema_.target == "buys"


def test_the_target_is_never_called_like_a_column():
    X, y = frame()
    assert id3().fit(X.rename(columns={"code": "class"}), list(y)).schema_.target == "label"
    with pytest.warns(DataWarning, match="y is called 'buys', and so is a column of X"):
        model = id3().fit(X.assign(buys=y), y)
    assert model.schema_.target == "class"


def test_a_clusterer_keeps_a_column_called_class():
    X, _ = frame()
    X = X[["age", "code"]].rename(columns={"code": "class"})
    assert ICATree().fit(X).schema_.names == ("age", "class")


@pytest.mark.parametrize("library", [lambda X: X, pl.from_pandas, pa.Table.from_pandas])
def test_order_and_further_columns_are_fine(library):
    X, y = frame()
    model = id3().fit(library(X), list(y))
    expected = model.predict(library(X))
    other = X[["code", "colour", "age"]].assign(more="x", when=pd.Timestamp("2020-01-01"))
    assert np.array_equal(model.predict(library(other)), expected)


def test_all_missing_columns_are_named_at_once():
    X, y = frame()
    model = id3().fit(X, y)
    with pytest.raises(DataError, match="lacks 2 columns: 'age', 'colour'"):
        model.predict(X[["code"]])


def test_a_lazy_frame_is_collected():
    X, y = frame()
    model = id3().fit(pl.from_pandas(X).lazy(), list(y))
    assert list(model.feature_names_in_) == ["age", "colour", "code"]
    assert np.array_equal(model.predict(pl.from_pandas(X).lazy()), model.predict(X))


def test_a_frame_for_a_model_fitted_to_an_array_goes_by_position():
    X, y = frame()
    X = X[["age", "code"]].astype(float)
    model = id3().fit(X.to_numpy(), y)
    with pytest.warns(UserWarning, match="fitted without feature names"):
        answers = model.predict(X)
    assert np.array_equal(answers, model.predict(X.to_numpy()))
    with pytest.raises(DataError, match=r"has 1 columns?, but the model was fitted to .* 2"):
        model.predict(X[["age"]])


def test_what_was_changed_is_one_warning():
    X, y = frame()
    X = X.assign(name=[f"person {n}" for n in range(len(X))], pay=["$1,000"] * len(X))
    with pytest.warns(DataWarning) as told:
        id3().fit(X, y)
    assert len(told) == 1
    sentence = str(told[0].message)
    assert "column 'name'" in sentence
    assert "kinds={'name': 'symbolic'} keeps it" in sentence
    assert "column 'pay'" in sentence
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        id3(kinds={"name": "ignored", "pay": "numeric"}).fit(X, y)


def test_one_warning_names_the_symbols_that_training_never_saw():
    X, y = frame()
    model = UnivariateTreeClassifier().fit(X, y)
    with pytest.warns(DataWarning) as told:
        model.predict(X.assign(colour="mauve"))
    assert len(told) == 1
    assert "120 cells hold a value that training never saw, 'mauve'" in str(told[0].message)


def categories(seed=0):
    """Return a frame of many categories of which the class depends on one, with gaps."""
    random = np.random.default_rng(seed)
    codes = random.integers(-1, 5, (300, 6))
    table = pd.DataFrame(
        {f"c{i}": pd.Categorical.from_codes(codes[:, i], list("vwxyz")) for i in range(6)}
    )
    table["n"] = random.normal(size=300)
    return table, np.where(codes[:, 2] > 2, "up", "down")


DOORS = {"pandas": lambda X: X, "polars": pl.from_pandas, "arrow": pa.Table.from_pandas}


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_what_no_split_tests_is_not_read(door):
    X, y = categories()
    model = UnivariateTreeClassifier().fit(door(X), y)
    assert [model.schema_.names[c] for c in model.tree_.columns] == ["c2"]
    expected = model.predict(from_frame(X, y))
    np.testing.assert_array_equal(model.predict(door(X)), expected)
    strange = X.assign(c0="never seen", n=np.inf)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(model.predict(door(strange)), expected)
    with pytest.raises(DataError, match="has no column 'c0'"):
        model.predict(door(X.drop(columns="c0")))


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
@pytest.mark.parametrize("name", ["univariate", "linear_machine", "forest"])
def test_frames_of_categories_are_answered_like_their_codes(name, door):
    X, y = categories()
    shuffled = X.assign(c2=X["c2"].cat.reorder_categories(list("zyxwv")))
    model = make_learner(name, {"random_state": 0}).fit(door(X), y)
    expected = model.predict_proba(from_frame(X, y))
    np.testing.assert_allclose(model.predict_proba(door(X)), expected)
    np.testing.assert_allclose(model.predict_proba(door(shuffled)), expected)


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_has_kinds(name):
    parameters = make_learner(name).get_params()
    assert "kinds" in parameters or name in {"bagging", "rules"}  # whose trees have them


@pytest.mark.parametrize("kind", [e.public for e in ENTRIES if e.public.endswith("Tree")])
def test_clusterers_have_kinds_too(kind):
    assert "kinds" in next(e for e in ENTRIES if e.public == kind).load()().get_params()


def test_kinds_of_frames_and_arrays():
    X, y = frame()
    kinds = {"code": "symbolic", "colour": ["red", "green", "blue"], "age": "ignored"}
    columns = id3(kinds=kinds).fit(X, y).schema_.columns
    assert [(c.name, c.kind) for c in columns] == [("colour", "ordered"), ("code", "symbolic")]
    matrix = X[["age", "code"]].to_numpy(float)
    model = id3(kinds={1: "symbolic"}, categorical_features=[1]).fit(matrix, y)
    assert [column.kind for column in model.schema_.columns] == ["numeric", "symbolic"]
    with pytest.raises(ValueError, match="kinds calls column 1 'numeric'"):
        id3(kinds={1: "numeric"}, categorical_features=[1]).fit(matrix, y)
    with pytest.raises(DataError, match="unknown column 'cod'; did you mean 'code'"):
        id3(kinds={"cod": "symbolic"}).fit(X, y)


def test_kinds_are_for_tables_not_for_data():
    X, y = frame()
    with pytest.raises(DataError, match="kinds already"):
        id3(kinds={"code": "symbolic"}).fit(from_frame(X, y))


@pytest.mark.parametrize(
    "y",
    [
        pd.Series(np.linspace(0, 9.9, 120), name="price"),
        pd.Series(np.arange(120) * 1000, name="price"),
        pd.Series([f"{n / 7:.3f}" for n in range(120)], name="price"),
    ],
)
def test_a_quantity_is_refused_with_a_cure(y):
    X, _ = frame()
    with pytest.raises(DataError, match=r"^Unknown label type: continuous. 'price' .*qcut"):
        id3().fit(X, y)


def test_many_classes_are_no_quantity():
    X, _ = frame()
    assert len(id3().fit(X, np.arange(120) % 60).classes_) == 60


def test_class_weights_may_be_written_as_texts():
    X, y = frame()
    one = id3(class_weight={"True": 3, "False": 1}).fit(X, y)
    other = id3(class_weight={True: 3}).fit(X, y)
    assert np.array_equal(one.predict_proba(X), other.predict_proba(X))
