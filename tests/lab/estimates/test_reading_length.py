import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import miter
from miter.data import Column, Schema, play_tennis
from miter.lab import MinimumCostClassifier
from miter.lab.estimates.reading_length import reading_length
from miter.splits import SHARE, Category, Linear, PackedSplits, Term, Threshold
from miter.tree import Tree

SCHEMA = Schema(
    (Column("a", "numeric"), Column("b", "numeric"), Column("c", "symbolic", ("u", "v", "w"))),
    ("no", "yes"),
)
SPLITS = [
    Linear((Term.number(0, 1.0), Term.number(1, 1.0)), 0.0),
    Category(2, (0, 1, -1), SHARE),
    *[None] * 3,
]
TREE = Tree(SCHEMA, PackedSplits.of(SPLITS), np.array([[5, 5], [2, 3], [3, 2], [2, 1], [0, 2]]))


def rows(n_rows=60):
    random = np.random.default_rng(0)
    X = random.normal(size=(n_rows, 4))
    return X, (X.sum(axis=1) > 0).astype(int)


def test_a_tree():
    X = np.array([[-1.0, 0, 0], [1, 1, 0], [-1, 0, 2], [-1, 0, np.nan]])
    assert miter.terms(TREE) == 3
    # One that ends at the symbol's test, for want of a branch, has read it too.
    assert miter.terms(TREE, X).tolist() == [3, 2, 3, 3]


def test_a_leaf_has_nothing_to_read():
    leaf = Tree(SCHEMA, PackedSplits.of([None]), np.array([[3, 1]]))
    assert miter.terms(leaf) == 0
    assert miter.terms(leaf, np.zeros((2, 3))).tolist() == [0, 0]


@pytest.mark.parametrize(
    "forest",
    [
        miter.BaggedTreesClassifier(n_estimators=4, random_state=0),
        miter.LinearMachineForestClassifier(n_estimators=4, random_state=0),
        RandomForestClassifier(4, random_state=0),
        GradientBoostingClassifier(n_estimators=4, random_state=0),
    ],
)
def test_a_forest_is_the_sum_of_its_trees(forest):
    X, y = rows()
    forest.fit(X, y)
    members = getattr(forest, "trees_", None) or np.ravel(np.array(forest.estimators_, object))
    assert miter.terms(forest) == sum(map(miter.terms, members)) > 0
    assert (miter.terms(forest, X) == sum(miter.terms(member, X) for member in members)).all()


def test_a_tree_of_scikit_learn_and_what_stands_around_it():
    X, y = rows()
    tree = DecisionTreeClassifier(random_state=0).fit(X, y)
    assert miter.terms(tree) == tree.tree_.node_count - tree.get_n_leaves()
    depth = np.array([len(path.indices) - 1 for path in tree.decision_path(X)])
    assert (miter.terms(tree, X) == depth).all()
    around = MinimumCostClassifier(make_pipeline(StandardScaler(), tree)).fit(X, y)
    assert (miter.terms(around, X) == depth).all()
    assert reading_length(around, X) == {"terms": miter.terms(tree), "path_terms": depth.mean()}


def test_a_univariate_tree_reads_a_term_a_level():
    X, y = rows()
    model = miter.UnivariateTreeClassifier(pruning=None).fit(X, y)
    assert miter.terms(model) == model.tree_.n_nodes - model.tree_.n_leaves
    assert (miter.terms(model, X) == model.decision_path(X).sum(axis=1).A1 - 1).all()


def test_rows_are_read_as_the_model_reads_them():
    data = play_tennis()
    model = miter.id3().fit(data)
    assert miter.terms(model, data).max() == 4


def test_no_trees():
    X, y = rows()
    model = LogisticRegression().fit(X, y)
    with pytest.raises(TypeError, match="LogisticRegression is not made of trees"):
        miter.terms(model)
    assert reading_length(model, X) == {}


def test_not_fitted():
    with pytest.raises(NotFittedError):
        miter.terms(miter.id3())


def test_threshold_with_several_cuts_is_one_question():
    split = Threshold(0, (1.0, 2.0))
    tree = Tree(SCHEMA, PackedSplits.of([split, None, None, None]), np.ones((4, 2)))
    assert miter.terms(tree) == 1


def test_of_a_list_its_rules_are_read():
    X, y = load_iris(return_X_y=True)
    rules = miter.RuleListClassifier().fit(X, y)
    own = [len(rule.conditions) for rule in rules.rules_.rules]
    assert miter.terms(rules) == sum(own) == rules.rules_.n_conditions
    answers = rules.rules_.weights(X).argmax(axis=1)
    expected = np.cumsum([*own, 0])[answers]
    assert miter.terms(rules, X).tolist() == expected.tolist()
