"""Grow a tree to read and the most accurate one beside scikit-learn's, and write a page to open."""

from pathlib import Path

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

import miter

cancer = load_breast_cancer(as_frame=True)
diagnosis = cancer.target_names[cancer.target]
X, X_new, y, y_new = train_test_split(
    cancer.data, diagnosis, test_size=0.5, stratify=diagnosis, random_state=0
)
print(
    f"{len(X)} tumours to learn from, {len(X_new)} others to be tested on, 30 measurements each.\n"
)

readable = miter.ReadableTreeClassifier(random_state=0).fit(X, y)
best = miter.LinearMachineTreeClassifier(random_state=0).fit(X, y)
theirs = DecisionTreeClassifier(random_state=0).fit(X, y)
for name, tree in (
    ("scikit-learn's tree", theirs),
    ("Miter, to be read", readable),
    ("Miter, most accurate", best),
):
    share, n_leaves = (tree.predict(X_new) == y_new).mean(), tree.get_n_leaves()
    print(f"    {name:22} {n_leaves:3} leaves   {share:6.1%} of the others right")
print("\nThis is one division into halves: a difference of a point or two may be chance.")

print("\nThe tree to be read; in brackets the rows that came to a leaf, and how many are not so:\n")
print(miter.export_text(readable, X))
print("\nIn plain words:")
for rule in miter.rules_of(readable).rules:
    # A readable tree tells sums of measurements from a number.
    tests = [condition.say(readable.schema_) for condition in rule.conditions]
    said = ", and where ".join(tests).replace(" <= ", " is at most ").replace(" > ", " is above ")
    right, answer = round(rule.support * rule.confidence), readable.classes_[rule.answer]
    print(f"\n    Where {said},\n    a tumour is {answer}: so were {right} of {rule.support:.0f}.")
print("\nWhy is the first of the others what it is, and what would change it?\n")
print(miter.explain(readable, X_new.iloc[0]))
print(miter.counterfactual(readable, X_new.iloc[0]))

page = Path("build", "demo.html")
page.parent.mkdir(exist_ok=True)
miter.report(readable, X_new, y_new, page, name="tumours that the tree has not seen")
print(
    f"""
A page to look at all this, and to play with: open {page.resolve()}

With a table of your own:

    source .venv/bin/activate
    miter fit yours.csv --target LABEL -o yours.miter
    miter report yours.miter yours.csv -o yours.html
"""
)
