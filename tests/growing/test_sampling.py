import numpy as np
import pytest

from miter.growing.sampling import (
    HashedRows,
    HashedSample,
    NodeSample,
    Sampling,
    hash_rows,
    salt_of,
    sampled,
    sampling_in_force,
)


def test_hashes_are_different_and_even():
    hashes = hash_rows(np.arange(100_000), salt_of(0, 1))
    assert len(np.unique(hashes)) == 100_000
    share = hashes / 2.0**64
    counts = np.bincount((share * 20).astype(int))
    assert abs(counts - 5000).max() < 5 * np.sqrt(5000)


def test_purposes_have_hashes_of_their_own():
    numbers = np.arange(50_000)
    one = HashedRows.share(0.3, salt_of(0, 1)).has(numbers)
    other = HashedRows.share(0.3, salt_of(0, 2)).has(numbers)
    assert abs((one & other).mean() - 0.09) < 0.01


def test_all_rows_are_a_share_of_one():
    assert HashedRows.share(1.0, 5).has(np.arange(1000)).all()
    assert not HashedRows.share(0.0, 5).has(np.arange(1000)).any()


def test_the_sample_is_of_the_smallest_hashes():
    hashes = hash_rows(np.arange(5000), 7)
    labels = (np.arange(5000) % 2).astype(np.int32)
    sample = NodeSample.of(200, 5000, np.array([2500.0, 2500.0]), rare=True)
    near = np.flatnonzero(hashes < sample.bounds[labels])
    rows, factor = sample.choose(hashes[near], labels[near])
    np.testing.assert_array_equal(near[rows], np.sort(np.argsort(hashes)[:200]))
    assert factor is None


def test_rare_classes_are_there_and_count_less():
    labels = np.zeros(100_000, np.int32)
    labels[::20_000] = 1
    hashes = hash_rows(np.arange(100_000), 7)
    sample = NodeSample.of(1000, 100_000, np.bincount(labels).astype(float), rare=True)
    near = np.flatnonzero(hashes < sample.bounds[labels])
    rows, factor = sample.choose(hashes[near], labels[near])
    of_rare = labels[near[rows]] == 1
    assert of_rare.sum() == 5
    np.testing.assert_allclose(factor[of_rare], 0.01)
    assert (factor[~of_rare] == 1).all()
    assert 1000 <= len(rows) <= 1005


def test_draws_with_replacement_are_those_of_poisson():
    times = HashedSample(3, 0.5, replaced=True).times(np.arange(100_000))
    assert times.mean() == pytest.approx(0.5, abs=0.01)
    assert times.var() == pytest.approx(0.5, abs=0.02)
    once = HashedSample(3, 0.5, replaced=False).times(np.arange(100_000))
    assert set(once.tolist()) == {0, 1}


def test_wide_tables_have_fewer_rows_in_one_place():
    assert Sampling().for_width(5) == Sampling(100_000, 1_000_000)
    assert Sampling().for_width(10_000) == Sampling(10_000, 10_000)
    assert Sampling(500, 700).for_width(10_000) == Sampling(500, 700)


def test_numbers_that_mean_nothing_are_refused():
    with pytest.raises(ValueError, match="sample_rows"):
        Sampling(sample_rows=1)
    with pytest.raises(ValueError, match="finish_rows"):
        Sampling(finish_rows=0.5)


def test_it_is_in_force_inside_alone():
    assert sampling_in_force() is None
    with sampled(sample_rows=300):
        assert sampling_in_force() == Sampling(300)
    assert sampling_in_force() is None
