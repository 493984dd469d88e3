"""Predictions as a file: CSV, JSON, Parquet or Excel, written block by block."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TextIO

import click

from miter.cli.output import opened_output

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from miter.data.schema import Label

__all__ = ["AnswerWriter", "writer_for"]

ANSWER = "class"
#: None of them: CSV, as on stdout.
_SUFFIXES = frozenset(["", ".csv", ".txt", ".tsv", ".parquet", ".xlsx"])
#: A sheet has room for so many rows, one of them for the names.
EXCEL_ROWS = 1_048_576


class AnswerWriter(Protocol):
    """Writes predictions."""

    def write(
        self,
        kept: dict[str, Any],
        codes: NDArray[np.integer[Any]],
        shares: NDArray[np.float64] | None,
    ) -> None:
        """Write some rows: columns of the user's, the codes of the answers, probabilities."""
        ...


@contextmanager
def writer_for(
    path: Path | None, classes: Sequence[Label], *, as_json: bool
) -> Iterator[AnswerWriter]:
    """Open what the suffix of a file says; stdout gets CSV, or JSON where it is asked for.

    Parameters
    ----------
    path : Path or None
        Where answers go; the file appears only when it is complete.
    classes : sequence of label
        Of the model.
    as_json : bool
        Write JSON, whatever the suffix.
    """
    from miter.model_file import replacing

    suffix = "" if path is None or as_json else path.suffix.lower()
    if suffix not in _SUFFIXES:
        raise click.UsageError(
            f"{path}: predictions are written as .csv, .tsv, .parquet or .xlsx, not as {suffix}; "
            "end the name with one of these, or give --json."
        )
    if path is not None and suffix == ".parquet":
        with replacing(path) as file:
            parquet = _Parquet(file, classes)
            yield parquet
            parquet.close()
    elif path is not None and suffix == ".xlsx":
        with replacing(path) as file:
            excel = _Excel(classes)
            yield excel
            excel.save(file)
    else:
        with opened_output(path) as text:
            separator = "\t" if suffix == ".tsv" else ","
            writer = _Json(text, classes) if as_json else _Csv(text, classes, separator)
            yield writer
            writer.close()


class _Columns:
    """What the columns of the answers are called, and their cells."""

    def __init__(self, classes: Sequence[Label]) -> None:
        from miter.data.labels import label_text

        self.classes = list(classes)
        self.texts = [label_text(label) for label in classes]

    def names(self, kept: dict[str, Any], shares: NDArray[np.float64] | None) -> list[str]:
        answer = ANSWER if ANSWER not in kept else f"predicted {ANSWER}"
        return [*kept, answer, *([] if shares is None else [f"p({text})" for text in self.texts])]


def _lists(kept: dict[str, Any]) -> list[list[Any]]:
    return [array.to_pylist() for array in kept.values()]


class _Csv(_Columns):
    def __init__(self, file: TextIO, classes: Sequence[Label], separator: str) -> None:
        super().__init__(classes)
        self.writer = csv.writer(file, delimiter=separator, lineterminator="\n")
        self.is_new = True

    def write(self, kept: dict[str, Any], codes: Any, shares: Any) -> None:
        if self.is_new:
            self.writer.writerow(self.names(kept, shares))
            self.is_new = False
        answers = [self.texts[code] for code in codes.tolist()]
        numbers = [] if shares is None else shares.T.tolist()
        self.writer.writerows(zip(*_lists(kept), answers, *numbers, strict=True))

    def close(self) -> None:
        """Nothing is left to be written."""


class _Json(_Columns):
    def __init__(self, file: TextIO, classes: Sequence[Label]) -> None:
        super().__init__(classes)
        self.file, self.before = file, "[\n"

    def write(self, kept: dict[str, Any], codes: Any, shares: Any) -> None:
        answer = self.names(kept, None)[-1]
        lists = _lists(kept)
        for number, code in enumerate(codes.tolist()):
            row = {name: cells[number] for name, cells in zip(kept, lists, strict=True)}
            row[answer] = self.classes[code]
            if shares is not None:
                row["probabilities"] = dict(zip(self.texts, shares[number].tolist(), strict=True))
            self.file.write(self.before + json.dumps(row, ensure_ascii=False, default=str))
            self.before = ",\n"

    def close(self) -> None:
        """End the list."""
        self.file.write("\n]\n")


class _Parquet(_Columns):
    def __init__(self, file: Any, classes: Sequence[Label]) -> None:
        super().__init__(classes)
        self.file = file
        self.writer: Any = None

    def write(self, kept: dict[str, Any], codes: Any, shares: Any) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        own = [_decoded(array) for array in kept.values()]
        numbers = [] if shares is None else list(shares.T)
        arrays = [*own, pa.array(self.classes).take(pa.array(codes)), *map(pa.array, numbers)]
        table = pa.table(arrays, names=self.names(kept, shares))
        if self.writer is None:
            self.writer = parquet.ParquetWriter(self.file, table.schema)
        self.writer.write_table(table.cast(self.writer.schema))

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()


def _decoded(array: Any) -> Any:
    """Return texts as texts: the codes of a dictionary differ from block to block."""
    import pyarrow as pa

    is_coded = pa.types.is_dictionary(array.type)
    return array.cast(array.type.value_type) if is_coded else array


class _Excel(_Columns):
    def __init__(self, classes: Sequence[Label]) -> None:
        from miter.errors import need

        super().__init__(classes)
        try:
            import openpyxl
        except ImportError:
            raise need("openpyxl", "excel", "Excel files") from None
        self.book = openpyxl.Workbook(write_only=True)
        self.sheet = self.book.create_sheet("predictions")
        self.n_rows = 0

    def write(self, kept: dict[str, Any], codes: Any, shares: Any) -> None:
        from miter.errors import DataError

        if not self.n_rows:
            self.sheet.append(self.names(kept, shares))
        self.n_rows += len(codes)
        if self.n_rows >= EXCEL_ROWS:
            raise DataError(
                f"an Excel sheet has room for {EXCEL_ROWS:,} rows; write .csv or .parquet"
            )
        answers = [self.classes[code] for code in codes.tolist()]
        numbers = [] if shares is None else shares.T.tolist()
        for row in zip(*_lists(kept), answers, *numbers, strict=True):
            self.sheet.append(row)

    def save(self, file: Any) -> None:
        self.book.save(file)
