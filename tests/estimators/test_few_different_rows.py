"""Tables of many rows of which few are different: no learner may take them for rows never seen."""

import numpy as np
import pytest

import miter


def table(n_different, n_rows=2000, seed=0):
    """Return rows, labels, and each different row with the probabilities of its classes."""
    random = np.random.default_rng(seed)
    kinds = np.unique(random.integers(0, 4, (2 * n_different, 4)), axis=0)
    kinds = random.permutation(kinds)[:n_different].astype(float)
    shares = random.dirichlet(np.ones(3), len(kinds))
    which = random.integers(0, len(kinds), n_rows)
    y = (random.random(n_rows)[:, None] > shares[which].cumsum(axis=1)).sum(axis=1)
    return kinds[which], y, kinds, shares


@pytest.mark.parametrize(
    "learner",
    [
        miter.LinearMachineTreeClassifier(random_state=0),
        miter.LinearCombinationTreeClassifier(random_state=0),
        miter.PerceptronTreeClassifier(random_state=0),
        miter.NetworkTreeClassifier(random_state=0),
        miter.HybridTreeClassifier(random_state=0),
        miter.UnivariateTreeClassifier(random_state=0),
        miter.LinearMachineForestClassifier(n_estimators=20, random_state=0),
    ],
    ids=lambda learner: type(learner).__name__,
)
@pytest.mark.parametrize("n_different", [10, 30, 100])
def test_the_best_possible_is_reached(learner, n_different):
    X, y, kinds, shares = table(n_different)
    # No answer is better founded than the most common class among the equals of a row.
    common = [np.bincount(y[(kind == X).all(axis=1)], minlength=3).argmax() for kind in kinds]
    rows = np.arange(len(kinds))
    answer = learner.fit(X, y).predict(kinds)
    assert shares[rows, answer].mean() > shares[rows, common].mean() - 0.01
    if n_different == 10:  # with fewer rows of each kind even the most common class may err
        assert shares[rows, answer].mean() > shares.max(axis=1).mean() - 0.01
