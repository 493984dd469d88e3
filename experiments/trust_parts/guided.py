"""Bytes for one reader from atheris, guided by which lines of Miter they reach.

Run as ``python -m trust_parts.guided NAME``, with options of libFuzzer after it. What is new, and
what breaks a promise, goes to build/fuzz/NAME, so that the corpus that is kept stays small.
"""

from __future__ import annotations

import gc
import sys
from types import FunctionType

import atheris

from trust_parts.fuzz import CORPUS
from trust_parts.readers import READERS


def main() -> None:
    """Feed the reader that the command line names until libFuzzer has had enough."""
    name, options = sys.argv[1], sys.argv[2:]
    read = READERS[name]
    read(b"")  # imports what it needs
    for function in gc.get_objects():
        # Not by a hook into imports: an editable installation has one of its own.
        if isinstance(function, FunctionType) and str(function.__module__).startswith("miter"):
            atheris.instrument_func(function)

    def feed_one(content: bytes) -> None:
        read(content)

    found = CORPUS.parents[2] / "build" / "fuzz" / name
    found.mkdir(parents=True, exist_ok=True)
    folders = [f"-artifact_prefix={found}/", str(found), str(CORPUS / name)]
    atheris.Setup([sys.argv[0], *options, *folders], feed_one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
