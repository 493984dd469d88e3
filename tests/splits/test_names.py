import pytest

from miter.data import Column
from miter.splits.names import say_name, say_values


@pytest.mark.parametrize(
    "name", ["age", "fee-freeze", "Temp.", "x0", "od280/od315", "%_low", "größe", "a_b", "$"]
)
def test_plain_words_stand_as_they_are(name):
    assert say_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        *("petal length", "a<b", "a = b", "a+b", "[x]", "f(x)", "{a", "a,b", "a:b", "a\nb", "a\tb"),
        *(
            "it's",
            '"',
            "-a",
            "a-",
            "a/2",
            "4th",
            "12",
            "",
            " a",
            "or",
            "in",
            "a|b",
            "a\u200bb",
            "\\",
        ),
    ],
)
def test_everything_else_is_quoted_on_one_line(name):
    said = say_name(name)
    assert said[0] == said[-1] != name
    assert said[0] in "'\""
    assert "\n" not in said
    assert eval(said) == name


def test_names_stay_different():
    names = ["a", "'a'", '"a"', "a ", "a\\n", "a\n", "a\\\\n"]
    assert len(set(map(say_name, names))) == len(names)


def test_a_value_may_be_a_number():
    assert say_name("4", may_be_number=True) == "4"
    assert say_name("-1.5", may_be_number=True) == "-1.5"
    assert say_name("4, 5", may_be_number=True) == "'4, 5'"


def test_sets_of_values():
    column = Column("of what", "symbolic", ("1", "b, c", "d", "e"))
    assert say_values(column, [0]) == "'of what' = 1"
    assert say_values(column, [0, 1]) == "'of what' in {1, 'b, c'}"
    assert say_values(column, [0, 1, 2, 3], 2) == "'of what' in {1, 'b, c', 2 more}"
    assert say_values(column, [0, 2, 3], 2) == "'of what' in {1, d, e}"
