"""Explanations in sentences that a person understands who does not program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from miter.data.labels import label_text
from miter.explaining.explanation import SAID, Explanation, Reason, Step

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
        missing = ", ".join(step.missing)
        return f" ({missing} is not known: {step.share:.0%} of such rows go this way)"
    if step.margin is None:
        return ""
    unknown = f"; not known: {', '.join(step.missing)}" if step.missing else ""
    return f" (by {step.margin:.3g}{unknown})"


def _list(reasons: list[Reason]) -> str:
    said = [f"{r.column} {r.value} ({r.contribution:+.2g})" for r in reasons[:SAID]]
    more = f", and {len(reasons) - SAID} more" if len(reasons) > SAID else ""
    return ", ".join(said) + more


def _side(reason: Reason) -> str:
    return f"{'for' if reason.contribution > 0 else 'against'} it, {reason.contribution:+.3g}"


def _rest(explanation: Explanation) -> Iterator[str]:
    total = sum(explanation.counts.values())
    if total > 0:
        named = [
            f"{count:g} {label_text(label)}" for label, count in explanation.counts.items() if count
        ]
        yield f"Of the {total:g} training rows that came here: {', '.join(named)}"
    if explanation.n_trees > 1:
        said = [f"{name} {effect:+.2f}" for name, effect in explanation.effects.items()][:SAID]
        yield f"What moved the probability, in the mean over the trees: {', '.join(said)}"
    for question in explanation.questions:
        answers = " or ".join(
            f"{label_text(label)} (as {value})" for label, value in question.answers.items()
        )
        yield f"{question.column} is not known, and could make it {answers}"
    for row in explanation.nearest:
        yield f"A row like it: {', '.join(f'{k} {_value(v)}' for k, v in row.items())}"


def _value(value: Any) -> str:
    return "?" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
