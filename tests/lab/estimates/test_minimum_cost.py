import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from miter import BaggedTreesClassifier, id3
from miter.data import Column, Data, Schema, led
from miter.data.costs import cost_matrix
from miter.errors import DataError
from miter.lab import MinimumCostClassifier
from miter.lab.estimates.adapter import fit_on, predict_codes, takes_data
from miter.lab.estimates.tree_size import measure_size

NAMED = {"good": {"bad": 5}, "bad": {"good": 1}}


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks([MinimumCostClassifier(DecisionTreeClassifier(random_state=0))])
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def test_least_expected_cost_by_hand():
    # 'bad' has probability 1/4, 1/6 and 0 in the three groups; it is answered from 1/6 on.
    X = np.array([[0]] * 4 + [[1]] * 7 + [[2]] * 2)
    y = ["bad"] + ["good"] * 3 + ["bad"] + ["good"] * 6 + ["good"] * 2
    model = MinimumCostClassifier(DecisionTreeClassifier(), NAMED).fit(X, y)
    assert model.classes_.tolist() == ["bad", "good"]
    assert model.costs_.tolist() == [[0, 1], [5, 0]]
    assert model.predict([[0], [1], [2]]).tolist() == ["bad", "good", "good"]
    dearer = {"good": {"bad": 7}, "bad": {"good": 1}}
    model = MinimumCostClassifier(DecisionTreeClassifier(), dearer).fit(X, y)
    assert model.predict([[0], [1], [2]]).tolist() == ["bad", "bad", "good"]
    assert model.predict_proba([[1]]).tolist() == [[1 / 7, 6 / 7]]


def test_without_costs_it_answers_like_the_estimator():
    data = led(300)
    tree = DecisionTreeClassifier(random_state=0)
    plain, wrapped = (e.fit(data.X, data.labels) for e in (tree, MinimumCostClassifier(tree)))
    assert (plain.predict(data.X) == wrapped.predict(data.X)).all()


def test_the_estimator_is_not_changed():
    tree = DecisionTreeClassifier()
    MinimumCostClassifier(tree, NAMED).fit([[0], [1]], ["good", "bad"])
    assert not hasattr(tree, "tree_")


def test_a_learner_without_probabilities():
    with pytest.raises(TypeError, match="LinearSVC gives no probabilities"):
        MinimumCostClassifier(LinearSVC(), NAMED).fit([[0], [1]], ["good", "bad"])


# ---- in the laboratory ---------------------------------------------------------------------

CLASSES = ("a", "b", "c")
COSTS = {"a": {"b": 1, "c": 10}, "b": {"a": 1, "c": 10}, "c": {"a": 1, "b": 1}}


def make(labels, weight=None):
    schema = Schema((Column("x", "numeric"),), CLASSES)
    X = np.zeros((len(labels), 1))
    y = np.array([CLASSES.index(label) for label in labels], np.int32)
    return Data(schema, X, y, weight)


BAGGING = BaggedTreesClassifier(voting="average", random_state=0)


@pytest.mark.parametrize("learner", [DecisionTreeClassifier(), id3(), BAGGING])
def test_costs_by_name_for_every_learner(learner):
    data = make("aaaaaabcc")
    fitted = fit_on(MinimumCostClassifier(learner, COSTS), data)
    assert CLASSES[predict_codes(fitted, data)[0]] == "c"
    assert CLASSES[predict_codes(fit_on(learner, data), data)[0]] == "a"
    assert takes_data(MinimumCostClassifier(learner)) == takes_data(learner)


def test_a_class_that_no_training_row_has():
    fitted = fit_on(MinimumCostClassifier(DecisionTreeClassifier(), COSTS), make("aaac"))
    assert predict_codes(fitted, make("bbb")).tolist() == [2, 2, 2]
    assert fitted[-1].costs_.tolist() == [[0, 10], [1, 0]]


@pytest.mark.parametrize("is_in_pipeline", [False, True])
def test_weights_reach_the_estimator(is_in_pipeline):
    inner = DecisionTreeClassifier()
    inner = make_pipeline(StandardScaler(), inner) if is_in_pipeline else inner
    weight = np.array([1.0, 1.0, 1.0, 50.0])
    for given, share in ((None, 1 / 4), (weight, 50 / 53)):
        fitted = fit_on(MinimumCostClassifier(inner, COSTS), make("aaac", given))
        assert fitted[-1].predict_proba([[0]])[0, 1] == pytest.approx(share)


def test_costs_that_name_no_class_are_told():
    with pytest.raises(DataError, match="costs name 'd'"):
        fit_on(MinimumCostClassifier(LogisticRegression(), {"d": {"a": 1}}), make("ab"))


def test_size_is_that_of_the_tree_inside():
    data = led(300)
    fitted = fit_on(MinimumCostClassifier(DecisionTreeClassifier(random_state=0)), data)
    plain = fit_on(DecisionTreeClassifier(random_state=0), data)
    assert measure_size(fitted) == measure_size(plain)
    assert measure_size(fitted).nodes > 10


def test_the_matrix_is_that_of_the_costs():
    fitted = fit_on(MinimumCostClassifier(id3(), COSTS), make("abc"))
    assert (fitted.costs_ == cost_matrix(COSTS, CLASSES)).all()
