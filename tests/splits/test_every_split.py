"""Every kind of split: native route, Python route, code, packing, words, conditions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from miter.data import Column, Schema
from miter.splits import (
    SHARE,
    STAY,
    Category,
    Condition,
    Linear,
    Machine,
    Network,
    PackedSplits,
    Term,
    Threshold,
)
from miter.splits.expression import (
    Cell,
    Constant,
    Distance,
    IfMissing,
    Largest,
    Lookup,
    Sigmoid,
    Step,
    Sum,
)
from miter.tree import Tree

SCHEMA = Schema(
    (
        Column("height", "numeric"),
        Column("weight", "numeric"),
        Column("colour", "symbolic", ("red", "green", "blue")),
        Column("size", "ordered", ("small", "medium", "large")),
    ),
    ("no", "yes"),
)

# Small whole numbers make ties, and meet the cells of rows.
numbers = st.one_of(st.floats(-1e6, 1e6), st.integers(-2, 3).map(float))
missing = st.sampled_from([SHARE, 0, 1])
number_columns = st.sampled_from([0, 1, 3])


def terms(n_outputs):
    """Return a strategy for terms of different columns."""
    rows = st.tuples(*[numbers] * n_outputs)
    kinds = [
        st.builds(Term, number_columns, st.tuples(rows), rows, st.just(False)),
        st.builds(Term, st.just(2), st.tuples(rows, rows, rows), rows, st.just(True)),
        st.builds(Term.bent, number_columns, numbers, rows, rows, missing=rows),
        st.builds(
            lambda column, cut, row, missing: Term.condition(column, cut, *row, missing=missing),
            *(number_columns, numbers, rows, rows),
        ),
    ]
    some = st.lists(st.one_of(kinds), min_size=1, max_size=4, unique_by=lambda term: term.column)
    return some.map(tuple)


triples = st.tuples(numbers, numbers, numbers)
thresholds = st.builds(
    Threshold,
    number_columns,
    st.lists(numbers, min_size=1, max_size=4, unique=True).map(lambda cuts: tuple(sorted(cuts))),
    missing,
)
categories = st.builds(
    Category,
    st.just(2),
    st.sampled_from([(0, 1, 2), (0, 1, 0), (0, -1, 1), (1, 0, -1), (1, 0, 1)]),
    missing,
)
machines = st.builds(Machine, triples, terms(3), st.just((0, 1, 1)))
networks = st.builds(
    Network, triples, terms(3), st.tuples(*[st.floats(-1e6, 1e6)] * 3), st.floats(-1e6, 1e6)
)
splits = st.one_of(thresholds, categories, st.builds(Linear, terms(1), numbers), machines, networks)


def stump(split):
    n = split.n_branches
    packed = PackedSplits.of([split, *[None] * n])
    return Tree(SCHEMA, packed, np.ones((n + 1, 2)))


def rows(random, n_rows=60):
    """Return rows with every kind of cell: far and near, known, unknown and missing."""
    X = np.column_stack(
        [
            random.normal(size=n_rows) * 10.0 ** random.integers(0, 6, n_rows),
            random.integers(-2, 4, n_rows),
            random.integers(-1, 4, n_rows),
            random.integers(0, 3, n_rows),
        ]
    )
    X[random.random(X.shape) < 0.2] = np.nan
    return X


def bent(column, weights=((1.0, -1.0), (2.0, -2.0)), missing=(0.0, 0.0), centre=1.0):
    return Machine((0.0, 0.0), (Term(column, weights, missing, False, centre),), (0, 1))


TERM = Term.number(0, 1.0, -1.0)


def network(
    constants=(0.0, 1.0),
    terms=(TERM,),
    weights=(1.0, 2.0),
    threshold=0.5,
):
    return Network(constants, terms, weights, threshold)


def as_python(expression):
    """Write an expression as Python: what a new language costs."""
    match expression:
        case Constant(value):
            return repr(value)
        case Cell(column):
            return f"row[{column}]"
        case Distance(column, centre, is_above):
            return f"max({1 if is_above else -1} * (row[{column}] - {centre}), 0.0)"
        case Lookup(column, values, otherwise):
            known = f"0 <= row[{column}] < {len(values)}"
            return f"({values}[int(row[{column}])] if {known} else {otherwise})"
        case IfMissing(column, missing, known):
            is_missing = f"row[{column}] != row[{column}]"
            return f"({as_python(missing)} if {is_missing} else {as_python(known)})"
        case Sum(parts):
            return f"({' + '.join(f'{factor} * {as_python(part)}' for factor, part in parts)})"
        case Step(of, cuts):
            return f"sum({as_python(of)} > cut for cut in {cuts})"
        case Sigmoid(of):
            return f"expit({as_python(of)})"
        case Largest(of):
            return f"argmax([{', '.join(map(as_python, of))}])"


NAMES = {"expit": expit, "argmax": np.argmax}


@settings(max_examples=200, deadline=None)
@given(
    split=splits,
    seed=st.integers(0, 2**32 - 1),
    single=st.booleans(),
)
def test_native_route_equals_the_python_one(split, seed, single):
    X = rows(np.random.default_rng(seed))
    X = X.astype(np.float32) if single else X
    branch = split.route(X)
    # All branches are equally large, so a shared-out row follows the first.
    expected = np.where(branch == STAY, 0, np.where(branch == SHARE, 0, branch) + 1)
    assert np.array_equal(stump(split).apply(X), expected)


@settings(max_examples=200, deadline=None)
@given(split=splits, seed=st.integers(0, 2**32 - 1))
def test_an_expression_can_be_written_as_code(split, seed):
    X = rows(np.random.default_rng(seed))
    branch_of = eval(f"lambda row: {as_python(split.expression)}", NAMES)
    assert [branch_of(row) for row in X.tolist()] == split.route(X).tolist()


@settings(max_examples=100, deadline=None)
@given(split=splits, seed=st.integers(0, 2**32 - 1))
def test_one_condition_holds_for_a_row_that_takes_a_branch(split, seed):
    X = rows(np.random.default_rng(seed))
    holds = [Condition(split, branch).holds(X) for branch in range(split.n_branches)]
    assert np.array_equal(np.sum(holds, axis=0), split.route(X) >= 0)


@settings(max_examples=100, deadline=None)
@given(split=splits, seed=st.integers(0, 2**32 - 1))
def test_a_missing_value_goes_where_another_value_goes(split, seed):
    X = rows(np.random.default_rng(seed))
    X = X[~np.isin(X[:, 2], [-1, 3])]  # a symbol that is unknown counts as missing
    values = np.array([0.5, -1.0, 1.0, 2.0])
    expected = split.route(np.where(np.isnan(X), values, X))
    # There is no way to say that a missing value stays; it is shared out.
    expected[np.isnan(X[:, 2]) & (expected == STAY)] = SHARE
    assert np.array_equal(split.with_missing_as(values).route(X), expected)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(st.none(), splits), min_size=1, max_size=6))
def test_packing_loses_nothing(some):
    packed = PackedSplits.of(some)
    assert [packed[i] for i in range(len(packed))] == some
    order = np.random.default_rng(0).permutation(len(some))
    taken = packed.take(order)
    assert [taken[i] for i in range(len(some))] == [some[i] for i in order]
    joined = PackedSplits.join([packed, taken])
    assert [joined[i] for i in range(len(joined))] == some + [some[i] for i in order]


@pytest.mark.parametrize(
    ("split", "words"),
    [
        (Threshold(0, (2.5,)), ["height <= 2.5", "height > 2.5"]),
        (Threshold(0, (1, 2)), ["height <= 1", "1 < height <= 2", "height > 2"]),
        (Threshold(3, (0.5,)), ["size <= small", "size > small"]),
        (Category(2, (0, 1, 2)), ["colour = red", "colour = green", "colour = blue"]),
        (Category(2, (0, 1, 0)), ["colour in {red, blue}", "colour = green"]),
        (
            Linear(
                (Term.number(0, 0.5), Term.number(1, -2.0), Term.symbol(2, (1.0, 0.0, -3.0))), 4.0
            ),
            [
                "height/2 - 2 weight + [colour = red] - 3 [colour = blue] <= 4",
                "height/2 - 2 weight + [colour = red] - 3 [colour = blue] > 4",
            ],
        ),
        (Linear((Term.number(0, -0.5),), 4.0), ["height >= -8", "height < -8"]),
        (
            Machine(
                (1.0, -2.0),
                (
                    Term.number(0, 0.5, -0.5),
                    Term.symbol(2, ((1.0, 0.0), (0.0, 0.0), (-2.0, 3.0))),
                ),
                (0, 1),
            ),
            [
                "height + [colour = red] - 5 [colour = blue] >= -3",
                "height + [colour = red] - 5 [colour = blue] < -3",
            ],
        ),
        (
            Machine(
                (1.0, -2.0),
                (Term.bent(1, 70.25, (0.5, -0.5), (2.0, 3.0)),),
                (0, 1),
            ),
            [
                "67.25 <= weight <= 73.25",
                "weight < 67.25 or weight > 73.25",
            ],
        ),
        (
            Network(
                (1.0, -2.0),
                (
                    Term.number(0, 0.5, -0.5),
                    Term.symbol(2, ((1.0, 0.0), (0.0, 0.0), (-2.0, 3.0))),
                ),
                (0.7, -1.5),
                0.25,
            ),
            [
                "0.7 s(height/2 + [colour = red] - 2 [colour = blue] + 1) "
                f"- 1.5 s(-height/2 + 3 [colour = blue] - 2) {sign} 0.25"
                for sign in ("<=", ">")
            ],
        ),
    ],
)
def test_branches_are_said_aloud(split, words):
    assert [split.say(SCHEMA, b) for b in range(split.n_branches)] == words


@pytest.mark.parametrize(
    ("split", "words"),
    [
        (Threshold(9, (1.0,)), "no column 9"),
        (Threshold(-1, (1.0,)), "no column -1"),
        (Threshold(2, (1.0,)), "another kind"),
        (Threshold(0, (2.0, 1.0)), "must ascend"),
        (Threshold(0, (1.0, 1.0)), "must ascend"),
        (Threshold(0, (float("nan"),)), "not finite"),
        (Threshold(0, (1.0,), missing=2), "no branch 2"),
        (Threshold(0, (1.0,), missing=-3), "no branch -3"),
        (Category(2, (0, 1)), "a value has no branch"),
        (Category(0, (0, 1)), "another kind"),
        (Linear((Term.number(0, float("inf")),), 0.0), "not finite"),
        (Linear((Term.symbol(2, (1.0, 2.0)),), 0.0), "a value has no weight"),
        (Linear((Term.number(2, 1.0),), 0.0), "another kind"),
        (Linear((), 0.0), "needs its terms"),
        (Machine((0.0, 0.0), (), (0, 1)), "needs two outputs and its terms"),
        (
            Machine((0.0, 0.0), (Term.symbol(2, ((1.0, 2.0),)),), (0, 1)),
            "a value has no weight",
        ),
        (
            Machine((0.0, 0.0), (Term.number(7, 1.0, 2.0),), (0, 1)),
            "no column 7",
        ),
        (bent(2), "another kind"),
        (bent(9), "no column 9"),
        (bent(0, centre=float("nan")), "not finite"),
        (bent(0, weights=((1.0, float("inf")), (0.0, 0.0))), "not finite"),
        (bent(0, weights=((1.0, 2.0),)), "terms and weights differ in number"),
        (bent(0, weights=((1.0, 2.0),) * 3), "terms and weights differ in number"),
        (bent(3, missing=(0.0,)), "terms and weights differ in number"),
        (network(terms=()), "needs a hidden unit and its terms"),
        (network(constants=(), weights=()), "needs a hidden unit and its terms"),
        (network(weights=(1.0,)), "terms and weights differ in number"),
        (network(threshold=float("nan")), "not finite"),
        (network(terms=(Term.number(9, 1.0, 2.0),)), "no column 9"),
        (network(terms=(Term.number(2, 1.0, 2.0),)), "another kind"),
    ],
)
def test_senseless_splits_are_refused(split, words):
    with pytest.raises(ValueError, match=words):
        stump(split).apply(np.zeros((1, 4)))


@pytest.mark.parametrize("mark", [-2, 1, 3])
def test_numbers_of_values_that_mean_nothing_are_refused(mark):
    packed = PackedSplits.of([bent(0), None, None])
    ints = packed.ints.copy()
    ints[-1] = mark
    wrong = PackedSplits(
        packed.kind, packed.int_start, ints, packed.real_start, packed.reals, packed.n_branches
    )
    with pytest.raises(ValueError, match="node 0: "):
        Tree(SCHEMA, wrong, np.ones((3, 2))).apply(np.zeros((1, 4)))
