"""What partitions hold is found as for a table in one place, or an error names the partition."""

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

import miter
from miter.data.sources import open_source
from miter.distributed import columns
from miter.distributed.columns import add_columns, columns_of, settle_columns
from miter.distributed.reading import Look, add_looks, look_at
from miter.errors import ClusterError, DataError, DataWarning

# Dask's own threads warn of what is old in pandas.
pytestmark = pytest.mark.filterwarnings("default")


def settle(frames, kinds=None):
    """Return the columns that frames become that are partitions of one table."""
    from miter.data.kinds import check_kinds

    wishes = check_kinds(kinds, [str(name) for name in frames[0].columns])
    parts = [
        columns_of(open_source(frame), wishes, f"partition {number}")
        for number, frame in enumerate(frames)
    ]
    return settle_columns(add_columns(parts), wishes)


def odd_table(n_rows=400):
    random = np.random.default_rng(0)
    X = pd.DataFrame({"number": random.normal(size=n_rows)})
    X["whole"] = random.integers(0, 3, n_rows)
    X["single"] = random.normal(size=n_rows).astype(np.float32)
    X["name"] = random.choice(["ape", "bee", None], n_rows)
    X["category"] = pd.Categorical(random.choice(["10", "9", "x"], n_rows))
    X["steps"] = pd.Categorical(random.choice(list("SML"), n_rows), list("SML"), ordered=True)
    X["flag"] = random.random(n_rows) < 0.5
    X["spelled"] = np.where(random.random(n_rows) < 0.5, "yes", "NO")
    X.loc[7, "spelled"] = "Yes"
    X["as_text"] = random.integers(0, 50, n_rows).astype(str)
    X.loc[5, "as_text"] = "oops"
    X["money"] = [f"$ {n}" for n in range(n_rows)]
    X["day"] = pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 90, n_rows), "D")
    X["written"] = X["day"].dt.strftime("%d.%m.%Y")
    X["scale"] = random.choice(["low", "medium", "high"], n_rows)
    X["code"] = [f"{n % 4:03}" for n in range(n_rows)]
    X["row"] = np.arange(n_rows)
    X["part_id"] = np.arange(n_rows) % 100
    X["comment"] = [f"text number {n}, as written by hand" for n in range(n_rows)]
    X["nothing"] = None
    X["took"] = pd.to_timedelta(random.integers(0, 999, n_rows), "s")
    return X


@pytest.mark.parametrize("ends", [[400], [1, 5, 400], [100, 100, 200, 400]])
@pytest.mark.parametrize(
    "kinds", [None, {"whole": "symbolic", "row": "numeric", "name": "ignored"}]
)
def test_columns_are_what_they_are_in_memory(ends, kinds):
    X = odd_table()
    starts = [0, *ends[:-1]]
    frames = [X.iloc[a:b] for a, b in zip(starts, ends, strict=True)]
    whole = miter.from_frame(X, kinds=kinds)
    found = settle(frames, kinds)
    assert found.columns == whole.schema.columns
    assert found.left_out == whole.schema.ignored


def test_categories_that_partitions_do_not_share_are_sorted():
    X = odd_table()
    frames = [X.iloc[:3], X.iloc[3:10], X.iloc[10:]]
    for number, frame in enumerate(frames):
        frames[number] = frame.assign(category=frame["category"].cat.remove_unused_categories())
    found = {column.name: column for column in settle(frames).columns}
    assert found["category"].values == ("10", "9", "x")


def test_an_odd_cell_is_said_with_its_partition():
    X = odd_table()[["as_text"]]
    found = settle([X.iloc[:3], X.iloc[3:]])
    assert any("'oops' in row 2 of partition 1" in remark.sentence for remark in found.remarks)


def test_many_values_are_a_sample_of_them_whatever_the_partitions(monkeypatch):
    monkeypatch.setattr(columns, "MOST_VALUES", 50)
    X = pd.DataFrame(
        {"id": [f"k{n}" for n in range(500)], "text": [str(n / 7) for n in range(500)]}
    )
    for frames in ([X], [X.iloc[:90], X.iloc[90:]]):
        parts = [columns_of(open_source(frame), {}, "") for frame in frames]
        added = add_columns(parts)
        assert len(added["id"].values) == 50
        found = settle_columns(added, {})
        assert [column.name for column in found.columns] == ["text"]
        assert found.left_out == ("id",)
    from miter.data.kinds import check_kinds

    wishes = check_kinds({"id": "symbolic"}, ["id", "text"])
    with pytest.raises(DataError, match=r"'id' has more than 50 different values"):
        settle_columns(added, wishes)


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ([1.0, 2.0], ["a", "b"], r"'c' holds numbers in partition 0, but texts in partition 1"),
        ([True, False], [0.5, 2.0], r"'c' holds booleans in partition 0, but numbers in"),
    ],
)
def test_kinds_that_differ(first, second, said):
    with pytest.raises(DataError, match=said):
        settle([pd.DataFrame({"c": first}), pd.DataFrame({"c": second})])


