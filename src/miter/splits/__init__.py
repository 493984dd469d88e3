"""The kinds of split: what a node stores.

A split is a function from a row to a branch number. A stored split is complete: it is in the user's
units and knows what a missing or never-seen value becomes. Nothing else is needed to route a row or
to say the split aloud.
"""

from miter.splits.category import Category
from miter.splits.condition import Condition
from miter.splits.linear import Linear
from miter.splits.machine import Machine
from miter.splits.network import Network
from miter.splits.packed import SPLIT_KINDS, PackedSplits
from miter.splits.split import SHARE, STAY, Split
from miter.splits.terms import Term
from miter.splits.threshold import Threshold

__all__ = [
    "SHARE",
    "SPLIT_KINDS",
    "STAY",
    "Category",
    "Condition",
    "Linear",
    "Machine",
    "Network",
    "PackedSplits",
    "Split",
    "Term",
    "Threshold",
]
