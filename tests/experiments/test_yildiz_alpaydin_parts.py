"""What the tables of experiments/yildiz_alpaydin.py rest on: printed figures, means, verdicts."""

from importlib import import_module
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def part(monkeypatch):
    """Return a function from the name of a part to its module."""
    monkeypatch.syspath_prepend(PROJECT / "experiments")
    return lambda name: import_module(f"yildiz_alpaydin_parts.{name}")


def runs_of(*accuracies):
    return {"Iris": [[{"accuracy": a, "nodes": 5.0} for a in accuracies]] * 5}


def test_printed_figures_are_whole(part):
    published = part("published")
    for figures in (published.ACCURACY, published.NODES, published.SECONDS):
        assert list(figures) == list(part("sets").FOLDERS)
        assert all(tuple(row) == published.LEARNERS for row in figures.values())
    # As the text of the paper says of CART and ID3, and of the largest times.
    means = [
        sum(row[one][0] for row in published.ACCURACY.values()) / 20 for one in ("CART", "ID3")
    ]
    assert means == pytest.approx([80.6, 84.7], abs=0.05)
    assert max(row["CART"] for row in published.SECONDS.values()) == (33613, 2942)


def test_figures_stand_beside_the_printed_ones(part):
    figures, published = part("figures"), part("published")
    runs = {"id3": runs_of(0.8, 0.9)}
    columns = figures.columns_of(published.ACCURACY, runs, "accuracy", 100)
    assert list(columns) == ["ID3"]
    own = columns["ID3"]["Iris"]
    assert own["paper"] == (93.9, 2.8)
    assert own["as published"] == pytest.approx((85.0, 5.27), abs=0.01)
    assert figures.mean_over_sets(columns["ID3"], "as published") == pytest.approx(85)
    assert figures.mean_over_sets(columns["ID3"], "well trained") is None


def test_what_is_below_or_varies_is_named(part):
    table2 = part("table2")
    column = {
        "Iris": {"paper": (93.9, 2.8), "as published": (91.2, 2.0), "well trained": (91.0, 6.0)},
        "Zoo": {"paper": (92.1, 4.8), "as published": (95.0, 7.0)},
    }
    summary = table2._summary(column)
    assert summary["as published"] == {"below": [], "unsteady": ["Zoo"]}
    assert summary["well trained"] == {"below": ["Iris"], "unsteady": ["Iris"]}


def test_verdicts_of_the_f_test(part):
    table2 = part("table2")
    runs = {"id3": runs_of(0.80, 0.81), "univariate": runs_of(0.90, 0.91)}
    assert table2._verdicts(runs, "ID3") == {"Iris": 1}
    assert (table2._wins(runs, "univariate", "id3"), table2._wins(runs, "id3", "univariate")) == (
        1,
        0,
    )


def test_the_fastest_fit_counts(part):
    calls = []
    assert 0 <= part("table4")._time(lambda: calls.append(1)) < 1
    assert len(calls) == part("table4").N_FITS
