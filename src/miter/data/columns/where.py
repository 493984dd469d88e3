"""Where a row is, for sentences about it."""

from __future__ import annotations

from typing import NoReturn

from miter.errors import DataError

__all__ = ["IN_MEMORY", "Where"]


class Where:
    """Says where a row is; of tables in memory, by its number from 0 on."""

    def say(self, row: int) -> str:
        """Return the place of a row, as in 'the first is in row 17'."""
        return f"row {row}"

    def text(self, row: int, name: str) -> str | None:
        """Return the cell as it is written, where that is known."""
        return None

    def fail(self, row: int, what: str, cure: str) -> NoReturn:
        """Raise a `DataError` about a cell."""
        raise DataError(f"{what} in {self.say(row)}; {cure}")


#: Of every table that is no file.
IN_MEMORY = Where()
