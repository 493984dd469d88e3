"""A list of rules as a classifier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from miter.checks import check_flag, check_number
from miter.data.costs import least_cost
from miter.estimators.fitted import TreesClassifier
from miter.estimators.parameters import RunParameters, estimator
from miter.estimators.reading import read_training
from miter.estimators.tree import TreeEstimator
from miter.estimators.univariate import c45
from miter.estimators.weights import scale_costs, weigh, weigh_rows, with_costs
from miter.rules.from_tree import rules_of
from miter.rules.post_pruning import post_prune
from miter.rules.stored import StoredRules, restored, stored
from miter.splits.sums import count_terms
from miter.tree import Tree

__all__ = ["RuleListClassifier"]


@estimator
class RuleListClassifier(RunParameters, TreesClassifier):
    """IF ... THEN rules made from a tree: the first that applies answers.

    As C4.5 makes them: a tree is grown and not pruned, each of its rules is made as general as its
    training rows allow, a few of them are chosen for each class, and a default answers the rest.

    Parameters
    ----------
    estimator : TreeEstimator, optional
        How the tree is grown; by default ``c45(pruning=None)``. Its `costs`, `class_weight`,
        `kinds` and `categorical_features` are those of the rules.
    post_pruning : bool
        Whether rules are pruned after the tree is taken apart. Without it they answer as the tree.
    confidence : float
        A smaller one makes rules more general.

    Attributes
    ----------
    rules_ : RuleSet
        The rules, in their order.
    trees_ : tuple of Tree
        The tree that they were made from.
    classes_ : ndarray
        The labels, in the order of `predict_proba`.
    costs_ : ndarray or None
        The cost matrix, predicted classes x true ones, in the order of `classes_`.

    Examples
    --------
    >>> from miter import RuleListClassifier
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = RuleListClassifier().fit(X, y)
    >>> for line in model.rules_.say():
    ...     print(line)
    IF 2.45 < 'petal length (cm)' <= 4.95 AND 'petal width (cm)' <= 1.75 THEN 1 (48 rows, 98%)
    IF 'petal length (cm)' > 4.95 THEN 2 (46 rows, 96%)
    IF 'petal width (cm)' > 1.75 THEN 2 (46 rows, 98%)
    ELSE 0 (50 rows, 100%)
    """

    estimator: TreeEstimator | None = field(default=None, kw_only=False)
    post_pruning: bool = True
    confidence: float = 0.25

    state_types: ClassVar[Mapping[str, Any]] = {
        **TreesClassifier.state_types,
        "rules": StoredRules,
    }

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Grow a tree and make rules of it.

        Parameters
        ----------
        X : DataFrame, array or Data
            Training rows, as for `TreeClassifier.fit`.
        y : sequence
            Class labels.
        sample_weight : array, optional
            How often each row counts.

        Returns
        -------
        self
        """
        tree = self.make_tree()
        check_flag("post_pruning", self.post_pruning)
        check_number("confidence", self.confidence, above=0, below=1)
        tree.check_settings()
        data = read_training(self, X, y, tree)
        data = weigh_rows(data, sample_weight)
        # The rows have been read: nothing is left to be said of their columns.
        tree = tree.set_params(kinds=None, categorical_features="from_dtype").fit(data)
        rules = rules_of(tree)
        if self.post_pruning:
            weighed = weigh(with_costs(data, tree.costs_), None, tree.class_weight)
            rules = post_prune(rules, scale_costs(weighed)[0], self.confidence)
        self.costs_ = tree.costs_
        self._set_fitted(tree.trees_)
        self.rules_ = rules
        return self

    def make_tree(self) -> TreeEstimator:
        """Return a copy of `estimator`, told how to run."""
        if self.estimator is None:
            tree: TreeEstimator = c45(pruning=None)
        elif isinstance(self.estimator, TreeEstimator):
            tree = clone(self.estimator)
        else:
            raise ValueError(
                f"estimator is {self.estimator!r}; give a tree of Miter's, such as c45()"
            )
        given = {"n_threads": self.n_threads, "verbose": self.verbose}
        if tree.random_state is None:
            given["random_state"] = self.random_state
        return tree.set_params(**given)

    def predict_codes(
        self, rows: NDArray[Any], costs: NDArray[np.float64] | None = None
    ) -> NDArray[np.int32]:
        """Return the position in `classes_` of the answer to each row, coded as the schema says."""
        self._check_fitted()
        if costs is None:
            return self.rules_.predict(rows)
        return least_cost(self.predict_shares(rows), costs).astype(np.int32)

    def predict_shares(self, rows: NDArray[Any]) -> NDArray[np.float64]:
        """Return the class probabilities of each row, coded as the schema says."""
        self._check_fitted()
        return self.rules_.predict_proba(rows)

    def count_terms(self, rows: NDArray[Any] | None = None) -> NDArray[np.int64]:
        """Return the terms of each rule; of rows, those down to the rule that answers each most."""
        self._check_fitted()
        terms = np.array(
            [
                sum(count_terms(c.split.expression) for c in r.conditions)
                for r in self.rules_.answers
            ]
        )
        if rows is None:
            return terms
        # The rules of a tree exclude each other; a list is read from its start.
        read = terms if self.rules_.default is None else terms.cumsum()
        counted: NDArray[np.int64] = read[self.rules_.weights(rows).argmax(axis=1)]
        return counted

    def state(self) -> dict[str, Any]:
        """Return what was learned beside the tree, as plain values."""
        return super().state() | {"rules": stored(self.rules_)}

    def restore(self, trees: Sequence[Tree], state: Mapping[str, Any] = {}) -> Self:
        """Become the fitted classifier that has these rules."""
        if len(trees) != 1:
            raise ValueError(f"rules are made from one tree, not {len(trees)}")
        self.rules_ = restored(state["rules"], trees[0].schema)
        return super().restore(trees, state)
