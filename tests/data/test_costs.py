import pytest

from miter.data.costs import read_costs
from miter.errors import DataError


def write(tmp_path, text):
    path = tmp_path / "a.costs"
    path.write_text(text, encoding="utf-8")
    return path


def test_rows_are_predictions_and_columns_truths(tmp_path):
    path = write(tmp_path, "| comment\n\ngood, bad: 5 | five\nbad, good: 0.5.\nbad, bad: 0\n")
    assert read_costs(path, ("good", "bad")).tolist() == [[0, 5], [0.5, 0]]


def test_classes_that_are_numbers_or_hold_commas(tmp_path):
    path = write(tmp_path, '"a, b", 2: 3\n')
    assert read_costs(path, (2.0, "a, b")).tolist() == [[0, 0], [3, 0]]


@pytest.mark.parametrize("name", ["german", "heart-statlog"])
def test_the_statlog_costs(name, dataset):
    assert read_costs(dataset(name, ".costs"), ("1", "2")).tolist() == [[0, 5], [1, 0]]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("god, bad: 5", "there is no class 'god'; did you mean 'good'"),
        ("good, worse: 5", "there is no class 'worse'; known are 'good', 'bad'"),
        ("good, bad: -1", "the cost is '-1'"),
        ("good, bad: nan", "the cost is 'nan'"),
        ("good, bad: inf", "the cost is 'inf'"),
        ("good, bad: much", "the cost is 'much'"),
        ("good, good: 1", "predicting 'good' where it is true is no mistake, but costs 1"),
        ("good, bad 5", "not of the form 'predicted, actual: cost'"),
        ("good, bad:", "not of the form"),
        ("good: 5", "not of the form"),
        ("good, bad: 5, 6", "not of the form"),
        ("bad, good: 2", "is given before, in line 1"),
    ],
)
def test_lines_that_make_no_sense(tmp_path, line, message):
    path = write(tmp_path, f"bad, good: 1\n{line}\n")
    with pytest.raises(DataError, match=rf"a\.costs, line 2: .*{message}"):
        read_costs(path, ("good", "bad"))


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(DataError, match=r"none\.costs cannot be read"):
        read_costs(tmp_path / "none.costs", ("good", "bad"))
