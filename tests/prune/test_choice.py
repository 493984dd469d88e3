"""Cross-validation that chooses how splits are found and how much is pruned."""

import numpy as np
import pytest

from miter.data import Data, from_frame, led
from miter.growing.growth import Growth
from miter.prune import CrossValidated
from miter.prune.choice import PRICES, choose
from miter.prune.effort import draw_trials
from miter.splits import Threshold
from miter.splitters import AnnealedMachineSplitter, Splitter, UnivariateSplitter


def run(data, splitters, seed=0, **others):
    return choose(Growth(data, splitters, seed=seed, n_threads=1, **others), 5)


class Blind(Splitter):
    """Cuts one column where it is told to, whatever the classes are."""

    def __init__(self, column=0, cut=0.0):
        self.column, self.cut = column, cut

    def find_split(self, node):
        return Threshold(self.column, (self.cut,))


def test_the_first_of_equals_is_kept():
    data = led(200, seed=0)
    first, second = UnivariateSplitter("gain"), UnivariateSplitter("gain")
    assert run(data, [first, second]).splitter is first


def test_a_little_better_is_not_enough():
    """One error less of a hundred rows is chance."""
    random = np.random.default_rng(0)
    x = np.sort(random.normal(size=200))
    data = from_frame(x[:, None], x > 0)
    nearly, exactly = Blind(cut=(x[x < 0][-2:]).mean()), Blind()
    assert run(data, [nearly, exactly]).splitter is nearly
    assert run(data, [exactly, nearly]).splitter is exactly


def test_a_clearly_better_one_is_taken():
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 2))
    data = from_frame(X, X.sum(axis=1) > 0)
    blind, machine = Blind(), AnnealedMachineSplitter()
    assert run(data, [blind, machine]).splitter is machine
    assert run(data, [machine, blind]).splitter is machine


def test_a_simpler_one_must_not_cost_an_error():
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 8))
    data = from_frame(X, X[:, 0] + 0.3 * random.normal(size=200) > 0)
    plain, small = UnivariateSplitter("gini"), Blind()
    useless = Blind(column=5)
    chosen = run(data, [plain], simpler=lambda splitter: small)
    assert chosen.splitter is small
    assert run(data, [plain], simpler=lambda splitter: useless).splitter is plain


def test_errors_are_of_the_rows_left_out():
    X = np.random.default_rng(0).normal(size=(200, 2))
    data = from_frame(X, X.sum(axis=1) > 0)
    choice = run(data, [UnivariateSplitter("gain")])
    assert choice.cost.shape == (200,)
    assert 0 < choice.cost.mean() < 0.3
    assert choice.price in PRICES


def test_weights_count_in_the_choice():
    """Rows of one kind weigh more, so the splitter that is right about them is taken."""
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 2))
    kind = np.arange(300) % 2
    X = np.column_stack([X, kind])
    y = np.where(kind == 0, X[:, 0] > 0, X[:, 1] > 0).astype(int)
    for heavy in (0, 1):
        weighted = Data(
            from_frame(X, y).schema, X, y.astype(np.int32), np.where(kind == heavy, 5.0, 1.0)
        )
        splitters = [Blind(1 - heavy), Blind(heavy)]
        assert run(weighted, splitters).splitter is splitters[1]


@pytest.mark.parametrize("labels", [[0, 1], [0, 0, 1], [0, 1, 2], [0, 0, 0, 1], [0, 1] * 3])
@pytest.mark.parametrize("distinct", [True, False])
def test_hardly_any_rows(labels, distinct):
    X = np.arange(float(len(labels)))[:, None] if distinct else np.zeros((len(labels), 1))
    splitters = [AnnealedMachineSplitter(), UnivariateSplitter()]
    tree = CrossValidated().grow(Growth(from_frame(X, labels), splitters, n_threads=1))
    assert tree.counts[0].sum() == len(labels)
    assert len(tree.predict(X)) == len(labels)


def test_the_same_seed_chooses_the_same():
    data = led(150, noise=0.2, seed=3)
    splitters = [AnnealedMachineSplitter(), AnnealedMachineSplitter(bent=True)]
    one, other = run(data, splitters, seed=4), run(data, splitters, seed=4)
    assert one.splitter is other.splitter
    assert one.price == other.price
    assert np.array_equal(one.cost, other.cost)


def test_every_row_is_grown_on_in_the_end():
    X = np.random.default_rng(0).normal(size=(6000, 2))
    growth = Growth(from_frame(X, X.sum(axis=1) > 0), [UnivariateSplitter("gain")], n_threads=1)
    assert CrossValidated().grow(growth).counts[0].sum() == 6000


def test_questions_are_asked_one_after_the_other():
    """What the second asks about is the answer to the first."""
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 3))
    data = from_frame(X, X[:, 1] > 0.5)
    asked = []

    def cut(splitter):
        asked.append(splitter)
        return [Blind(splitter.column, 0.5)]

    chosen = run(data, [Blind(0), Blind(1)], variants=[cut, lambda splitter: [Blind(2)]])
    assert [splitter.column for splitter in asked] == [1]
    assert (chosen.splitter.column, chosen.splitter.cut) == (1, 0.5)


def test_a_way_that_is_behind_is_given_up():
    X = np.random.default_rng(0).normal(size=(400, 2))
    data = from_frame(X, X[:, 0] > 0)
    grown = []

    class Watched(Blind):
        def find_split(self, node):
            grown.append(len(node.y))
            return super().find_split(node)

    run(data, [UnivariateSplitter("gain"), Watched(cut=-9.0)])
    n_trials = len(draw_trials(data, 5, np.random.default_rng(0)))
    assert len(grown) == n_trials // 3


def test_there_may_be_nothing_simpler():
    data = led(200, seed=0)
    way = UnivariateSplitter("gain")
    assert run(data, [way], simpler=lambda splitter: None).splitter is way