def test_ordered_categories_that_differ():
    frames = [
        pd.DataFrame({"c": pd.Categorical(["a", "b"], values, ordered=True)})
        for values in (["a", "b"], ["b", "a"])
    ]
    with pytest.raises(DataError, match=r"are \['a', 'b'\] in partition 0, but \['b', 'a'\] in"):
        settle(frames)


def look(*tables):
    return add_looks(
        [look_at(Look({}), f"partition {n}", *table) for n, table in enumerate(tables)]
    )


def test_columns_that_are_not_there():
    a, b = pd.DataFrame({"a": [1.0], "b": [2.0]}), pd.DataFrame({"a": [1.0]})
    with pytest.raises(DataError, match=r"partition 1 lacks what partition 0 has, 'b'"):
        look((a,), (b,))


def test_arrays_of_objects_and_of_numbers():
    a, b = np.zeros((2, 2)), np.array([["x", 1.0]], object)
    with pytest.raises(DataError, match=r"partition 0 holds numbers, but partition 1 objects"):
        look((a,), (b,))


def test_labels():
    a = pd.DataFrame({"a": [1.0, 2.0]})
    facts = look((a, np.array([3, 1])), (a, np.array([2, 1]))).labels
    assert facts.counts == {1: 2, 2: 1, 3: 1}
    assert facts.classes == (1, 2, 3)
    floats = look((a, np.array([3, 1])), (a, np.array([1.0, 1.0]))).labels
    assert [*map(repr, floats.classes)] == ["1.0", "3.0"]
    with pytest.raises(DataError, match=r"labels are numbers in partition 0, but texts in"):
        look((a, np.array([3, 1])), (a, np.array(["u", "v"], object)))


def fit(X, y, **others):
    return miter.id3().fit(X, y, **others)


def frame_of(values, n_partitions=2):
    return dd.from_pandas(pd.DataFrame(values), npartitions=n_partitions, sort=False)


def test_what_is_wrong_with_a_partition_names_it(on_cluster):
    frame = frame_of({"a": [1.0, 2, 3, np.inf], "y": [0, 1, 0, 1], "z": [0.0, 1, np.nan, 1]})
    with pytest.raises(DataError, match=r"partition 1: column 'a' holds the infinite value"):
        fit(frame[["a"]], frame["y"])
    with pytest.raises(DataError, match=r"partition 1: the label of row 0 is missing"):
        fit(frame[["a"]], frame["z"])
    with pytest.raises(DataError, match=r"partition 1: sample_weight\[1\] is inf"):
        fit(frame[["y"]], frame["y"], sample_weight=frame["a"])
    with pytest.raises(DataError, match=r"rows that count are of 1 class"):
        fit(frame[["y"]], frame["y"] * 0)


def test_what_does_not_belong_together(on_cluster):
    frame = frame_of({"a": [1.0, 2, 3, 4], "y": [0, 1, 0, 1]})
    with pytest.raises(DataError, match="y a ndarray; give a collection"):
        fit(frame[["a"]], np.array([0, 1, 0, 1]))
    with pytest.raises(DataError, match="X has 2 partitions, but y has 1"):
        fit(frame[["a"]], frame["y"].repartition(npartitions=1))
    with pytest.raises(DataError, match="X has 1 dimension; give two: rows"):
        fit(frame["a"], frame["y"])
    with pytest.raises(ValueError, match="requires y to be passed"):
        fit(frame[["a"]], None)


def test_rule_lists_want_rows_in_one_place():
    frame = frame_of({"a": [1.0, 2, 3, 4], "y": [0, 1, 0, 1]})
    with pytest.raises(DataError, match="RuleListClassifier is fitted to rows in one place"):
        miter.RuleListClassifier().fit(frame[["a"]], frame["y"])


def test_what_is_made_of_columns_is_told(on_cluster):
    values = {
        "a": [1.0, 2, 3, 4] * 10,
        "name": [f"n{n}" for n in range(40)],
        "y": [0, 1, 0, 1] * 10,
    }
    frame = frame_of(values)
    with pytest.warns(DataWarning, match=r"'name': has 40 different values .* it names the row"):
        fit(frame[["a", "name"]], frame["y"])


def test_a_partition_on_which_workers_die(on_cluster):
    def allow(dask_scheduler, n_deaths):
        before, dask_scheduler.allowed_failures = dask_scheduler.allowed_failures, n_deaths
        return before

    frame = frame_of({"a": [1.0, 2, 3, 4], "y": [0, 1, 0, 1]})
    deadly = frame[["a"]].map_partitions(_die_of_three, meta=frame[["a"]]._meta)
    before = on_cluster.run_on_scheduler(allow, n_deaths=0)
    try:
        with pytest.raises(ClusterError, match=r"partition 1: workers died again and again"):
            fit(deadly, frame["y"])
    finally:
        on_cluster.run_on_scheduler(allow, n_deaths=before)


def _die_of_three(frame):
    import os

    if 3.0 in frame["a"].to_list():
        os._exit(1)
    return frame
