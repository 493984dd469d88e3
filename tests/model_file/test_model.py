"""Models with a right checksum and a wrong content."""

import json
from copy import deepcopy

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from miter import BaggedTreesClassifier, PixelClassifier, UnivariateTreeClassifier
from miter.data import Schema
from miter.errors import ModelFileError
from miter.model_file import load, save
from miter.model_file.model import plain_model, read_model
from miter.pixels import PixelFeatures
from miter.prune import ReducedError
from miter.show import export_text
from miter.splits import SPLIT_KINDS, PackedSplits, Threshold
from miter.tree import Tree


@pytest.fixture(scope="module")
def sound(mixed_model):
    return plain_model(mixed_model)


def change(model, path, value):
    """Return the model with another value at a path such as 'tree nodes 0 counts'."""
    model = deepcopy(model)
    *way, last = [int(step) if step.lstrip("-").isdigit() else step for step in path.split()]
    place = model
    for step in way:
        place = place[step]
    place[last] = value
    return model


WRONG = [
    ("learner", "NoTree", "no learner 'NoTree'"),
    ("learner", ["TreeClassifier"], "no learner"),
    ("parameters", [], "parameters: not an object"),
    ("parameters max_deep", 3, "no parameter 'max_deep'; did you mean 'max_depth'?"),
    ("parameters n_threads", 3, "no parameter 'n_threads'"),
    ("parameters max_depth", 2**70, "parameters.max_depth: "),
    ("parameters pruning", {"pruning": "axe"}, "no pruning 'axe'"),
    ("parameters pruning", {"pruning": ["axe"]}, "no pruning"),
    ("parameters pruning", {"pruning": "reduced_error", "part": 1}, "a field 'part'"),
    ("parameters pruning", {"pruning": "reduced_error", "share": 2}, "share is 2.0"),
    ("parameters class_weight", {"pairs": [[1]]}, "class_weight.pairs: not a list of pairs"),
    ("parameters class_weight", {"pairs": [[[1], 1]]}, "class_weight: "),
    ("state has_feature_names", 1, "state.has_feature_names: 1 is not of the type bool"),
    ("extra", 1, "a field 'extra'"),
    ("schema", None, "schema: None stands where"),
    ("schema columns", [], "no columns"),
    ("schema columns", {}, "schema.columns: {} is not a list"),
    ("schema columns 1 name", "length", "two columns are called 'length'"),
    ("schema columns 1 kind", "round", "schema.columns[1].kind: 'round' is none of"),
    ("schema columns 1 kind", "ignored", "cannot be ignored"),
    ("schema columns 0 values", ["a"], "cannot be numeric with 1 values"),
    ("schema columns 1 values", ["a", "a", "b"], "'a' twice"),
    ("schema columns 1 values", ["a", "b"], "node 0: a value has no branch"),
    ("schema columns 1 values 0", "\ud800", "schema.columns[1].values[0]: "),
    ("schema columns 2 values", ["S"], "nodes[1].split: it names values, classes"),
    ("schema columns 1 extra", 1, "schema.columns[1]: there is a field 'extra'"),
    ("schema classes", [], "schema.classes: "),
    ("schema classes", ["a", "a"], "listed twice"),
    ("schema classes", ["a", 1], "all texts"),
    ("schema classes", ["a", True], "all texts"),
    ("schema classes", ["a", None], "schema.classes[1]: "),
    ("schema classes", ["a", "b", "c"], "every node needs 3 counts"),
    ("schema target", 1, "schema.target: 1 is not a text"),
    ("tree nodes", [], "nodes: not a list of nodes"),
    ("tree nodes", {}, "nodes: not a list of nodes"),
    ("tree nodes 3", 7, "nodes[3]: 7 stands where"),
    ("tree nodes 3", {}, "nodes[3]: the field 'children' is missing"),
    ("tree nodes 3 split", None, "nodes[3]: the field 'children' is missing"),
    ("tree nodes 3 extra", None, "nodes[3]: the field 'children' is missing"),
    ("tree nodes 0 counts", [1], "every node needs 2 counts"),
    ("tree nodes 0 counts", "ab", "every node needs 2 counts"),
    ("tree nodes 0 counts", ["1", "2"], "one of the counts is not a number"),
    ("tree nodes 0 counts", [True, 2], "one of the counts is not a number"),
    ("tree nodes 0 counts", [None, 2], "one of the counts is not a number"),
    ("tree nodes 0 counts", [[1], 2], "one of the counts is not a number"),
    ("tree nodes 0 counts", [-1, 2], "0 or more"),
    ("tree nodes 0 counts", [1e308, 1e308], "finite"),
    ("tree nodes 0 counts", [10**400, 2], "too large"),
    ("tree nodes 0 counts", [0, 0], "the root has no rows"),
    ("tree nodes 1 counts", [0, 0], "a split without rows"),
    ("tree nodes 0 split", 5, "nodes[0].split: not an object"),
    ("tree nodes 0 split kind", "oracle", "no split of the kind 'oracle'"),
    ("tree nodes 0 split kind", ["category"], "no split of the kind"),
    ("tree nodes 0 split kind", "threshold", "nodes[0].split: the field 'cuts' is missing"),
    ("tree nodes 0 split column", 9, "node 0: no column 9"),
    ("tree nodes 0 split column", -1, "node 0: no column -1"),
    ("tree nodes 0 split column", 0, "node 0: the column is of another kind"),
    ("tree nodes 0 split column", 2**40, "too large"),
    ("tree nodes 0 split column", 1.0, "nodes[0].split.column: 1.0 is not a whole number"),
    ("tree nodes 0 split column", True, "nodes[0].split.column: True is not a whole number"),
    ("tree nodes 0 split missing", 2, "node 0: no branch 2"),
    ("tree nodes 0 split branches", [], "model file: "),
    ("tree nodes 0 split branches", [-1, -1, -1], "nodes[0].children: 2 do not fit"),
    ("tree nodes 0 split branches", [0, -5, 1], "node 0: no branch -5"),
    ("tree nodes 0 split branches", [0, 1, 2], "nodes[0].children: 2 do not fit"),
    ("tree nodes 0 children", [1], "nodes[0].children: 1 do not fit"),
    ("tree nodes 0 children", [0, 1], "nodes[0].children: the children must be numbered from 1"),
    ("tree nodes 0 children", [2, 1], "nodes[0].children: the children must be numbered from 1"),
    ("tree nodes 0 children", [1, 3], "nodes[0].children: the children must be numbered from 1"),
    ("tree nodes 0 children", "12", "nodes[0]: '12' is not a list"),
    ("tree nodes 2 children", [1, 2], "nodes[2].children: the children must be numbered from 6"),
    ("tree nodes 1 split cuts", [1.5, 0.5], "node 1: cuts must ascend"),
    ("tree nodes 1 split cuts", [0.5, 9], "nodes[1].split: it names values, classes"),
    ("tree nodes 2 split terms", [], "node 2: a linear split needs its terms"),
    ("tree nodes 2 split terms 0 weights", [], "model file: "),
    ("tree nodes 2 split terms 1 is_symbolic", False, "node 2: the column is of another kind"),
    ("tree nodes 2 split terms 0 weights", "1", "nodes[2].split.terms[0].weights: "),
    ("tree nodes 2 split threshold", None, "nodes[2].split.threshold: None is not a number"),
    ("tree nodes 6 split terms", [], "node 6: a machine needs two outputs and its terms"),
    ("tree nodes 6 split classes", [0, 2], "nodes[6].split: it names values, classes"),
    ("tree nodes 6 split classes", [-1, 1], "node 6: no class -1"),
    ("tree nodes 6 split classes", [0], "node 6: a machine needs"),
    ("tree nodes 6 split constants", [0.5], "nodes[6].children: 2 do not fit"),
    ("tree nodes 6 split terms 0 missing", [0.0], "node 6: terms and weights differ in number"),
    ("tree nodes 6 split terms 1 is_symbolic", False, "node 6: the column is of another kind"),
    ("tree nodes 6 split terms 1 centre", 1.0, "node 6: the column is of another kind"),
    ("tree nodes 6 split terms 0 centre", 1.0, "node 6: terms and weights differ in number"),
    ("tree nodes 6 split terms 2 centre", None, "node 6: terms and weights differ in number"),
    ("tree nodes 6 split terms 2 centre", "x", "nodes[6].split.terms[2].centre: "),
    ("tree nodes 8 split terms", [], "node 8: a network needs a hidden unit and its terms"),
    ("tree nodes 8 split weights", [1.5], "node 8: terms and weights differ in number"),
    ("tree nodes 8 split threshold", "x", "nodes[8].split.threshold: "),
    ("tree nodes 0 note", 5, "one of the notes is no text"),
    ("tree nodes 3 note", "a leaf", "nodes[3]: the field 'children' is missing"),
    ("tree nodes 7", {"counts": [1, 1], "split": {}, "children": []}, "no split of the kind None"),
]


