"""Ways to answer by cost that need no tree of ours: a scikit-learn tree, a logistic regression."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from miter.data.costs import least_cost

PRUNING = (0, 1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 2e-2, 4e-2)
PENALTIES = (0.01, 0.1, 1, 10, 100)

#: Rows and class codes to learn from, and rows to answer.
Problem = tuple[np.ndarray, np.ndarray, np.ndarray]


def weigh_classes(encode: Any, problem: Problem, costs: np.ndarray, seed: int) -> np.ndarray:
    """Weigh classes by what mistakes about them cost; tune the pruning by cost."""
    X, y, X_test = problem

    def saved(model, rows, labels):
        return -costs[model.predict(rows), labels].mean()

    weights = dict(enumerate(costs.sum(axis=0)))
    tree = DecisionTreeClassifier(class_weight=weights, random_state=seed)
    search = GridSearchCV(tree, {"ccp_alpha": PRUNING}, scoring=saved, cv=5)
    return fit(make_pipeline(encode, search), X, y).predict(X_test)


def answer_by_least_cost(encode: Any, problem: Problem, costs: np.ndarray) -> np.ndarray:
    """Tune a logistic regression by its likelihood; answer with the least expected cost."""
    X, y, X_test = problem
    logistic = LogisticRegression(max_iter=1000)
    search = GridSearchCV(logistic, {"C": PENALTIES}, scoring=mean_log_likelihood, cv=5)
    model = fit(make_pipeline(encode, search), X, y)
    probabilities = np.zeros((len(X_test), len(costs)))
    probabilities[:, model.classes_] = model.predict_proba(X_test)
    return least_cost(probabilities, costs)


def fit(model: Any, X: np.ndarray, y: np.ndarray) -> Any:
    """Fit without the warning that a class has fewer rows than there are folds."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class")
        return model.fit(X, y)


def mean_log_likelihood(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    """Score by the probability of the true class; a rare one may be missing in either part."""
    probabilities = np.zeros((len(X), max(model.classes_.max(), y.max()) + 1))
    probabilities[:, model.classes_] = model.predict_proba(X)
    return float(np.log(np.maximum(probabilities[np.arange(len(X)), y], 1e-15)).mean())
