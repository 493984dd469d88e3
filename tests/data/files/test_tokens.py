import pytest
from hypothesis import given
from hypothesis import strategies as st

from miter.data.files.tokens import COST, ENTRY, ROW, split_words
from miter.errors import DataError


def words(text, token=ROW):
    return list(split_words(text, token, "here"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("  | comment", []),
        ("a , b", [("a", ","), ("b", "")]),
        ("a,b.", [("a", ","), ("b", ".")]),
        ("a,b. | c", [("a", ","), ("b", ".")]),
        ("0.5,b", [("0.5", ","), ("b", "")]),
        ("a. b,c", [("a. b", ","), ("c", "")]),
        ("12:30,b", [("12:30", ","), ("b", "")]),
        (r"a\,b,c\.", [("a,b", ","), ("c.", "")]),
        (r"a\|b\\", [("a|b\\", "")]),
        ('" a, b. " , 5" pipe', [(" a, b. ", ","), ('5" pipe', "")]),
        (r'"say \"hi\""', [('say "hi"', "")]),
    ],
)
def test_rows(text, expected):
    assert words(text) == expected


def test_entries_end_at_a_period_before_a_space():
    text = r"a: 0.5, 1.5. b: c\: d."
    expected = [("a", ":"), ("0.5", ","), ("1.5", "."), ("b", ":"), ("c: d", ".")]
    assert words(text, ENTRY) == expected


def test_costs():
    assert words("a, b: 0.5", COST) == [("a", ","), ("b", ":"), ("0.5", "")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('a,"b', "here: a quote is opened and not closed"),
        ('"a" b', "here: 'b' follows the quoted word 'a'"),
    ],
)
def test_quotes_that_do_not_fit(text, message):
    with pytest.raises(DataError, match=message):
        words(text)


@given(st.lists(st.text(st.characters(exclude_categories=["C"])), min_size=1))
def test_quoted_words_come_back(cells):
    line = ",".join('"' + cell.replace("\\", "\\\\").replace('"', '\\"') + '"' for cell in cells)
    assert [word for word, _ in words(line)] == cells
