import gzip
import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB

from miter.data import Column, Data, Schema, play_tennis
from miter.errors import ModelFileError
from miter.estimators.thermal_machine import lmdt91
from miter.estimators.tree_classifier import TreeClassifier
from miter.estimators.univariate import UnivariateTreeClassifier, id3
from miter.model_file import envelope, load, save
from miter.prune import ReducedError
from miter.splits import PackedSplits, Threshold
from miter.splitters import Splitter, UnivariateSplitter
from miter.tree import Tree


class HalfwaySplitter(Splitter):
    """A splitter of the user's own: cuts the first column at its median."""

    def find_split(self, node):
        return Threshold(0, (float(np.median(node.X[:, 0])),))


def round_trip(model, folder, name="model.miter"):
    save(model, folder / name)
    return load(folder / name)


def test_every_kind_of_split_predicts_the_same_bit_for_bit(mixed_model, make_rows, tmp_path):
    rows = make_rows(mixed_model.tree_.schema)
    loaded = round_trip(mixed_model, tmp_path)
    assert loaded.predict_proba(rows).tobytes() == mixed_model.predict_proba(rows).tobytes()
    assert loaded.tree_.schema == mixed_model.tree_.schema
    n_nodes = mixed_model.tree_.n_nodes
    assert [loaded.tree_.splits[i] for i in range(n_nodes)] == [
        mixed_model.tree_.splits[i] for i in range(n_nodes)
    ]


@pytest.mark.parametrize("name", ["model.miter", "model.miter.gz"])
def test_real_data_predict_the_same(tmp_path, name):
    X, y = load_breast_cancer(return_X_y=True)
    model = UnivariateTreeClassifier(pruning=None).fit(X, y)
    loaded = round_trip(model, tmp_path, name)
    assert loaded.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()
    assert (loaded.predict(X) == model.predict(X)).all()
    assert type(loaded) is UnivariateTreeClassifier


def test_gzip_is_told_by_content_not_by_name(mixed_model, tmp_path):
    save(mixed_model, tmp_path / "model.gz")
    assert (tmp_path / "model.gz").read_bytes()[:2] == b"\x1f\x8b"
    (tmp_path / "model.gz").rename(tmp_path / "model.miter")
    assert load(tmp_path / "model.miter").tree_.n_nodes == mixed_model.tree_.n_nodes


def test_same_model_same_bytes(mixed_model, tmp_path):
    for name in ("one.gz", "two.gz"):
        save(mixed_model, tmp_path / name)
    assert (tmp_path / "one.gz").read_bytes() == (tmp_path / "two.gz").read_bytes()


@pytest.mark.parametrize(
    "labels", [["b", "a"], [3, -1], [1.0, 2.0], [True, False], ["1", "0"]], ids=str
)
def test_labels_keep_their_type(labels, tmp_path):
    X = np.arange(20.0)[:, None]
    model = UnivariateTreeClassifier().fit(X, np.repeat(labels, 10))
    loaded = round_trip(model, tmp_path)
    assert loaded.classes_.dtype == model.classes_.dtype
    assert loaded.predict(X).tolist() == np.repeat(labels, 10).tolist()
    assert [type(label) for label in loaded.tree_.schema.classes] == [type(labels[0])] * 2


def test_parameters_survive(tmp_path):
    data = play_tennis()
    model = UnivariateTreeClassifier(
        "gini",
        pruning=ReducedError(share=0.25),
        max_depth=np.int64(4),
        class_weight={"Yes": 2.0, "No": 1.0},
        attribute_costs={"Outlook": 3.0},
        random_state=7,
    ).fit(data)
    loaded = round_trip(model, tmp_path)
    assert loaded.get_params() == model.get_params()
    assert loaded.pruning == ReducedError(share=0.25)


def test_class_weight_with_numbers_as_keys_survives(tmp_path):
    X, y = load_iris(return_X_y=True)
    model = UnivariateTreeClassifier(class_weight={0: 1.0, 1: 2.0, 2: 0.5}).fit(X, y)
    assert round_trip(model, tmp_path).class_weight == {0: 1.0, 1: 2.0, 2: 0.5}


def test_how_the_machine_was_used_is_not_part_of_the_model(tmp_path):
    model = id3(n_threads=1, verbose=True).fit(play_tennis())
    loaded = round_trip(model, tmp_path)
    assert (loaded.n_threads, loaded.verbose) == (None, False)


def test_own_splitter_is_left_out_and_predictions_stay(tmp_path):
    X, y = load_iris(return_X_y=True)
    model = TreeClassifier(HalfwaySplitter(), max_depth=3).fit(X, y)
    loaded = round_trip(model, tmp_path)
    assert type(loaded) is TreeClassifier
    assert loaded.splitter is None
    assert loaded.max_depth == 3
    assert loaded.tree_.n_nodes > 1
    assert loaded.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()


