import json
from math import sqrt

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

from miter.data import from_frame, led, read
from miter.estimators.univariate import UnivariateTreeClassifier, id3
from miter.lab.estimates.bootstrap import bootstrap_error
from miter.lab.estimates.resampling import Bootstrap

NEIGHBOUR = KNeighborsClassifier(1)


@pytest.fixture
def four_rows(monkeypatch):
    """Rows on a line, and two samples: one that leaves row 2 out, one that leaves row 3 out."""
    parts = [(np.array([0, 0, 1, 3]), np.array([2])), (np.array([0, 1, 2, 2]), np.array([3]))]
    monkeypatch.setattr(Bootstrap, "splits", lambda resampling, y, seed: parts)
    return from_frame(np.array([[0.0], [1.0], [2.0], [10.0]]), ["a", "a", "a", "b"])


def test_by_hand(four_rows):
    # Row 2 is taken for an a, rightly; row 3 too, wrongly; all four know themselves.
    estimate = bootstrap_error(NEIGHBOUR, four_rows, n_samples=2)
    assert estimate.per_sample.tolist() == [0, 0.632]
    assert estimate.training_error == 0
    assert estimate.error == pytest.approx(0.316)
    assert estimate.accuracy == pytest.approx(0.684)
    assert estimate.deviation == pytest.approx(0.632 / sqrt(2) / sqrt(2))
    assert str(estimate) == "31.60% +- 31.60% (1.58% - 61.62%)"


def test_plus_by_hand(four_rows):
    # Rows left out: 0 and 1, mean 0.5. Without information 2 * 3/4 * 1/4 = 0.375, which is less,
    # so overfitting is complete: 0.632 * 0.5 + 0.368 * 0.375.
    estimate = bootstrap_error(NEIGHBOUR, four_rows, n_samples=2, plus=True)
    assert estimate.error == pytest.approx(0.454)
    assert estimate.per_sample == pytest.approx([0, 0.632 + 0.368 * 0.375])


def test_training_error_counts_by_hand(four_rows):
    # Always an a: wrong in one of four rows in training, in row 3 when it is left out.
    always = DummyClassifier(strategy="constant", constant=0)
    estimate = bootstrap_error(always, four_rows, n_samples=2)
    assert estimate.training_error == 0.25
    assert estimate.per_sample == pytest.approx([0.368 * 0.25, 0.632 + 0.368 * 0.25])
    # Where nothing was learned nothing is overfitted: the no-information rate is 0.25 too.
    plus = bootstrap_error(always, four_rows, n_samples=2, plus=True)
    assert plus.error == pytest.approx(0.632 * 0.5 + 0.368 * 0.25)


@pytest.fixture(scope="module")
def digits():
    return led(60, seed=3)


def compute_directly(estimator, data, n_samples, seed):
    """Return accuracy in training, that of every sample on rows left out, and errors by row."""
    labels = np.array(data.schema.classes)[data.labels]
    theta, wrong, tested = [], np.zeros(data.n_rows), np.zeros(data.n_rows)
    for train, test in Bootstrap(n_samples).splits(data.labels, seed):
        predicted = estimator.fit(data.take(train)).predict(data.take(test))
        theta.append((predicted == labels[test]).mean())
        wrong[test] += predicted != labels[test]
        tested[test] += 1
    own = estimator.fit(data).predict(data)
    by_row = wrong[tested > 0] / tested[tested > 0]
    return (own == labels).mean(), np.array(theta), by_row, own


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "estimator", [id3(), UnivariateTreeClassifier(max_depth=3, random_state=0)]
)
def test_formula_of_the_lecture(digits, estimator, seed):
    accuracy, theta, _, _ = compute_directly(estimator, digits, 8, seed)
    expected = sum(0.632 * each + 0.368 * accuracy for each in theta) / 8
    estimate = bootstrap_error(estimator, digits, n_samples=8, seed=seed)
    assert estimate.accuracy == pytest.approx(expected, abs=1e-12)
    assert 1 - estimate.per_sample == pytest.approx(0.632 * theta + 0.368 * accuracy, abs=1e-12)
    assert estimate.training_error == pytest.approx(1 - accuracy, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "estimator", [id3(), UnivariateTreeClassifier(max_depth=3, random_state=0)]
)
def test_formula_of_efron_and_tibshirani(digits, estimator, seed):
    accuracy, _, by_row, own = compute_directly(estimator, digits, 8, seed)
    labels = np.array(digits.schema.classes)[digits.labels]
    chance = np.mean([[truth != answer for truth in labels] for answer in own])
    training, left_out = 1 - accuracy, by_row.mean()
    assert training < left_out < chance
    # The form with a weight, which is the same while the error is below that of chance.
    weight = 0.632 / (1 - 0.368 * (left_out - training) / (chance - training))
    expected = (1 - weight) * training + weight * left_out
    estimate = bootstrap_error(estimator, digits, n_samples=8, seed=seed, plus=True)
    assert estimate.error == pytest.approx(expected, abs=1e-12)


def test_learner_that_knows_its_rows_by_heart():
    # Classes that columns say nothing of: the true error is 0.5.
    random = np.random.default_rng(0)
    data = from_frame(random.normal(size=(200, 3)), random.integers(2, size=200))
    assert bootstrap_error(NEIGHBOUR, data).error == pytest.approx(0.316, abs=0.03)
    assert bootstrap_error(NEIGHBOUR, data, plus=True).error == pytest.approx(0.5, abs=0.05)


def test_example_of_the_lecture(dataset):
    data = read(dataset("monks-1"))
    estimates = [bootstrap_error(id3("normalised_gain"), data, seed=seed) for seed in range(20)]
    errors = np.array([estimate.error for estimate in estimates])
    # The lecture prints 13.30% +- 1.20%, of one seed.
    assert abs(errors.mean() - 0.1330) < 1.5 * errors.std(ddof=1)
    assert np.mean([each.deviation for each in estimates]) == pytest.approx(0.0120, abs=0.003)


def test_the_seed_decides(digits):
    first, again = (bootstrap_error(id3(), digits, seed=5) for _ in range(2))
    assert (first.per_sample == again.per_sample).all()
    assert (first.per_sample != bootstrap_error(id3(), digits, seed=6).per_sample).any()


def test_any_classifier(digits):
    estimate = bootstrap_error(LogisticRegression(), digits, n_samples=3)
    assert 0.2 < estimate.error < 0.6


def test_plain_values_survive_json(digits):
    plain = bootstrap_error(id3(), digits, n_samples=3).to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain["interval"][0] <= plain["error"] <= plain["interval"][1]


def test_one_sample_has_no_deviation(digits):
    with pytest.raises(ValueError, match="n_samples is 1; give a whole number from 2 on"):
        bootstrap_error(id3(), digits, n_samples=1)
