"""Explanations in sentences that a person understands who does not program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from miter.data.labels import label_text
from miter.explaining.explanation import SAID, Explanation, Reason, Step
from miter.splits.digits import say_number
from miter.splits.names import say_name

__all__ = ["tell_markdown", "tell_text"]


def tell_text(explanation: Explanation) -> str:
    """Tell an explanation as plain text."""
    return "\n".join(_lines(explanation))


def tell_markdown(explanation: Explanation) -> str:
    """Tell an explanation as Markdown, its reasons as tables."""
    lines = [f"**{_answer(explanation)}**", ""]
    for number, step in enumerate(explanation.steps, 1):
        lines += [f"{number}. {_cell(step.headline)}{_closeness(step)}", ""]
        if len(step.reasons) > 1:
            lines += ["   | column | value | spoke |", "   | --- | --- | --- |"]
            lines += [
                f"   | {_cell(reason.column)} | {_cell(reason.value)} | {_side(reason)} |"
                for reason in step.reasons
            ]
            lines.append("")
    lines += [f"{_cell(line)}\n" for line in _rest(explanation)]
    return "\n".join(lines).rstrip() + "\n"


def _lines(explanation: Explanation) -> Iterator[str]:
    yield _answer(explanation)
    for number, step in enumerate(explanation.steps, 1):
        yield f"{number}. {step.headline}{_closeness(step)}"
        if len(step.reasons) > 1:
            for word, sign in (("for it", 1), ("against it", -1)):
                said = [reason for reason in step.reasons if reason.contribution * sign > 0]
                if said:
                    yield f"   {word}: {_list(said)}"
    yield from _rest(explanation)


def _answer(explanation: Explanation) -> str:
    probability = explanation.probabilities[explanation.label]
    said = f"The answer is {label_text(explanation.label)}, with a probability of {probability:.0%}"
    if explanation.n_trees > 1:
        said += f"; {explanation.agreeing} of {explanation.n_trees} trees say so"
    return f"{said}{', because' if explanation.steps else ''}"


def _closeness(step: Step) -> str:
    if step.share < 1:
        return f" ({_names(step.missing)} is not known: {step.share:.0%} of such rows go this way)"
    if step.margin is None:
        return ""
    unknown = f"; not known: {_names(step.missing)}" if step.missing else ""
    return f" (by {_short(step.margin, 3)}{unknown})"


def _list(reasons: list[Reason]) -> str:
    said = [
        f"{say_name(r.column)} {r.value} ({_signed(r.contribution, 2)})" for r in reasons[:SAID]
    ]
    more = f", and {len(reasons) - SAID} more" if len(reasons) > SAID else ""
    return ", ".join(said) + more


def _side(reason: Reason) -> str:
    return (
        f"{'for' if reason.contribution > 0 else 'against'} it, {_signed(reason.contribution, 3)}"
    )


def _rest(explanation: Explanation) -> Iterator[str]:
    total = sum(explanation.counts.values())
    if total > 0:
        named = [
            f"{_amount(count)} {'is' if count == 1 else 'are'} {label_text(label)}"
            for label, count in explanation.counts.items()
            if count
        ]
        rows = "row" if total == 1 else "rows"
        yield f"Of the {_amount(total)} training {rows} that came here {', '.join(named)}"
    if explanation.n_trees > 1:
        effects = list(explanation.effects.items())[:SAID]
        said = [f"{say_name(name)} {effect:+.2f}" for name, effect in effects]
        yield f"What moved the probability, in the mean over the trees: {', '.join(said)}"
    for question in explanation.questions:
        answers = " or ".join(
            f"{label_text(label)} (as {_value(value)})" for label, value in question.answers.items()
        )
        yield f"{say_name(question.column)} is not known, and could make it {answers}"
    for row in explanation.nearest:
        yield f"A row like it: {', '.join(f'{say_name(k)} {_value(v)}' for k, v in row.items())}"


def _names(columns: tuple[str, ...]) -> str:
    return ", ".join(map(say_name, columns))


def _amount(rows: float) -> str:
    """Say how many rows; those with missing values may count in parts."""
    return f"{rows:.1f}".removesuffix(".0")


def _short(value: float, digits: int) -> str:
    """Write a number in few digits, and without a power of ten where it is large."""
    return say_number(float(f"{value:.{digits}g}"))


def _signed(value: float, digits: int) -> str:
    return f"{'+' if value >= 0 else ''}{_short(value, digits)}"


def _value(value: Any) -> str:
    return "?" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
