import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris, load_wine, make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from miter import DataError, ICATree, ICATreeClassifier, export_text, load, save
from miter.rules import rules_of


@pytest.mark.filterwarnings("ignore:Skipping check check_array_api_input")
@parametrize_with_checks([ICATree(), ICATreeClassifier(), ICATreeClassifier("together")])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def blobs(n_rows=300, centres=3):
    return make_blobs(n_rows, 2, centers=centres, cluster_std=0.5, random_state=4)


def test_clusters_are_found_and_numbered_from_left_to_right():
    X, y = blobs()
    model = ICATree().fit(X)
    assert model.n_clusters_ == 3
    assert adjusted_rand_score(y, model.labels_) == 1.0
    assert np.array_equal(model.predict(X), model.labels_)
    leaves = [line.rsplit(": ", 1)[1] for line in export_text(model).splitlines() if ": " in line]
    assert leaves == ["0 (100)", "1 (100)", "2 (100)"]


def test_memberships():
    X, _ = blobs()
    model = ICATree().fit(X)
    memberships = model.transform(X)
    assert memberships.shape == (300, 3)
    assert np.allclose(memberships.sum(axis=1), 1)
    assert np.array_equal(memberships.argmax(axis=1), model.labels_)
    middle = X.mean(axis=0, keepdims=True)
    assert model.transform(middle).max() < 1
    assert list(model.get_feature_names_out()) == ["icatree0", "icatree1", "icatree2"]


def test_the_score_is_the_information_of_the_clusters():
    X, _ = blobs()
    assert ICATree().fit(X).score(X) == pytest.approx(np.log(3), abs=0.01)
    assert ICATree(max_depth=0).fit(X).score(X) == 0.0


def test_each_cluster_is_a_rule():
    X, _ = blobs(centres=[[0, 0], [9, 0]])
    rules = rules_of(ICATree().fit(X)).say()
    assert [rule.split(" THEN ")[1] for rule in rules] == [
        "0 (150 rows, 100%)",
        "1 (150 rows, 100%)",
    ]
    assert rules[0].startswith("IF ")
    assert "<=" in rules[0]
    assert rules_of(ICATree(max_depth=0).fit(X)).say() == ["0 (300 rows, 100%)"]


def test_frames_with_symbols_and_missing_values():
    random = np.random.default_rng(0)
    kind = random.integers(2, size=200)
    frame = pd.DataFrame(
        {
            "colour": np.where(kind == 1, "red", "blue"),
            "length": kind * 4 + random.normal(size=200),
            "noise": random.normal(size=200),
        }
    )
    frame.loc[::7, "length"] = np.nan
    model = ICATree().fit(frame)
    assert adjusted_rand_score(kind, model.labels_) > 0.95
    classifier = ICATreeClassifier().fit(frame, kind)
    assert classifier.score(frame, kind) > 0.95


def test_weights_mean_repetition():
    X, _ = blobs()
    weight = np.random.default_rng(0).integers(0, 3, len(X))
    weighted = ICATree().fit(X, sample_weight=weight)
    repeated = ICATree().fit(np.repeat(X, weight, axis=0))
    assert np.array_equal(weighted.predict(X), repeated.predict(X))
    assert len(weighted.labels_) == len(X)


@pytest.mark.parametrize(
    ("unlabelled", "gone"), [(-1, -1), (None, None), (None, float("nan")), ("?", "?")]
)
def test_few_labels_among_many_rows(unlabelled, gone):
    X, y = load_wine(return_X_y=True)
    names = np.array(["a", "b", "c"], object)[y] if gone in ("?", None) else y.astype(object)
    partly = np.where(np.arange(len(y)) % 9 == 0, names, gone)
    if not isinstance(gone, str) and gone is not None:
        partly = partly.astype(float)
    model = ICATreeClassifier(unlabelled=unlabelled).fit(X, partly)
    assert len(model.classes_) == 3
    assert model.tree_.counts[0].sum() == 20
    assert model.score(X, names if gone in ("?", None) else y) > 0.85


def test_labels_that_are_all_missing_are_refused():
    X, _ = blobs()
    with pytest.raises(DataError, match="no row has a label; ICATree is for rows without any"):
        ICATreeClassifier().fit(X, np.full(300, np.nan))


def test_cross_validation_needs_every_label():
    X, y = blobs()
    partly = np.where(np.arange(300) < 200, y, -1)
    model = ICATreeClassifier(unlabelled=-1, pruning="cross_validated")
    with pytest.raises(DataError, match="100 rows have no label, and cross-validation"):
        model.fit(X, partly)
    assert ICATreeClassifier(pruning="cross_validated").fit(X, y).score(X, y) > 0.95


def test_weights_of_rows_without_labels_count():
    X, y = blobs()
    partly = np.where(np.arange(300) % 10 == 0, y, -1)
    weight = np.where(np.arange(300) < 150, 1.0, 0.0)
    model = ICATreeClassifier(unlabelled=-1).fit(X, partly, sample_weight=weight)
    assert model.tree_.counts[0].sum() == 15


@pytest.mark.parametrize("labels", ["afterwards", "together"])
def test_costs_move_the_answers(labels):
    X, group = blobs()
    y = (np.random.default_rng(0).random(300) < np.array([0.1, 0.3, 0.9])[group]).astype(int)
    dear = [[0, 5], [1, 0]]
    plain = ICATreeClassifier(labels).fit(X, y)
    careful = ICATreeClassifier(labels, costs=dear).fit(X, y)
    assert np.array_equal(plain.predict(X) == 1, group == 2)
    assert np.array_equal(careful.predict(X) == 1, group > 0)


@pytest.mark.parametrize("make", [ICATree, ICATreeClassifier])
def test_saved_loaded_and_pickled(make, tmp_path):
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = make().fit(X, y)
    save(model, tmp_path / "iris.miter")
    for copy in (load(tmp_path / "iris.miter"), pickle.loads(pickle.dumps(model))):
        assert type(copy) is make
        assert np.array_equal(copy.predict(X), model.predict(X))
        assert copy.get_params()["rule"] == "mixture"


def test_few_labels_can_be_saved(tmp_path):
    X, y = load_iris(return_X_y=True)
    model = ICATreeClassifier(unlabelled=-1).fit(X, np.where(np.arange(150) % 50 == 0, y, -1))
    save(model, tmp_path / "few.miter")
    assert np.array_equal(load(tmp_path / "few.miter").predict(X), model.predict(X))


def test_in_a_pipeline():
    X = load_iris().data
    assert make_pipeline(StandardScaler(), ICATree()).fit_predict(X).shape == (150,)


def test_wrong_settings_change_nothing():
    X, y = blobs()
    model = ICATree().fit(X)
    labels = model.labels_
    with pytest.raises(ValueError, match=r"cut is 'valey'; did you mean 'valley'\?"):
        model.set_params(cut="valey").fit(X)
    assert model.labels_ is labels
    with pytest.raises(ValueError, match=r"labels is 'after'; did you mean 'afterwards'\?"):
        ICATreeClassifier("after").fit(X, y)
    with pytest.raises(ValueError, match="smoothing is -1; give a number from 0 on"):
        ICATreeClassifier(smoothing=-1).fit(X, y)
