"""Many trees in a file: they come back to the last bit, and nothing else comes in."""

from copy import deepcopy

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from miter import BaggedTreesClassifier, HybridTreeClassifier, LinearMachineForestClassifier
from miter.errors import ModelFileError
from miter.model_file import load, save
from miter.model_file.arrays import plain_array, read_array
from miter.model_file.model import plain_model
from miter.model_file.packed import ARRAYS


@pytest.fixture(scope="module")
def forest(mixed_model):
    """Two trees with a split of every kind."""
    return BaggedTreesClassifier(n_estimators=2).restore([mixed_model.tree_] * 2)


@pytest.fixture(scope="module")
def sound(forest):
    return plain_model(forest)


def assert_same(loaded, model, rows):
    assert loaded.predict_proba(rows).tobytes() == model.predict_proba(rows).tobytes()
    assert loaded.predict(rows).tolist() == model.predict(rows).tolist()
    for one, other in zip(loaded.trees_, model.trees_, strict=True):
        assert one.counts.tobytes() == other.counts.tobytes()
        assert one.notes == other.notes
        assert one.smoothing == other.smoothing
        for mine, theirs in zip(one.splits.arrays, other.splits.arrays, strict=True):
            assert (mine.dtype, mine.tobytes()) == (theirs.dtype, theirs.tobytes())


@pytest.mark.parametrize("name", ["forest.miter", "forest.miter.gz"])
def test_every_kind_of_split_comes_back(forest, make_rows, tmp_path, name):
    save(forest, tmp_path / name)
    assert_same(load(tmp_path / name), forest, make_rows(forest.schema_))


@pytest.mark.parametrize(
    "model",
    [
        LinearMachineForestClassifier(5, random_state=0),
        LinearMachineForestClassifier(5, costs=[[0, 2, 1], [1, 0, 1], [1, 3, 0]], random_state=0),
        BaggedTreesClassifier(n_estimators=5, random_state=0),
        BaggedTreesClassifier(HybridTreeClassifier(max_depth=2), n_estimators=2, random_state=0),
    ],
    ids=["forest", "costs", "bagging", "notes"],
)
def test_fitted_forest_comes_back(model, tmp_path):
    X, y = load_iris(return_X_y=True)
    model.fit(X, y)
    save(model, tmp_path / "forest.miter")
    loaded = load(tmp_path / "forest.miter")
    assert_same(loaded, model, X)
    assert type(loaded) is type(model)
    for one, other in zip(loaded.trees_, model.trees_, strict=True):
        assert (one.losses is None) == (other.losses is None)
        assert one.losses is None or one.losses.tobytes() == other.losses.tobytes()
    assert loaded.fit(X, y).predict_proba(X).tobytes() == model.predict_proba(X).tobytes()


def test_forest_of_one_tree_is_readable(mixed_model, tmp_path):
    save(BaggedTreesClassifier().restore([mixed_model.tree_]), tmp_path / "forest.miter")
    assert '"kind": "category", "column": 1' in (tmp_path / "forest.miter").read_text()
    assert len(load(tmp_path / "forest.miter").trees_) == 1


# ---- files that are refused ----------------------------------------------------------------


def changed(sound, field, change):
    """Return the model with other numbers in an array, which is given to a function."""
    model = deepcopy(sound)
    trees = model["trees"]
    if field in ARRAYS:
        array = read_array(trees[field], ARRAYS[field]).astype(np.float64)
        trees[field] = plain_array(np.asarray(change(array)))
    else:
        trees[field] = change(trees[field])
    return model


def put(place, value):
    def change(array):
        array[place] = value
        return array

    return change


