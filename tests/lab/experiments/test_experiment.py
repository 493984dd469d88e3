from pathlib import Path

import pytest
from sklearn.linear_model import LogisticRegression

from miter import id3
from miter.data import monks, play_tennis
from miter.lab import MinimumCostClassifier
from miter.lab.experiments.experiment import Experiment, ExperimentError, SetChoice
from miter.lab.experiments.task import wants_costs


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
        ({"costs": 1}, "costs is 1; give true or false"),
        ({"train_with_costs": "yes"}, "train_with_costs is 'yes'; give true or false"),
        (
            {"learners": ["GaussianNB"], "train_with_costs": True},
            "no learner can be trained with costs; name one that uses them, as in 'GaussianNB+c",
        ),
        (
            {"learners": {"a": ("id3+costs", {"costs": [[0, 1], [2, 0]]})}},
            "learner 'a': it is given costs, and '+costs' says to use those of each set",
        ),
        ({"learners": ["id4+costs"]}, "there is no learner 'id4'; did you mean 'id3'?"),
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


# ---- costs ---------------------------------------------------------------------------------


@pytest.fixture
def credit(tmp_path):
    """Return a function that makes paths in a folder with some costs in it."""
    (tmp_path / "credit.costs").write_text("good, bad: 5\nbad, good: 1\n")
    (tmp_path / "loans.costs").write_text("good, bad: 3\nbad, good: 1\n")
    return tmp_path.joinpath


def read_costs(experiment):
    matrices = [choice.read_costs(("good", "bad")) for choice in experiment.sets]
    return [None if matrix is None else matrix.tolist() for matrix in matrices]


def test_costs_lie_beside_the_rows_or_are_given(credit):
    named = {"bad": {"good": 2}, "good": {"bad": 4}}
    sets = [
        credit("credit.data"),
        {"path": credit("loans.csv"), "costs": True},
        {"path": credit("x.data"), "costs": credit("credit.costs")},
        {"path": credit("y.data"), "costs": named},
        SetChoice("rows", data=play_tennis(), costs=[[0, 9], [8, 0]]),
    ]
    by_hand = [[[0, 3], [1, 0]], [[0, 5], [1, 0]], [[0, 4], [2, 0]], [[0, 9], [8, 0]]]
    assert read_costs(Experiment(sets, ["id3"])) == [None, *by_hand]
    assert read_costs(Experiment(sets, ["id3"], costs=True)) == [[[0, 5], [1, 0]], *by_hand]


@pytest.mark.parametrize("name", ["credit.data.gz", "credit.data", "credit.csv", "credit"])
def test_the_file_beside_has_the_name_of_the_set(credit, name):
    experiment = Experiment([credit(name)], ["id3"], costs=True)
    assert read_costs(experiment) == [[[0, 5], [1, 0]]]


def test_costs_that_are_not_there(credit):
    experiment = Experiment([credit("none.data")], ["id3"], costs=True)
    with pytest.raises(ExperimentError, match=r"set 'none': there is no file .*none\.costs; write"):
        read_costs(experiment)
    experiment = Experiment({"rows": play_tennis()}, ["id3"], costs=True)
    with pytest.raises(ExperimentError, match="set 'rows': its rows come from no file"):
        read_costs(experiment)
    experiment = Experiment([{"path": "a.csv", "costs": {"god": {"bad": 1}}}], ["id3"])
    with pytest.raises(ExperimentError, match="set 'a': costs name 'god'"):
        read_costs(experiment)


def test_learners_that_use_costs():
    learners = ["id3", "id3+costs", "GaussianNB", "GaussianNB+costs"]
    plain, costly, bayes, careful = (
        choice.estimator for choice in Experiment(["a.data"], learners).learners
    )
    assert [wants_costs(one) for one in (plain, costly, bayes, careful)] == [
        *[False, True, False, True]
    ]
    assert type(costly) is type(plain)
    assert isinstance(careful, MinimumCostClassifier)
    assert type(careful.estimator) is type(bayes)


def test_train_with_costs_is_for_those_that_can_and_were_given_none():
    given = id3(costs=[[0, 1], [2, 0]])
    learners = {"own": given, "none": "id3", "bayes": "GaussianNB"}
    experiment = Experiment(["a.data"], learners, train_with_costs=True)
    assert [wants_costs(choice.estimator) for choice in experiment.learners] == [
        *[False, True, False]
    ]
    assert experiment.learners[0].estimator.costs == [[0, 1], [2, 0]]
    assert experiment.sets[0].costs is True


def test_sets_have_costs_where_a_learner_uses_them():
    assert not Experiment(["a.data"], ["id3"]).has_costs
    assert Experiment(["a.data"], ["id3"], costs=True).has_costs
    assert Experiment(["a.data"], ["id3", "id3+costs"]).has_costs
    assert Experiment(["a.data"], {"mine": id3(costs=True)}).has_costs


def test_costs_make_another_experiment(credit):
    sets = [credit("credit.data"), credit("loans.data")]
    experiment = Experiment(sets, ["id3"], costs=True)
    matrices = [choice.read_costs(("good", "bad")) for choice in experiment.sets]
    described = experiment.describe(["ab", "cd"], matrices)
    assert described["sets"] == [
        {"name": "credit", "hash": "ab", "costs": [[0, 5], [1, 0]]},
        {"name": "loans", "hash": "cd", "costs": [[0, 3], [1, 0]]},
    ]
