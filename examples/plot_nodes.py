"""
What a node does to its rows
============================

`miter.plot_node` shows the test of one node: how the rows lie on both sides of it, and what each
column adds. On the command line it is ``miter draw node``.
"""

from matplotlib import pyplot
from sklearn.datasets import load_iris, load_wine

import miter

wine = load_wine(as_frame=True)
X, y = wine.data, wine.target_names[wine.target]

# %%
# A test of one column: where its values lie, by class, and the cut.

plain = miter.UnivariateTreeClassifier(random_state=0).fit(X, y)
miter.plot_node(plain, X, y)
pyplot.show()

# %%
# A sum of several: what each adds, and how far the rows are from the boundary.

readable = miter.ReadableTreeClassifier(random_state=0).fit(X, y)
miter.plot_node(readable, X, y)
pyplot.show()

# %%
# A linear machine, with a sum for each class.

machine = miter.LinearMachineTreeClassifier(random_state=0).fit(X, y)
miter.plot_node(machine, X, y)
pyplot.show()

# %%
# A network, whose boundary is curved.

iris = load_iris(as_frame=True)
flowers, species = iris.data, iris.target_names[iris.target]
network = miter.NetworkTreeClassifier(random_state=0).fit(flowers, species)
miter.plot_node(network, flowers, species)
pyplot.show()

# %%
# An independent component, found without labels, and the gap in which it is cut.

blind = miter.ICATree(random_state=0).fit(flowers)
miter.plot_node(blind, flowers)
pyplot.show()
