"""Files of version 1 become models of today; golden ones are in tests/golden."""

import json
from copy import deepcopy
from pathlib import Path

import pytest

from miter.errors import ModelFileError
from miter.model_file import load
from miter.model_file.version_1 import from_version_1

GOLDEN = Path(__file__).parents[1] / "golden" / "version_1"


@pytest.fixture(scope="module")
def sound():
    return json.loads((GOLDEN / "every_split.miter").read_text())["model"]


def converted(learner, **parameters):
    model = {"learner": learner, "parameters": parameters, "has_feature_names": False}
    return from_version_1(model | {"schema": {}, "nodes": []})


@pytest.mark.parametrize(
    ("learner", "old", "new"),
    [
        ("ICATree", {"level": 0.1, "n_starts": 4}, {"stop_significance": 0.1, "n_init": 4}),
        ("LinearCombinationTreeClassifier", {"restarts": 3}, {"n_init": 4}),
        ("LinearMachineTreeClassifier", {"training": "annealed", "l2": 2}, {"l2": 2}),
        (
            "UnivariateTreeClassifier",
            {"pruning": {"pruner": "cross_validated", "folds": 3}},
            {"pruning": {"pruning": "cross_validated", "n_folds": 3}},
        ),
        (
            "TreeClassifier",
            {"splitter": {"splitter": "network", "rate": 0.1, "starts": 3}},
            {"splitter": {"splitter": "network", "learning_rate": 0.1, "n_init": 3}},
        ),
        (
            "UnivariateTreeClassifier",
            {"class_weight": {"learner": 2.0, "a": 1.0}},
            {"class_weight": {"pairs": [["learner", 2.0], ["a", 1.0]]}},
        ),
    ],
)
def test_names_of_parameters(learner, old, new):
    assert converted(learner, **old)["parameters"] == new


def test_thermal_training_is_a_learner_of_its_own():
    training = {"splitter": "thermal_machine", "a": 0.9, "eliminate": None, "significance": 0.05}
    model = converted("LinearMachineTreeClassifier", training=training, l2=0.3, eliminate="auto")
    assert model["learner"] == "ThermalMachineTreeClassifier"
    assert model["parameters"] == {"a": 0.9, "eliminate": None, "eliminate_significance": 0.05}
    model = converted("LinearMachineTreeClassifier", training="thermal", smoothing=2.0)
    assert model["parameters"] == {"smoothing": 2.0}
    assert model["tree"]["smoothing"] == 2.0


def test_parameters_come_back():
    assert load(GOLDEN / "trained.miter.gz").eliminate_significance == 0.05
    assert load(GOLDEN / "smoothed.miter.gz").pruning.n_folds == 3
    assert load(GOLDEN / "linear.miter.gz").n_init == 2
    assert load(GOLDEN / "machine_costs.miter").costs == [[0, 2, 1.5], [1, 0, 3], [1, 1, 0]]
    assert load(GOLDEN / "few_labels.miter.gz").get_params()["unlabelled"] == "unknown"
    assert load(GOLDEN / "frame.miter.gz").feature_names_in_.tolist() == [
        "length",
        "breite",
        "colour",
    ]
    pixels = load(GOLDEN / "pixels.miter.gz")
    assert pixels.class_names == {0: "sky", 3: "road", 7: "grass"}
    assert pixels.estimator.max_depth == 3


# ---- files that are refused ----------------------------------------------------------------


WRONG = [
    ("learner", ["TreeClassifier"], "there is no learner"),
    ("learner", "NoTree", "there is no learner 'NoTree'"),
    ("parameters", [], "parameters: not an object"),
    ("parameters pruning", {"pruner": ["axe"]}, "there is no pruning"),
    ("parameters splitter", {"splitter": ["axe"]}, "there is no splitter"),
    ("parameters max_deep", 3, "no parameter 'max_deep'"),
    ("has_feature_names", 1, "state.has_feature_names: 1 is not of the type bool"),
    ("costs", "some.file", "costs: 'some.file' is not a list"),
    ("costs", [[0, 1]], "model file: "),
    ("schema", None, "schema: None stands where"),
    ("nodes", None, "not a list of nodes"),
    ("nodes 3", 7, "nodes[3]: 7 stands where"),
    ("nodes 0 split", 5, "nodes[0].split: not an object"),
    ("nodes 0 children", [2, 1], "nodes[0].children: the children must be numbered from 1"),
    ("nodes 1 split cuts", [1.5, 0.5], "node 1: cuts must ascend"),
    ("nodes 2 split terms", 3, "nodes[2].split.terms: 3 is not a list"),
    ("nodes 2 split terms", [], "node 2: a linear split needs its terms"),
    ("nodes 2 split terms 0", 3, "nodes[2].split.terms[0]: 3 stands where"),
    ("nodes 2 split terms 0 weights", "1", "nodes[2].split.terms[0].weights[0][0]: "),
    ("nodes 2 split terms 1 weights", 1.0, "node 2: the column is of another kind"),
    ("nodes 2 split terms 0 weights", [], "model file: "),
    ("nodes 6 split terms 0 missing", [0.0], "node 6: terms and weights differ in number"),
    ("pixels", 3, "pixels: 3 stands where"),
    ("pixels", {"features": {}, "ids": 3}, "state.ids: 3 is not a list"),
    ("pixels", {"features": {}, "ids": [1, 2]}, "they are not the columns of the trees"),
    ("extra", 1, "a field 'extra'"),
]


@pytest.mark.parametrize(
    ("path", "value", "why"), WRONG, ids=[f"{path}={value!r:.20}" for path, value, _ in WRONG]
)
def test_wrong_content(sound, seal, tmp_path, path, value, why):
    model = deepcopy(sound)
    *way, last = [int(step) if step.isdigit() else step for step in path.split()]
    place = model
    for step in way:
        place = place[step]
    place[last] = value
    (tmp_path / "model.miter").write_bytes(seal(model, version=1))
    with pytest.raises(ModelFileError) as caught:
        load(tmp_path / "model.miter")
    assert why in str(caught.value)


def test_what_version_1_cannot_say(sound, seal, tmp_path):
    (tmp_path / "model.miter").write_bytes(seal(sound, version=2))
    with pytest.raises(ModelFileError, match="the field 'state' is missing"):
        load(tmp_path / "model.miter")
