"""Arrays that come from outside are checked before the native core uses them."""

import numpy as np
import pytest

from miter import core
from miter.data import Column, Data, Schema
from miter.splitters import (
    AnnealedMachineSplitter,
    ICASplitter,
    LinearCombinationSplitter,
    PerceptronSplitter,
    RandomCutSplitter,
    SparseSplitter,
    Splitter,
    ThermalMachineSplitter,
    UnivariateSplitter,
)

N_ROWS, N_CLASSES = 6, 2
TABLE = {
    "X": np.arange(12.0).reshape(N_ROWS, 2),
    "y": np.array([0, 1] * 3, np.int32),
    "costs": None,
    "n_classes": N_CLASSES,
    "n_values": [0, 0],
}
LEVEL = {
    "rows": np.arange(N_ROWS, dtype=np.int32),
    "weights": None,
    "start": np.array([0, N_ROWS], np.int64),
    "counts": np.array([[3.0, 3.0]]),
    "allowed": None,
    "seed": 0,
    "n_threads": 1,
}


def table(**other):
    return core.Table(**(TABLE | other))


def level(**other):
    return core.Level(**(LEVEL | other))


UNITS = core.UnitOptions(l2=[1.0])
PART_ERRORS = {
    "groups": np.array([[0, 1]], np.uint8),
    "l2": np.ones(1),
    "first": np.zeros((1, N_ROWS), np.int32),
    "spread": np.ones(N_ROWS, np.int32),
    "n_parts": 2,
    "options": UNITS,
}
#: Every call that reads a table and a level.
CALLS = {
    "univariate": lambda t, v: core.UnivariateSearch(
        t, core.UnivariateOptions(column_costs=[1.0, 1.0]), 1
    ).find(v),
    "scores": lambda t, v: core.UnivariateSearch(
        t, core.UnivariateOptions(column_costs=[1.0, 1.0]), 1
    ).scores(v),
    "random cuts": lambda t, v: core.find_random_cuts(t, v, 1.0),
    "machines": lambda t, v: core.find_machines(t, v, core.MachineOptions()),
    "thermal": lambda t, v: core.find_thermal_machines(
        t, v, np.zeros(1, np.uint64), np.ones(1), core.ThermalOptions()
    ),
    "sparse": lambda t, v: core.find_sparse_tests(t, v, core.SparseOptions()),
    "combinations": lambda t, v: core.find_combinations(t, v, core.CombinationOptions()),
    "ica": lambda t, v: core.find_ica_splits(t, v, core.IcaOptions()),
    "units": lambda t, v: core.find_units(t, v, None, True, UNITS),
    "part errors": lambda t, v: core.part_errors(t, v, **PART_ERRORS),
    "routing": lambda t, v: core.route_level(t, v, a_threshold(), None),
}
every_call = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())


def a_threshold(**other):
    """Return a split of the first column at 5."""
    packed = {
        "kind": np.array([1], np.uint8),
        "int_start": np.array([0, 2]),
        "ints": np.array([0, -1], np.int32),
        "real_start": np.array([0, 1]),
        "reals": np.array([5.0]),
        "n_branches": np.array([2], np.int32),
        "n_values": [0, 0],
    }
    return core.Splits(**(packed | other))


def a_tree():
    """Return the tree of a threshold and two leaves."""
    return a_threshold(
        kind=np.array([1, 0, 0], np.uint8),
        int_start=np.array([0, 2, 2, 2]),
        real_start=np.array([0, 1, 1, 1]),
        n_branches=np.array([2, 0, 0], np.int32),
    )


