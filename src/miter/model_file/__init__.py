"""The model file: data, never code; a version number; old files stay readable."""

from miter.model_file.atomic import replacing
from miter.model_file.envelope import load, load_with_pixels, save

__all__ = ["load", "load_with_pixels", "replacing", "save"]
