"""Rules: what must hold, and the answer where it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.labels import label_text
from miter.data.schema import Schema
from miter.data.table import Data
from miter.splits import SHARE, Condition, Split
from miter.splits.names import say_name

__all__ = ["Rule", "RuleSet", "counted"]

#: So many numbers at a time: rows times rules.
BLOCK = 4_000_000


@dataclass(frozen=True)
class Rule:
    """IF all conditions hold THEN an answer.

    Parameters
    ----------
    conditions : tuple of Condition
        What must hold; nothing for a rule that always applies.
    answer : int
        The class, as a position in `Schema.classes`.
    counts : tuple of float
        Weight of the training rows of each class that it applies to.
    probabilities : tuple of float
        What is said of each class where it applies.
    shares : tuple of float
        For each condition, for what part of a row it is taken to hold whose value is missing.
    worth : tuple of float
        How good each class is as the answer: its probability, or what it saves where mistakes
        differ in cost.

    Examples
    --------
    >>> from miter.rules import Rule
    >>> from miter.splits import Condition, Threshold
    >>> rule = Rule((Condition(Threshold(0, (1.5,)), 0),), 0, (6.0, 2.0), (0.7, 0.3), (0.5,))
    >>> rule.support, rule.confidence
    (8.0, 0.75)
    """

    conditions: tuple[Condition, ...]
    answer: int
    counts: tuple[float, ...]
    probabilities: tuple[float, ...]
    shares: tuple[float, ...] = ()
    worth: tuple[float, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if not self.worth:
            object.__setattr__(self, "worth", self.probabilities)

    @property
    def support(self) -> float:
        """Weight of the training rows that it applies to."""
        return sum(self.counts)

    @property
    def confidence(self) -> float:
        """The part of these that is of its class; 0 where there are none."""
        return self.counts[self.answer] / self.support if self.support else 0.0

    def holds(self, X: NDArray[Any]) -> NDArray[np.bool_]:
        """Tell for every row whether it applies to all of it."""
        result = np.ones(len(X), bool)
        for condition in self.conditions:
            result[result] = condition.holds(X[result])
        return result

    def say(self, schema: Schema) -> str:
        """Say the rule in words, with its support and its confidence."""
        answer = say_name(label_text(schema.classes[self.answer]), may_be_number=True)
        words = " AND ".join(condition.say(schema) for condition in self.conditions)
        rule = f"IF {words} THEN {answer}" if words else answer
        support = f"{self.support:.1f}".removesuffix(".0")
        return f"{rule} ({support} {'row' if support == '1' else 'rows'}, {self.confidence:.0%})"


@dataclass(frozen=True)
class RuleSet:
    """Rules that answer together.

    Without a default they are the rules of one tree, of which exactly one applies to a row; a row
    that missing values share out gets a blend of several answers. With a default they are a list:
    the first that applies answers, and the default where none does; of a row whose value is
    missing, a rule takes the part for which its conditions are taken to hold, which may be nothing.

    Parameters
    ----------
    schema : Schema
        The columns that conditions test, the classes that rules answer.
    rules : tuple of Rule
        In their order.
    default : Rule, optional
        The answer where no rule applies; it has no conditions.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.data import play_tennis
    >>> from miter.rules import rules_of
    >>> data = play_tennis()
    >>> rules = rules_of(id3().fit(data))
    >>> len(rules), (rules.predict(data.X) == data.labels).all()
    (8, np.True_)
    """

    schema: Schema
    rules: tuple[Rule, ...]
    default: Rule | None = None

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    @property
    def answers(self) -> tuple[Rule, ...]:
        """All that can answer: the rules, and the default after them."""
        return self.rules if self.default is None else (*self.rules, self.default)

    @property
    def n_conditions(self) -> int:
        """How many conditions all rules have together."""
        return sum(len(rule.conditions) for rule in self.rules)

    @property
    def silent_classes(self) -> tuple[Any, ...]:
        """The classes that nothing answers."""
        named = {rule.answer for rule in self.answers}
        return tuple(label for k, label in enumerate(self.schema.classes) if k not in named)

    def weights(self, X: NDArray[Any]) -> NDArray[np.float64]:
        """Return the part of each row that each rule answers, and the default last: they sum to 1.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_columns)
            Rows coded as the schema says.
        """
        degrees = _degrees(self.rules, X)
        if self.default is None:
            return degrees
        weights = np.empty((len(X), len(self.rules) + 1))
        rest = np.ones(len(X))
        for place in range(len(self.rules)):
            weights[:, place] = rest * degrees[:, place]
            rest = rest * (1.0 - degrees[:, place])
        weights[:, -1] = rest
        return weights

    def predict(self, X: NDArray[Any]) -> NDArray[np.int32]:
        """Return the class code of every row."""
        answers = np.array([rule.answer for rule in self.answers], np.int32)
        codes = []
        for weights in self._blocks(X):
            code = answers[weights.argmax(axis=1)]
            # Of a row that several rules answer, the blend decides.
            shared = weights.max(axis=1) < 1
            worth = _blend(weights[shared], [rule.worth for rule in self.answers])
            code[shared] = worth.argmax(axis=1)
            codes.append(code)
        return np.concatenate(codes)

    def predict_proba(self, X: NDArray[Any]) -> NDArray[np.float64]:
        """Return the class probabilities of every row."""
        said = [rule.probabilities for rule in self.answers]
        return np.concatenate([_blend(weights, said) for weights in self._blocks(X)])

    def _blocks(self, X: NDArray[Any]) -> Iterator[NDArray[np.float64]]:
        size = max(BLOCK // len(self.answers), 1)
        for first in range(0, max(len(X), 1), size):
            yield self.weights(X[first : first + size])

    def say(self) -> list[str]:
        """Say each rule in words, and the default."""
        said = [rule.say(self.schema) for rule in self.rules]
        if self.default is not None:
            answer = self.default.say(self.schema)
            said.append(f"ELSE {answer}" if self.rules else answer)
        return said

    def __str__(self) -> str:
        return "\n".join(self.say())


def _degrees(rules: Sequence[Rule], X: NDArray[Any]) -> NDArray[np.float64]:
    """Return for what part of each row all conditions of each rule are taken to hold."""
    degrees = np.ones((len(X), len(rules)))
    routes: dict[Split, NDArray[np.int32]] = {}
    for place, rule in enumerate(rules):
        own = degrees[:, place]
        for condition, share in zip(rule.conditions, rule.shares, strict=True):
            if condition.split not in routes:
                routes[condition.split] = condition.split.route(X)
            route = routes[condition.split]
            own *= np.where(route == condition.branch, 1.0, np.where(route == SHARE, share, 0.0))
    return degrees


def _blend(weights: NDArray[np.float64], said: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    # Added one by one, in order, as a tree does: so that they agree to the last bit.
    total = np.zeros((len(weights), len(said[0])))
    for place, numbers in enumerate(said):
        total += weights[:, [place]] * np.array(numbers)
    return total


def counted(rules: RuleSet, data: Data) -> RuleSet:
    """Return rules whose support and confidence are those among other rows.

    What they answer stays as it is. Of a row whose value is missing, a part counts.

    Parameters
    ----------
    rules : RuleSet
        What is to be counted.
    data : Data
        Rows with labels.
    """
    weights = rules.weights(data.X) * data.weight_of()[:, None]
    is_of_class = np.arange(data.schema.n_classes) == data.labels[:, None]
    counts = weights.T @ is_of_class
    new = [replace(r, counts=tuple(c.tolist())) for r, c in zip(rules.answers, counts, strict=True)]
    if rules.default is None:
        return replace(rules, rules=tuple(new))
    return replace(rules, rules=tuple(new[:-1]), default=new[-1])
