import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from miter.lab import cost_curve, roc


@given(st.integers(0, 2**32 - 1), st.integers(2, 60))
def test_area_is_scikit_learns(seed, n_rows):
    random = np.random.default_rng(seed)
    truth = random.random(n_rows) < 0.5
    truth[:2] = True, False
    score = random.integers(0, 5, n_rows) / 4
    assert roc(truth, score).area == pytest.approx(roc_auc_score(truth, score))


@given(st.integers(0, 2**32 - 1), st.floats(0.05, 0.95), st.floats(0.1, 10))
def test_cost_is_the_least_over_all_thresholds(seed, share, price_of_miss):
    """The curve at the price of given costs equals trying every threshold on the rows."""
    random = np.random.default_rng(seed)
    truth = random.random(200) < share
    truth[:2] = True, False
    score = np.clip(0.3 * truth + 0.7 * random.random(200), 0, 1)
    p = truth.mean()
    price = p * price_of_miss / (p * price_of_miss + (1 - p))
    curve = cost_curve(truth, score, n_points=2001)
    costs = []
    for threshold in [*np.unique(score), np.inf]:
        said = score >= threshold
        missed, false = (truth & ~said).sum(), (~truth & said).sum()
        worst = price_of_miss * truth.sum() + (~truth).sum()
        costs.append((price_of_miss * missed + false) / worst)
    expected = np.interp(price, curve.probability_cost, curve.cost)
    assert expected == pytest.approx(min(costs), abs=0.002)


def test_a_useless_classifier_costs_the_trivial_one():
    curve = cost_curve([True, False], [0.5, 0.5], n_points=11)
    price = curve.probability_cost
    assert curve.cost == pytest.approx(np.minimum(price, 1 - price))
    assert curve.area == pytest.approx(0.25)


@pytest.mark.parametrize("truth", [[True, True], [False, False]])
def test_both_kinds_of_rows_are_needed(truth):
    with pytest.raises(ValueError, match="rows of the class and rows of others"):
        roc(truth, [0.1, 0.2])
