import numpy as np
import pytest

import miter
from miter.data import Data
from miter.errors import DataError
from miter.reporting.rows import MOST_CELLS, MOST_ROWS, ReportRows, read_report_rows

from .conftest import fitted, schema, table


def many(n_rows, n_wrong):
    """Return rows of which a few are answered wrongly, all in one place."""
    answers = np.zeros(n_rows, np.int32)
    truth = np.zeros(n_rows, np.int32)
    truth[n_rows // 2 : n_rows // 2 + n_wrong] = 2
    return ReportRows(Data(schema(), np.zeros((n_rows, 4)), truth), answers)


def test_few_rows_are_all_in_the_page():
    rows = ReportRows(table(50), np.zeros(50, np.int32))
    assert rows.shown.tolist() == list(range(50))
    assert rows.contents()["numbers"][:2] == [1, 2]


def test_of_many_rows_every_mistake_is_there():
    rows = many(100_000, 30)
    assert len(rows.shown) == MOST_ROWS
    assert (np.diff(rows.shown) > 0).all()
    assert rows.data.labels[rows.shown].tolist().count(2) == 30


def test_weights_of_the_rows_of_a_page_add_up_to_all():
    rows = many(100_000, 5_000)
    wrong = rows.data.labels[rows.shown] == 2
    assert rows.weights[wrong].sum() == pytest.approx(5_000)
    assert rows.weights.sum() == pytest.approx(100_000)


def test_wide_tables_have_fewer_rows_in_a_page():
    X = np.zeros((5000, 1000))
    model = miter.id3(max_depth=0).fit(X, np.arange(5000) % 2)
    rows = read_report_rows(model, X)
    assert len(rows.shown) * 1000 <= MOST_CELLS


def test_rows_may_have_no_labels():
    data = table(20)
    rows = read_report_rows(fitted("univariate"), Data(data.schema, data.X))
    assert not rows.has_labels
    assert rows.contents()["truth"] is None


def test_other_columns_are_refused():
    with pytest.raises(DataError, match="other columns"):
        read_report_rows(fitted("univariate"), table(20, own=schema(("a", "b", "c", "d"))))


def test_cells_survive_json():
    import json

    data = table(80)
    rows = ReportRows(data, np.zeros(80, np.int32))
    cells = json.loads(json.dumps(rows.contents()["cells"]))
    back = np.array([[np.nan if cell is None else cell for cell in row] for row in cells])
    assert np.array_equal(back, data.X, equal_nan=True)
