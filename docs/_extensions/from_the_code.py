"""Directives that say what the code itself says: `learners`, and `verbs` of the command line."""

from __future__ import annotations

from collections.abc import Iterator

import click
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from miter.cli.door import miter
from miter.estimators.parameters import describe_parameters
from miter.registry import LEARNERS, Entry, make_learner


class Learners(SphinxDirective):
    """A section for each learner: what it is, its names, and its parameters with defaults."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        found = []
        for entry in LEARNERS.values():
            section = _section(entry.name or "")
            self.state.nested_parse(StringList([*_learner(entry)], "registry"), 0, section)
            found.append(section)
        return found


class Verbs(SphinxDirective):
    """A section for each verb, with what its --help prints."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        root = click.Context(miter, info_name="miter", max_content_width=88, terminal_width=88)
        found = []
        for words, context in _verbs(root):
            section = _section(words)
            section += nodes.literal_block(text=context.get_help(), language="none")
            found.append(section)
        return found


def _section(title: str) -> nodes.section:
    section = nodes.section(ids=[nodes.make_id(title)], names=[title])
    section += nodes.title(text=title)
    return section


def _learner(entry: Entry) -> Iterator[str]:
    estimator = make_learner(entry.name or "")
    described = describe_parameters(type(estimator))
    yield f"{entry.help[0].upper()}{entry.help[1:]}; in Python `miter.{entry.public}`."
    yield ""
    yield "| parameter | default | meaning |"
    yield "| --- | --- | --- |"
    for name, default in estimator.get_params(deep=False).items():
        meaning = " ".join(described[name][1].split()).replace("|", "\\|")
        yield f"| `{name}` | `{default!r}` | {meaning} |"


def _verbs(context: click.Context) -> Iterator[tuple[str, click.Context]]:
    group = context.command
    assert isinstance(group, click.Group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        below = click.Context(command, context, name, max_content_width=88, terminal_width=88)
        if isinstance(command, click.Group):
            yield from _verbs(below)
        else:
            yield below.command_path, below


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of the directives."""
    app.add_directive("learners", Learners)
    app.add_directive("verbs", Verbs)
    return {"parallel_read_safe": True}