class Cautious(UnivariateTreeClassifier):
    """A class of the user's own: with a parameter that Miter does not know, and surer leaves."""

    def __init__(self, criterion="gain_ratio", *, caution=2.5, pruning=None):
        super().__init__(criterion, pruning=pruning)
        self.caution = caution

    def _smoothing(self, *, has_costs):
        return self.caution


def test_own_class_comes_back_as_the_class_it_was_made_from(tmp_path):
    X, y = load_iris(return_X_y=True)
    model = Cautious("gini").fit(X, y)
    loaded = round_trip(model, tmp_path)
    assert type(loaded) is UnivariateTreeClassifier
    assert (loaded.criterion, loaded.pruning) == ("gini", None)
    assert loaded.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()
    assert loaded.tree_.smoothing == 2.5


def test_feature_names_come_back_only_where_they_were(tmp_path):
    X, y = load_iris(return_X_y=True, as_frame=True)
    named = round_trip(UnivariateTreeClassifier().fit(X, y), tmp_path)
    assert named.feature_names_in_.tolist() == X.columns.tolist()
    named.predict(X)  # a warning would be an error here
    with pytest.raises(ValueError, match="feature names"):
        named.predict(X[X.columns[::-1]])
    unnamed = round_trip(UnivariateTreeClassifier().fit(X.to_numpy(), y), tmp_path)
    assert not hasattr(unnamed, "feature_names_in_")
    unnamed.predict(X.to_numpy())


def test_symbols_of_a_frame_are_found_again(tmp_path):
    X = pd.DataFrame({"wind": ["weak", "strong", None] * 10, "degrees": np.arange(30) % 7})
    y = ["no", "yes", "yes"] * 10
    model = UnivariateTreeClassifier(pruning=None).fit(X, y)
    loaded = round_trip(model, tmp_path)
    assert loaded.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()


def test_loaded_model_can_be_fitted_again(tmp_path):
    loaded = round_trip(id3().fit(play_tennis()), tmp_path)
    assert loaded.fit(play_tennis()).get_n_leaves() == 7


def test_file_is_readable(tmp_path):
    save(id3().fit(play_tennis()), tmp_path / "tennis.miter")
    lines = (tmp_path / "tennis.miter").read_text().splitlines()
    assert '  "format": "miter model",' in lines
    split = '{"kind": "category", "column": 0, "branches": [0, 1, 2], "missing": 0}'
    assert f'        {{"counts": [9, 5], "split": {split}, "children": [1, 2, 3]}},' in lines
    assert '        {"counts": [4, 0]},' in lines


def test_names_stay_readable(mixed_model, tmp_path):
    save(mixed_model, tmp_path / "model")
    assert "grün" in (tmp_path / "model").read_text("utf-8")


def test_not_fitted(tmp_path):
    with pytest.raises(NotFittedError):
        save(UnivariateTreeClassifier(), tmp_path / "model")
    assert not list(tmp_path.iterdir())


def test_what_is_no_model_of_miters(tmp_path):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ModelFileError, match="a GaussianNB is none of Miter's learners"):
        save(GaussianNB().fit(X, y), tmp_path / "model")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("label", [float("inf"), "\ud800"])
def test_class_that_json_cannot_hold(label, tmp_path):
    schema = Schema((Column("x", "numeric"),), (label, type(label)(0)))
    tree = Tree(schema, PackedSplits.of([None]), np.array([[1.0, 2.0]]))
    with pytest.raises(ModelFileError, match="cannot hold this model"):
        save(
            TreeClassifier().restore([tree]),
            tmp_path / "model",
        )
    assert not list(tmp_path.iterdir())


def test_large_tree(tmp_path):
    n_splits = 50_000
    schema = Schema((Column("x", "numeric"), Column("z", "numeric")), ("a", "b"))
    splits = [Threshold(i % 2, (i / 7,)) for i in range(n_splits)] + [None] * (n_splits + 1)
    tree = Tree(schema, PackedSplits.of(splits), np.ones((2 * n_splits + 1, 2)) / 3)
    loaded = round_trip(TreeClassifier().restore([tree]), tmp_path)
    rows = Data(schema, np.random.default_rng(0).normal(0, 5000, (500, 2)))
    assert (loaded.tree_.apply(rows.X) == tree.apply(rows.X)).all()