@every_call
def test_what_fits_is_used(call):
    assert call(table(), level()) is not None


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"y": np.array([0, 1, 0, 1, 0, 200_000], np.int32)}, "row 5 has the class 200000, but"),
        ({"y": np.array([0, 1, -1, 1, 0, 1], np.int32)}, "row 2 has the class -1"),
        ({"y": np.zeros(5, np.int32)}, "labels must have 6 places, not 5"),
        ({"costs": np.zeros((6, 3))}, "costs must have 6 rows and 2 columns"),
        ({"costs": np.zeros((5, 2))}, "costs must have 6 rows and 2 columns"),
        ({"costs": np.full((6, 2), np.nan)}, "costs must be finite, 0 or more"),
        ({"costs": np.full((6, 2), -1.0)}, "costs must be finite, 0 or more"),
        ({"n_values": [0]}, "for every column"),
        ({"n_values": [0, -2]}, "negative"),
        ({"n_classes": 0}, "must be a class"),
    ],
)
def test_a_wrong_table_is_refused(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        table(**wrong)


def begin(splitter: Splitter):
    """Begin a search of rows of which one has a class that there is not."""
    schema = Schema((Column("a", "numeric"), Column("b", "numeric")), (0, 1))
    y = np.array([0, 1, 0, 1, 0, 200_000], np.int32)
    return splitter.begin(Data(schema, TABLE["X"], y), 1, 1)


@pytest.mark.parametrize(
    "splitter",
    [
        AnnealedMachineSplitter(),
        ICASplitter(),
        LinearCombinationSplitter(),
        PerceptronSplitter(),
        RandomCutSplitter(),
        SparseSplitter(),
        ThermalMachineSplitter(),
        UnivariateSplitter(),
    ],
)
def test_no_splitter_takes_a_class_that_there_is_not(splitter):
    with pytest.raises(ValueError, match="200000"):
        begin(splitter)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"rows": np.array([0, 1, 2, 3, 4, -1], np.int32)}, "no row -1"),
        ({"weights": np.ones(5)}, "weights must have 6 places, not 5"),
        ({"weights": np.array([1, 1, 1, 1, 1, np.inf])}, "the weights must be finite, 0 or more"),
        ({"weights": np.array([1, 1, -1, 1, 1, 1.0])}, "the weights must be finite, 0 or more"),
        ({"start": np.array([0, 3, 6])}, "start must have 2 places"),
        ({"start": np.array([0, 7])}, "start must ascend from 0 to the number of entries, 6"),
        ({"start": np.array([1, 6])}, "start must ascend"),
        ({"start": np.array([0, 4, 3, 6]), "counts": np.ones((3, 2))}, "start must ascend"),
        ({"allowed": np.ones((2, 2), np.uint8)}, "allowed must have 1 places"),
        ({"n_threads": 0}, "n_threads"),
    ],
)
def test_a_wrong_level_is_refused(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        level(**wrong)


@every_call
@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"rows": np.array([0, 1, 2, 3, 4, 6], np.int32)}, "no row 6 in a table of 6"),
        ({"counts": np.ones((1, 3))}, "counts are of 3 classes, the table has 2"),
        ({"counts": np.ones((1, 1))}, "counts are of 1 classes"),
        ({"allowed": np.ones((1, 3), np.uint8)}, "allowed must have 1 rows and 2 columns"),
    ],
)
def test_a_level_of_another_table_is_refused(call, wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        call(table(), level(**wrong))


def part_errors(**other):
    return core.part_errors(table(), level(), **(PART_ERRORS | other))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"groups": np.zeros((1, 3), np.uint8)}, "groups must have"),
        ({"l2": np.ones(2)}, "l2 must have 1 places"),
        ({"first": np.zeros((1, 5), np.int32)}, "first must have 1 rows and 6 columns"),
        ({"first": np.full((1, 6), 2, np.int32)}, "every part must be one of 2"),
        ({"spread": np.ones(5, np.int32)}, "spread must have 6 places, not 5"),
        ({"spread": np.zeros(6, np.int32)}, "every part must be one of 2"),
        ({"spread": np.full(6, 3, np.int32)}, "every part must be one of 2"),
        ({"n_parts": 0}, "every part must be one of 0"),
        ({"options": core.UnitOptions()}, "units need a penalty"),
        (
            {"options": core.UnitOptions(l2=[1.0], scales=core.ColumnScales(low=[0.0]))},
            "a scale for every column",
        ),
    ],
)
def test_wrong_parts_are_refused(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        part_errors(**wrong)


def test_other_wrong_arrays_are_refused():
    columns = core.UnivariateOptions(column_costs=[1.0])
    with pytest.raises(ValueError, match="a cost for every column"):
        core.UnivariateSearch(table(), columns, 1)
    many = table(n_classes=70_000)
    with pytest.raises(ValueError, match="at most 65535 classes"):
        core.UnivariateSearch(many, core.UnivariateOptions(column_costs=[1.0, 1.0]), 1)
    with pytest.raises(ValueError, match="seeds must have 1 places, not 2"):
        core.find_thermal_machines(
            table(), level(), np.zeros(2, np.uint64), np.ones(1), core.ThermalOptions()
        )
    with pytest.raises(ValueError, match="must_gain"):
        core.find_ica_splits(table(), level(), core.IcaOptions(must_gain=[1.0]))
    with pytest.raises(ValueError, match="groups must have 1 rows and 2 columns"):
        core.find_units(table(), level(), np.zeros((1, 1), np.uint8), True, UNITS)


@pytest.mark.parametrize(
    "wrong", [{"max_terms": 0}, {"max_terms": 10**6}, {"max_rows": 0}, {"l2": 0.0}]
)
def test_sparse_tests_need_sensible_options(wrong):
    with pytest.raises(ValueError, match=r"max_terms must be|one row at least|l2 above 0"):
        core.find_sparse_tests(table(), level(), core.SparseOptions(**wrong))


TRAINING = {
    "table": table(),
    "splits": a_tree(),
    "share": np.array([1.0, 0.5, 0.5]),
    "probability": np.full((3, N_CLASSES), 0.5),
    "rows": np.array([0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5], np.int32),
    "start": np.array([0, 6, 9, 12]),
    "weights": None,
    "importance": None,
    "options": core.TreeTrainingOptions(),
}


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"table": table(X=np.zeros((6, 3)), n_values=[0, 0, 0])}, "splits are of another table"),
        ({"splits": a_threshold()}, "as many branches as it has nodes"),
        ({"share": np.ones(2)}, "share must have 3 places"),
        ({"probability": np.ones((3, 3))}, "a probability for every node and class"),
        ({"rows": np.full(12, 6, np.int32)}, "no such row"),
        ({"start": np.array([0, 9, 6, 12])}, "start must ascend"),
        ({"weights": np.ones(5)}, "weights must have 6 places"),
        ({"weights": np.full(6, np.nan)}, "weights must be finite"),
        ({"importance": np.full(6, -1.0)}, "importance of rows must be finite, 0 or more"),
        ({"options": core.TreeTrainingOptions(n_batches=0)}, "a batch and a thread"),
    ],
)
def test_training_of_a_whole_tree_is_checked(wrong, sentence):
    core.TreeTraining(**TRAINING).run_pass(0.1)
    with pytest.raises(ValueError, match=sentence):
        core.TreeTraining(**(TRAINING | wrong))
    with pytest.raises(ValueError, match="rate must be finite"):
        core.TreeTraining(**TRAINING).run_pass(np.inf)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"places": []}, "there must be columns"),
        ({"places": [0, 1]}, "no such place in the matrix"),
        ({"places": [0, -3]}, "no such place in the matrix"),
        ({"width": -1}, "there must be columns"),
    ],
)
def test_a_plan_of_delimited_text_is_checked(wrong, sentence):
    text = np.frombuffer(b"1,a\n2,b\n", np.uint8)
    right = {
        "separator": ",",
        "decimal": ".",
        "places": [0, -2],
        "width": 1,
        "missing": [],
        "skip": 0,
    }
    assert core.read_delimited(text, **right)[0].tolist() == [[1.0], [2.0]]
    with pytest.raises(ValueError, match=sentence):
        core.read_delimited(text, **(right | wrong))


