"""The kinds of split: what a node stores.

A split is a function from a row to a branch number. Each kind can route rows, say a branch aloud,
and pack itself into numbers for the native core. A stored split is complete: it is in the user's
units and knows what a missing or never-seen value becomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from miter.data.schema import Schema

__all__ = [
    "SHARE",
    "STAY",
    "Category",
    "Linear",
    "Machine",
    "MachineTerm",
    "Network",
    "PackedSplits",
    "Split",
    "Term",
    "Threshold",
]

#: The branch of a missing value that goes to every branch, with a fraction of its weight each.
SHARE = -1
#: No branch fits: the row ends at this node and gets its answer.
STAY = -2


class Split(Protocol):
    """What every kind of split can do."""

    code: ClassVar[int]
    name: ClassVar[str]

    @property
    def n_branches(self) -> int:
        """How many branches there are."""

    @property
    def columns(self) -> tuple[int, ...]:
        """Positions of the columns that are tested."""

    def route(self, X: NDArray[Any]) -> NDArray[np.int32]:
        """Return the branch of every row, `SHARE` or `STAY`."""

    def say(self, schema: Schema, branch: int) -> str:
        """Say in words what leads to a branch."""

    def pack(self) -> tuple[list[int], list[float]]:
        """Return the whole and the real numbers that the native core reads (src/core/route.hpp)."""

    @classmethod
    def unpack(cls, ints: NDArray[np.int32], reals: NDArray[np.float64]) -> Self:
        """Return the split that `pack` gave the numbers of."""


@dataclass(frozen=True)
class Threshold:
    """Tests one numeric or ordered column against one cut, or several.

    Parameters
    ----------
    column : int
        Position in `Schema.columns`.
    cuts : tuple of float
        Ascending. Branch 0 takes ``x <= cuts[0]``, branch 1 ``cuts[0] < x <= cuts[1]``, ...
    missing : int
        The branch of a missing value, or `SHARE`.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.splits import Threshold
    >>> Threshold(column=0, cuts=(2.5,), missing=1).route(np.array([[1.0], [3.0], [np.nan]]))
    array([0, 1, 1], dtype=int32)
    """

    column: int
    cuts: tuple[float, ...]
    missing: int = SHARE

    code: ClassVar[int] = 1
    name: ClassVar[str] = "threshold"

    @property
    def n_branches(self) -> int:
        """How many branches there are."""
        return len(self.cuts) + 1

    @property
    def columns(self) -> tuple[int, ...]:
        """The one column."""
        return (self.column,)

    def route(self, X: NDArray[Any]) -> NDArray[np.int32]:
        """Return the branch of every row."""
        x = X[:, self.column]
        branch = np.searchsorted(np.array(self.cuts), x, side="left")
        return np.where(np.isnan(x), self.missing, branch).astype(np.int32)

    def say(self, schema: Schema, branch: int) -> str:
        """Say ``petal length <= 2.45``."""
        column = schema.columns[self.column]
        low = column.say(self.cuts[branch - 1]) if branch > 0 else None
        high = column.say(self.cuts[branch]) if branch < len(self.cuts) else None
        if low is None:
            return f"{column.name} <= {high}"
        if high is None:
            return f"{column.name} > {low}"
        return f"{low} < {column.name} <= {high}"

    def pack(self) -> tuple[list[int], list[float]]:
        """Return the numbers that the native core reads."""
        return [self.column, self.missing], list(self.cuts)

    @classmethod
    def unpack(cls, ints: NDArray[np.int32], reals: NDArray[np.float64]) -> Self:
        """Return the split that `pack` gave the numbers of."""
        return cls(int(ints[0]), tuple(reals.tolist()), int(ints[1]))


@dataclass(frozen=True)
class Category:
    """Tests one symbolic column: a branch for each value, or for each group of values.

    Parameters
    ----------
    column : int
        Position in `Schema.columns`.
    branches : tuple of int
        The branch of each value of the column; -1 for a value that no training row had here: such a
        row ends at this node.
    missing : int
        The branch of a missing value, or `SHARE`.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.splits import Category
    >>> Category(column=0, branches=(0, 1, 0)).route(np.array([[0.0], [1.0], [2.0]]))
    array([0, 1, 0], dtype=int32)
    """

    column: int
    branches: tuple[int, ...]
    missing: int = SHARE

    code: ClassVar[int] = 2
    name: ClassVar[str] = "category"

    @property
    def n_branches(self) -> int:
        """How many branches there are."""
        return max(self.branches) + 1

    @property
    def columns(self) -> tuple[int, ...]:
        """The one column."""
        return (self.column,)

    def route(self, X: NDArray[Any]) -> NDArray[np.int32]:
        """Return the branch of every row."""
        x = X[:, self.column]
        with np.errstate(invalid="ignore"):
            known = (x >= 0) & (x < len(self.branches))
        branch = np.array(self.branches)[np.where(known, x, 0).astype(int)]
        return np.where(known, np.where(branch < 0, STAY, branch), self.missing).astype(np.int32)

    def say(self, schema: Schema, branch: int) -> str:
        """Say ``Outlook = Sunny``, or ``Outlook in {Sunny, Rain}``."""
        column = schema.columns[self.column]
        values = [v for v, b in zip(column.values, self.branches, strict=True) if b == branch]
        if len(values) == 1:
            return f"{column.name} = {values[0]}"
        return f"{column.name} in {{{', '.join(values)}}}"

    def pack(self) -> tuple[list[int], list[float]]:
        """Return the numbers that the native core reads."""
        # Only values with a branch are packed: a column may have many thousands of others.
        pairs = [(v, b) for v, b in enumerate(self.branches) if b != -1]
        head = [self.column, self.missing, len(self.branches)]
        return [*head, *(number for pair in pairs for number in pair)], []

    @classmethod
    def unpack(cls, ints: NDArray[np.int32], reals: NDArray[np.float64]) -> Self:
        """Return the split that `pack` gave the numbers of."""
        branches = np.full(ints[2], -1)
        branches[ints[3::2]] = ints[4::2]
        return cls(int(ints[0]), tuple(branches.tolist()), int(ints[1]))


@dataclass(frozen=True)
class Term:
    """What one column adds to a linear combination.

    Parameters
    ----------
    column : int
        Position in `Schema.columns`.
    weights : float or tuple of float
        A number's factor; for a symbol what each of its values adds.
    missing : float
        What a missing value adds.
    """

    column: int
    weights: float | tuple[float, ...]
    missing: float = 0.0

    @property
    def is_symbolic(self) -> bool:
        """Whether each value of a symbol has a weight of its own."""
        return isinstance(self.weights, tuple)

    def of(self, X: NDArray[Any]) -> NDArray[np.float64]:
        """Return what the column adds for every row."""
        x = X[:, self.column].astype(float)
        if not isinstance(self.weights, tuple):
            return np.where(np.isnan(x), self.missing, self.weights * x)
        with np.errstate(invalid="ignore"):
            known = (x >= 0) & (x < len(self.weights))
        return np.where(
            known, np.array(self.weights)[np.where(known, x, 0).astype(int)], self.missing
        )

    def say(self, schema: Schema) -> list[tuple[float, str]]:
        """Return (factor, what it multiplies): one pair a number, one a value of a symbol."""
        column = schema.columns[self.column]
        if not isinstance(self.weights, tuple):
            return [(self.weights, column.name)]
        pairs = zip(self.weights, column.values, strict=True)
        return [(w, f"[{column.name} = {value}]") for w, value in pairs if w != 0]


@dataclass(frozen=True)
class Linear:
    """Tests a linear combination of columns: one hyperplane, two branches.

    Parameters
    ----------
    terms : tuple of Term
        The columns that count.
    threshold : float
        Branch 0 takes rows whose sum is at most this.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.splits import Linear, Term
    >>> Linear((Term(0, 1.0), Term(1, -1.0)), 0.0).route(np.array([[1.0, 2.0], [2.0, 1.0]]))
    array([0, 1], dtype=int32)
    """

    terms: tuple[Term, ...]
    threshold: float

    code: ClassVar[int] = 3
    name: ClassVar[str] = "linear"

    @property
    def n_branches(self) -> int:
        """Two."""
        return 2

    @property
    def columns(self) -> tuple[int, ...]:
        """Positions of the columns that are tested."""
        return tuple(term.column for term in self.terms)

    def excess(self, X: NDArray[Any]) -> NDArray[np.float64]:
        """Return what the sum of every row exceeds the threshold by."""
        total = np.zeros(len(X))
        for term in self.terms:
            total += term.of(X)
        return total - self.threshold

    def route(self, X: NDArray[Any]) -> NDArray[np.int32]:
        """Return the branch of every row."""
        return (self.excess(X) > 0).astype(np.int32)

    def say(self, schema: Schema, branch: int) -> str:
        """Say ``0.7 height - 1.2 weight <= 3.1``."""
        pairs = [pair for term in self.terms for pair in term.say(schema)]
        return f"{_say_sum(pairs)} {'>' if branch else '<='} {self.threshold:.4g}"

    def pack(self) -> tuple[list[int], list[float]]:
        """Return the numbers that the native core reads."""
        ints, reals = [len(self.terms)], [self.threshold]
        for term in self.terms:
            weights = term.weights if isinstance(term.weights, tuple) else (term.weights,)
            ints += [term.column, len(weights) if term.is_symbolic else 0]
            reals += [*weights, term.missing]
        return ints, reals

    @classmethod
    def unpack(cls, ints: NDArray[np.int32], reals: NDArray[np.float64]) -> Self:
        """Return the split that `pack` gave the numbers of."""
        terms, at = [], 1
        for column, n_values in ints[1:].reshape(-1, 2).tolist():
            width = n_values or 1
            own = reals[at : at + width].tolist()
            terms.append(Term(column, tuple(own) if n_values else own[0], float(reals[at + width])))
            at += width + 1
        return cls(tuple(terms), float(reals[0]))


@dataclass(frozen=True)
class MachineTerm:
    """What one column adds to the discriminants of a linear machine.

    Parameters
    ----------
    column : int
        Position in `Schema.columns`.
    weights : tuple of tuple of float
        A number's factors, one a discriminant, as the only row; for a symbol what each of its
        values adds, one row a value; for a bent number the factors of its distance from the centre
        where it is below, and where it is above.
    missing : tuple of float
        What a missing value adds to each discriminant.
    is_symbolic : bool
        Whether the column is a symbol.
    centre : float, optional
        Where the factors of a bent number change.
    """

    column: int
    weights: tuple[tuple[float, ...], ...]
    missing: tuple[float, ...]
    is_symbolic: bool
    centre: float | None = None

    def of(self, X: NDArray[Any]) -> NDArray[np.float64]:
        """Return what the column adds for every row, rows x discriminants."""
        x = X[:, self.column].astype(float)
        weights = np.array(self.weights)
        if self.centre is not None:
            known = ~np.isnan(x)
            beyond = np.where(known, x, self.centre) - self.centre
            added = beyond[:, None] * np.where(beyond[:, None] < 0, weights[0], weights[1])
        elif not self.is_symbolic:
            known = ~np.isnan(x)
            added = np.where(known, x, 0.0)[:, None] * weights[0]
        else:
            with np.errstate(invalid="ignore"):
                known = (x >= 0) & (x < len(weights))
            added = weights[np.where(known, x, 0).astype(int)]
        return np.where(known[:, None], added, np.array(self.missing))

    def say(self, schema: Schema, output: int) -> list[tuple[float, str]]:
        """Return (factor, what it multiplies) in one discriminant."""
        column = schema.columns[self.column]
        if self.centre is not None:
            (below, above), centre = self.weights, f"{self.centre:.4g}"
            return [
                (-below[output], f"[{column.name} below {centre}]"),
                (above[output], f"[{column.name} above {centre}]"),
            ]
        if not self.is_symbolic:
            return [(self.weights[0][output], column.name)]
        pairs = zip(self.weights, column.values, strict=True)
        return [(w[output], f"[{column.name} = {value}]") for w, value in pairs if w[output] != 0]


@dataclass(frozen=True)
class Machine:
    """A linear machine: as many discriminants as branches; the largest decides.

    Parameters
    ----------
    constants : tuple of float
        One a discriminant.
    terms : tuple of MachineTerm
        The columns that count.
    classes : tuple of int
        The class that each discriminant speaks for.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.splits import Machine, MachineTerm
    >>> term = MachineTerm(0, ((1.0, -1.0),), (0.0, 0.0), False)
    >>> Machine((0.0, 0.0), (term,), (0, 1)).route(np.array([[3.0], [-2.0]]))
    array([0, 1], dtype=int32)
    """

    constants: tuple[float, ...]
    terms: tuple[MachineTerm, ...]
    classes: tuple[int, ...]

    code: ClassVar[int] = 4
    name: ClassVar[str] = "machine"

    @property
    def n_branches(self) -> int:
        """One a discriminant."""
        return len(self.constants)

    @property
    def columns(self) -> tuple[int, ...]:
        """Positions of the columns that are tested."""
        return tuple(term.column for term in self.terms)

    def route(self, X: NDArray[Any]) -> NDArray[np.int32]:
        """Return the branch of every row."""
        sums = np.tile(np.array(self.constants), (len(X), 1))
        for term in self.terms:
            sums += term.of(X)
        return sums.argmax(axis=1).astype(np.int32)

    def say(self, schema: Schema, branch: int) -> str:
        """Say ``machine = setosa: 1.2 - 0.4 length + 0.9 width is largest``."""
        pairs = [pair for term in self.terms for pair in term.say(schema, branch)]
        words = [f"{self.constants[branch]:.4g}"]
        words += [f"{'-' if w < 0 else '+'} {abs(w):.4g} {name}" for w, name in pairs]
        label = schema.classes[self.classes[branch]]
        return f"machine = {label}: {' '.join(words)} is largest"

    def pack(self) -> tuple[list[int], list[float]]:
        """Return the numbers that the native core reads."""
        ints, reals = _pack_terms(self.terms)
        head = [len(self.constants), len(self.terms), *self.classes]
        return [*head, *ints], [*self.constants, *reals]

    @classmethod
    def unpack(cls, ints: NDArray[np.int32], reals: NDArray[np.float64]) -> Self:
        """Return the split that `pack` gave the numbers of."""
        n_outputs = int(ints[0])
        terms = _unpack_terms(ints[2 + n_outputs :], reals[n_outputs:], n_outputs)
        constants = tuple(reals[:n_outputs].tolist())
        return cls(constants, terms, tuple(ints[2 : 2 + n_outputs].tolist()))


#: In place of the number of values of a machine's term in the native core: a bent number.
BENT = -1


def _pack_terms(terms: Sequence[MachineTerm]) -> tuple[list[int], list[float]]:
    """Return column and number of values of each term, and the weights of each."""
    ints: list[int] = []
    reals: list[float] = []
    for term in terms:
        ints += [term.column, len(term.weights) if term.is_symbolic else 0]
        if term.centre is not None:
            ints[-1] = BENT
            reals.append(term.centre)
        for row in (*term.weights, term.missing):
            reals += row
    return ints, reals


def _unpack_terms(
    ints: NDArray[np.int32], reals: NDArray[np.float64], n_outputs: int
) -> tuple[MachineTerm, ...]:
    """Return the terms that `_pack_terms` gave the numbers of; more reals may follow."""
    terms, at = [], 0
    for column, n_values in ints.reshape(-1, 2).tolist():
        centre = float(reals[at]) if n_values == BENT else None
        at += n_values == BENT
        n_rows = 2 if n_values == BENT else max(n_values, 1)
        end = at + (n_rows + 1) * n_outputs
        *weights, missing = map(tuple, reals[at:end].reshape(-1, n_outputs).tolist())
        terms.append(MachineTerm(column, tuple(weights), missing, n_values > 0, centre))
        at = end
    return tuple(terms)


@dataclass(frozen=True)
class Network:
    """Tests the output of a network with one hidden layer: a curved boundary, two branches.

    A hidden unit is the sigmoid of a linear combination of columns.

    Parameters
    ----------
    constants : tuple of float
        One a hidden unit.
    terms : tuple of MachineTerm
        What the columns add to each hidden unit.
    weights : tuple of float
        What each hidden unit is multiplied with.
    threshold : float
        Branch 0 takes rows whose weighted hidden units sum to at most this.

    Examples
    --------
    >>> import numpy as np
    >>> from miter.splits import MachineTerm, Network
    >>> term = MachineTerm(0, ((9.0, -9.0),), (0.0, 0.0), False)
    >>> inside = Network((9.0, 9.0), (term,), (1.0, 1.0), 1.5)
    >>> inside.route(np.array([[-2.0], [0.0], [2.0]]))
    array([0, 1, 0], dtype=int32)
    """

    constants: tuple[float, ...]
    terms: tuple[MachineTerm, ...]
    weights: tuple[float, ...]
    threshold: float

    code: ClassVar[int] = 5
    name: ClassVar[str] = "network"

    @property
    def n_branches(self) -> int:
        """Two."""
        return 2

    @property
    def columns(self) -> tuple[int, ...]:
        """Positions of the columns that are tested."""
        return tuple(term.column for term in self.terms)

    def route(self, X: NDArray[Any]) -> NDArray[np.int32]:
        """Return the branch of every row."""
        sums = np.tile(np.array(self.constants), (len(X), 1))
        for term in self.terms:
            sums += term.of(X)
        total = np.zeros(len(X))
        for weight, hidden in zip(self.weights, expit(sums).T, strict=True):
            total += weight * hidden
        return (total > self.threshold).astype(np.int32)

    def say(self, schema: Schema, branch: int) -> str:
        """Say ``0.7 s(1.2 height - 3) - 1.1 s(0.4 weight + 2) <= 0.3``, where s is the sigmoid."""
        words = []
        for h, weight in enumerate(self.weights):
            pairs = [pair for term in self.terms for pair in term.say(schema, h)]
            inner = _say_sum([*pairs, (self.constants[h], "")])
            words.append((weight, f"s({inner})"))
        return f"{_say_sum(words)} {'>' if branch else '<='} {self.threshold:.4g}"

    def pack(self) -> tuple[list[int], list[float]]:
        """Return the numbers that the native core reads."""
        ints, reals = _pack_terms(self.terms)
        head = [len(self.constants), len(self.terms)]
        return [*head, *ints], [*self.constants, *reals, *self.weights, self.threshold]

    @classmethod
    def unpack(cls, ints: NDArray[np.int32], reals: NDArray[np.float64]) -> Self:
        """Return the split that `pack` gave the numbers of."""
        n_hidden = int(ints[0])
        terms = _unpack_terms(ints[2:], reals[n_hidden:], n_hidden)
        *weights, threshold = reals[len(reals) - n_hidden - 1 :].tolist()
        return cls(tuple(reals[:n_hidden].tolist()), terms, tuple(weights), threshold)


def _say_sum(pairs: Sequence[tuple[float, str]]) -> str:
    """Say factors and what they multiply: ``0.7 height - 1.2 weight``."""
    words = []
    for i, (weight, name) in enumerate(pairs):
        sign = "-" if weight < 0 else "+" if i else ""
        words.append(f"{sign}{' ' if i else ''}{abs(weight):.4g} {name}".rstrip())
    return " ".join(words)


#: The kinds by their code in the native core; 0 is a leaf.
SPLIT_KINDS: dict[int, type[Split]] = {
    kind.code: kind for kind in (Threshold, Category, Linear, Machine, Network)
}


@dataclass(frozen=True, eq=False)
class PackedSplits:
    """The splits of many nodes as flat arrays: a tree of a million nodes has no objects in it.

    Split i owns ``ints[int_start[i]:int_start[i + 1]]`` and the same slice of ``reals``; kind 0
    with no branches stands for a leaf.

    Examples
    --------
    >>> from miter.splits import PackedSplits, Threshold
    >>> splits = PackedSplits.of([Threshold(0, (1.5,)), None])
    >>> splits[0], splits[1]
    (Threshold(column=0, cuts=(1.5,), missing=-1), None)
    """

    kind: NDArray[np.uint8]
    int_start: NDArray[np.int64]
    ints: NDArray[np.int32]
    real_start: NDArray[np.int64]
    reals: NDArray[np.float64]
    n_branches: NDArray[np.int32]

    @classmethod
    def of(cls, splits: Sequence[Split | None]) -> PackedSplits:
        """Pack splits; None is a leaf."""
        ints: list[int] = []
        reals: list[float] = []
        int_start, real_start = [0], [0]
        for split in splits:
            own_ints, own_reals = split.pack() if split is not None else ([], [])
            ints += own_ints
            reals += own_reals
            int_start.append(len(ints))
            real_start.append(len(reals))
        return cls(
            np.array([s.code if s is not None else 0 for s in splits], np.uint8),
            np.array(int_start, np.int64),
            np.array(ints, np.int32),
            np.array(real_start, np.int64),
            np.array(reals, np.float64),
            np.array([s.n_branches if s is not None else 0 for s in splits], np.int32),
        )

    def __len__(self) -> int:
        return len(self.kind)

    def __getitem__(self, i: int) -> Split | None:
        if self.kind[i] == 0:
            return None
        ints = self.ints[self.int_start[i] : self.int_start[i + 1]]
        reals = self.reals[self.real_start[i] : self.real_start[i + 1]]
        return SPLIT_KINDS[int(self.kind[i])].unpack(ints, reals)

    @property
    def arrays(
        self,
    ) -> tuple[
        NDArray[np.uint8],
        NDArray[np.int64],
        NDArray[np.int32],
        NDArray[np.int64],
        NDArray[np.float64],
    ]:
        """What the native core reads, in its order."""
        return self.kind, self.int_start, self.ints, self.real_start, self.reals

    def take(self, keep: NDArray[np.int64], leaf: NDArray[np.bool_] | None = None) -> PackedSplits:
        """Return the splits at these positions; those marked as leaf without their split."""
        leaf = np.zeros(len(keep), bool) if leaf is None else leaf
        int_start, ints = _take_slices(self.int_start, self.ints, keep, leaf)
        real_start, reals = _take_slices(self.real_start, self.reals, keep, leaf)
        return PackedSplits(
            np.where(leaf, 0, self.kind[keep]).astype(np.uint8),
            int_start,
            ints,
            real_start,
            reals,
            np.where(leaf, 0, self.n_branches[keep]).astype(np.int32),
        )

    @classmethod
    def merge(cls, parts: Sequence[PackedSplits], which: NDArray[np.int64]) -> PackedSplits:
        """Put the splits of several parts of a level in their places: `which` part has each."""
        place = np.empty(len(which), np.int64)
        for k, first in enumerate(np.cumsum([0, *map(len, parts[:-1])])):
            place[which == k] = first + np.arange(np.sum(which == k))
        return cls.join(parts).take(place)

    @classmethod
    def join(cls, parts: Sequence[PackedSplits]) -> PackedSplits:
        """Put the splits of several levels one after the other."""
        return cls(
            np.concatenate([p.kind for p in parts]),
            _join_starts([p.int_start for p in parts]),
            np.concatenate([p.ints for p in parts]),
            _join_starts([p.real_start for p in parts]),
            np.concatenate([p.reals for p in parts]),
            np.concatenate([p.n_branches for p in parts]),
        )


def _take_slices(
    start: NDArray[np.int64], values: NDArray[Any], keep: NDArray[np.int64], leaf: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    sizes = np.where(leaf, 0, start[keep + 1] - start[keep])
    new_start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    # Position of every kept number: its slice's old start plus how far into the slice it is.
    shift = np.repeat(start[keep] - new_start[:-1], sizes)
    return new_start, values[np.arange(new_start[-1]) + shift]


def _join_starts(starts: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    sizes = np.concatenate([np.diff(start) for start in starts])
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
