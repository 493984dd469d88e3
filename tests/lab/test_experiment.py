from pathlib import Path

import pytest
from sklearn.linear_model import LogisticRegression

from miter.data import monks, play_tennis
from miter.lab.experiment import Experiment, ExperimentError, SetChoice


def test_sets_are_called_after_their_files():
    paths = ["iris/iris.data", Path("adult.data.gz"), "stem", {"path": "a.b.csv", "target": "y"}]
    experiment = Experiment(paths, ["id3"])
    assert [choice.name for choice in experiment.sets] == ["iris", "adult", "stem", "a.b"]
    assert experiment.sets[3].target == "y"
    assert [choice.name for choice in Experiment("iris.data", ["id3"]).sets] == ["iris"]


def test_sets_may_be_rows_at_hand():
    data = monks(1)
    experiment = Experiment({"first": data}, ["id3"])
    assert experiment.sets[0].read() is data
    again = Experiment([SetChoice("second", data=data)], ["id3"])
    assert again.sets[0].name == "second"


def test_learners_are_names_pairs_or_estimators():
    estimator = LogisticRegression(C=3)
    experiment = Experiment(
        {"tennis": play_tennis()},
        {
            "a": "id3",
            "b": ("sklearn.tree.DecisionTreeClassifier", {"max_depth": 2}),
            "c": estimator,
        },
    )
    described = [choice.describe() for choice in experiment.learners]
    assert [item["class"].rpartition(".")[2] for item in described] == [
        "UnivariateTreeClassifier",
        "DecisionTreeClassifier",
        "LogisticRegression",
    ]
    assert described[1]["parameters"] == {"max_depth": 2}
    assert described[2]["parameters"] == {"C": 3}
    assert experiment.learners[2].estimator is not estimator


def test_describe():
    experiment = Experiment({"tennis": play_tennis()}, ["id3"], "5x2", seed=3)
    described = experiment.describe(["abc"])
    assert described["sets"] == [{"name": "tennis", "hash": "abc"}]
    assert (described["resampling"], described["seed"]) == ("5x2", 3)
    assert "resampling='5x2', seed=3" in repr(experiment)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            {"learners": ["univariat"]},
            "there is no learner 'univariat'; did you mean 'univariate'?",
        ),
        (
            {"learners": {"a": "univariat"}},
            "learner 'a': there is no learner 'univariat'; did you mean 'univariate'?",
        ),
        (
            {"learners": {"a": ("id3", {"max_dept": 1})}},
            "learner 'a': learner 'id3' has no parameter 'max_dept'; did you mean 'max_depth'?",
        ),
        ({"learners": ["os.system"]}, "there is no learner 'os.system'; known are 'univariate'"),
        ({"learners": ["id3", "id3"]}, "two learners are called 'id3'"),
        ({"learners": []}, "there are no learners; give at least one"),
        ({"learners": {"a": 3}}, "learner 'a' is 3; give a name"),
        ({"sets": ["a/iris.data", "b/iris.data"]}, "two sets are called 'iris'"),
        ({"sets": []}, "there are no sets"),
        ({"sets": [3]}, "a set is 3; give a path"),
        ({"sets": [{"path": "a.csv", "traget": "y"}]}, "a set has no 'traget'; did you mean 'tar"),
        ({"sets": [{"target": "y"}]}, "the set {'target': 'y'} has no path"),
        ({"resampling": "jackknife"}, "there is no resampling 'jackknife'; known are '10-fold'"),
        ({"seed": -1}, "seed is -1; give a whole number"),
        ({"seed": True}, "seed is True"),
    ],
    ids=str,
)
def test_mistakes(arguments, sentence):
    settings = {"sets": ["iris.data"], "learners": ["id3"]} | arguments
    with pytest.raises(ExperimentError) as caught:
        Experiment(**settings)
    assert str(caught.value).startswith(sentence)


def test_settings_that_mean_nothing_are_found_before_running():
    with pytest.raises(ExperimentError, match="max_depth is 'x'"):
        Experiment({"monks": monks(1)}, {"deep": ("id3", {"max_depth": "x"})})