@pytest.mark.parametrize(
    ("path", "value", "why"), WRONG, ids=[f"{path}={value!r:.20}" for path, value, _ in WRONG]
)
def test_wrong_content(sound, seal, tmp_path, path, value, why):
    (tmp_path / "model.miter").write_bytes(seal(change(sound, path, value)))
    with pytest.raises(ModelFileError) as caught:
        load(tmp_path / "model.miter")
    assert why in str(caught.value)


@pytest.mark.parametrize("n_kept", [1, 3, 7])
def test_nodes_are_missing(sound, seal, tmp_path, n_kept):
    (tmp_path / "model.miter").write_bytes(
        seal(change(sound, "tree nodes", sound["tree"]["nodes"][:n_kept]))
    )
    with pytest.raises(ModelFileError, match="branches lead to"):
        load(tmp_path / "model.miter")


def test_nodes_that_nobody_reaches(sound, seal, tmp_path):
    leaf = {"counts": [1, 1]}
    (tmp_path / "model.miter").write_bytes(
        seal(change(sound, "tree nodes", [*sound["tree"]["nodes"], leaf]))
    )
    with pytest.raises(ModelFileError, match="no branch leads to node 12"):
        load(tmp_path / "model.miter")


@pytest.mark.parametrize("key", ["learner", "parameters", "schema", "state"])
def test_missing_keys(sound, seal, tmp_path, key):
    model = {name: value for name, value in sound.items() if name != key}
    (tmp_path / "model.miter").write_bytes(seal(model))
    with pytest.raises(ModelFileError, match=f"the field '{key}' is missing"):
        load(tmp_path / "model.miter")


