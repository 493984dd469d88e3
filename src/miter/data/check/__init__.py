"""The check of a table before anything is learned from it: what it holds, and what is odd."""

from miter.data.check.columns import ColumnCheck
from miter.data.check.table import TableCheck, check
from miter.data.check.text import format_check

__all__ = ["ColumnCheck", "TableCheck", "check", "format_check"]
