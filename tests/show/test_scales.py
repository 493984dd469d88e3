import numpy as np
import pandas as pd
import pytest

import miter
from miter.data import Column, Schema
from miter.show.scales import counted_columns, say_scales
from miter.splits import Linear, Machine, Term, Threshold

STEPS = ("never", "at times", "always")
MONTHS = tuple("JFMAMJJASOND")
SCHEMA = Schema(
    (
        Column("mood", "ordered", STEPS),
        Column("my boss", "ordered", STEPS),
        Column("age", "numeric"),
        Column("month", "ordered", tuple(f"{m}{n}" for n, m in enumerate(MONTHS))),
    ),
    ("no", "yes"),
)


def test_columns_of_one_scale_are_said_together():
    assert [*say_scales([0, 1, 2], SCHEMA)] == [
        "In sums mood, 'my boss' count never 0, at times 1, always 2."
    ]


def test_long_scales_are_cut():
    assert [*say_scales([3], SCHEMA)] == ["In sums month counts J0 0, F1 1, ..., D11 11."]


@pytest.mark.parametrize(
    ("split", "columns"),
    [
        (Threshold(0, (0.5,)), set()),
        (Linear((Term.number(0, 1.0), Term.condition(1, 0.5, 2.0)), 1.0), {0}),
        (Machine((0.0, 0.0), (Term.bent(1, 1.0, (1.0, 0.0), (0.0, 1.0)),), (0, 1)), {1}),
    ],
)
def test_what_is_added_up(split, columns):
    assert {*counted_columns(split.expression)} == columns


def test_a_tree_says_its_scales_below():
    random = np.random.default_rng(0)
    steps = random.integers(0, 3, (200, 2))
    X = pd.DataFrame(
        {
            name: pd.Categorical.from_codes(steps[:, k], STEPS, ordered=True)
            for k, name in enumerate(["mood", "my boss"])
        }
    )
    tree = miter.LinearCombinationTreeClassifier(random_state=0).fit(X, steps.sum(axis=1) > 2)
    text = miter.export_text(tree)
    assert "In sums mood, 'my boss' count never 0, at times 1, always 2." in text.splitlines()
    plain = miter.UnivariateTreeClassifier().fit(X, steps[:, 0] > 1)
    assert "In sums" not in miter.export_text(plain)
