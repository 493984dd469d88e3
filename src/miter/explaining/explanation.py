"""Why a row gets its answer: the path, what spoke for each branch, and what is not known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.checks import check_whole
from miter.data.labels import label_text
from miter.data.schema import Label, Schema
from miter.estimators.fitted import Fitted
from miter.explaining.freedom import Freedom, Wishes
from miter.explaining.reasons import Reasons, reasons_of
from miter.explaining.rows import code_row, code_rows, say_row, schema_of
from miter.explaining.unknown import Question, questions
from miter.splits import Condition, Split
from miter.splits.expression import Largest
from miter.tree import Tree

__all__ = ["Explanation", "Reason", "Step", "explain", "say_together"]

#: A sum of so many columns is said in full, as all of a readable tree are.
SHORT = 6
#: So many reasons are said of a test; the others are counted.
SAID = 6


@dataclass(frozen=True)
class Reason:
    """What the value of a column adds to the margin of a branch.

    Parameters
    ----------
    column : str
        Its name.
    value : str
        As the user would write it; '?' where it is missing.
    contribution : float
        Above 0 it spoke for the branch that was taken.
    """

    column: str
    value: str
    contribution: float


@dataclass(frozen=True)
class Step:
    """One test on the way.

    Parameters
    ----------
    node : int
        Its number in the tree.
    condition : str
        What holds for rows that take the branch.
    headline : str
        The same in a few words, where many columns are weighed together.
    rival : str
        What holds for rows that take the next best.
    margin, without : float or None
        How far the row is from the next best, and how far a row would be of which nothing is
        known; None where a test has no measure.
    reasons : tuple of Reason
        What each column adds: they and `without` sum to `margin`.
    missing : tuple of str
        The columns of the test that are missing.
    share : float
        The part of the row that takes this branch, where a missing value shares it out.
    """

    node: int
    condition: str
    headline: str
    rival: str
    margin: float | None
    without: float | None
    reasons: tuple[Reason, ...]
    missing: tuple[str, ...]
    share: float


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why a row gets its answer.

    Parameters
    ----------
    label : label
        The answer.
    row : dict
        The row, by names of columns.
    probabilities : dict
        Of each class.
    steps : tuple of Step
        From the root to the leaf; empty for a forest.
    counts : dict
        The training rows of each class at the leaf; empty for a forest.
    effects : dict
        By how much each column raised the probability of the answer on the way; of a forest the
        mean over its trees.
    questions : tuple of Question
        What is missing and could change the answer.
    nearest : tuple of dict
        The nearest of the rows that were given.
    n_trees : int
        How many trees there are.
    agreeing : int
        How many of them give the answer.
    """

    label: Label
    row: dict[str, Any]
    probabilities: dict[Label, float]
    steps: tuple[Step, ...]
    counts: dict[Label, float]
    effects: dict[str, float]
    questions: tuple[Question, ...]
    nearest: tuple[dict[str, Any], ...]
    n_trees: int
    agreeing: int

    def __str__(self) -> str:
        from miter.explaining.telling import tell_text

        return tell_text(self)

    def to_markdown(self) -> str:
        """Return it as Markdown."""
        from miter.explaining.telling import tell_markdown

        return tell_markdown(self)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "label": self.label,
            "row": self.row,
            "probabilities": [[label, p] for label, p in self.probabilities.items()],
            "steps": [asdict(step) for step in self.steps],
            "counts": [[label, count] for label, count in self.counts.items()],
            "effects": self.effects,
            "questions": [
                {
                    "column": question.column,
                    "most": question.most,
                    "answers": [list(pair) for pair in question.answers.items()],
                }
                for question in self.questions
            ],
            "nearest": list(self.nearest),
            "n_trees": self.n_trees,
            "agreeing": self.agreeing,
        }

    def to_frame(self) -> Any:
        """Return a pandas frame with a row for each test and column."""
        import pandas as pd

        return pd.DataFrame(
            [
                {"node": step.node, "condition": step.condition, **asdict(reason)}
                for step in self.steps
                for reason in step.reasons
            ],
            columns=["node", "condition", "column", "value", "contribution"],
        )


def explain(model: Fitted, row: Any, rows: Any = None, *, n_nearest: int = 3) -> Explanation:
    """Return why a row gets its answer.

    Parameters
    ----------
    model : Fitted
        A fitted tree or forest.
    row : mapping, Series, or DataFrame of one row
        By the names of the columns; None is a value that is not known.
    rows : DataFrame or array, optional
        Rows, such as the training rows, of which the nearest are shown.
    n_nearest : int
        How many of them.

    Returns
    -------
    Explanation

    Examples
    --------
    >>> from miter import explain, id3
    >>> from miter.data import play_tennis
    >>> tree = id3().fit(play_tennis())
    >>> row = {"Outlook": "Sunny", "Temp.": "Hot", "Humidity": "High", "Wind": "Weak"}
    >>> explain(tree, row).steps[0].condition
    'Outlook = Sunny'
    """
    check_whole("n_nearest", n_nearest, 1)
    schema = schema_of(model)
    coded = code_row(model, row)
    code = int(model.predict_codes(coded[None])[0])
    shares = model.predict_shares(coded[None])[0]  # type: ignore[attr-defined]
    walks = [_walk(tree, coded) for tree in model.trees_]
    is_one = len(model.trees_) == 1
    tree, (nodes, reasons) = model.trees_[0], walks[0]
    effects: dict[int, float] = {}
    for one, (path, why) in zip(model.trees_, walks, strict=True):
        for column, effect in _effects(one, path, why, code).items():
            effects[column] = effects.get(column, 0.0) + effect / len(walks)
    return Explanation(
        schema.classes[code],
        say_row(coded, schema),
        dict(zip(schema.classes, shares.tolist(), strict=False)),
        tuple(_steps(tree, coded, nodes, reasons)) if is_one else (),
        _counts(tree, nodes[-1]) if is_one else {},
        {
            schema.columns[column].name: effect
            for column, effect in sorted(effects.items(), key=lambda pair: -abs(pair[1]))
        },
        tuple(questions(model, coded)),
        _nearest(model, coded, rows, n_nearest),
        len(model.trees_),
        sum(int(one.predict(coded[None])[0]) == code for one in model.trees_),
    )


