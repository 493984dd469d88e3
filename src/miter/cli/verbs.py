"""Groups of verbs: `miter` itself, and those of its verbs that have verbs of their own."""

from __future__ import annotations

import click

__all__ = ["Verbs"]


class Verbs(click.Group):
    """A group that lists its verbs in the order in which they are used, and wants one of them."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the verbs in the order in which they are used."""
        return list(self.commands)

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Understand what was typed, or say which verbs there are."""
        if not args and not context.resilient_parsing:  # as completion parses
            verbs = ", ".join(self.list_commands(context))
            raise click.UsageError(f"Say what to do: {verbs}.", context)
        return super().parse_args(context, args)
