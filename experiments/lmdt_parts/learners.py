"""The learners of the comparisons: ours, the papers', and peers with the encoding they need.

A learner has a name, `why_not` (a sentence if it cannot run here), `identity` (what its results
depend on) and `run` (fit on some rows, test on others).
"""

from __future__ import annotations

import hashlib
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import miter
from lmdt_parts.cart import PrunedCart
from lmdt_parts.weka import Weka
from miter.data import Column, Data, Schema, led

TUNED_C = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)


@dataclass(frozen=True)
class Learner:
    """A classifier of Miter, which reads a table, or of scikit-learn, which gets numbers.

    Parameters
    ----------
    name : str
        In the tables.
    make : callable
        From a seed to the estimator; raises AttributeError where Miter has no such estimator.
    reads_tables : bool
        Whether it takes symbols and missing values as they are.
    n_fingerprint_rows : int
        Rows of the largest problem by which a change of the learner is noticed.
    """

    name: str
    make: Callable[[int], Any]
    reads_tables: bool = True
    n_fingerprint_rows: int = 600

    def why_not(self) -> str | None:
        """Say why it cannot run here, if it cannot."""
        try:
            self.make(0)
        except AttributeError as error:
            return f"{self.name}: {error}"
        return None

    def identity(self) -> str:
        """Return what its results depend on: settings, and what it does on small problems."""
        return _fingerprint(self)

    def run(self, train: Data, test: Data, seed: int) -> dict[str, float | None]:
        """Fit and test; the seconds are those of the processor in the fit."""
        begin = time.process_time()
        model = self.fit(train, seed)
        seconds = time.process_time() - begin
        accuracy = float(np.mean(self.predict(model, test) == test.labels))
        return {
            "accuracy": accuracy,
            "decisions": n_decisions(model),
            "nodes": n_nodes(model),
            "seconds": seconds,
        }

    def fit(self, train: Data, seed: int) -> Any:
        """Return the fitted estimator, the encoding included."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # classes with fewer rows than folds
            if self.reads_tables:
                return self.make(seed).fit(train)
            model = make_pipeline(as_numbers(train.schema), self.make(seed))
            return model.fit(train.X, train.labels)

    def predict(self, model: Any, data: Data) -> np.ndarray:
        """Return class codes."""
        if not self.reads_tables:
            return model.predict(data.X)
        position = {label: code for code, label in enumerate(data.schema.classes)}
        return np.array([position[label] for label in model.predict(data).tolist()])


def as_numbers(schema: Schema) -> ColumnTransformer:
    """Make indicators of symbols, standardise numbers, fill in modes and means."""
    is_symbolic = np.array([column.is_symbolic for column in schema.columns])
    symbols = make_pipeline(
        SimpleImputer(strategy="most_frequent", keep_empty_features=True),
        OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    )
    numbers = make_pipeline(SimpleImputer(keep_empty_features=True), StandardScaler())
    return ColumnTransformer(
        [
            ("symbols", symbols, np.flatnonzero(is_symbolic)),
            ("numbers", numbers, np.flatnonzero(~is_symbolic)),
        ]
    )


def n_decisions(model: Any) -> float | None:
    """Count the decision nodes of a tree; one linear machine is one, a forest has no number."""
    while isinstance(model, Pipeline):
        model = model[-1]
    if isinstance(model, GridSearchCV):
        return 1.0
    tree = getattr(model, "tree_", None)
    if tree is None:
        return None
    n_all = tree.node_count if hasattr(tree, "node_count") else tree.n_nodes
    return float(n_all - tree.n_leaves)


def n_nodes(model: Any) -> float | None:
    """Count decision nodes and leaves that have rows, of a tree of Miter."""
    tree = getattr(model, "tree_", None)
    return float((tree.counts.sum(axis=1) > 0).sum()) if hasattr(tree, "counts") else None


def tuned_logistic(seed: int) -> GridSearchCV:
    """Make a multinomial logistic regression whose C is chosen by cross-validation."""
    return GridSearchCV(LogisticRegression(max_iter=1000), {"C": TUNED_C}, cv=5)


@cache
def _fingerprint(learner: Learner) -> str:
    """Hash the settings and the answers on small problems.

    So a change of what a learner does makes new results, and a change of wording does not.
    """
    digest = hashlib.sha256(repr_of(learner.make(0)).encode())
    for train, test in _small_problems(learner.n_fingerprint_rows):
        digest.update(learner.predict(learner.fit(train, 0), test).astype("<i4").tobytes())
    return digest.hexdigest()[:8]


def repr_of(estimator: Any) -> str:
    """Write an estimator with all the settings that are not its defaults."""
    return type(estimator).__qualname__ + estimator.__repr__(N_CHAR_MAX=100_000)


def _small_problems(n_most_rows: int) -> Iterator[tuple[Data, Data]]:
    yield led(300, seed=0), led(1000, seed=1)
    for n_rows in {600, n_most_rows}:
        rows = _mixed_rows(n_rows + 1000)
        yield rows.take(np.arange(n_rows)), rows.take(np.arange(n_rows, rows.n_rows))


def _mixed_rows(n_rows: int) -> Data:
    """Make rows of six numbers and a symbol, with cells missing, that no single machine solves."""
    random = np.random.default_rng(0)
    X = random.normal(size=(n_rows, 6))
    symbol = random.integers(4, size=n_rows).astype(float)
    discriminants = random.normal(size=(2, 4, 6))[(X[:, 0] + X[:, 1] > 0).astype(int)]
    y = np.einsum("nrd,nd->nr", discriminants, X) + np.eye(4)[symbol.astype(int)]
    X = np.column_stack([X, symbol])
    X[random.random(X.shape) < 0.03] = np.nan
    columns = [Column(f"x{place}", "numeric") for place in range(6)]
    columns.append(Column("symbol", "symbolic", tuple("abcd")))
    return Data(Schema(tuple(columns), tuple("ABCD")), X, y.argmax(axis=1).astype(np.int32))


def of_miter(name: str, **settings: Any) -> Callable[[int], Any]:
    """Return a function from a seed to an estimator of Miter, looked up when it is called."""
    return lambda seed: getattr(miter, name)(random_state=seed, **settings)


OURS = Learner("ours", of_miter("LinearMachineTreeClassifier"), n_fingerprint_rows=30_000)
LMDT91 = Learner("lmdt91", of_miter("lmdt91"))
LMDT93 = Learner("lmdt93", of_miter("lmdt93"))
CART = Learner("cart", lambda seed: PrunedCart(random_state=seed), reads_tables=False)
LOGISTIC = Learner("logistic", tuned_logistic, reads_tables=False)
LMT, FT = Weka("lmt", "LMT"), Weka("ft", "FT")

OUR_FOREST = Learner("ours", of_miter("LinearMachineForestClassifier", n_estimators=100))
RANDOM_FOREST = Learner(
    "random", lambda seed: RandomForestClassifier(100, random_state=seed), reads_tables=False
)
EXTRA_TREES = Learner(
    "extra", lambda seed: ExtraTreesClassifier(100, random_state=seed), reads_tables=False
)
