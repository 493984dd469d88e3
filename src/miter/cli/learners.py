"""`miter learners`: which there are, and what their parameters mean."""

from __future__ import annotations

from typing import Any

import click

from miter.cli.learner_options import complete_learner
from miter.cli.options import json_option
from miter.cli.output import print_json
from miter.registry import LEARNERS

__all__ = ["learners"]


@click.command()
@click.argument("name", required=False, shell_complete=complete_learner)
@json_option
def learners(name: str | None, as_json: bool) -> None:
    """List the learners, or the parameters of the learner NAME.

    Example: miter learners linear_machine
    """
    if name is None:
        about = [
            {"learner": entry.name, "in_python": f"miter.{entry.public}", "is": entry.help}
            for entry in LEARNERS.values()
        ]
        rows = [(entry["learner"] or "", entry["is"]) for entry in about]
    else:
        about = _parameters(name)
        rows = [(f"{p['name']} = {p['default']}", p["is"]) for p in about]
    if as_json:
        print_json(about)
        return
    width = min(40, max(len(left) for left, _ in rows))
    for left, right in rows:
        click.echo(f"{left:<{width}}  {right}")


def _parameters(name: str) -> list[dict[str, Any]]:
    """Return name, default, type and meaning of every parameter of a learner."""
    from miter.estimators.parameters import describe_parameters
    from miter.registry import make_learner

    try:
        estimator = make_learner(name)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    described = describe_parameters(type(estimator))
    return [
        {
            "name": parameter,
            "default": repr(default),
            "type": described[parameter][0],
            "is": _first_sentence(described[parameter][1]),
        }
        for parameter, default in estimator.get_params(deep=False).items()
    ]


def _first_sentence(text: str) -> str:
    return text.partition(". ")[0].removesuffix(".") + "."
