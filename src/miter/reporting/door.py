"""The one way in: a report of whatever there is to report on."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

from miter.errors import DataError
from miter.lab import Results
from miter.model_file import replacing
from miter.reporting.contents import contents_of_model
from miter.reporting.page import render_page
from miter.reporting.results import contents_of_results

__all__ = ["report"]


def report(
    model: Any,
    X: Any = None,
    y: Any = None,
    path: str | PathLike[str] = "report.html",
    *,
    title: str = "",
    name: str = "",
) -> Path:
    """Write a page about a model, or about results of the laboratory, to be opened in a browser.

    The page is one file and asks the network for nothing. Of a model it shows the tree, which opens
    and closes, the rows and why they get their answers, what changes if values, costs or the size
    change, the rules, the table, and how it was made; the model itself can be taken out of it.

    Parameters
    ----------
    model : Fitted or Results
        A fitted tree or forest of Miter's, or what `miter.lab.run` returned.
    X : DataFrame, array or Data
        Rows: those that the model was grown on, or better others. A frame may hold the classes in
        the column that the model predicts. Of a large table some rows are put into the page; all of
        them are counted.
    y : sequence, optional
        The true classes of the rows. Without, nothing is said of right and wrong.
    path : str or path
        The file; one that is there is replaced.
    title : str
        What stands above the page.
    name : str
        What the table is called in it.

    Returns
    -------
    Path
        Where the page is.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import miter
    >>> from miter.data import play_tennis
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = miter.report(
    ...         miter.id3().fit(play_tennis()), play_tennis(), path=Path(folder, "tennis.html")
    ...     )
    ...     page.name, page.stat().st_size < 200_000
    ('tennis.html', True)
    """
    if isinstance(model, Results):
        if X is not None or y is not None:
            raise DataError("results of the laboratory bring their runs; leave X and y out")
        contents = contents_of_results(model, title=title)
    elif X is None:
        raise DataError("a report of a model needs rows to show; give X")
    else:
        contents = contents_of_model(model, X, y, title=title, name=name)
    # Names of the user may hold halves of characters, which JSON escapes and a page shows as such.
    page = render_page(contents).encode("utf-8", "replace")
    with replacing(path) as file:
        file.write(page)
    return Path(path)
