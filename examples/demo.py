"""Fit a tree to a bundled set, show it, and compare it with scikit-learn's on the same rows."""

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from miter import UnivariateTreeClassifier, export_text
from miter.data import play_tennis
from miter.splitters import UnivariateSplitter

tennis = play_tennis()
print("Play tennis: 14 days, four symbols. What each column tells about the class, in bits:\n")
for name, gain in UnivariateSplitter(criterion="gain").rank_columns(tennis).items():
    print(f"    {name:10} {gain:.3f}")
tree = UnivariateTreeClassifier(pruning=None, min_samples_leaf=1).fit(tennis)
print("\nThe tree; in brackets the rows that reach a leaf:\n")
print(export_text(tree))

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
y = y.map({0: "malignant", 1: "benign"})
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.4, stratify=y, random_state=0)
ours = UnivariateTreeClassifier().fit(X_train, y_train)
theirs = DecisionTreeClassifier(random_state=0).fit(X_train, y_train)
print(f"\nBreast cancer: {len(X_train)} rows to learn from, {len(X_test)} held out.\n")
print(export_text(ours))
print()
for name, model in (("Miter", ours), ("scikit-learn", theirs)):
    accuracy = model.score(X_test, y_test)
    leaves = model.get_n_leaves()
    print(f"    {name:13} {accuracy:6.1%} of the held-out rows right, {leaves} leaves")

print(
    """
What to type next:

    source .venv/bin/activate
    miter --help
    python -c "import miter; help(miter.UnivariateTreeClassifier)"
"""
)
