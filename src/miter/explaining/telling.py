"""Explanations in sentences that a person understands who does not program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from miter.data.labels import label_text
from miter.explaining.explanation import SAID, Explanation, Reason, Step
from miter.splits.digits import say_number
from miter.splits.names import say_name

__all__ = ["tell_markdown", "tell_text"]

#: Names in quotes, which are left as they are; the signs between other words, and what is said.
_QUOTED = re.compile(r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")
_SIGNS = {"<=": "is at most", ">=": "is at least", "<": "is below", ">": "is above", "=": "is"}


def tell_text(explanation: Explanation) -> str:
    """Tell an explanation as plain text."""
    return "\n".join(_lines(explanation))


def tell_markdown(explanation: Explanation) -> str:
    """Tell an explanation as Markdown, its reasons as tables."""
    lines = [f"**{_answer(explanation)}**", ""]
    for number, step in enumerate(explanation.steps, 1):
        lines += [f"{number}. {_cell(_said(step))}", ""]
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
    are_sums = False
    for number, step in enumerate(explanation.steps, 1):
        yield f"{number}. {_said(step)}"
        if len(step.reasons) > 1:
            are_sums = True
            for word, sign in (("for it", 1), ("against it", -1)):
                said = [reason for reason in step.reasons if reason.contribution * sign > 0]
                if said:
                    yield f"   {word}: {_list(said)}"
    if are_sums:
        yield "In brackets: how much each counts, beside a row of which nothing is known."
    yield from _rest(explanation)


def _answer(explanation: Explanation) -> str:
    probability = explanation.probabilities[explanation.label]
    said = f"The answer is {label_text(explanation.label)}, with a probability of {probability:.0%}"
    if explanation.n_trees > 1:
        said += f"; {explanation.agreeing} of {explanation.n_trees} trees say so"
    return f"{said}{', because' if explanation.steps else ''}"


def _in_words(condition: str) -> str:
    """Say a condition without signs; what is in brackets counts where it holds."""
    parts = _QUOTED.split(condition)
    for place in range(0, len(parts), 2):
        said = re.sub(r"(?<!\S)(<=|>=|<|>|=)(?=\s)", lambda sign: _SIGNS[sign[1]], parts[place])
        # A term such as `2 [age > 40]`, or `2 for each [age above 40]`.
        said = re.sub(r"(?<!each )(\d )?\[", lambda start: f"{start[1] or '1 '}(if ", said)
        said = said.replace("[", "(").replace("]", ")")
        parts[place] = re.sub(r"\bin \{", "is one of {", said)
    return "".join(parts)


def _said(step: Step) -> str:
    """Say a test, what the row has there, and how close that was."""
    said, unknown = _in_words(step.headline), _names(step.missing)
    if step.share < 1:
        return f"{unknown} is not known; {step.share:.0%} of the rows go where {said}"
    if step.missing and len(step.reasons) <= 1:
        return f"{unknown} is not known, which counts as: {said}"
    if len(step.reasons) == 1 and step.margin is not None:
        return f"{said}: it is {step.reasons[0].value}"
    if step.margin is None:
        return said
    missing = f"; not known: {unknown}" if unknown else ""
    subject = "" if " columns together " in step.headline else "the sum "
    return f"{subject}{said}, by {_short(step.margin, 3)}{missing}"


def _list(reasons: list[Reason]) -> str:
    said = [
        f"{say_name(r.column)} {r.value} ({_short(abs(r.contribution), 2)})" for r in reasons[:SAID]
    ]
    more = f", and {len(reasons) - SAID} more" if len(reasons) > SAID else ""
    return ", ".join(said) + more


def _side(reason: Reason) -> str:
    size = _short(abs(reason.contribution), 3)
    return f"{'for' if reason.contribution > 0 else 'against'} it, {size}"


def _rest(explanation: Explanation) -> Iterator[str]:
    counts = {label: count for label, count in explanation.counts.items() if count}
    if counts:
        yield _of_training(counts)
    if explanation.n_trees > 1:
        effects = list(explanation.effects.items())[:SAID]
        said = [
            f"{say_name(name)} by {effect:+.0%}" for name, effect in effects if round(effect, 2)
        ]
        moved = ", ".join(said) or "no column by a hundredth"
        yield f"What moved the probability, in the mean over the trees: {moved}"
    for question in explanation.questions:
        answers = " or ".join(
            f"{label_text(label)} (as {_value(value)})" for label, value in question.answers.items()
        )
        yield f"{say_name(question.column)} is not known, and could make it {answers}"
    for row in explanation.nearest:
        yield f"A row like it: {', '.join(f'{say_name(k)} {_value(v)}' for k, v in row.items())}"


def _of_training(counts: dict[Any, float]) -> str:
    total = sum(counts.values())
    if len(counts) == 1:
        [label] = counts
        if total == 1:
            return f"The one training row that came here is {label_text(label)}"
        return f"All {_amount(total)} training rows that came here are {label_text(label)}"
    named = [
        f"{_amount(count)} {'is' if count == 1 else 'are'} {label_text(label)}"
        for label, count in sorted(counts.items(), key=lambda pair: -pair[1])
    ]
    return f"Of the {_amount(total)} training rows that came here {', '.join(named)}"


def _names(columns: tuple[str, ...]) -> str:
    return ", ".join(map(say_name, columns))


def _amount(rows: float) -> str:
    """Say how many rows; those with missing values may count in parts."""
    return f"{rows:.1f}".removesuffix(".0")


def _short(value: float, digits: int) -> str:
    """Write a number in few digits, and without a power of ten where it is large."""
    return say_number(float(f"{value:.{digits}g}"))


def _value(value: Any) -> str:
    return "?" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
