import json

import numpy as np
import pandas as pd
import pytest

from miter import DataError, check, read
from miter.data import monks, play_tennis


def table(n_rows=400, seed=0):
    random = np.random.default_rng(seed)
    X = pd.DataFrame({"x": random.normal(size=n_rows), "z": random.choice(list("abc"), n_rows)})
    return X, pd.Series(random.choice(["no", "yes"], n_rows), name="buys")


def remarks(X, y, **options):
    return {(remark.column, remark.about): remark for remark in check(X, y, **options).remarks}


def test_nothing_is_said_of_a_clean_table():
    X, y = table()
    checked = check(X, y)
    assert checked.remarks == ()
    assert (checked.n_rows, checked.target) == (400, "buys")
    assert sum(checked.columns[0].distribution) == 400
    assert sum(checked.columns[1].values.values()) == 400


@pytest.mark.parametrize(
    ("cells", "about"),
    [
        (lambda n: ["same"] * n, "constant"),
        (lambda n: [np.nan] * n, "constant"),
        (lambda n: ["same"] * (n - 1) + ["other"], "nearly constant"),
        (lambda n: np.arange(n)[::-1] + 1000, "id-like"),
        (lambda n: [f"v{i % 90}" for i in range(n)], "many values"),
        (lambda n: [1.5, *([np.nan] * 3)] * (n // 4), "constant"),
        (lambda n: [1.5, 2.5, *([np.nan] * 6)] * (n // 8), "mostly missing"),
        (lambda n: [f"name {i}" for i in range(n)], "left out"),
        (lambda n: pd.date_range("2020-01-01", periods=n), "dates"),
    ],
)
def test_a_column_that_is_odd(cells, about):
    X, y = table()
    found = remarks(X.assign(odd=cells(len(X))), y)
    assert [key for key in found if key[0] == "odd"][:1] == [("odd", about)]


def test_a_number_far_from_all_others_may_stand_for_a_missing_cell():
    X, y = table()
    far = X.copy()
    far.loc[[3, 30], "x"] = -999
    said = remarks(far, y)["x", "far value"].sentence
    assert said == (
        "holds -999 in 2 of 400 cells, far from all others; where it stands for a missing cell, "
        "say so, missing=['-999']"
    )
    checked = check(far, y, missing=["-999"])
    assert (checked.remarks, checked.columns[0].n_missing) == ((), 2)
    far.loc[30, "x"] = 0  # once is no habit
    assert ("x", "far value") not in remarks(far, y)


def test_a_second_header_is_named():
    X, y = table()
    header = pd.DataFrame({"x": ["in metres"], "z": ["one of three"]})
    X = pd.concat([header, X.astype(object)], ignore_index=True)
    found = remarks(X, ["would you buy?", *y])
    assert found["", "second header"].sentence == (
        "the first row, of the class 'would you buy?', holds nothing that another row holds: "
        "where it is a second header, delete it"
    )
    X.loc[0, "z"] = "a"
    assert ("", "second header") not in remarks(X, ["would you buy?", *y])


def test_numbers_of_rows_are_found_between_decimal_commas_too(tmp_path):
    lines = [f"{7000 + i};{i % 7},5;{'uv'[i % 2]}" for i in range(60)]
    (tmp_path / "a.csv").write_text("\n".join(["Kunde;x;class", *lines]))
    found = check(read(tmp_path / "a.csv", target="class")).remarks
    assert ("Kunde", "id-like") in [(remark.column, remark.about) for remark in found]


def test_a_column_that_gives_the_class_away():
    X, y = table()
    found = remarks(X.assign(same=y, number=(y == "yes") * 3.5 + X["x"] / 100), y)
    assert ("same", "tells the class") in found
    assert ("number", "tells the class") in found
    assert ("x", "tells the class") not in found
    assert "kinds={'same': 'ignored'} leaves it out" in found["same", "tells the class"].say()


def test_few_rows_of_the_other_class_give_nothing_away():
    X, _ = table()
    y = ["no"] * 395 + ["yes"] * 5
    found = remarks(X, y)
    assert set(found) == {("", "class is rare")}
    assert "costs=focus('yes', 10)" in found["", "class is rare"].say()


def test_so_few_rows_that_no_class_is_rarer_than_others():
    X, _ = table()
    found = remarks(X.iloc[:6], ["no", "yes"] * 3)
    assert "no class has 10 rows" in found["", "class is rare"].say()
    y = ["no"] * 390 + ["yes"] * 5 + ["maybe"] * 5
    assert ", and 1 more is rare too; " in remarks(X, y)["", "class is rare"].say()


def test_columns_that_hold_the_same():
    X, y = table()
    found = remarks(X.assign(again=X["z"], more=X["x"]), y)
    assert "the same as column 'z'" in found["again", "duplicate"].say()
    assert "the same as column 'x'" in found["more", "duplicate"].say()


def test_rows_that_repeat_or_contradict():
    X, y = table(40)
    twice = pd.concat([X, X.head(10)])
    labels = [*y, *y.head(8), *("yes" if label == "no" else "no" for label in y[8:10])]
    found = remarks(twice, labels)
    assert "8 of 50 rows repeat another" in found["", "repeated rows"].say()
    assert "more than 96.0%" in found["", "contradictions"].say()


def test_a_quantity_is_a_remark_here():
    X, _ = table()
    found = remarks(X, np.linspace(0, 1, 400))
    assert "make bands of it" in found["", "class is a quantity"].say()


def test_one_class():
    X, _ = table()
    assert ("", "one class") in remarks(X, ["no"] * 400)


def test_without_classes():
    X, _ = table()
    assert check(X).classes == {}


def test_plain_values_survive_json():
    X, y = table()
    plain = check(X.assign(odd="same"), y).to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain["remarks"][0]["cure"] == "ignored"


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_report_is_as_wide_as_it_may_be(width):
    X, y = table()
    X = X.assign(**{f"a column with a long name, number {n}": 1.5 for n in range(3)})
    X = X.assign(**{"two\nlines": ["a\nb", "c"] * 200})
    text = check(X, y).to_text(width)
    assert max(map(len, text.splitlines())) <= max(width, 85)
    assert "two lines" in text


def test_many_columns_and_classes():
    random = np.random.default_rng(0)
    text = repr(check(random.normal(size=(300, 500)), np.arange(300) % 60))
    assert "and 300 more columns" in text
    assert "and 48 more, with 240 rows together" in text


def test_data_as_it_is_read(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a;y\n1,5;u\n2,5;v\n")
    assert "separated by semicolons" in repr(check(read(path, target="y")))
    assert check(monks(1)).n_rows == 432
    with pytest.raises(DataError, match="brings its own labels"):
        check(play_tennis(), [1])
