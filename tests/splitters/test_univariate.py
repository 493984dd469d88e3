"""The univariate splitter against formulas written out, and examples worked by hand."""

import numpy as np
import pytest

from miter.criteria import entropy, gini
from miter.data import Column, Data, Schema, play_tennis
from miter.growing.loop import grow
from miter.growing.stopping import Stopping
from miter.splits import Category, Threshold
from miter.splitters import UnivariateSplitter


def numbers(x, y, **options):
    """Return the root of a tree for one numeric column."""
    schema = Schema((Column("x", "numeric"),), tuple(range(max(y) + 1)))
    data = Data(schema, np.array(x, float)[:, None], np.array(y, np.int32))
    return grow(data, UnivariateSplitter(**{"criterion": "gain"} | options), Stopping(max_depth=1))


def symbols(codes, y, n_values, **options):
    """Return the root of a tree for one symbolic column."""
    values = tuple("abcdefghijklmnop"[:n_values])
    schema = Schema((Column("s", "symbolic", values),), tuple(range(max(y) + 1)))
    data = Data(schema, np.array(codes, float)[:, None], np.array(y, np.int32))
    return grow(data, UnivariateSplitter(**{"criterion": "gain"} | options), Stopping(max_depth=1))


# ---- criteria ------------------------------------------------------------------------------


def test_play_tennis_gains_of_the_lecture():
    gains = UnivariateSplitter(criterion="gain").rank_columns(play_tennis())
    assert list(gains) == ["Outlook", "Humidity", "Temp.", "Wind"]
    assert [round(g, 3) for g in gains.values()] == [0.247, 0.152, 0.064, 0.048]


def scores_by_hand(criterion, costs):
    data = play_tennis()
    before = data.class_counts()
    result = {}
    for c, column in enumerate(data.schema.columns):
        codes = data.X[:, c].astype(int)
        table = np.zeros((len(column.values), 2))
        np.add.at(table, (codes, data.labels), 1)
        size = table.sum(axis=1)
        impurity = gini if criterion == "gini" else entropy
        gain = float(impurity(before) - size / 14 @ impurity(table))
        result[column.name] = {
            "gain": gain,
            "gini": gain,
            "gain_ratio": gain / float(entropy(size)),
            "normalised_gain": gain / np.log2(len(column.values)),
            "tan_schlimmer": gain**2 / costs[column.name],
            "nunez": (2**gain - 1) / (costs[column.name] + 1) ** 0.7,
        }[criterion]
    return result


@pytest.mark.parametrize(
    "criterion", ["gain", "gini", "gain_ratio", "normalised_gain", "tan_schlimmer", "nunez"]
)
def test_scores_are_the_formulas_of_the_lecture(criterion):
    costs = {"Outlook": 1.0, "Temp.": 2.0, "Humidity": 5.0, "Wind": 0.5}
    splitter = UnivariateSplitter(criterion=criterion, attribute_costs=costs, cost_weight=0.7)
    scores = splitter.rank_columns(play_tennis())
    expected = scores_by_hand(criterion, costs)
    assert scores == pytest.approx(expected, abs=1e-12)
    assert list(scores) == sorted(expected, key=expected.__getitem__, reverse=True)


def test_a_dear_attribute_is_passed_over():
    splitter = UnivariateSplitter(criterion="tan_schlimmer", attribute_costs={"Outlook": 100.0})
    assert grow(play_tennis(), splitter).splits[0].column == 2


def test_gain_ratio_needs_the_average_gain():
    # Of 100 rows, 50 of each class, one column cuts off a single row: gain 0.01, but ratio 0.125.
    # The other is right for 68 rows: gain and ratio 0.096.
    y = np.repeat([0, 1], 50).astype(np.int32)
    single = np.arange(100) == 0
    useful = np.concatenate([np.arange(50) < 16, np.arange(50) < 34])
    schema = Schema((Column("single", "numeric"), Column("useful", "numeric")), (0, 1))
    data = Data(schema, np.column_stack([single, useful]).astype(float), y)
    splitter = UnivariateSplitter(criterion="gain_ratio")
    assert splitter.rank_columns(data) == pytest.approx(
        {"single": 0.125, "useful": 0.096}, abs=0.001
    )
    assert grow(data, splitter).splits[0].column == 1


# ---- numbers -------------------------------------------------------------------------------


def test_threshold_of_the_lecture_lies_between_neighbours():
    # Temperature 15 18 19 22 24 27, play tennis No No Yes Yes Yes No.
    tree = numbers([15, 18, 19, 22, 24, 27], [0, 0, 1, 1, 1, 0])
    assert tree.splits[0] == Threshold(0, (18.5,))


