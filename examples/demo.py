"""Fit a tree to a bundled set, show it, and compare it with scikit-learn's on the same rows."""

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from miter import UnivariateTreeClassifier, evaluate, export_text
from miter.data import Column, Data, Schema, play_tennis
from miter.splitters import UnivariateSplitter

tennis = play_tennis()
print("Play tennis: 14 days, four symbols. What each column tells about the class, in bits:\n")
for name, gain in UnivariateSplitter(criterion="gain").rank_columns(tennis).items():
    print(f"    {name:10} {gain:.3f}")
tree = UnivariateTreeClassifier(pruning=None, min_samples_leaf=1).fit(tennis)
print("\nThe tree; in brackets the rows that reach a leaf:\n")
print(export_text(tree))

cancer = load_breast_cancer()
columns = tuple(Column(str(name), "numeric") for name in cancer.feature_names)
schema = Schema(columns, tuple(map(str, cancer.target_names)))
data = Data(schema, cancer.data, cancer.target.astype(np.int32))
rows = np.arange(data.n_rows)
train, test = map(data.take, train_test_split(rows, test_size=0.4, stratify=data.y, random_state=0))
ours = UnivariateTreeClassifier().fit(train)
theirs = DecisionTreeClassifier(random_state=0).fit(train.X, train.y)
print(f"\nBreast cancer: {train.n_rows} rows to learn from, {test.n_rows} held out.\n")
print(export_text(ours))
print()
for name, model, n_right in (
    ("Miter", ours, evaluate(ours, test).n_correct),
    ("scikit-learn", theirs, int((theirs.predict(test.X) == test.y).sum())),
):
    share, leaves = n_right / test.n_rows, model.get_n_leaves()
    print(f"    {name:13} {share:6.1%} of the held-out rows right, {leaves} leaves")

print(
    """
What to type next:

    source .venv/bin/activate
    miter data yours.csv --target LABEL
    miter fit yours.csv --target LABEL -o yours.miter
    miter show yours.miter
    python -c "import miter; help(miter.UnivariateTreeClassifier)"
"""
)