WRONG = [
    ("smoothing", lambda s: s[:1], "every tree needs its smoothing"),
    ("smoothing", lambda s: [0, -1], "trees[1].smoothing: give a number from 0 on"),
    ("smoothing", lambda s: [0, "1"], "trees.smoothing[1]: '1' is not a number"),
    ("n_nodes", lambda n: [12, 13], "trees.n_nodes: the trees do not have 24 nodes together"),
    ("n_nodes", lambda n: [24, 0], "every tree needs"),
    ("n_nodes", lambda n: [25, -1], "every tree needs"),
    ("n_nodes", lambda n: [2**63 - 1, 2**63 - 1], "do not have 24 nodes together"),
    ("n_nodes", lambda n: [11, 13], "trees[0].nodes: 11 are there, but the branches lead to 12"),
    ("n_nodes", lambda n: [], "every tree needs"),
    ("kinds", put(0, 6), "unknown kind of split 6"),
    ("kinds", put(0, 0), "trees[0].nodes[0]: a split has two branches or more, a leaf has none"),
    ("kinds", put(3, 1), "trees[0].nodes[3]: a split has two branches or more, a leaf has none"),
    ("kinds", lambda a: a[:-1], "differ in length"),
    ("n_branches", put(0, 1), "trees[0].nodes[0]: a split has two branches or more"),
    ("n_branches", put(0, -2), "trees[0].nodes[0]: a split has two branches or more"),
    ("n_branches", put(0, 3), "trees[0].nodes: 12 are there, but the branches lead to 13"),
    ("n_branches", put(0, 2**31 - 1), "branches lead to"),
    ("n_branches", put([0, 1], [3, 2]), "trees[0]: node 1: cuts and branches differ in number"),
    ("n_ints", put(0, 4), "trees.n_ints: they do not fit"),
    ("n_ints", put([0, 1], [-1, 8]), "trees.n_ints: they do not fit"),
    ("n_ints", put([0, 1], [6, 3]), "node 0: "),
    ("ints", lambda a: a[:-1], "trees.n_ints: they do not fit"),
    ("ints", put(0, 9), "node 0: no column 9"),
    ("ints", put(1, 5), "node 0: no branch 5"),
    ("ints", put(2, 2), "node 0: a value has no branch"),
    ("ints", put(6, 0), "trees[0].nodes[0].split: it names values, classes or branches"),
    ("reals", put(0, np.nan), "a number is not finite"),
    ("reals", put(0, np.inf), "a number is not finite"),
    ("reals", put(1, 0.0), "node 1: cuts must ascend"),
    ("reals", put(1, 9.0), "trees[0].nodes[1].split: it names values, classes or branches"),
    ("reals", lambda a: a[1:], "trees.n_reals: they do not fit"),
    ("counts", lambda c: {}, "trees.counts: the field 'steps' is missing"),
    ("counts", lambda c: c | {"values": plain_array(np.array([1.0]))}, "trees.counts: the steps"),
    ("notes", lambda n: n[1:], "trees.notes: every node needs a note"),
    ("notes", lambda n: "red", "trees.notes: every node needs a note"),
    ("notes", lambda n: [1, *n[1:]], "one of the notes is no text"),
]


@pytest.mark.parametrize(("field", "change", "why"), WRONG, ids=[why for *_, why in WRONG])
def test_wrong_arrays(sound, seal, tmp_path, field, change, why):
    path = tmp_path / "forest.miter"
    path.write_bytes(seal(changed(sound, field, change)))
    with pytest.raises(ModelFileError) as caught:
        load(path)
    assert why in str(caught.value)


@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf, 1e308])
def test_wrong_counts(sound, seal, tmp_path, value):
    model = deepcopy(sound)
    counts = model["trees"]["counts"]
    values = read_array(counts["values"], np.float64)
    values[:] = value
    counts["values"] = plain_array(values)
    (tmp_path / "forest.miter").write_bytes(seal(model))
    with pytest.raises(ModelFileError, match=r"trees\[0\]\.nodes: counts must be finite"):
        load(tmp_path / "forest.miter")


def test_tree_and_trees(sound, mixed_model, seal, tmp_path):
    both = sound | {"tree": plain_model(mixed_model)["tree"]}
    neither = {name: value for name, value in sound.items() if name != "trees"}
    for model in (both, neither):
        (tmp_path / "forest.miter").write_bytes(seal(model))
        with pytest.raises(ModelFileError, match="give one tree, or trees"):
            load(tmp_path / "forest.miter")


def test_one_tree_has_no_room_for_many(sound, seal, tmp_path):
    (tmp_path / "tree.miter").write_bytes(
        seal(sound | {"learner": "TreeClassifier", "parameters": {}})
    )
    with pytest.raises(ModelFileError, match="a TreeClassifier has one tree"):
        load(tmp_path / "tree.miter")


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_changed_numbers(sound, seal, make_rows, tmp_path_factory, data):
    model = deepcopy(sound)
    for _ in range(data.draw(st.integers(1, 3))):
        field = data.draw(st.sampled_from(list(ARRAYS)))
        array = read_array(model["trees"][field], ARRAYS[field])
        at = data.draw(st.integers(0, len(array) - 1))
        least = 0 if field == "kinds" else -3
        array[at] = data.draw(st.integers(least, 12) | st.sampled_from([0.5, 200]))
        model["trees"][field] = plain_array(array)
    path = tmp_path_factory.getbasetemp() / "numbers.miter"
    path.write_bytes(seal(model))
    try:
        loaded = load(path)
    except ModelFileError:
        return
    rows = make_rows(loaded.schema_)
    assert loaded.predict_proba(rows).shape == (rows.n_rows, 2)
    for tree in loaded.trees_:
        for node in np.flatnonzero(~tree.is_leaf).tolist():
            split = tree.splits[node]
            assert split.n_branches == tree.splits.n_branches[node]
            assert all(split.say(tree.schema, branch) for branch in range(split.n_branches))
    save(loaded, path)
