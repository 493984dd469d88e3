"""Ways to find the split of a node, one file each."""

from miter.splitters.linear_machine import ThermalMachineSplitter
from miter.splitters.splitter import FoundSplits, LevelFinder, Splitter
from miter.splitters.univariate import UnivariateSplitter

__all__ = ["FoundSplits", "LevelFinder", "Splitter", "ThermalMachineSplitter", "UnivariateSplitter"]