def test_deep_tree(tmp_path):
    depth = 5_000
    schema = Schema((Column("x", "numeric"),), ("a", "b"))
    levels = [[Threshold(0, (float(-i),)), None] for i in range(1, depth)]
    splits = [Threshold(0, (0.0,)), *(split for level in levels for split in level), None, None]
    tree = Tree(schema, PackedSplits.of(splits), np.ones((2 * depth + 1, 2)))
    assert tree.depth == depth
    assert round_trip(TreeClassifier().restore([tree]), tmp_path).get_depth() == depth


# ---- files that are refused ---------------------------------------------------------------


@pytest.fixture
def refused(tmp_path):
    """Return a function that loads bytes, which must fail, and returns the sentence."""

    def load_bytes(content):
        path = tmp_path / "model.miter"
        path.write_bytes(content)
        with pytest.raises(ModelFileError) as caught:
            load(path)
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    return load_bytes


@pytest.fixture
def content(mixed_model, tmp_path):
    save(mixed_model, tmp_path / "sound.miter")
    return (tmp_path / "sound.miter").read_bytes()


def test_no_file(tmp_path):
    with pytest.raises(ModelFileError, match="there is no file"):
        load(tmp_path / "nowhere.miter")
    with pytest.raises(ModelFileError, match="cannot be read"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("foreign", "why"),
    [
        (b"", "damaged"),
        (b"hello", "damaged"),
        (b"\xff\xfe\x00", "not a model file of Miter"),
        (b"[1, 2]", "not a model file of Miter"),
        (b"null", "not a model file of Miter"),
        (b'{"format": "other"}', "not a model file of Miter"),
        (b'{"format": "miter model"}', "None is not a version"),
        (b'{"format": "miter model", "version": true}', "True is not a version"),
        (b'{"format": "miter model", "version": 3, "news": 1}', "newer Miter"),
        (b'{"format": "miter model", "version": 1}', "'checksum' is missing"),
        (b"[" * 200_000, "nested too deep"),
        (b'{"format": "miter model", "version": 1, "x": ' + b"9" * 5000 + b"}", "sound"),
        (b"\x1f\x8b\x08garbage", "damaged gzip"),
    ],
)
def test_foreign_files(refused, foreign, why):
    assert why in refused(foreign)


@pytest.mark.parametrize("word", [b"NaN", b"Infinity", b"-Infinity", b"1e999"])
def test_numbers_that_are_none(refused, content, word):
    assert b"0.25" in content
    assert "sound model file" in refused(content.replace(b"0.25", word))


def test_deep_nesting_inside_the_model(refused, seal):
    deep = []
    for _ in range(900):
        deep = [deep]
    keys = ("parameters", "schema", "state", "tree")
    sentence = refused(seal({"learner": deep, **dict.fromkeys(keys)}))
    assert "there is no learner" in sentence
    assert len(sentence) < 500


def test_checksum(refused, content):
    assert "does not fit its checksum" in refused(content.replace(b'"red"', b'"rod"'))


def test_new_layout_is_no_damage(content, tmp_path):
    (tmp_path / "flat").write_text(json.dumps(json.loads(content)))
    assert load(tmp_path / "flat").tree_.n_nodes == 12


def test_truncated(refused, content):
    for length in range(0, len(content) - 2, 37):
        refused(content[:length])
        refused(gzip.compress(content)[: 1 + length // 4])


def test_gzip_bomb(refused, monkeypatch):
    monkeypatch.setattr(envelope, "LARGEST_FILE", 10_000_000)
    bomb = gzip.compress(b" " * 20_000_000)
    assert len(bomb) < 100_000
    assert "more than 10000000 bytes" in refused(bomb)


def test_what_could_not_be_loaded_is_not_saved(mixed_model, tmp_path, monkeypatch):
    monkeypatch.setattr(envelope, "LARGEST_FILE", 100)
    with pytest.raises(ModelFileError, match="more than can be loaded"):
        save(mixed_model, tmp_path / "model")
    assert not list(tmp_path.iterdir())


def test_checksum_of_another_type(refused, content):
    file = json.loads(content)
    file["checksum"] = ["sha256"]
    assert "checksum" in refused(json.dumps(file).encode())


@pytest.mark.parametrize(
    "model",
    [
        lmdt91(random_state=0),
        TreeClassifier(UnivariateSplitter("nunez", attribute_costs={"x0": 2.5})),
    ],
    ids=["thermal", "univariate"],
)
def test_a_loaded_tree_can_be_grown_again(model, tmp_path):
    """Miter's own splitters are settings, not code, so they come along."""
    X, y = load_iris(return_X_y=True)
    save(model.fit(X, y), tmp_path / "model.miter")
    again = load(tmp_path / "model.miter")
    assert again.get_params() == model.get_params()
    assert np.array_equal(again.fit(X, y).predict_proba(X), model.predict_proba(X))
