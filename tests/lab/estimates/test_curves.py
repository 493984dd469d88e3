import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

from miter import from_frame, id3
from miter.data import led, monks
from miter.lab import LearningCurve, learning_curve, size_curve


def test_more_rows_fewer_errors():
    curve = learning_curve(id3(), monks(1), [1, 40, 300], n_repeats=10)
    assert curve.errors.shape == (3, 10)
    assert curve.mean[0] > curve.mean[1] > curve.mean[2]


def test_one_training_row_is_answered_by_its_class():
    # 216 of the 432 rows are of each class: whatever the row, 216 of the other 431 are wrong.
    curve = learning_curve(id3(), monks(1), [1], n_repeats=5)
    assert curve.errors == pytest.approx(np.full((1, 5), 216 / 431))


def test_the_same_seed_gives_the_same_curve():
    curves = [learning_curve(id3(), monks(2), [50], n_repeats=3, seed=s) for s in (1, 1, 2)]
    assert np.array_equal(curves[0].errors, curves[1].errors)
    assert not np.array_equal(curves[0].errors, curves[2].errors)


def test_any_classifier_can_be_used():
    curve = learning_curve(DecisionTreeClassifier(random_state=0), monks(1), [300], n_repeats=3)
    assert curve.mean[0] < 0.1


def test_deviation_is_that_of_the_mean():
    curve = LearningCurve((10,), np.array([[0.1, 0.2, 0.3, 0.4]]))
    assert curve.deviation[0] == pytest.approx(np.std([0.1, 0.2, 0.3, 0.4], ddof=1) / 2)
    assert np.isnan(LearningCurve((10,), np.array([[0.1]])).deviation[0])


@pytest.mark.parametrize("size", [0, 432, 1000])
def test_sizes_must_leave_rows_to_test(size):
    with pytest.raises(ValueError, match=f"size {size} is not between 1 and 431"):
        learning_curve(id3(), monks(1), [size])


def test_large_trees_have_less_bias_and_more_variance():
    data = from_frame(*load_breast_cancer(return_X_y=True))
    curve = size_curve(id3(), data, "max_depth", [1, 2, 4], n_samples=15)
    assert np.all(np.diff(curve.nodes) > 0)
    assert np.all(np.diff(curve.train_error) < 0)
    assert np.all(np.diff(curve.bias) < 0)
    assert np.all(np.diff(curve.variance) > 0)
    assert [point["max_depth"] for point in curve.to_dicts()] == [1, 2, 4]
    assert len(str(curve).splitlines()) == 4


def test_a_learner_that_never_varies_has_no_variance():
    data = led(300, noise=0.0, seed=0)
    curve = size_curve(id3(), data, "max_depth", [0], n_samples=5)
    assert curve.nodes[0] == 1
    # Without noise the full tree is right about everything: no bias, no variance.
    full = size_curve(id3(), data, "max_depth", [7], n_samples=5)
    assert (full.error[0], full.bias[0], full.variance[0]) == (0, 0, 0)


def test_test_share_must_leave_rows():
    with pytest.raises(ValueError, match="test_share is 1"):
        size_curve(id3(), led(20), "max_depth", [1], test_share=1.0)
