"""The tables of every size, and the rules that learners may break."""

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def part(monkeypatch):
    """Return a function from the name of a part to its module."""
    monkeypatch.syspath_prepend(PROJECT / "experiments")
    return lambda name: import_module(f"every_size_parts.{name}")


@pytest.mark.parametrize("name", ["oblique", "axis-parallel", "gaussians", "mixed"])
def test_generated_rows_do_not_change(part, name):
    generate = part("tables").GENERATED[name]
    rows, again = generate(2000, 1), generate(2000, 1)
    assert np.array_equal(rows.X, again.X, equal_nan=True)
    assert np.array_equal(rows.labels, again.labels)
    share = np.bincount(rows.labels) / rows.n_rows
    assert len(share) == rows.schema.n_classes
    assert share.max() < 0.7


@pytest.fixture
def broken(part):
    """Return a function from figures of several sizes to what they break."""
    rules = part("rules")

    def of(table, *sizes):
        figures = [rules.Figures(n, accuracy, [seconds] * 3) for n, accuracy, seconds in sizes]
        return rules.broken_rules("ours", table, figures)

    return of


def test_a_good_learner_breaks_nothing(broken):
    sizes = ((100, [0.7, 0.72], 0.1), (200, [0.71, 0.72], 0.2), (400, [0.8, 0.8], 0.41))
    assert broken("oblique", *sizes) == []


def test_lost_accuracy_is_told(broken):
    sizes = ((100, [0.8, 0.81], 0.1), (200, [0.79, 0.82], 0.1), (400, [0.7, 0.71], 0.1))
    assert broken("oblique", *sizes) == [
        "ours on oblique has 80.5 % with 100 rows and 70.5 % with 400"
    ]


@pytest.mark.parametrize("then", [0.2, 1.3])
def test_time_that_falls_or_jumps_is_told(broken, then):
    sizes = ((19_000, [0.8, 0.8], 0.5), (21_000, [0.8, 0.8], then))
    assert broken("letter", *sizes) == [
        f"ours on letter takes 0.50 s with 19,000 rows and {then:.2f} s with 21,000"
    ]
