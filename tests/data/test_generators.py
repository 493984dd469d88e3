import numpy as np
import pytest

from miter.data import Column, dnf, l_problem, led, monks, play_tennis, read


def test_the_digits_are_breimans():
    """At 10 % noise the best possible classifier is right 74 % of the time (CART, 1984)."""
    clean = led(2000, noise=0.0)
    digits = np.array([clean.X[clean.y == digit][0] for digit in range(10)])
    patterns = np.array([[int(bit) for bit in f"{i:07b}"] for i in range(128)])
    wrong = (patterns[:, None, :] != digits).sum(axis=2)
    likelihood = 0.1**wrong * 0.9 ** (7 - wrong)
    assert likelihood.max(axis=1).sum() / 10 == pytest.approx(0.74, abs=0.001)


def test_led_noise_inverts_segments():
    clean, noisy, inverted = (led(5000, noise=noise, seed=3) for noise in (0.0, 0.1, 1.0))
    np.testing.assert_array_equal(clean.y, noisy.y)
    np.testing.assert_array_equal(clean.X, 1 - inverted.X)
    assert (clean.X != noisy.X).mean() == pytest.approx(0.1, abs=0.01)
    assert noisy.schema.columns[0] == Column("top", "symbolic", ("0", "1"))
    assert noisy.schema.classes == tuple("0123456789")


def test_dnf_is_the_concept():
    data = dnf()
    assert data.n_rows == len({tuple(row) for row in data.X}) == 32
    for (a, b, c, d, e), label in zip(data.X, data.y, strict=True):
        assert bool(label) == bool((a and b) or (c and not d and e))


def test_dnf_draws_rows_of_the_space():
    space = {tuple(row): label for row, label in zip(dnf().X, dnf().y, strict=True)}
    data = dnf(100, seed=1)
    assert data.n_rows == 100
    assert [space[tuple(row)] for row in data.X] == data.y.tolist()


def test_l_problem_has_two_straight_segments():
    data = l_problem(1000)
    x, y = data.X.T
    assert data.X.min() >= 0
    assert data.X.max() <= 1
    inner = data.y == data.schema.classes.index("inner")
    np.testing.assert_array_equal(inner, np.minimum(x, y) > 0.05)
    assert inner.mean() == pytest.approx(0.5, abs=0.05)


def test_l_problem_keeps_to_its_segments():
    x, y = l_problem(1000).X.T
    distance = np.abs(np.minimum(x, y) - 0.05)
    assert distance.min() >= 0.01 - 1e-12
    assert distance.max() <= 0.05 + 1e-12
    assert (x < y).mean() == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize("problem", [1, 2, 3])
def test_monks_equal_the_original_test_files(problem, dataset):
    made, original = monks(problem), read(dataset(f"monks-{problem}", ".test"))
    assert made.schema.columns == original.schema.columns
    assert made.schema.classes == original.schema.classes
    np.testing.assert_array_equal(made.X, original.X)
    np.testing.assert_array_equal(made.y, original.y)


@pytest.mark.parametrize(("problem", "count"), [(1, 216), (2, 142), (3, 228)])
def test_monks_class_counts(problem, count):
    assert monks(problem).class_counts().tolist() == [432 - count, count]


def test_play_tennis_equals_the_file(dataset):
    made, original = play_tennis(), read(dataset("play-tennis"))
    np.testing.assert_array_equal(made.X, original.X)
    np.testing.assert_array_equal(made.y, original.y)
    assert [c.values for c in made.schema.columns] == [c.values for c in original.schema.columns]
    assert made.schema.classes == ("Yes", "No")
    assert made.schema.target == "Play Tennis"
    assert made.schema.names == ("Outlook", "Temp.", "Humidity", "Wind")


@pytest.mark.parametrize("make", [led, dnf, l_problem])
def test_the_seed_decides(make):
    first, again, other = (make(200, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.X, again.X)
    np.testing.assert_array_equal(first.y, again.y)
    assert (first.X != other.X).any()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: led(0), "n_rows is 0"),
        (lambda: dnf(0), "n_rows is 0"),
        (lambda: l_problem(-1), "n_rows is -1"),
        (lambda: led(5, noise=1.5), "noise is 1.5"),
        (lambda: monks(4), "no MONK's problem 4"),
    ],
)
def test_parameters_that_make_no_sense(make, message):
    with pytest.raises(ValueError, match=message):
        make()