def test_threshold_separates_neighbouring_floats():
    low = 1.0
    high = np.nextafter(low, 2.0)
    tree = numbers([low, high], [0, 1])
    assert tree.predict(np.array([[low], [high]])).tolist() == [0, 1]


def test_huge_values_do_not_overflow():
    tree = numbers([-1.7e308, 1.7e308], [0, 1])
    assert tree.predict(np.array([[-1.7e308], [1.7e308]])).tolist() == [0, 1]


def test_zero_and_minus_zero_are_one_value():
    assert numbers([0.0, -0.0, 0.0, -0.0], [0, 1, 1, 0]).n_nodes == 1


def test_first_of_equal_columns_wins():
    y = np.array([0, 0, 1, 1], np.int32)
    schema = Schema((Column("first", "numeric"), Column("second", "numeric")), (0, 1))
    data = Data(schema, np.column_stack([[1, 2, 3, 4], [8, 7, 6, 5]]).astype(float), y)
    assert grow(data, UnivariateSplitter(criterion="gain")).splits[0].column == 0


def test_minimum_leaf_moves_the_threshold():
    x, y = list(range(10)), [0, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    schema = Schema((Column("x", "numeric"),), (0, 1))
    data = Data(schema, np.array(x, float)[:, None], np.array(y, np.int32))
    tree = grow(data, UnivariateSplitter(criterion="gain"), Stopping(1, 2, 3))
    assert tree.splits[0].cuts == (2.5,)


def test_histogram_is_exact_for_few_distinct_values():
    random = np.random.default_rng(0)
    x, y = random.integers(0, 200, 5000), random.integers(0, 3, 5000)
    exact, histogram = (numbers(x, y, thresholds=t) for t in ("exact", "histogram"))
    assert exact.splits[0] == histogram.splits[0]


def test_histogram_is_near_the_best_threshold():
    random = np.random.default_rng(0)
    x = random.normal(size=50_000)
    tree = numbers(x, (x > 0.3).astype(int), thresholds="histogram")
    # A quantile of 255 is at most 1/255 of the rows away.
    assert abs((x <= tree.splits[0].cuts[0]).mean() - (x <= 0.3).mean()) < 1 / 255


def test_auto_is_exact_on_small_data_and_a_histogram_on_large():
    random = np.random.default_rng(0)
    for n_rows, same_as in ((5000, "exact"), (100_000, "histogram")):
        x = random.normal(size=n_rows)
        y = (x + random.normal(size=n_rows) > 0.3).astype(int)
        assert numbers(x, y).splits[0] == numbers(x, y, thresholds=same_as).splits[0]


# ---- intervals -----------------------------------------------------------------------------


def intervals_by_hand(x, y):
    """Fayyad and Irani's recursion, written as in their paper."""
    order = np.argsort(x, kind="stable")
    x, y = np.asarray(x, float)[order], np.asarray(y)[order]

    def ent(labels):
        return float(entropy(np.bincount(labels))) if len(labels) else 0.0

    def cut(low, high):
        own, n = y[low:high], high - low
        places = [i for i in range(low + 1, high) if x[i] != x[i - 1]]
        if not places:
            return []
        rest = [(i - low) / n * ent(y[low:i]) + (high - i) / n * ent(y[i:high]) for i in places]
        place = places[int(np.argmin(rest))]
        left, right = y[low:place], y[place:high]
        k, k1, k2 = (len(np.unique(part)) for part in (own, left, right))
        delta = np.log2(3.0**k - 2) - (k * ent(own) - k1 * ent(left) - k2 * ent(right))
        if ent(own) - min(rest) <= (np.log2(n - 1) + delta) / n:
            return []
        return [*cut(low, place), (x[place - 1] + x[place]) / 2, *cut(place, high)]

    return cut(0, len(x))


@pytest.mark.parametrize("seed", range(5))
def test_intervals_equal_the_recursion_of_the_paper(seed):
    random = np.random.default_rng(seed)
    x = random.normal(size=400).round(2)
    y = np.digitize(x + 0.1 * random.normal(size=400), [-0.8, 0.1, 0.9]) % 3
    expected = intervals_by_hand(x, y)
    assert len(expected) >= 2
    assert numbers(x, y.tolist(), numeric="intervals").splits[0].cuts == pytest.approx(expected)


def test_intervals_find_nothing_in_noise():
    random = np.random.default_rng(0)
    assert (
        numbers(random.normal(size=300), random.integers(0, 2, 300), numeric="intervals").n_nodes
        == 1
    )


# ---- symbols -------------------------------------------------------------------------------


def test_a_branch_for_each_value_seen():
    tree = symbols([0, 0, 2, 2, 3], [0, 0, 1, 1, 0], 4)
    assert tree.splits[0] == Category(0, (0, -1, 1, 2))


def test_a_value_not_seen_at_the_node_gets_the_nodes_answer():
    tree = symbols([0, 0, 2, 2, 2], [0, 0, 1, 1, 1], 4)
    assert tree.predict(np.array([[1.0]]))[0] == 1
    assert tree.apply(np.array([[1.0]]))[0] == 0


def best_division(codes, y, n_values):
    """The least entropy of all divisions of the values in two."""
    codes, y = np.asarray(codes), np.asarray(y)
    n_classes = y.max() + 1
    best = np.inf
    for mask in range(1, 2 ** (n_values - 1)):
        left = np.isin(codes, [v for v in range(n_values) if mask >> v & 1])
        parts = [np.bincount(y[side], minlength=n_classes) for side in (left, ~left)]
        best = min(best, sum(part.sum() * float(entropy(part)) for part in parts))
    return best / len(y)


@pytest.mark.parametrize(("n_values", "n_classes"), [(8, 2), (7, 3), (10, 4), (13, 2)])
def test_groups_are_the_best_of_all_divisions(n_values, n_classes):
    random = np.random.default_rng(n_values)
    codes = random.integers(0, n_values, 600)
    preferred = random.integers(0, n_classes, n_values)[codes]
    y = np.where(random.random(600) < 0.6, preferred, random.integers(0, n_classes, 600))
    tree = symbols(codes, y.tolist(), n_values, symbolic="groups")
    size = tree.counts[1:].sum(axis=1)
    assert tree.splits[0].n_branches == 2
    assert size @ entropy(tree.counts[1:]) / 600 == pytest.approx(best_division(codes, y, n_values))


def test_groups_of_many_values_and_classes_are_near_the_best():
    # More than ten values of more than two classes are divided by a heuristic.
    random = np.random.default_rng(3)
    codes = random.integers(0, 13, 2000)
    preferred = random.integers(0, 3, 13)[codes]
    y = np.where(random.random(2000) < 0.7, preferred, random.integers(0, 3, 2000))
    tree = symbols(codes, y.tolist(), 13, symbolic="groups")
    found = tree.counts[1:].sum(axis=1) @ entropy(tree.counts[1:]) / 2000
    before = float(entropy(tree.counts[0]))
    best = best_division(codes, y, 13)
    assert before - found >= 0.9 * (before - best)


def test_many_values_at_a_small_node():
    codes, y = [3, 900, 3, 900, 40, 40], [0, 1, 0, 1, 0, 0]
    schema = Schema((Column("s", "symbolic", tuple(map(str, range(1000)))),), (0, 1))
    data = Data(schema, np.array(codes, float)[:, None], np.array(y, np.int32))
    tree = grow(data, UnivariateSplitter(criterion="gain"))
    assert tree.n_nodes == 4
    assert tree.counts[1:].tolist() == [[2, 0], [2, 0], [0, 2]]


# ---- missing values: worked by hand ----------------------------------------------------------

nan = float("nan")


def test_missing_as_the_most_common_value_of_the_node():
    # Known: a x3, b x2. The missing row of class 1 counts as a.
    tree = symbols([0, 0, 0, 1, 1, nan], [0, 0, 0, 1, 1, 1], 2, missing="node")
    assert tree.splits[0] == Category(0, (0, 1), missing=0)
    assert tree.counts[1:].tolist() == [[3, 1], [0, 2]]
    assert tree.apply(np.array([[nan]]))[0] == 1


def test_missing_as_the_most_common_value_of_the_class():
    # In class 1 the most common value is b: the missing row goes there in training, but a row to
    # predict has no class yet and takes the node's, a.
    tree = symbols([0, 0, 0, 1, 1, nan], [0, 0, 0, 1, 1, 1], 2, missing="class")
    assert tree.splits[0] == Category(0, (0, 1), missing=0)
    assert tree.counts[1:].tolist() == [[3, 0], [0, 3]]


def test_missing_as_fractions():
    # 3/5 of the missing row to a, 2/5 to b.
    tree = symbols([0, 0, 0, 1, 1, nan], [0, 0, 0, 1, 1, 1], 2, missing="fractions")
    assert tree.splits[0] == Category(0, (0, 1), missing=-1)
    assert tree.counts[1:] == pytest.approx(np.array([[3, 0.6], [0, 2.4]]))
    # Classified the same way: 0.6 x (3, 0.6)/3.6 + 0.4 x (0, 1).
    assert tree.predict_proba(np.array([[nan]])) == pytest.approx(np.array([[0.5, 0.5]]))
    assert tree.predict_proba(np.array([[1.0]])) == pytest.approx(np.array([[0.0, 1.0]]))


def test_fractions_of_fractions():
    # Two columns, both missing in the last row: it ends in all leaves with products of shares.
    X = np.array([[0, 0], [0, 1], [0, 1], [1, 0], [1, 0], [nan, nan]], float)
    y = np.array([0, 1, 1, 2, 2, 0], np.int32)
    columns = tuple(Column(name, "symbolic", ("a", "b")) for name in "st")
    data = Data(Schema(columns, (0, 1, 2)), X, y)
    tree = grow(data, UnivariateSplitter(criterion="gain"), Stopping(max_depth=2))
    assert tree.splits[0].column == 0
    # Left node: rows 0, 1, 2 and 3/5 of the last; there 1/3 of it goes to a, 2/3 to b.
    assert tree.counts[1] == pytest.approx([1.6, 2, 0])
    assert tree.counts[3] == pytest.approx([1.2, 0, 0])
    assert tree.counts[4] == pytest.approx([0.4, 2, 0])


def test_gain_with_fractions_is_scaled_by_what_is_known():
    # Four known rows, perfectly divided (1 bit), of five: 4/5 of a bit, as in C4.5.
    schema = Schema((Column("s", "symbolic", ("a", "b")),), (0, 1))
    data = Data(
        schema, np.array([[0], [0], [1], [1], [nan]], float), np.array([0, 0, 1, 1, 0], np.int32)
    )
    assert UnivariateSplitter(criterion="gain").rank_columns(data)["s"] == pytest.approx(0.8)
    # Split information counts the unknown row as a branch: 0.4, 0.4, 0.2.
    ratio = 0.8 / float(entropy(np.array([2, 2, 1])))
    assert UnivariateSplitter(criterion="gain_ratio").rank_columns(data)["s"] == pytest.approx(
        ratio
    )


def test_missing_number_counts_as_the_median():
    x, y = [1, 2, 3, 4, 10, 11, nan], [0, 0, 0, 0, 1, 1, 1]
    # The (lower) median of the node is 3, of class 1 it is 10.
    at_node = numbers(x, y, missing="node")
    assert at_node.splits[0] == Threshold(0, (7.0,), missing=0)
    assert at_node.counts[1:].tolist() == [[4, 1], [0, 2]]
    in_class = numbers(x, y, missing="class")
    assert in_class.splits[0] == Threshold(0, (7.0,), missing=0)
    assert in_class.counts[1:].tolist() == [[4, 0], [0, 3]]


# ---- wrong settings ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"criterion": "gian"}, "did you mean 'gini' or 'gain'"),
        ({"missing": "mean"}, "known are|did you mean"),
        ({"numeric": "cut"}, "numeric is 'cut'"),
        ({"symbolic": "value"}, "did you mean 'values'"),
        ({"thresholds": "hist"}, "thresholds is 'hist'"),
        ({"attribute_costs": {"a": -1.0}}, "attribute_costs of 'a' is -1.0"),
        ({"attribute_costs": {"a": float("nan")}}, "attribute_costs of 'a' is nan"),
        ({"cost_weight": 2.0}, "cost_weight is 2.0"),
    ],
)
def test_wrong_settings_are_named(options, words):
    with pytest.raises(ValueError, match=words):
        UnivariateSplitter(**options)


def test_costs_of_an_unknown_column_are_refused():
    splitter = UnivariateSplitter(criterion="nunez", attribute_costs={"Outlok": 2.0})
    with pytest.raises(ValueError, match="did you mean 'Outlook'"):
        splitter.rank_columns(play_tennis())


def test_many_values_at_many_nodes_cost_no_memory_of_their_own():
    """What a node stores grows with the values of its rows, not with those of the column."""
    n = 4000
    values = tuple(map(str, range(n // 2)))
    schema = Schema((Column("s", "symbolic", values), Column("t", "symbolic", values)), (0, 1))
    X = np.column_stack([np.arange(n) // 2, np.arange(n) % (n // 2)]).astype(float)
    data = Data(schema, X, (np.arange(n) // 3 % 2).astype(np.int32))
    tree = grow(data, UnivariateSplitter("gain"))
    assert tree.n_nodes > n // 2
    assert len(tree.splits.ints) < 10 * n
