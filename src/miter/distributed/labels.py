"""The classes of rows in partitions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from miter.data.labels import encode_labels, is_missing
from miter.data.schema import Label
from miter.errors import DataError
from miter.estimators.reading import check_labels

__all__ = ["LabelFacts", "codes_of", "known_labels", "labels_of"]

#: No partition may have more classes.
MOST_CLASSES = 100_000


@dataclass(frozen=True)
class LabelFacts:
    """What the labels of some partitions are.

    Parameters
    ----------
    counts : dict
        How many rows each class has.
    what : str
        Whether they are numbers, booleans or texts; empty where there are none.
    partition : str
        The first where they are that.
    n_missing : int
        Rows without a label, where that is allowed.
    """

    counts: dict[Label, int] = field(default_factory=dict)
    what: str = ""
    partition: str = ""
    n_missing: int = 0

    def __add__(self, other: LabelFacts) -> LabelFacts:
        if self.what and other.what and self.what != other.what:
            raise DataError(
                f"the labels are {self.what} in {self.partition}, but {other.what} in "
                f"{other.partition}; make them all of one type, as y.astype(str)"
            )
        counts = dict(self.counts)
        for label, n in other.counts.items():
            # 1 and 1.0 are one class, which is called as a column of both would call it.
            is_float = isinstance(label, float) or any(isinstance(one, float) for one in counts)
            n += counts.pop(label, 0)
            counts[float(label) if is_float and self.what == "numbers" else label] = n
        if self.what == "numbers" and any(isinstance(label, float) for label in counts):
            counts = {float(label): n for label, n in counts.items()}
        first = self if self.what else other
        return LabelFacts(counts, first.what, first.partition, self.n_missing + other.n_missing)

    @property
    def classes(self) -> tuple[Label, ...]:
        """The classes, sorted."""
        return tuple(sorted(self.counts))


def known_labels(y: Any, unlabelled: Any) -> NDArray[np.bool_]:
    """Tell which labels are neither missing nor what stands for no label."""
    return np.array(
        [not is_missing(label) and label != unlabelled for label in np.ravel(y).tolist()], bool
    )


def labels_of(y: Any, partition: str, is_known: NDArray[np.bool_] | None) -> LabelFacts:
    """Return what the labels of a partition are.

    Parameters
    ----------
    y : Series or ndarray
        The labels.
    partition : str
        What an error calls it.
    is_known : ndarray of bool, optional
        Which rows have one; None: all must.
    """
    n_missing = 0
    y = _as_column(y)
    if is_known is not None:
        n_missing = int((~is_known).sum())
        y = y[is_known]
    if not len(y):
        return LabelFacts(n_missing=n_missing)
    classes, codes = encode_labels(check_labels(y))
    if len(classes) > MOST_CLASSES:
        raise DataError(f"there are {len(classes):,} different labels; group them into classes")
    counts = np.bincount(codes, minlength=len(classes)).tolist()
    what = "texts" if isinstance(classes[0], str) else "numbers"
    what = "booleans" if isinstance(classes[0], bool) else what
    return LabelFacts(dict(zip(classes, counts, strict=True)), what, partition, n_missing)


def codes_of(y: Any, classes: tuple[Label, ...]) -> NDArray[np.int32]:
    """Return the position of each label among all classes."""
    y = _as_column(y)
    if not len(y):
        return np.empty(0, np.int32)
    own, codes = encode_labels(check_labels(y))
    place = {label: code for code, label in enumerate(classes)}
    return np.array([place[label] for label in own], np.int32)[codes]


def _as_column(y: Any) -> Any:
    """Return labels without a second dimension; as an array they keep their type."""
    column: Any = y.iloc[:, 0] if hasattr(y, "iloc") and y.ndim == 2 else y
    return column.to_numpy() if hasattr(column, "to_numpy") else np.ravel(column)