def test_options_are_named_as_they_are():
    with pytest.raises(TypeError, match="MachineOptions has no such field"):
        core.MachineOptions(penalty=1.0)
    with pytest.raises(TypeError, match="l2 of MachineOptions"):
        core.MachineOptions(l2="much")


def test_routing_is_checked():
    with pytest.raises(ValueError, match="a split for every node"):
        core.route_level(
            table(), level(start=np.array([0, 3, 6]), counts=np.ones((2, 2))), a_threshold(), None
        )
    with pytest.raises(ValueError, match="splits are of another table"):
        core.route_level(table(), level(), a_threshold(n_values=[0, 0, 0]), None)
    with pytest.raises(ValueError, match="no branch 2 for missing values"):
        core.route_level(table(), level(), a_threshold(), np.array([[0, 2]], np.int32))
    with pytest.raises(ValueError, match="missing_of_class must have 1 rows and 2 columns"):
        core.route_level(table(), level(), a_threshold(), np.zeros((1, 3), np.int32))
    routing = core.route_level(table(), level(), a_threshold(), None)
    with pytest.raises(ValueError, match="is_open must have 2 places"):
        core.move_rows(routing, level(), np.ones(3, np.uint8))
    smaller = level(rows=LEVEL["rows"][:4], start=np.array([0, 4]))
    with pytest.raises(ValueError, match="routed at another level"):
        core.move_rows(routing, smaller, np.ones(2, np.uint8))


