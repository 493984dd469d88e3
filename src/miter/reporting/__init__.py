"""Reports: one page to open, for people who would rather look than read."""

from miter.reporting.door import report

__all__ = ["report"]
