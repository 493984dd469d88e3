"""`miter completion`: the script that lets a shell complete what is typed."""

from __future__ import annotations

import click

__all__ = ["completion"]

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    For bash add `eval "$(miter completion bash)"` to ~/.bashrc.
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None  # click knows the three shells
    command = context.find_root().command
    click.echo(kind(command, {}, "miter", "_MITER_COMPLETE").source())