def test_a_tree_is_checked():
    with pytest.raises(ValueError, match="has 1 nodes, but branches for 3"):
        core.Router(a_threshold(), np.ones(1))
    leaf = core.Splits(
        np.zeros(1, np.uint8),
        np.zeros(2, np.int64),
        np.zeros(0, np.int32),
        np.zeros(2, np.int64),
        np.zeros(0),
        np.zeros(1, np.int32),
        [0, 0],
    )
    with pytest.raises(ValueError, match="a share for every node"):
        core.Router(leaf, np.ones(2))
    router = core.Router(leaf, np.ones(1))
    with pytest.raises(ValueError, match="another number of columns"):
        router.count(table(X=np.zeros((6, 3)), n_values=[0, 0, 0]), None)
    with pytest.raises(ValueError, match="weights must have 6 places"):
        router.count(table(), np.ones(5))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"X": np.zeros((1, 3))}, "another number of columns"),
        ({"background": np.zeros((1, 1))}, "another number of columns"),
        ({"background": np.zeros((0, 2))}, "the background needs a row"),
        ({"values": np.zeros((2, 2))}, "values must have 3 places, not 2"),
        ({"max_states": -1}, "must not be negative"),
        ({"n_draws": 1}, "two draws at least"),
    ],
)
def test_what_is_attributed_is_checked(wrong, sentence):
    right = {
        "tree": core.Router(a_tree(), np.array([1.0, 0.5, 0.5])),
        "X": np.zeros((1, 2)),
        "background": np.full((1, 2), 9.0),
        "values": np.eye(3, 2),
        "max_states": 9,
        "n_draws": 2,
        "seed": 0,
        "n_threads": 1,
    }
    assert core.attribute(**right)[2] == 0
    with pytest.raises(ValueError, match=sentence):
        core.attribute(**(right | wrong))


def test_a_symbol_of_many_values_may_have_wrong_codes():
    """Codes outside of the values are missing, also where rare values are left out."""
    X = np.array([[*range(80), -3.0, 90.0, 1e9, np.inf, np.nan, 0.0]]).T
    y = (np.arange(len(X)) % 2).astype(np.int32)
    rows = np.arange(len(X), dtype=np.int32)
    wide = core.Table(X, y, None, 2, [80])
    node = core.Level(rows, None, np.array([0, len(X)]), np.ones((1, 2)), None, 0, 1)
    assert core.find_machines(wide, node, core.MachineOptions())[0][0] in (0, 4)
