"""The languages there are, and the one way in."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from miter.errors import did_you_mean
from miter.exporting.program import Program, program_of

__all__ = ["LANGUAGES", "Language", "export", "language_of"]


@dataclass(frozen=True)
class Language:
    """A language that models are written in.

    Parameters
    ----------
    home, writer : str
        The module of the function that writes it, and its name.
    suffixes : tuple of str
        Of its files.
    help : str
        What comes out.
    name : str, optional
        What the user may name, where nothing else is given; None: nothing.
    """

    home: str
    writer: str
    suffixes: tuple[str, ...]
    help: str
    name: str | None = None

    def write(self, program: Program, name: str | None) -> str | bytes:
        """Write down what a model computes."""
        write = getattr(import_module(f"miter.exporting.{self.home}"), self.writer)
        names = () if self.name is None else (name or self.name,)
        written: str | bytes = write(program, *names)
        return written


LANGUAGES = {
    "python": Language("python", "write_python", (".py",), "a module that imports only math"),
    "c": Language("c", "write_c", (".c",), "C99 that allocates nothing", "model"),
    "sql": Language("sql", "write_sql", (".sql",), "one SELECT, for SQLite, DuckDB, ...", "data"),
    "javascript": Language("javascript", "write_javascript", (".js", ".mjs"), "a module"),
    "onnx": Language("onnx", "write_onnx", (".onnx",), "for onnxruntime; needs miter[onnx]"),
    "latex": Language("drawing", "write_latex", (".tex",), "the tree, for the package forest"),
    "dot": Language("drawing", "write_dot", (".dot", ".gv"), "the tree, for Graphviz"),
    "json": Language("plain", "write_json", (".json",), "expressions, to be read by programs"),
}


def export(model: Any, language: str, *, name: str | None = None) -> str | bytes:
    """Write a fitted model in another language.

    What comes out needs neither Miter nor the training rows, and gives the answers of `predict`
    and `predict_proba`, also where values are missing or were never seen.

    Parameters
    ----------
    model : fitted tree, forest or bagged trees
        What to write.
    language : str
        One of `miter.exporting.LANGUAGES`.
    name : str, optional
        The table that SQL reads, "data" by default; what the functions of C begin with, "model" by
        default.

    Returns
    -------
    str or bytes
        The source; bytes for ONNX.

    Raises
    ------
    ValueError
        When there is no such language, or it cannot express the model.

    Examples
    --------
    >>> from miter import export, id3
    >>> from miter.data import play_tennis
    >>> module = {}
    >>> exec(export(id3().fit(play_tennis()), "python"), module)
    >>> row = {"Outlook": "Sunny", "Temp.": "Hot", "Humidity": "High", "Wind": None}
    >>> module["predict"](row), module["predict_proba"](row)
    ('No', [0.0, 1.0])
    """
    if language not in LANGUAGES:
        raise ValueError(
            f"there is no language {language!r} to export to; {did_you_mean(language, LANGUAGES)}"
        )
    if name is not None and LANGUAGES[language].name is None:
        raise ValueError(f"name is {name!r}, but nothing has a name in {language}; leave it out")
    return LANGUAGES[language].write(program_of(model), name)


def language_of(path: Path) -> str | None:
    """Return the language that files of a name are written in; None where there is none.

    Examples
    --------
    >>> from pathlib import Path
    >>> from miter.exporting import language_of
    >>> language_of(Path("tree.py"))
    'python'
    """
    for name, language in LANGUAGES.items():
        if path.suffix.lower() in language.suffixes:
            return name
    return None
