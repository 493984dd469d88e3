import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from miter import TreeClassifier, UnivariateTreeClassifier
from miter.lab.estimates.tree_size import measure_size
from miter.splits import Linear, Term
from miter.splitters import Splitter


@pytest.fixture(scope="module")
def rows():
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 4))
    return X, (X.sum(axis=1) + random.normal(size=60) > 0).astype(int)


class HalfPlane(Splitter):
    def find_split(self, node):
        return Linear(tuple(Term.number(column, 1.0) for column in range(3)), 0.0)


def test_trees_of_both_libraries(rows):
    for tree in (UnivariateTreeClassifier(), DecisionTreeClassifier()):
        size = measure_size(tree.fit(*rows))
        assert size.nodes == 2 * size.leaves - 1
        assert size.depth == tree.get_depth()
        assert size.leaves == tree.get_n_leaves()
        assert size.variables == 1.0


def test_variables_of_a_multivariate_node(rows):
    size = measure_size(TreeClassifier(HalfPlane(), max_depth=1).fit(*rows))
    assert (size.nodes, size.leaves, size.depth, size.variables) == (3, 2, 1, 3.0)


def test_a_leaf_has_no_variables(rows):
    size = measure_size(DecisionTreeClassifier(min_samples_leaf=40).fit(*rows))
    assert (size.nodes, size.leaves, size.depth, size.variables) == (1, 1, 0, None)


@pytest.mark.parametrize("kind", [RandomForestClassifier, GradientBoostingClassifier])
def test_ensembles_are_summed_up(rows, kind):
    forest = kind(n_estimators=3, random_state=0).fit(*rows)
    trees = np.ravel(np.array(forest.estimators_, dtype=object)).tolist()
    size = measure_size(make_pipeline(StandardScaler(), forest).fit(*rows))
    assert size.nodes == sum(tree.tree_.node_count for tree in trees)
    assert size.depth == max(tree.get_depth() for tree in trees)


def test_no_trees(rows):
    assert measure_size(LogisticRegression().fit(*rows)) is None
    mixed = [("tree", DecisionTreeClassifier()), ("line", LogisticRegression())]
    assert measure_size(VotingClassifier(mixed).fit(*rows)) is None
