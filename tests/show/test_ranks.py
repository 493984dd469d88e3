"""Critical-difference diagrams: ranks, names, and who cannot be told apart."""

import numpy as np
import pytest

from miter.data import monks
from miter.errors import DataError
from miter.lab import Experiment, compare, mean_ranks, nemenyi_p_values, run
from miter.show import plot_ranks, save_picture

pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")
from matplotlib import pyplot


@pytest.fixture
def scores():
    return np.random.default_rng(0).normal([0.7, 0.71, 0.8, 0.81, 0.9], 0.03, (12, 5))


def words(ax):
    return [text.get_text() for text in ax.texts]


def bars(ax):
    """Return the thick lines between learners that cannot be told apart."""
    return [line for line in ax.lines if line.get_linewidth() > 3]


def test_names_stand_with_their_ranks(scores, looks_well):
    names = ["a", "b", "c", "d", "e"]
    ax = plot_ranks(scores, names)
    looks_well(ax)
    for name, rank in zip(names, mean_ranks(scores), strict=True):
        assert f"{name} ({rank:.2f})" in words(ax)


def test_lines_join_those_that_the_test_cannot_tell_apart(scores):
    ax = plot_ranks(scores)
    p_values, ranks = nemenyi_p_values(scores), np.sort(mean_ranks(scores))
    order = np.argsort(mean_ranks(scores))
    joined = np.eye(5, dtype=bool)
    # From the places of the ends back to the learners between them.
    lines = [line for line in ax.lines if len(line.get_xdata()) == 3]
    places = sorted(float(line.get_xdata()[0]) for line in lines)
    for bar in bars(ax):
        low, high = bar.get_xdata()
        own = [k for k, x in enumerate(places) if low <= x <= high]
        joined[np.ix_(own, own)] = True
    wanted = p_values[np.ix_(order, order)] >= 0.05
    assert (joined == wanted).all(), (ranks, joined, wanted)


def test_no_line_lies_inside_another(scores):
    ends = [bar.get_xdata() for bar in bars(plot_ranks(scores))]
    for a in ends:
        assert not any(b is not a and b[0] <= a[0] and a[1] <= b[1] for b in ends)


def test_errors_are_ranked_the_other_way_round(scores):
    up = words(plot_ranks(scores, list("abcde")))
    down = words(plot_ranks(-scores, list("abcde"), higher_is_better=False))
    assert up == down


def test_a_comparison_knows_everything(looks_well):
    sets = {"one": monks(1), "three": monks(3)}
    learners = ["id3", "c45", "DummyClassifier"]
    compared = compare(run(Experiment(sets, learners, resampling="3-fold")))
    ax = plot_ranks(compared)
    looks_well(ax)
    for name, rank in zip(learners, compared.ranks, strict=True):
        assert f"{name} ({rank:.2f})" in words(ax)
    assert f"critical difference {compared.critical_difference:.2f}" in words(ax)
    with pytest.raises(DataError, match="knows the names of its learners"):
        plot_ranks(compared, ["a", "b", "c"])
    with pytest.raises(DataError, match="at least 3 learners"):
        plot_ranks(compare(run(Experiment(sets, learners[:2], resampling="3-fold"))))


@pytest.mark.parametrize("n", [2, 3, 8, 19])
def test_any_number_of_learners_fits(n, looks_well):
    scores = np.random.default_rng(1).normal(np.linspace(0, 1, n), 0.2, (10, n))
    names = [f"learner {k} with a name of about sixty letters, or somewhat more" for k in range(n)]
    looks_well(plot_ranks(scores, names))


def test_hostile_names_are_text(hostile, looks_well, tmp_path):
    scores = np.random.default_rng(1).normal(size=(10, len(hostile)))
    ax = plot_ranks(scores, hostile)
    looks_well(ax)
    save_picture(ax, tmp_path / "ranks.svg")
    assert "<script" not in (tmp_path / "ranks.svg").read_text("utf-8")


def test_wrong_wishes_are_refused(scores):
    with pytest.raises(DataError, match="2 names for 5 learners"):
        plot_ranks(scores, ["a", "b"])
    with pytest.raises(ValueError, match="significance is 5"):
        plot_ranks(scores, significance=5)
    with pytest.raises(ValueError, match="the scores have shape"):
        plot_ranks(scores[0])


def test_axes_that_are_given(scores):
    _, ax = pyplot.subplots()
    assert plot_ranks(scores, ax=ax) is ax


def test_without_matplotlib_the_extra_is_named(without_matplotlib, scores):
    with without_matplotlib():
        plot_ranks(scores)
