"""Models in other languages: one writer each over what splits compute."""

from miter.exporting.door import LANGUAGES, Language, export, language_of

__all__ = ["LANGUAGES", "Language", "export", "language_of"]
