import pytest

from miter.lab.experiments.experiment import ExperimentError
from miter.lab.experiments.experiment_file import read_experiment

GOOD = """
seed = 1
resampling = "10-fold"
sets = ["iris/iris.data", {path = "cars.csv", target = "class", kinds = {id = "ignored"}}]
[learners]
id3 = "id3"
[learners.univariate]
parameters = {max_depth = 3}
[learners.cart]
learner = "sklearn.tree.DecisionTreeClassifier"
parameters = {min_samples_leaf = 5}
"""


@pytest.fixture
def write(tmp_path):
    def write(text):
        path = tmp_path / "trees.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_everything_is_read(write):
    path = write(GOOD)
    experiment = read_experiment(path)
    assert [choice.name for choice in experiment.learners] == ["id3", "univariate", "cart"]
    assert experiment.learners[1].estimator.max_depth == 3
    assert experiment.learners[2].estimator.min_samples_leaf == 5
    assert (experiment.resampling.name, experiment.seed) == ("10-fold", 1)
    iris, cars = experiment.sets
    assert iris.path == path.parent / "iris" / "iris.data"
    assert (cars.name, cars.target, cars.kinds) == ("cars", "class", {"id": "ignored"})


def test_defaults(write):
    experiment = read_experiment(write('sets = ["a.csv"]\nlearners = {id3 = "id3"}'))
    assert (experiment.resampling.name, experiment.seed) == ("5x2", 0)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("sets = [", "this is not TOML: "),
        (b"# \xff", "byte 2 is not UTF-8"),
        ("", "the key 'sets' is missing"),
        ('sets = ["a.csv"]', "the key 'learners' is missing"),
        (GOOD.replace("seed", "sead"), "there is no key 'sead'; did you mean 'seed'?"),
        (
            GOOD.replace("target", "traget"),
            "set 2: there is no key 'traget'; did you mean 'target'",
        ),
        (GOOD.replace('"cars.csv"', "3"), "set 2: path is 3; give a text"),
        (GOOD.replace('{id = "ignored"}', "3"), "set 2: kinds is 3"),
        ('sets = "a.csv"\nlearners = {}', "sets is 'a.csv'; give a list"),
        ("sets = [3]\nlearners = {}", "set 1: 3 is no set"),
        ('sets = ["a.csv"]\nlearners = 3', "learners is 3; give a table for each"),
        ('sets = ["a.csv"]\nlearners = {a = 3}', "learners.a: 3 is no learner"),
        ('sets = ["a.csv"]\nlearners = {}', "there are no learners"),
        (
            GOOD.replace("parameters = {max", "params = {max"),
            "learners.univariate: there is no key",
        ),
        (GOOD.replace("{max_depth = 3}", "3"), "learners.univariate: learner must be a text"),
        (
            GOOD.replace("max_depth", "max_dept"),
            "learner 'univariate' has no parameter 'max_dept';",
        ),
        (
            GOOD.replace("sklearn.tree.Dec", "sklearn.trees.Dec"),
            "learner 'cart': there is no learner 'sklearn.trees.DecisionTreeClassifier'; did you "
            "mean 'sklearn.tree.DecisionTreeClassifier'",
        ),
        (GOOD.replace("10-fold", "tenfold"), "there is no resampling 'tenfold'; known are"),
        (GOOD.replace("seed = 1", "seed = 1.5"), "seed is 1.5"),
        (GOOD.replace("seed = 1", "costs = 1"), "costs is 1; give true or false"),
        (GOOD.replace('target = "class"', "costs = 3"), "set 2: costs is 3; give the name of a f"),
        (GOOD.replace('target = "class"', "costs = false"), "set 2: costs is False; give"),
        (GOOD.replace("seed = 1", "cost = true"), "there is no key 'cost'; did you mean 'costs'"),
    ],
    ids=range(23),
)
def test_mistakes_name_file_and_place(write, text, sentence):
    path = write(text)
    with pytest.raises(ExperimentError) as caught:
        read_experiment(path)
    assert str(caught.value).startswith(f"{path}: {sentence}")


def test_no_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_experiment(tmp_path / "none.toml")


def test_costs(write, tmp_path):
    path = write(
        """
        costs = true
        train_with_costs = true
        sets = [
            "a.data",
            {path = "b.data", costs = "prices/b.costs"},
            {path = "c.data", costs = {good = {bad = 5}, bad = {good = 1}}},
            {path = "d.data", costs = true},
        ]
        [learners]
        id3 = "id3"
        bayes = "GaussianNB+costs"
        """
    )
    experiment = read_experiment(path)
    named = {"good": {"bad": 5}, "bad": {"good": 1}}
    expected = [True, tmp_path / "prices" / "b.costs", named, True]
    assert [choice.costs for choice in experiment.sets] == expected
    assert [choice.estimator.costs for choice in experiment.learners] == [True, True]
    calm = read_experiment(write(path.read_text().replace("train_with_costs = true", "")))
    assert [choice.estimator.costs for choice in calm.learners] == [None, True]
