"""A list of rules with the whole contract of a classifier."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks

import miter
from miter import LinearMachineTreeClassifier, RuleListClassifier, c45
from miter.errors import ModelFileError
from miter.model_file.model import plain_model, read_model
from miter.registry import make_learner


@parametrize_with_checks(
    [
        RuleListClassifier(),
        RuleListClassifier(c45(), post_pruning=False),
    ]
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize("post_pruning", [True, False])
def test_saved_and_loaded(post_pruning, drawn, random_points, tmp_path):
    data = drawn(0)
    costs = {"x": {"y": 5, "z": 1}, "y": {"x": 1, "z": 2}, "z": {"x": 3, "y": 1}}
    model = RuleListClassifier(c45(pruning=None, costs=costs), post_pruning=post_pruning).fit(data)
    path = tmp_path / "rules.miter"
    miter.save(model, path)
    loaded = miter.load(path)
    assert loaded.rules_ == model.rules_
    X = random_points(data)
    assert np.array_equal(loaded.predict_codes(X), model.predict_codes(X))
    assert np.array_equal(loaded.predict_shares(X), model.predict_shares(X))
    assert loaded.get_params()["post_pruning"] is post_pruning


def test_machines_are_saved_too(tmp_path):
    X, y = load_iris(return_X_y=True)
    tree = LinearMachineTreeClassifier(random_state=0)
    model = RuleListClassifier(tree).fit(X, y)
    miter.save(model, tmp_path / "m.miter")
    assert np.array_equal(miter.load(tmp_path / "m.miter").predict(X), model.predict(X))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda r: r.update(rules=[], default=None), "no rules, and no default"),
        (lambda r: r["rules"][0].update(answer=7), "answers a class that there is not"),
        (lambda r: r["rules"][0].update(counts=[1.0]), "one for each class"),
        (lambda r: r["rules"][0].update(shares=[]), "a share for each condition"),
        (lambda r: r["rules"][0]["shares"].__setitem__(0, 3.0), "not between 0 and 1"),
        (lambda r: r["rules"][0]["conditions"][0].update(branch=9), "a branch that there is not"),
        (lambda r: r["rules"][0]["conditions"][0].update(branch=-1), "a branch that there is not"),
        (lambda r: r["rules"][0]["conditions"][0]["split"].update(column=99), "column"),
        (lambda r: r["rules"][0]["conditions"][0]["split"].update(rows=2), "rows"),
        (
            lambda r: r["default"].update(
                conditions=r["rules"][0]["conditions"], shares=r["rules"][0]["shares"]
            ),
            "the default has conditions",
        ),
    ],
)
def test_rules_that_cannot_be_are_refused(change, sentence):
    X, y = load_iris(return_X_y=True)
    plain = json.loads(json.dumps(plain_model(RuleListClassifier().fit(X, y))))
    change(plain["state"]["rules"])
    with pytest.raises(ValueError, match=sentence):
        read_model(plain)


def test_a_file_with_wrong_rules_is_refused(tmp_path):
    X, y = load_iris(return_X_y=True)
    path = tmp_path / "rules.miter"
    miter.save(RuleListClassifier().fit(X, y), path)
    path.write_text(path.read_text().replace('"answer"', '"anwser"'))
    with pytest.raises(ModelFileError):
        miter.load(path)


def test_frames_with_symbols_and_missing_values():
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"colour": random.choice(["red", "blue", None], 200), "x": random.normal(size=200)}
    )
    y = np.where((frame["colour"] == "red") & (frame["x"] > 0), "yes", "no")
    model = RuleListClassifier().fit(frame, y)
    assert model.score(frame, y) > 0.9
    assert any("colour = red" in line for line in model.rules_.say())
    unseen = pd.DataFrame({"colour": [None, "red"], "x": [np.nan, 1.0]})
    assert model.predict(unseen).tolist()[1] == "yes"


def test_weight_two_is_the_row_twice(drawn):
    data = drawn(0, n_rows=150)
    frame = pd.DataFrame(data.X)
    one = RuleListClassifier().fit(frame, data.labels, sample_weight=1 + (np.arange(150) < 60))
    again = np.concatenate([np.arange(150), np.arange(60)])
    two = RuleListClassifier().fit(frame.iloc[again], data.labels[again])
    assert one.rules_.say() == two.rules_.say()


def test_answers_for_other_costs():
    X, y = load_iris(return_X_y=True)
    model = RuleListClassifier().fit(X, y)
    dear = [[0, 1, 1], [1, 0, 99], [1, 1, 0]]
    assert (model.predict(X, dear) == 2).sum() > (model.predict(X) == 2).sum()


def test_by_name():
    model = make_learner("rules", {"confidence": 0.1})
    assert isinstance(model, RuleListClassifier)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"estimator": "c45"}, "estimator is 'c45'; give a tree of Miter's"),
        ({"post_pruning": "yes"}, "post_pruning is 'yes'"),
        ({"confidence": 0}, "confidence is 0"),
    ],
)
def test_wrong_settings(settings, sentence):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=sentence):
        RuleListClassifier(**settings).fit(X, y)
