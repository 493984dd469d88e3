"""
Trees of every kind
===================

`miter.plot_tree` draws any tree: tests in words or as a table of points, colours of the classes,
bars for the rows, lines as thick as rows took them. On the command line it is ``miter draw
tree``.
"""

from matplotlib import pyplot
from sklearn.datasets import load_breast_cancer, load_wine

import miter
from miter.data import play_tennis

# %%
# Symbols have a branch for each value.

miter.plot_tree(miter.id3().fit(play_tennis()))
pyplot.show()

# %%
# A readable tree: sums of few columns in whole weights. With rows, numbers have no more digits
# than these need.

wine = load_wine(as_frame=True)
X, y = wine.data, wine.target_names[wine.target]
tree = miter.ReadableTreeClassifier(random_state=0).fit(X, y)
miter.plot_tree(tree, X)
pyplot.show()

# %%
# The same tests as points to be added up.

miter.plot_tree(tree, X, tests="points")
pyplot.show()

# %%
# A linear machine weighs all columns for each class; the strongest are said, the others
# counted.

machine = miter.LinearMachineTreeClassifier(random_state=0).fit(X, y)
miter.plot_tree(machine, X, max_terms=3)
pyplot.show()

# %%
# Large trees stay legible; ``max_depth`` shows the upper part of those that do not.

cancer = load_breast_cancer(as_frame=True)
large = miter.c45(pruning=None, min_samples_leaf=3).fit(
    cancer.data, cancer.target_names[cancer.target]
)
miter.plot_tree(large, cancer.data)
pyplot.show()
