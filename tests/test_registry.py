import sys

import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import miter
from miter.data import play_tennis
from miter.estimators.bagging import BaggedTreesClassifier
from miter.estimators.fitted import Fitted
from miter.estimators.univariate import UnivariateTreeClassifier
from miter.registry import ENTRIES, LEARNERS, find_class, make_classifier, make_learner


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_learns(name):
    model = make_learner(name, {"random_state": 1}).fit(play_tennis())
    assert isinstance(model, Fitted)
    assert len(model.predict_codes(play_tennis().X)) == 14


def test_every_class_is_found_by_its_public_name():
    for entry in ENTRIES:
        found = find_class(entry.public)
        assert found is (getattr(miter, entry.public) if entry.public[0].isupper() else None)
    assert find_class("os") is None


def test_parameters_are_set():
    model = make_learner("id3", {"max_depth": 1})
    assert (model.criterion, model.pruning, model.max_depth) == ("gain", None, 1)
    assert make_learner("univariate").get_params() == UnivariateTreeClassifier().get_params()


@pytest.mark.parametrize(
    ("name", "parameters", "sentence"),
    [
        ("univariat", {}, "there is no learner 'univariat'; did you mean 'univariate'?"),
        ("woods", {}, "there is no learner 'woods'; known are 'univariate', 'c45', 'id3'"),
        (
            "id3",
            {"max_deph": 1},
            "learner 'id3' has no parameter 'max_deph'; did you mean 'max_depth'?",
        ),
        ("univariate", {"zzz": 1}, "learner 'univariate' has no parameter 'zzz'; known are "),
    ],
)
def test_unknown_names(name, parameters, sentence):
    with pytest.raises(ValueError, match="learner") as caught:
        make_learner(name, parameters)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("id3", UnivariateTreeClassifier),
        ("bagging", BaggedTreesClassifier),
        ("LogisticRegression", LogisticRegression),
        ("sklearn.linear_model.LogisticRegression", LogisticRegression),
        ("sklearn.ensemble.HistGradientBoostingClassifier", HistGradientBoostingClassifier),
        ("sklearn.naive_bayes.GaussianNB", GaussianNB),
    ],
)
def test_any_classifier_can_be_named(name, kind):
    assert type(make_classifier(name)) is kind


def test_classifiers_get_their_parameters():
    assert make_classifier("LogisticRegression", {"C": 3}).C == 3
    assert make_classifier("id3", {"max_depth": 3}).max_depth == 3


@pytest.mark.parametrize(
    ("name", "parameters", "sentence"),
    [
        (
            "LogisticRegresion",
            {},
            "there is no learner 'LogisticRegresion'; did you mean 'Logistic",
        ),
        ("univariat", {}, "there is no learner 'univariat'; did you mean 'univariate'?"),
        (
            "sklearn.LogisticRegression",
            {},
            "there is no learner 'sklearn.LogisticRegression'; did you mean 'sklearn.linear",
        ),
        (
            "os.system",
            {},
            f"there is no learner 'os.system'; known are {', '.join(map(repr, LEARNERS))}, and the "
            "names of scikit-learn's classifiers",
        ),
        ("sklearn.linear_model.Lasso", {}, "there is no learner 'sklearn.linear_model.Lasso'"),
        ("LogisticRegression", {"c": 1}, "learner 'LogisticRegression' has no parameter 'c'; "),
        (
            "VotingClassifier",
            {},
            "learner 'VotingClassifier' needs the parameter 'estimators'; give it a value",
        ),
    ],
    ids=str,
)
def test_unknown_classifiers(name, parameters, sentence):
    with pytest.raises(ValueError, match="learner") as caught:
        make_classifier(name, parameters)
    assert str(caught.value).startswith(sentence)


def test_a_name_is_never_imported(monkeypatch):
    make_classifier("GaussianNB")  # scikit-learn is searched once
    monkeypatch.setitem(sys.modules, "antigravity", None)
    before = set(sys.modules)
    for name in ("antigravity.fly", "sklearn.antigravity", "this.s"):
        with pytest.raises(ValueError, match="there is no learner"):
            make_classifier(name)
    assert set(sys.modules) == before
