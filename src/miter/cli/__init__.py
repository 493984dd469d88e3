"""The command line: one file a verb.

Verbs import what they need when they run, so that help and completion come at once.
"""

from miter.cli.door import main

__all__ = ["main"]