def test_every_kind_of_split_is_tried_here(sound):
    tried = {node["split"]["kind"] for node in sound["tree"]["nodes"] if "split" in node}
    assert tried == {kind.name for kind in SPLIT_KINDS.values()}


def test_plain_values_come_back(sound):
    assert plain_model(read_model(json.loads(json.dumps(sound)))) == sound


# ---- whatever the file, an error of ours or a model that works -----------------------------


def check_outcome(path, make_rows):
    try:
        model = load(path)
    except ModelFileError:
        return
    rows = make_rows(model.schema_)
    assert len(model.predict_codes(rows.X)) == rows.n_rows
    if not isinstance(model, PixelClassifier):
        assert len(model.predict(rows)) == rows.n_rows
    if hasattr(model, "predict_shares"):
        assert model.predict_proba(rows).shape == (rows.n_rows, len(model.classes_))
    assert export_text(model.trees_[-1])
    assert repr(model)
    save(model, path)


few = settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
plain_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 10)
    | st.sampled_from([2**31, -(2**63), 2**64, 10**500])
    | st.floats()
    | st.sampled_from(["", "a", "red", "numeric", "symbolic", "ordered", "threshold", "\ud800"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz")


@few
@given(st.data())
def test_changed_bytes(mixed_model, make_rows, folder, data):
    path = folder / "bytes.miter"
    save(mixed_model, path)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        what = data.draw(st.sampled_from(["change", "cut", "remove", "insert"]))
        if what == "change":
            content[at] = data.draw(st.integers(0, 255))
        elif what == "cut":
            content = content[: at + 1]
        elif what == "remove":
            del content[at : at + data.draw(st.integers(1, 20))]
            content = content or bytearray(b"{")
        else:
            content[at:at] = data.draw(st.binary(max_size=5))
    path.write_bytes(bytes(content))
    check_outcome(path, make_rows)


def places(value, way=()):
    """Return the way to every value inside a plain value."""
    if not isinstance(value, dict | list):
        return []
    steps = value if isinstance(value, dict) else range(len(value))
    return [(*way, step) for step in steps] + [
        place for step in steps for place in places(value[step], (*way, step))
    ]


@pytest.fixture(scope="module")
def sound_models(mixed_model):
    """One tree, many trees in parts that a file may hold, and what was learned from pixels."""
    forest = BaggedTreesClassifier(UnivariateTreeClassifier(pruning=ReducedError()))
    pixels = PixelClassifier(forest, features=PixelFeatures(), class_names={0: "no", 3: "yes"})
    tree = Tree(
        Schema(PixelFeatures().columns, ("no", "yes")),
        PackedSplits.of([Threshold(0, (99.5,)), None, None]),
        np.array([[2.0, 2.0], [2.0, 0.0], [0.0, 2.0]]),
    )
    state = {"features": PixelFeatures(), "ids": (0, 3)}
    models = (
        mixed_model,
        clone(forest).restore([mixed_model.tree_] * 2),
        pixels.restore([tree, tree], state),
    )
    return [plain_model(model) for model in models]


@few
@given(st.data())
def test_changed_values(sound_models, seal, make_rows, folder, data):
    model = deepcopy(data.draw(st.sampled_from(sound_models)))
    for _ in range(data.draw(st.integers(1, 3))):
        *way, last = data.draw(st.sampled_from(places(model)))
        container = model
        for step in way:
            container = container[step]
        what = data.draw(st.sampled_from(["change", "remove", "add", "swap"]))
        if what == "change":
            container[last] = data.draw(plain_values)
        elif what == "remove":
            del container[last]
            if not model:
                return
        elif what == "add" and isinstance(container, list):
            container.insert(last, deepcopy(container[last]))
        elif what == "add":
            container[data.draw(st.text(max_size=3))] = data.draw(plain_values)
        else:
            keys = container if isinstance(container, dict) else range(len(container))
            other = data.draw(st.sampled_from(list(keys)))
            container[last], container[other] = container[other], container[last]
    path = folder / "values.miter"
    path.write_bytes(seal(model))
    check_outcome(path, make_rows)
