"""Why a tree may be a single leaf, which always gives the same answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from miter.cli.wording import count

if TYPE_CHECKING:
    from miter.data import Data

__all__ = ["say_single_leaf"]

#: From this share on, one class outweighs what a column can tell of the others.
LARGE_SHARE = 0.9
#: With fewer rows hardly a split can be trusted.
FEW_ROWS = 30
#: With fewer rows of a class there is nothing to learn about it.
FEW_OF_A_CLASS = 3


def say_single_leaf(estimator: Any, data: Data) -> list[str]:
    """Return sentences on why there is no split; none where there is one.

    Parameters
    ----------
    estimator : classifier of Miter
        Fitted.
    data : Data
        Its training rows.

    Examples
    --------
    >>> from miter import id3
    >>> from miter.cli.single_leaf import say_single_leaf
    >>> from miter.data import play_tennis
    >>> say_single_leaf(id3(max_depth=0).fit(play_tennis()), play_tennis())[0]
    "the tree is a single leaf and answers 'Yes' to every row; that may be because"
    """
    from miter.data.labels import label_text

    if any(tree.n_nodes > 1 for tree in estimator.trees_):
        return []
    answer = label_text(data.schema.classes[int(estimator.predict_codes(data.X[:1])[0])])
    head = f"the tree is a single leaf and answers {answer!r} to every row; that may be because"
    return [head, *(f"- {reason}" for reason in _reasons(estimator, data, answer))]


def _reasons(estimator: Any, data: Data, answer: str) -> Iterator[str]:
    from miter.data.labels import label_text

    settings, counts = estimator.get_params(deep=False), data.class_counts()
    share = counts.max() / counts.sum()
    if settings.get("max_depth") == 0:
        yield "max_depth is 0; leave it out"
    if estimator.costs_ is not None:
        yield f"by the costs, {answer!r} is the cheapest answer where nothing else is known"
    elif share >= LARGE_SHARE:
        rare = label_text(data.schema.classes[int(counts.argmin())])
        yield (
            f"{share:.1%} of the rows are {answer!r}; say what it costs to miss the others, as "
            f"--focus '{rare}=10', or -p class_weight=balanced"
        )
    if data.n_rows < FEW_ROWS:
        yield f"{count(data.n_rows, 'row')} are too few to trust a split; give more"
    elif len(counts) > data.n_rows / FEW_OF_A_CLASS:
        yield (
            f"{data.schema.target!r} has {len(counts):,} values in {data.n_rows:,} rows, too many "
            "to learn each; name another column with --target"
        )
    least = settings.get("min_samples_leaf", 1)
    if isinstance(least, int) and least > data.n_rows / 2:
        yield f"min_samples_leaf is {least}, more than half of the rows; make it smaller"
    if settings.get("pruning") is not None:
        yield "pruning found no split worth keeping; -p pruning=None shows them"
    if data.schema.ignored:
        left_out = ", ".join(map(repr, data.schema.ignored[:5]))
        yield f"columns were left out: {left_out}; --kind keeps one, as --kind COLUMN=symbolic"
    yield f"no column tells much about {data.schema.target!r}; `miter data` shows what they hold"
