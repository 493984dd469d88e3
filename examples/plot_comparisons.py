"""
Learners side by side
=====================

Pictures of what the laboratory measured. On the command line they are ``miter draw ranks`` and
``frontier``, and ``miter curve``.
"""

from matplotlib import pyplot
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

import miter
from miter import lab, show

sets = {
    name: miter.from_frame(load(as_frame=True).data, load(as_frame=True).target.astype(str))
    for name, load in (("iris", load_iris), ("wine", load_wine), ("cancer", load_breast_cancer))
}
learners = ["univariate", "linear_machine", "c45", "DecisionTreeClassifier", "GaussianNB"]
results = lab.run(lab.Experiment(sets, learners))

# %%
# Mean ranks; learners under one bar cannot be told apart.

show.plot_ranks(lab.compare(results))
pyplot.show()

# %%
# What accuracy a size buys.

show.plot_frontier(results)
pyplot.show()
