"""Saying a tree aloud."""

from miter.show.outline import Entry, Outline
from miter.show.text import export_text

__all__ = ["Entry", "Outline", "export_text"]
