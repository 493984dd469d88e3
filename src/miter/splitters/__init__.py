"""Ways to find the split of a node, one file each."""

from miter.splitters.annealed_machine import AnnealedMachineSplitter
from miter.splitters.hybrid import HybridSplitter
from miter.splitters.ica import ICASplitter, LabelledICASplitter
from miter.splitters.linear_combination import LinearCombinationSplitter
from miter.splitters.machine_or_column import MachineOrColumnSplitter
from miter.splitters.mixed import MixedSplitter
from miter.splitters.network import NetworkSplitter
from miter.splitters.perceptron import PerceptronSplitter
from miter.splitters.sparse import SparseSplitter
from miter.splitters.splitter import FoundSplits, LevelFinder, Splitter
from miter.splitters.thermal_machine import ThermalMachineSplitter
from miter.splitters.univariate import UnivariateSplitter
from miter.splitters.whole_tree import WholeTreeSplitter

__all__ = [
    "SPLITTERS",
    "AnnealedMachineSplitter",
    "FoundSplits",
    "HybridSplitter",
    "ICASplitter",
    "LabelledICASplitter",
    "LevelFinder",
    "LinearCombinationSplitter",
    "MachineOrColumnSplitter",
    "MixedSplitter",
    "NetworkSplitter",
    "PerceptronSplitter",
    "SparseSplitter",
    "Splitter",
    "ThermalMachineSplitter",
    "UnivariateSplitter",
    "WholeTreeSplitter",
]

#: The ways by the names that model files use.
SPLITTERS: dict[str, type[Splitter]] = {
    "annealed_machine": AnnealedMachineSplitter,
    "hybrid": HybridSplitter,
    "linear_combination": LinearCombinationSplitter,
    "machine_or_column": MachineOrColumnSplitter,
    "mixed": MixedSplitter,
    "network": NetworkSplitter,
    "perceptron": PerceptronSplitter,
    "ica": ICASplitter,
    "labelled_ica": LabelledICASplitter,
    "sparse": SparseSplitter,
    "thermal_machine": ThermalMachineSplitter,
    "univariate": UnivariateSplitter,
    "whole_tree": WholeTreeSplitter,
}
