"""A fitted model in a notebook: scikit-learn's diagram, and the tree below it."""

from html import escape
from html.parser import HTMLParser

import pytest
from sklearn import config_context
from sklearn.datasets import load_iris, load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_html_repr

import miter
from miter.data import Column, Data, Schema, led, play_tennis
from miter.show.notebook import MOST_NODES, notebook_html


class Tags(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.names, self.attributes, self.depth = [], [], 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.names.append(tag)
        self.attributes += [name for name, _ in attributes]
        self.depth += 1

    def handle_endtag(self, tag):
        self.depth -= 1


def test_the_tree_is_below_scikit_learns_diagram():
    tree = miter.id3().fit(play_tennis())
    for shown in (tree._repr_html_(), tree._repr_mimebundle_()["text/html"]):
        assert "sk-toggleable" in shown
        assert "UnivariateTreeClassifier" in shown
        assert shown.endswith(notebook_html(tree))
    assert tree._repr_mimebundle_()["text/plain"] == repr(tree)


def test_before_it_is_fitted_there_is_the_diagram_alone():
    tree = miter.id3()
    assert "sk-toggleable" in tree._repr_html_()
    assert "all rows" not in tree._repr_html_()


def test_who_wants_texts_gets_texts():
    tree = miter.id3().fit(play_tennis())
    with config_context(display="text"):
        assert not hasattr(tree, "_repr_html_")
        assert set(tree._repr_mimebundle_()) == {"text/plain"}


def test_a_pipeline_is_drawn_as_ever():
    X, y = load_iris(return_X_y=True)
    model = make_pipeline(StandardScaler(), miter.LinearMachineTreeClassifier(random_state=0))
    assert "LinearMachineTreeClassifier" in estimator_html_repr(model.fit(X, y))


def test_it_is_small_and_static():
    tree = miter.id3().fit(led(2000, seed=0))
    shown = notebook_html(tree)
    tags = Tags(shown)
    assert len(shown) < 20_000
    assert {*tags.names} <= {"div", "span", "b", "bdi"}
    assert {*tags.attributes} == {"style"}
    assert tags.depth == 0
    assert f"and {tree.tree_.n_nodes - MOST_NODES:,} more nodes" in shown
    assert "url(" not in shown


def test_a_forest_shows_its_columns():
    X, y = load_wine(return_X_y=True, as_frame=True)
    forest = miter.LinearMachineForestClassifier(5, random_state=0).fit(X, y)
    shown = forest._repr_html_()
    assert "5 trees" in shown
    best = X.columns[forest.feature_importances_.argmax()]
    assert best in shown


def test_a_list_of_rules_shows_its_rules():
    model = miter.RuleListClassifier().fit(play_tennis())
    assert all(escape(rule) in notebook_html(model) for rule in model.rules_.say())


@pytest.mark.parametrize("kind", [miter.ICATree, miter.ICATreeClassifier])
def test_other_trees_show_themselves_too(kind):
    X, y = load_iris(return_X_y=True)
    assert "all rows" in kind(random_state=0).fit(X, y)._repr_html_()


def test_hostile_names_are_texts(hostile_names):
    import numpy as np

    schema = Schema(
        (Column(hostile_names[0], "symbolic", hostile_names[1:7]),),
        (hostile_names[6], hostile_names[2]),
    )
    codes = np.arange(60) % 6
    data = Data(schema, codes[:, None].astype(float), (codes > 2).astype(np.int32))
    tags = Tags(notebook_html(miter.id3().fit(data)))
    assert {*tags.names} <= {"div", "span", "b", "bdi"}
    assert tags.depth == 0
