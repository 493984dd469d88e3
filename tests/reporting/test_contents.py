import json

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import miter
from miter.data import Data
from miter.errors import DataError
from miter.explaining import counterfactual
from miter.lab import evaluate
from miter.reporting.contents import contents_of_model

from .conftest import MODELS, fitted, table


@pytest.mark.parametrize("name", MODELS)
def test_contents_are_plain(name):
    contents = contents_of_model(fitted(name), table(100, seed=2), name="some.csv")
    assert json.loads(json.dumps(contents, allow_nan=False)) == contents
    assert len(contents["columns"]) == 4
    assert contents["classes"] == ["no", "perhaps", "yes"]


def test_training_rows_are_told_from_others():
    model = fitted("univariate")
    assert contents_of_model(model, table())["is_training"]
    assert "grown on" in contents_of_model(model, table())["summary"][-1]
    other = contents_of_model(model, table(100, seed=2))
    assert not other["is_training"]
    evaluation = evaluate(model, table(100, seed=2))
    assert f"{evaluation.accuracy:.1%}" in " ".join(other["summary"])


def test_what_would_change_a_row_is_what_counterfactual_says():
    model, data = fitted("univariate"), table(50, seed=6)
    changes = contents_of_model(model, data)["changes"]
    assert "0" in changes
    for place, own in list(changes.items())[:10]:
        row = data.take(np.array([int(place)]))
        wanted = counterfactual(model, row)
        assert own["words"] == list(wanted.words)
        assert model.schema_.classes[own["label"]] == wanted.label
        changed = row.X.copy()
        changed[0, own["columns"]] = [np.nan if to is None else to for to in own["to"]]
        assert model.predict_codes(changed)[0] == own["label"]


def test_a_forest_that_is_too_large_shows_a_few_trees(monkeypatch):
    from miter.reporting import forest

    monkeypatch.setattr(forest, "MOST_RUNNABLE", 10)
    model, data = fitted("votes"), table(60, seed=2)
    contents = contents_of_model(model, data)
    assert not contents["runs"]
    assert len(contents["trees"]) == len(contents["shown"]) == forest.SHOWN_TREES
    shares = np.array(contents["rows"]["shares"])
    assert np.abs(shares - model.predict_shares(data.X)).max() < 1e-4


def test_trees_that_agree_most_are_shown():
    model, data = fitted("votes"), table(200, seed=2)
    contents = contents_of_model(model, data)
    answers = model.predict_codes(data.X)
    agreement = [np.mean(tree.predict(data.X) == answers) for tree in model.trees_]
    assert contents["agreement"] == pytest.approx(agreement, abs=1e-3)
    assert contents["shown"] == sorted(np.argsort(agreement)[::-1][:3].tolist())


def test_out_of_bag_is_told_where_it_is_known():
    data = table()
    model = miter.BaggedTreesClassifier(n_estimators=8, oob_score=True, random_state=0).fit(data)
    assert contents_of_model(model, data)["out_of_bag"] == model.oob_score_
    assert contents_of_model(fitted("votes"), data)["out_of_bag"] is None


def test_clusters_have_no_classes():
    data = table()
    model = miter.ICATree(random_state=0).fit(data)
    contents = contents_of_model(model, data)
    assert contents["rows"]["truth"] is None
    assert contents["classes"][0] == "cluster 0"
    with pytest.raises(DataError, match="learns no classes"):
        contents_of_model(model, data.X, data.labels)


def test_what_has_no_report_is_told():
    data = table(40)
    for model in (
        LogisticRegression(),
        make_pipeline(StandardScaler(), miter.id3()),
        miter.RuleListClassifier().fit(data),
    ):
        with pytest.raises(DataError, match="no report of a"):
            contents_of_model(model, data)
    with pytest.raises(DataError, match="no rows"):
        contents_of_model(fitted("id3"), data.take(np.empty(0, int)))


def test_how_it_was_made_is_told():
    contents = contents_of_model(fitted("univariate"), table())
    origin = contents["origin"]
    assert origin["learner"] == "miter.UnivariateTreeClassifier"
    assert origin["parameters"]["pruning"] == "pessimistic"
    assert len(origin["data_hash"]) == 64
    assert origin["versions"]["Miter"] == miter.__version__
    assert contents["model"]["name"] == "model.miter"


def test_a_model_that_is_too_large_is_left_out(monkeypatch):
    from miter.reporting import origin

    monkeypatch.setattr(origin, "LARGEST_MODEL", 100)
    assert contents_of_model(fitted("id3"), table())["model"] is None


def test_rows_without_labels_say_nothing_of_right_and_wrong():
    data = table(40)
    contents = contents_of_model(fitted("id3"), Data(data.schema, data.X))
    assert contents["endings"] is None
    assert not any("right" in sentence for sentence in contents["summary"])
