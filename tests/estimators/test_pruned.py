"""A finished model, pruned."""

import numpy as np
import pytest

from miter import CostComplexity, CutToSize, LinearMachineTreeClassifier, UnivariateTreeClassifier
from miter.data import led
from miter.errors import DataError

COSTS = {"a": {"b": 8}, "b": {"a": 2}}


def noisy(seed, n_rows=400):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 4))
    return X, np.where((X[:, 0] > 0) ^ (random.random(n_rows) < 0.25), "a", "b")


@pytest.mark.parametrize("costs", [None, COSTS], ids=["plain", "costs"])
@pytest.mark.parametrize("by", ["pessimistic", "mdl", "error_based", CostComplexity(2.5)])
def test_it_is_as_if_it_had_been_grown_so(by, costs):
    X, y = noisy(0)
    full = UnivariateTreeClassifier(pruning=None, costs=costs).fit(X, y)
    direct = UnivariateTreeClassifier(pruning=by, costs=costs).fit(X, y)
    # A branch that rises takes its rows with it.
    later = full.pruned(by, X, y)
    assert later.get_n_leaves() == direct.get_n_leaves() < full.get_n_leaves()
    assert np.allclose(later.predict_proba(X), direct.predict_proba(X))
    if costs is not None:
        assert np.allclose(later.tree_.losses, direct.tree_.losses)


def test_the_first_one_stays():
    model = LinearMachineTreeClassifier(pruning=None, random_state=0).fit(
        led(200, noise=0.3, seed=0)
    )
    before = model.get_n_leaves()
    assert model.pruned(CutToSize(1)).get_n_leaves() == 1
    assert model.get_n_leaves() == before > 1


def test_rows_for_pruning_are_rows_like_those_of_training():
    X, y = noisy(0)
    model = UnivariateTreeClassifier(pruning=None).fit(X, y)
    small = model.pruned("reduced_error", *noisy(1), sample_weight=np.ones(400))
    assert small.get_n_leaves() < model.get_n_leaves()
    assert small.score(*noisy(2, 2000)) > model.score(*noisy(2, 2000))
    with pytest.raises(DataError, match="needs validation rows"):
        model.pruned("reduced_error")
    with pytest.raises(ValueError, match="pruning is 'axe'"):
        model.pruned("axe")
