"""An evaluation in words, within the width of a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from miter.data.files.cells import number_text
from miter.data.labels import label_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from miter.lab.estimates.evaluation import Evaluation
    from miter.lab.estimates.scores import Score

__all__ = ["format_evaluation"]

#: With more classes, only the worst and the most frequent mistakes are told.
SHOWN_CLASSES = 30
SHOWN_MISTAKES = 10
WIDEST_LABEL = 28


def format_evaluation(report: Evaluation, width: int | None = None) -> str:
    """Write a report.

    Parameters
    ----------
    report : Evaluation
        What to write.
    width : int, optional
        Of the terminal; None: as wide as it gets.
    """
    names = [_one_line(label_text(label)) for label in report.classes]
    parts = [
        _head(report),
        _scores(report),
        _reading(report),
        _by_class(report, names),
        _matrix(report, names, width),
    ]
    if report.total_cost is not None:
        parts += [[_cost(report)], _errors(report, names)]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _head(report: Evaluation) -> list[str]:
    lines = [
        f"Number correct: {report.n_correct}. Number incorrect: {report.n_wrong}",
        f"Error: {report.error:.2%} +- {report.deviation:.2%} "
        f"[{report.interval[0]:.2%} - {report.interval[1]:.2%}]",
        f"Accuracy: {report.accuracy:.2%}",
    ]
    if report.n_seen is None:
        return [f"Number of test instances: {report.n_test}.", *lines]
    return [
        f"Number of training instances: {report.n_train}",
        f"Number of test instances: {report.n_test}. "
        f"Unseen: {report.n_unseen}, seen {report.n_seen}.",
        lines[0],
        f"Generalization error: {_percent(report.generalisation_error)}. "
        f"Memorization error: {_percent(report.memorisation_error)}",
        *lines[1:],
    ]


def _scores(report: Evaluation) -> list[str]:
    said: list[tuple[str, Score | None]] = [
        ("Balanced accuracy", report.balanced_accuracy),
        ("F1, mean of the classes", report.f1),
        ("ROC AUC", report.roc_auc),
        ("Log loss", report.log_loss),
        ("Brier score", report.brier),
    ]
    known = [(name, score) for name, score in said if score is not None]
    widest = max(len(name) for name, _ in known) + 1
    return [f"{name + ':':<{widest}} {score}" for name, score in known]


def _reading(report: Evaluation) -> list[str]:
    if report.terms is None or report.path_terms is None:
        return []
    return [f"Terms to read: {report.terms:,}. On the path of a row: {report.path_terms:.1f}"]


def _by_class(report: Evaluation, names: list[str]) -> list[str]:
    order = list(range(len(names)))
    if len(order) > SHOWN_CLASSES:
        found = [score.recall for score in report.by_class]
        order.sort(key=lambda code: 2.0 if (own := found[code]) is None else own.value)
        order = order[:SHOWN_MISTAKES]
    rows = [["", "rows", "precision", "recall", "F1"]]
    for code in order:
        score = report.by_class[code]
        rows.append(
            [
                _short(names[code]),
                str(score.n_rows),
                *(_value(one) for one in (score.precision, score.recall, score.f1)),
            ]
        )
    lines = _aligned(rows)
    n_more = len(names) - len(order)
    return [*lines, f"and {n_more:,} more classes, found more often"] if n_more else lines


def _matrix(report: Evaluation, names: list[str], width: int | None) -> list[str]:
    title = "Confusion matrix, true classes down, predicted ones across:"
    lines = _class_table(names, names, report.confusion)
    if width is None or max(map(len, lines)) <= width:
        return [title, "", *lines]
    letters = [_letters(code) for code in range(len(names))]
    own = [f"{letter} = {_short(name)}" for letter, name in zip(letters, names, strict=True)]
    lines = _class_table(own, letters, report.confusion)
    if max(map(len, lines)) <= width and len(names) <= SHOWN_CLASSES:
        return [title, "", *lines]
    return _mistakes(report, names)


def _mistakes(report: Evaluation, names: list[str]) -> list[str]:
    """Return the most frequent mistakes, where the matrix has no room."""
    wrong = report.confusion - np.diag(report.confusion.diagonal())
    flat = np.argsort(-wrong, axis=None, kind="stable")[:SHOWN_MISTAKES]
    lines = ["The most frequent mistakes (--json, or Evaluation.confusion, has them all):"]
    for place in flat.tolist():
        truth, answer = divmod(place, len(names))
        if wrong[truth, answer]:
            pair = f"{_short(names[truth])} taken for {_short(names[answer])}"
            lines.append(f"  {wrong[truth, answer]:>6,}  {pair}")
    return lines


def _cost(report: Evaluation) -> str:
    total = number_text(round(report.total_cost or 0.0, 4))
    return f"Total cost: {total}. Mean cost: {report.mean_cost:.4f}"


def _errors(report: Evaluation, names: list[str]) -> list[str]:
    counts = np.array([report.false_negatives, report.false_positives]).T
    return _class_table(names, ["false negatives", "false positives"], counts)


def _class_table(
    names: Sequence[str], heads: Sequence[str], counts: NDArray[np.int64]
) -> list[str]:
    """Return a table with a line for each class."""
    rows = [[name, *map(str, row)] for name, row in zip(names, counts.tolist(), strict=True)]
    return _aligned([["", *heads], *rows])


def _aligned(table: list[list[str]]) -> list[str]:
    widths = [max(map(len, cells)) for cells in zip(*table, strict=True)]
    return [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in table
    ]


def _letters(code: int) -> str:
    """Return a, b, ..., z, aa, ab, ..."""
    letter = chr(ord("a") + code % 26)
    return letter if code < 26 else _letters(code // 26 - 1) + letter


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _short(text: str) -> str:
    return text if len(text) <= WIDEST_LABEL else text[: WIDEST_LABEL - 3] + "..."


def _value(score: Any) -> str:
    return "." if score is None else f"{score.value:.3f}"


def _percent(share: float | None) -> str:
    return "unknown" if share is None else f"{share:.2%}"
