"""
How good a tree is, and where it errs
=====================================

Pictures of a fitted model and of rows that it has not seen. On the command line they are ``miter
draw confusion``, ``calibration``, ``pruning``, ``importances`` and ``regions``.
"""

from matplotlib import pyplot
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split

import miter
from miter import show

wine = load_wine(as_frame=True)
X, X_test, y, y_test = train_test_split(
    wine.data, wine.target_names[wine.target], test_size=0.5, stratify=wine.target, random_state=0
)
tree = miter.ReadableTreeClassifier(random_state=0).fit(X, y)

# %%
# Which classes are taken for which.

show.plot_confusion(tree, X_test, y_test)
pyplot.show()

# %%
# Where it answers what, in the two columns that matter most.

miter.plot_regions(tree, X_test, y_test)
pyplot.show()

# %%
# What accuracy it costs to shuffle a column.

show.plot_importances(tree, X_test, y_test)
pyplot.show()

# %%
# Whether a probability of 80 % is right in 80 % of the cases.

forest = miter.LinearMachineForestClassifier(50, random_state=0).fit(X, y)
show.plot_calibration(forest, X_test, y_test)
pyplot.show()

# %%
# Size against error: how far a tree that was not pruned can be cut back.

grown = miter.c45(pruning=None, min_samples_leaf=1).fit(X, y)
show.plot_pruning(grown, X_test, y_test)
pyplot.show()
