import pytest

from miter.data import KINDS, Column, Schema
from miter.data.schema import Form
from miter.errors import DataError


def test_kinds_are_the_four_of_the_design():
    assert KINDS == ("numeric", "symbolic", "ordered", "ignored")


def test_a_column_says_numbers_names_and_missing():
    wind = Column("wind", "symbolic", ("Weak", "Strong"))
    assert wind.say(1) == "Strong"
    assert wind.say(float("nan")) == "?"
    assert Column("age", "numeric").say(0.1 + 0.2) == "0.3"


def test_two_columns_of_one_name():
    with pytest.raises(DataError, match="two columns are called 'a'"):
        Schema((Column("a", "numeric"), Column("b", "numeric"), Column("a", "numeric")))


def test_one_value_twice():
    with pytest.raises(DataError, match="column 'a' lists the value 'x' twice"):
        Schema((Column("a", "symbolic", ("x", "y", "x")),))


def test_counts_and_names():
    schema = Schema((Column("a", "numeric"), Column("b", "symbolic", ("x",))), ("no", "yes"))
    assert (schema.n_columns, schema.n_classes, schema.names) == (2, 2, ("a", "b"))
    assert not schema.is_numeric
    assert Schema(schema.columns[:1]).is_numeric


def test_equal_schemas_stay_equal_after_use():
    first, second = (Schema((Column("a", "numeric"),)) for _ in range(2))
    assert first.is_numeric
    assert first == second


def test_sources_and_inputs_are_columns_of_the_table():
    day = Column("day", "numeric", form=Form("date"))
    month = Column("day.month", "numeric", form=Form("month", source="day"))
    stay = Column("out since in", "numeric", form=Form("days since", source="out", since="in"))
    schema = Schema((day, month, stay), ignored=("id",))
    assert schema.sources == ("day", "out", "in")
    assert schema.inputs == ("day", "out", "in", "id")
    assert not schema.is_numeric
    assert Schema((Column("pay", "numeric", form=Form(unit="$")),)).is_numeric


def test_numbers_are_said_as_they_are_written():
    assert Column("pay", "numeric", form=Form(unit="$")).say(12.5) == "$12.5"
    assert Column("rate", "numeric", form=Form(unit="%")).say(3) == "3%"
    assert Column("pay", "numeric", form=Form(unit="CHF")).say(3) == "3 CHF"
    assert Column("seen", "numeric", form=Form("moment")).say(18322.5) == "2020-03-01 12:00"
    assert Column("time", "numeric", form=Form("duration")).say(-3725) == "-1:02:05"
    assert Column("day", "numeric", form=Form("date")).say(1e12) == "day 1e+12"
