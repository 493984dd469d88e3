"""
An angled cut beside a staircase
================================

Two measurements of tumours, and the truth runs aslant: the larger a tumour is, the less rough it
has to be. A tree that asks about one column at a time builds a staircase along the slope; a
readable tree says it in one test.

Run as a script, ``python examples/plot_angled_cut.py FILE`` writes the picture into a file.
"""

import sys

import numpy as np
import pandas as pd
from matplotlib import pyplot
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

import miter
from miter.show.colours import class_style

cancer = load_breast_cancer(as_frame=True)
columns = {"worst perimeter": "perimeter", "worst smoothness": "roughness of the outline"}
X, y = cancer.data[[*columns]].rename(columns=columns), cancer.target_names[cancer.target]
X, X_test, y, y_test = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)

# %%
# Both learn from the same half of the rows, each with its defaults. In words the angled one is:

staircase = DecisionTreeClassifier(random_state=0).fit(X, y)
angled = miter.ReadableTreeClassifier(random_state=0).fit(X, y)
print(miter.export_text(angled, X))

# %%
# The rows in the picture are those that both learned from; the others tell how good they are.

figure, (left, right) = pyplot.subplots(1, 2, figsize=(9.6, 4), sharey=True, layout="constrained")
miter.plot_regions(angled, X, y, columns=[*X.columns], ax=right)


def draw_answers(ax, tree, like):
    """Draw where a tree of scikit-learn answers what, with the colours and rows of a picture."""
    x, up = (np.linspace(*limits, 800) for limits in (like.get_xlim(), like.get_ylim()))
    grid = pd.DataFrame({X.columns[0]: np.tile(x, 800), X.columns[1]: np.repeat(up, 800)})
    codes = (tree.predict(grid) == tree.classes_[1]).reshape(800, 800)
    tints = [class_style(code).tint for code in (0, 1)]
    ax.contourf(x, up, codes, [-0.5, 0.5, 1.5], colors=tints, zorder=0)
    ax.contour(x, up, codes, [0.5], colors="#1A1A1A", linewidths=1.6, zorder=1)
    for rows in like.collections:
        if len(rows.get_offsets()) > 1:
            marker, look = rows.get_paths()[0], {"edgecolors": "white", "linewidths": 0.4}
            ax.scatter(*rows.get_offsets().T, 18, rows.get_facecolor(), marker=marker, **look)
    ax.set_xlabel(like.get_xlabel())
    ax.set_ylabel(like.get_ylabel())
    ax.spines[["top", "right"]].set_visible(False)


draw_answers(left, staircase, right)
right.set_ylabel("")
for ax, name, tree in ((left, "scikit-learn", staircase), (right, "Miter", angled)):
    share = (tree.predict(X_test) == y_test).mean()
    ax.set_title(
        f"{name}: {tree.get_n_leaves()} leaves, {share:.0%} of new rows right", fontsize=10
    )

if __name__ == "__main__" and len(sys.argv) == 2:
    figure.savefig(sys.argv[1], dpi=110)