def _walk(tree: Tree, row: NDArray[np.float64]) -> tuple[list[int], list[Reasons | None]]:
    """Return the nodes that a row, or its largest part, visits, and why it went on from each."""
    nodes, reasons = [0], []
    while (split := tree.splits[nodes[-1]]) is not None:
        first = int(tree.first_child[nodes[-1]])
        branch = int(split.route(row[None])[0])
        if branch >= 0:
            why = reasons_of(split.expression, row)
        elif branch == -1:  # shared out: the largest part is followed
            why = None
            branch = int(np.argmax(tree.share[first : first + split.n_branches]))
        else:  # no branch fits
            break
        reasons.append(why)
        nodes.append(first + branch)
    return nodes, reasons


def _steps(
    tree: Tree, row: NDArray[np.float64], nodes: list[int], reasons: Sequence[Reasons | None]
) -> list[Step]:
    schema, steps = tree.schema, []
    for node, child, why in zip(nodes, nodes[1:], reasons, strict=False):
        split = tree.splits[node]
        assert split is not None
        branch = child - int(tree.first_child[node])
        # A column may be asked about in several terms.
        columns = dict.fromkeys(split.columns)
        missing = tuple(schema.columns[c].name for c in columns if np.isnan(row[c]))
        has_measure = why is not None and why.margin == why.margin
        steps.append(
            Step(
                node,
                Condition(split, branch).say(schema),
                _headline(split, branch, schema),
                Condition(split, why.rival).say(schema) if has_measure and why else "",
                why.margin if has_measure and why else None,
                why.without if has_measure and why else None,
                _reasons(why.contributions, row, schema) if has_measure and why else (),
                missing,
                1.0 if why is not None else float(tree.share[child]),
            )
        )
    return steps


def say_together(split: Split, branch: int, schema: Schema) -> str:
    """Say what the columns of a test of many do where it leads to a branch; nothing of few."""
    n_columns, expression = len({*split.columns}), split.expression
    if n_columns <= (1 if isinstance(expression, Largest) else SHORT):
        return ""
    if isinstance(expression, Largest):
        label = label_text(schema.classes[expression.classes[branch]])
        return f"speak most for {label}"
    return f"are {'above' if branch else 'below'} the threshold"


def _headline(split: Split, branch: int, schema: Schema) -> str:
    """Say a branch in a few words: who wants the sum itself finds it in the tree."""
    together = say_together(split, branch, schema)
    n_columns = len({*split.columns})
    return f"{n_columns} columns together {together}" if together else split.say(schema, branch)


def _reasons(
    contributions: Mapping[int, float], row: NDArray[np.float64], schema: Schema
) -> tuple[Reason, ...]:
    order = sorted(contributions.items(), key=lambda pair: -abs(pair[1]))
    return tuple(
        Reason(schema.columns[c].name, schema.columns[c].say(row[c]), float(part))
        for c, part in order
    )


def _effects(
    tree: Tree, nodes: list[int], reasons: Sequence[Reasons | None], code: int
) -> dict[int, float]:
    """Divide the change of a probability at each test among its columns, as they weighed in it."""
    effects: dict[int, float] = {}
    for node, child, why in zip(nodes, nodes[1:], reasons, strict=False):
        gained = float(tree.probabilities[child, code] - tree.probabilities[node, code])
        columns = tree.splits[node].columns  # type: ignore[union-attr]
        parts = dict.fromkeys(columns, 1.0)
        if why is not None and why.margin == why.margin:
            parts = {c: abs(part) for c, part in why.contributions.items()}
        total = sum(parts.values())
        for column, part in parts.items():
            share = part / total if total > 0 else 1 / len(parts)
            effects[column] = effects.get(column, 0.0) + gained * share
    return effects


def _counts(tree: Tree, node: int) -> dict[Label, float]:
    return dict(zip(tree.schema.classes, tree.counts[node].tolist(), strict=False))


def _nearest(
    model: Fitted, row: NDArray[np.float64], rows: Any, n_nearest: int
) -> tuple[dict[str, Any], ...]:
    if rows is None:
        return ()
    schema = model.schema_
    coded = code_rows(model, rows)
    free = Freedom.of(row, schema, Wishes())
    far = [free.distance(row, other) for other in coded]
    return tuple(say_row(coded[number], schema) for number in np.argsort(far)[:n_nearest])
