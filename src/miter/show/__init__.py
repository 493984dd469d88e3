"""Saying a tree aloud, and drawing it."""

from miter.show.calibration import plot_calibration
from miter.show.canvas import save_picture
from miter.show.confusion import plot_confusion
from miter.show.curves import plot_curve
from miter.show.frontier import plot_frontier
from miter.show.importances import plot_importances
from miter.show.node_picture import plot_node
from miter.show.outline import Entry, Outline
from miter.show.pruning import plot_pruning
from miter.show.ranks import plot_ranks
from miter.show.regions import plot_regions
from miter.show.text import export_text
from miter.show.tree_picture import plot_tree

__all__ = [
    "Entry",
    "Outline",
    "export_text",
    "plot_calibration",
    "plot_confusion",
    "plot_curve",
    "plot_frontier",
    "plot_importances",
    "plot_node",
    "plot_pruning",
    "plot_ranks",
    "plot_regions",
    "plot_tree",
    "save_picture",
]
