import pytest

from miter.classifier import TreeClassifier, UnivariateTreeClassifier
from miter.data import play_tennis
from miter.learners import LEARNERS, make_learner


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_learns(name):
    model = make_learner(name, {"random_state": 1})
    assert isinstance(model, TreeClassifier)
    assert model.fit(play_tennis()).get_n_leaves() >= 1


def test_parameters_are_set():
    model = make_learner("id3", {"max_depth": 1})
    assert (model.criterion, model.pruning, model.max_depth) == ("gain", None, 1)
    assert make_learner("univariate").get_params() == UnivariateTreeClassifier().get_params()


@pytest.mark.parametrize(
    ("name", "parameters", "sentence"),
    [
        ("univariat", {}, "there is no learner 'univariat'; did you mean 'univariate'?"),
        ("forest", {}, "there is no learner 'forest'; known are 'univariate', 'id3'"),
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
