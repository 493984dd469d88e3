"""Learning from photographs: features of pixels, their classifier, pictures of its answers."""

from miter.pixels.classifier import PixelClassifier
from miter.pixels.features import PixelFeatures
from miter.pixels.labels import read_classes
from miter.pixels.masks import plot_masks
from miter.pixels.pictures import PICTURES

__all__ = ["PICTURES", "PixelClassifier", "PixelFeatures", "plot_masks", "read_classes"]
