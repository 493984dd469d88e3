"""Names of columns as a header has them: some are empty, some are there twice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from miter.data.remarks import Remark
from miter.errors import DataError

__all__ = ["check_target_is_one", "say_title", "tell_apart"]

_REPEATED = "repeated name"


def tell_apart(header: Sequence[str]) -> tuple[list[str], list[Remark]]:
    """Return a name of its own for each column, and what there is to say of it.

    Examples
    --------
    >>> from miter.data.files.names import tell_apart
    >>> names, remarks = tell_apart(["age", "", "age"])
    >>> names
    ['age', 'column 2', 'age (2)']
    >>> print(remarks[1].say())
    column 'age (2)': an earlier column is called 'age' too; called 'age (2)'
    """
    names: list[str] = []
    remarks: list[Remark] = []
    taken = {*header}
    for position, own in enumerate(header, 1):
        name = own or f"column {position}"
        if not own:
            remarks.append(Remark(name, "header", f"has no name; called {name!r}"))
        elif own in names:
            name = next(n for k in range(2, len(header) + 2) if (n := f"{own} ({k})") not in taken)
            sentence = f"an earlier column is called {own!r} too; called {name!r}"
            remarks.append(Remark(name, _REPEATED, sentence))
        taken.add(name)
        names.append(name)
    return names, remarks


def say_title(title: str, n_above: int) -> Remark:
    """Tell that something stands above the header.

    Examples
    --------
    >>> from miter.data.files.names import say_title
    >>> print(say_title("Sales of 2024", 2).say())
    2 lines above the header, from 'Sales of 2024' on, are left out
    """
    lines = "1 line" if n_above == 1 else f"{n_above} lines"
    verb = "is" if n_above == 1 else "are"
    begins = f"{title!r}, {verb}" if n_above == 1 else f"from {title!r} on, {verb}"
    return Remark("", "above the header", f"{lines} above the header, {begins} left out")


def check_target_is_one(path: Path, target: str | None, remarks: Sequence[Remark]) -> None:
    """Refuse a class of which nobody knows in which of two columns it is."""
    called = f"{target} ("
    if any(r.about == _REPEATED and r.column.startswith(called) for r in remarks):
        raise DataError(
            f"{path}: two columns are called {target!r}; rename the one that is not the class"
        )
