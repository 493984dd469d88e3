"""Ways to find the split of a node, one file each."""

from miter.splitters.linear_machine import ThermalMachineSplitter
from miter.splitters.splitter import FoundSplits, LevelFinder, Splitter
from miter.splitters.univariate import UnivariateSplitter

__all__ = [
    "SPLITTERS",
    "FoundSplits",
    "LevelFinder",
    "Splitter",
    "ThermalMachineSplitter",
    "UnivariateSplitter",
]

#: The ways by the names that model files use.
SPLITTERS: dict[str, type[Splitter]] = {
    "thermal_machine": ThermalMachineSplitter,
    "univariate": UnivariateSplitter,
}
