import numpy as np
import pyarrow as pa
import pytest

from miter.data import from_frame
from miter.data.columns.choose import choose
from miter.data.columns.texts import Context, texts_of
from miter.data.columns.words import find_scale
from miter.data.files.cells import Numbers
from miter.data.kinds import Wish
from miter.errors import DataError

MANY = [f"name {i}" for i in range(100)]

CASES = {
    "numbers": (["1", "2.5", "NA"], "numeric", []),
    "five odd cells in a hundred": ([*map(str, range(95)), *"abcde"], "numeric", ["odd cells"]),
    "six odd cells in a hundred": (
        [*(str(i % 9) for i in range(94)), *"abcdef"],
        "symbolic",
        ["nearly numeric"],
    ),
    "one odd cell in nineteen": (["1"] * 18 + ["x"], "symbolic", ["nearly numeric"]),
    "percents": (["5%", "7.5%"], "numeric", ["spelling"]),
    "two currencies": (["$5", "€7"] * 20, "symbolic", ["nearly numeric"]),
    "codes": (["007", "123"], "symbolic", ["codes"]),
    "zero and one half": (["0.5", "0.7"], "numeric", []),
    "durations": (["1:30", "2:45"], "numeric", ["durations"]),
    "two spellings": (["yes", "no"], "symbolic", []),
    "three spellings": (["yes", "no", "NO"], "symbolic", ["booleans"]),
    "a scale": (["low", "high", "Medium"], "ordered", ["order"]),
    "two steps": (["low", "high"], "symbolic", []),
    "bands of numbers": (["18-29", "<18", "65+", "30-64"], "ordered", ["order"]),
    "numbers before words": (["1 - never", "2", "3 - always"], "ordered", ["order"]),
    "addresses": (["10 Main St", "12 Elm St", "7 Oak St"], "symbolic", []),
    "impossible dates": (["2021-02-29", "2021-03-01"] * 9, "symbolic", ["nearly dates"]),
    "mostly durations": (["1:30", "2:45", "long"], "symbolic", ["nearly durations"]),
    "a scale and a word": (["low", "high", "medium", "blue"], "symbolic", []),
    "few names": (MANY[:20], "symbolic", []),
    "names of rows": (MANY[:21], None, ["left out"]),
    "names that come again": (MANY[:25] * 3, "symbolic", []),
    "sentences": ([f"this one is number {i % 30} of all" for i in range(100)], None, ["left out"]),
    "codes as numbers": ([str(i % 5) for i in range(100)], "numeric", ["candidate"]),
    "nothing": ([None, "NA"], "numeric", ["empty"]),
}


@pytest.mark.parametrize(("texts", "kind", "about"), CASES.values(), ids=CASES)
def test_the_kind_and_the_remarks(texts, kind, about):
    chosen = choose("a", texts_of(pa.array(texts, pa.string())), None, Context())
    assert [column.kind for column in chosen.columns] == ([] if kind is None else [kind])
    assert [remark.about for remark in chosen.remarks] == about
    for column, array in zip(chosen.columns, chosen.arrays, strict=True):
        assert len(array) == len(texts)
        known = array[~np.isnan(array)]
        assert column.kind == "numeric" or set(known) <= set(range(len(column.values)))


@pytest.mark.parametrize("name", ["id", "customer_id", "PassengerId", "row", "column 1"])
def test_whole_numbers_called_so_name_the_row(name):
    chosen = choose(name, Numbers(np.arange(100.0)), None, Context())
    assert chosen.columns == []
    assert chosen.remarks[0].cure == "numeric"
    kept = choose(name, Numbers(np.arange(100.0)), Wish("numeric"), Context())
    assert len(kept.columns) == 1
    halves = choose(name, Numbers(np.arange(100.0) / 2), None, Context())
    assert len(halves.columns) == 1


@pytest.mark.parametrize("name", ["income", "x0", "humid", "Madrid"])
def test_other_whole_numbers_are_kept(name):
    assert len(choose(name, Numbers(np.arange(100.0)), None, Context()).columns) == 1


def test_the_date_that_is_wished_must_be_one():
    texts = texts_of(pa.array(["20200131", "20200230"]))
    with pytest.raises(DataError, match="'20200230', which is no date in row 1"):
        choose("a", texts, Wish("date"), Context())
    chosen = choose("a", Numbers(np.array([20200131.0, 20200201])), Wish("date"), Context())
    assert chosen.columns[0].say(chosen.arrays[0][0]) == "2020-01-31"


def test_a_column_of_dates_may_have_a_part_called_like_another():
    data = from_frame(pa.table({"d": ["2020-01-31", "2020-02-01"], "d.month": [1, 2]}))
    assert data.schema.names == ("d", "d.month'", "d.weekday", "d.month")


def test_a_date_that_no_calendar_has_is_said_to_be_one():
    texts = texts_of(pa.array(["2021-03-01", "2021-02-29"] * 9))
    [remark] = choose("a", texts, None, Context()).remarks
    assert "'2021-02-29', which no calendar has, in row 1" in remark.sentence


def test_a_point_where_commas_are_expected_is_said_to_be_one():
    texts = texts_of(pa.array(["16.5", "7.25"]))
    [remark] = choose("a", texts, None, Context(notation="decimal comma")).remarks
    assert remark.sentence == "holds numbers with a decimal point: '16.5' is read as 16.5"


@pytest.mark.parametrize(
    "steps",
    [
        ["< 1,000", "1,000 to 1,999", "2,000 or more"],
        ["under 2 years", "2-4 years", "over 4 years"],
        ["0 = none", "1 = some", "10 = all"],
    ],
)
def test_numbers_tell_the_order(steps):
    assert find_scale(steps[::-1]) == steps


@pytest.mark.parametrize(
    "texts",
    [
        ["12-9", "13-2", "14-30"],
        ["2-4 years", "5-9 kg", "10+"],
        ["1-2", "1-3", "4-5"],
        ["2WD", "4WD", "6WD"],
        ["20 red", "1 blue", "2 green"],
        ["5 km", "10 km", "21 km"],
    ],
)
def test_numbers_that_tell_no_order(texts):
    assert find_scale(texts) is None


def test_scales():
    assert find_scale(["Agree", "strongly-disagree", "NEUTRAL"]) == [
        "strongly-disagree",
        "NEUTRAL",
        "Agree",
    ]
    assert find_scale(["neutral", "undecided", "agree"]) is None
    assert find_scale([]) is None
