from datetime import date, datetime, timedelta

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from miter.data.columns.times import part_values, read_moments
from miter.data.schema import Form

EPOCH = datetime(1970, 1, 1)


def say(text, **arguments):
    found = read_moments(pa.array([text]), **arguments)
    return None if np.isnan(found.days[0]) else Form("moment").say(found.days[0])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2020-01-02", "2020-01-02 00:00"),
        ("2020/1/2", "2020-01-02 00:00"),
        ("2020-01-02T10:00:00Z", "2020-01-02 10:00"),
        ("2020-01-02 10:30:15.5+02:00", "2020-01-02 08:30:15"),
        ("2020-01-02 23:30 -0100", "2020-01-03 00:30"),
        ("3.4.2020", "2020-04-03 00:00"),
        ("3/4/2020", "2020-03-04 00:00"),
        ("13/4/2020", "2020-04-13 00:00"),
        ("1/2/98 5:30 PM", "1998-01-02 17:30"),
        ("2020-01-01 12:30 AM", "2020-01-01 00:30"),
        ("3 Mar 2020", "2020-03-03 00:00"),
        ("3rd March 2020", "2020-03-03 00:00"),
        ("March 3, 2020", "2020-03-03 00:00"),
        ("Tue, 3 March 2020", "2020-03-03 00:00"),
        ("3-MAR-20", "2020-03-03 00:00"),
        ("2020-05", "2020-05-01 00:00"),
        ("Sept 2020", "2020-09-01 00:00"),
        ("0001-01-01", "0001-01-01 00:00"),
        ("5 Foo 2020", None),
        ("20200102", None),
        ("12", None),
        ("", None),
    ],
)
def test_formats(text, said):
    shown = say(text)
    assert (shown and shown.rjust(len("0001-01-01 00:00"), "0")) == said


def test_compact_dates_only_where_asked():
    assert say("20200102", compact=True) == "2020-01-02 00:00"


def test_the_order_is_what_other_cells_prove_or_the_user_says():
    found = read_moments(pa.array(["3/4/2020", "25/4/2020"]))
    assert found.notation == "day first"
    assert found.days.tolist() == [18355, 18377]
    assert say("3/4/2020", notation="day first") == "2020-04-03 00:00"


@pytest.mark.parametrize("text", ["2021-02-29", "2020-13-01", "31.4.2020", "1/2/2020 25:00"])
def test_dates_that_no_calendar_has(text):
    found = read_moments(pa.array([text]))
    assert np.isnan(found.days).all()
    assert found.is_impossible.all()


@given(st.dates(date(1000, 1, 1)))
def test_every_day_is_read_and_has_its_parts(day):
    days = read_moments(pa.array([day.isoformat()])).days
    assert EPOCH + timedelta(days=days[0]) == datetime(day.year, day.month, day.day)
    parts = [part_values(days, part)[0] for part in ("year", "month", "weekday")]
    assert parts == [day.year, day.month - 1, day.weekday()]


@given(
    st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)).map(lambda m: m.replace(microsecond=0))
)
def test_every_moment_has_its_hour(moment):
    days = read_moments(pa.array([moment.isoformat(" ")])).days
    assert part_values(days, "hour").tolist() == [moment.hour]


@given(st.lists(st.text("0123456789-/.: TZ+apmJan", max_size=20), min_size=1))
def test_any_text_is_a_moment_or_not(texts):
    found = read_moments(pa.array(texts))
    assert len(found.days) == len(texts)
