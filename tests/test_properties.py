"""What holds of every learner on every table that can be read, however odd.

Drawn tables have up to forty rows; `MITER_EXAMPLES=1000 pytest tests/test_properties.py` draws more
of them than `make test` does.
"""

import os
import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from miter import load, save
from miter.data import Column, Data, Schema
from miter.registry import LEARNERS, make_learner

EXAMPLES = int(os.environ.get("MITER_EXAMPLES", "6"))
#: Small and unpruned, so that an example is a matter of milliseconds.
SETTINGS = {
    "bagging": {"n_estimators": 2},
    "forest": {"n_estimators": 3},
    "rules": {"post_pruning": False},
    "hybrid": {"hidden": 2},
    "network": {"hidden": 2},
    "readable": {"max_features": 2},
    "thermal_machine": {"max_depth": 2},
    "lmdt91": {"max_depth": 2},
    "lmdt93": {"max_depth": 2},
}
odd_numbers = st.sampled_from(
    [0.0, -0.0, 1.0, 5e-324, 1e-308, 1e-30, 1e30, 1e308, -1e308, 1.0 + 2**-52, 2.0**53, -3.5]
)
numbers = st.floats(allow_nan=False, allow_infinity=False) | odd_numbers | st.integers(-2, 2)


@st.composite
def tables(draw):
    """Return rows of numbers, symbols and ordered values, some missing, of two classes or more."""
    n_rows = draw(st.integers(2, 40))
    columns, cells = [], []
    for place in range(draw(st.integers(1, 5))):
        kind = draw(st.sampled_from(["numeric", "symbolic", "ordered", "constant", "missing"]))
        if kind in ("symbolic", "ordered"):
            values = tuple(f"v{code}" for code in range(draw(st.integers(1, 4))))
            columns.append(Column(f"x{place}", kind, values))
            cell = st.integers(0, len(values) - 1).map(float)
        else:
            columns.append(Column(f"x{place}", "numeric"))
            cell = {"constant": st.just(draw(numbers)), "missing": st.just(np.nan)}.get(
                kind, numbers
            )
        some = st.just(np.nan) if draw(st.booleans()) else cell
        cells.append(draw(st.lists(cell | some, min_size=n_rows, max_size=n_rows)))
    if draw(st.booleans()):  # a column twice
        columns.append(Column("again", columns[0].kind, columns[0].values))
        cells.append(cells[0])
    n_classes = draw(st.integers(2, max(2, min(n_rows, 6))))
    y = draw(st.lists(st.integers(0, n_classes - 1), min_size=n_rows, max_size=n_rows))
    y[:2] = [0, 1]
    schema = Schema(tuple(columns), tuple(f"c{code}" for code in range(n_classes)))
    return Data(schema, np.array(cells, float).T.copy(), np.array(y, np.int32))


def fitted(learner, data):
    model = make_learner(learner, SETTINGS.get(learner, {}))
    if "pruning" in model.get_params(deep=False) and learner != "rules":
        model.set_params(pruning=None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return model.set_params(random_state=0).fit(data)


@pytest.mark.parametrize("learner", LEARNERS)
@settings(
    max_examples=EXAMPLES,
    derandomize="MITER_EXAMPLES" not in os.environ,
    suppress_health_check=list(HealthCheck),
)
@given(data=tables())
def test_every_table_gives_a_sound_model(learner, data, tmp_path_factory):
    model = fitted(learner, data)
    rows = Data(data.schema, data.X)
    probabilities = model.predict_proba(rows)
    assert probabilities.shape == (data.n_rows, data.schema.n_classes)
    assert np.isfinite(probabilities).all()
    assert np.allclose(probabilities.sum(axis=1), 1.0)
    answers = model.predict(rows)
    assert set(answers) <= set(data.schema.classes)
    for tree in model.trees_:
        leaves = tree.apply(data.X)
        assert tree.is_leaf[leaves[leaves >= 0]].all()
    path = tmp_path_factory.getbasetemp() / f"{learner}.miter"
    save(model, path)
    again = load(path)
    assert np.array_equal(again.predict_proba(rows), probabilities)
    assert np.array_equal(again.predict(rows), answers)
