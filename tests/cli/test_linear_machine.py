"""Linear machine trees from the command line."""

import pytest

from miter import LinearMachineTreeClassifier, ThermalMachineTreeClassifier, read
from miter.model_file import load


@pytest.mark.parametrize(
    ("learner", "kind"),
    [("linear_machine", LinearMachineTreeClassifier), ("lmdt91", ThermalMachineTreeClassifier)],
)
def test_fit_show_and_predict(run, weather, tmp_path, learner, kind):
    path = tmp_path / "tree.miter"
    arguments = ["fit", weather, "--target", "play", "-o", path, "--seed", "1"]
    result = run(*arguments, "--learner", learner)
    assert result.code == 0
    model = load(path)
    assert ("the tree is a single leaf" in result.err) == (model.tree_.n_nodes == 1)
    assert type(model) is kind
    assert f"{learner} tree: {model.tree_.n_nodes} node" in result.out
    assert run("show", path).code == 0
    predicted = run("predict", path, weather)
    assert predicted.code == 0, predicted.err
    answers = model.predict(read(weather, target="play"))
    assert [line.split(",")[0] for line in predicted.out.splitlines()[1:]] == list(answers)


def test_parameters(run, weather, tmp_path):
    path = tmp_path / "tree.miter"
    result = run(
        *["fit", weather, "--target", "play", "-o", path, "--learner", "linear_machine"],
        *["-p", "terms=linear", "-p", "anneal=true", "-p", "eliminate=false", "-p", "l2=2"],
        *["-p", "max_features=2", "-p", "pruning=null", "--seed", "5"],
    )
    assert result.code == 0, result.err
    model = load(path)
    assert (model.terms, model.anneal, model.eliminate) == ("linear", True, False)
    assert (model.l2, model.max_features, model.pruning, model.random_state) == (2, 2, None, 5)


def test_wrong_values_are_named(run, weather, tmp_path):
    arguments = ["fit", weather, "--target", "play", "-o", tmp_path / "tree.miter"]
    result = run(*arguments, "--learner", "linear_machine", "-p", "terms=bend")
    assert result.code != 0
    assert "terms is 'bend'" in result.sentence
    result = run(*arguments, "--learner", "linear_machine", "-p", "term=bent")
    assert "has no parameter 'term'; did you mean 'terms'?" in result.sentence
