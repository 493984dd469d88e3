import pytest

from miter.cli.options import parse_kinds, parse_parameters


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("0.5", 0.5),
        ("true", True),
        ("null", None),
        ("gain", "gain"),
        ('"3"', "3"),
        ("[1, 2]", [1, 2]),
        ('{"a": 1}', {"a": 1}),
        ("", ""),
        ("a=b", "a=b"),
        ("NaN", "NaN"),
        ("[" * 100_000, "[" * 100_000),
    ],
    ids=lambda text: repr(text)[:20],
)
def test_values_are_json_or_else_text(text, value):
    parsed = parse_parameters([f"p={text}"])["p"]
    assert (parsed, type(parsed)) == (value, type(value))


def test_column_names_with_an_equals_sign():
    assert parse_kinds(["a=b=numeric"]) == {"a=b": "numeric"}


def test_no_kinds():
    assert parse_kinds([]) is None
