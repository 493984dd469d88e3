"""The model file: data, never code; a version number; old files stay readable."""

from miter.model_file.atomic import replacing
from miter.model_file.envelope import dump, load, save

__all__ = ["dump", "load", "replacing", "save"]
