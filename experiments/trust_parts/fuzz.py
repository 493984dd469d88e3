"""Bytes for the readers, from a mutator that is not guided by coverage, but repeats.

The same seed makes the same bytes, so that what it finds can be found again; `guided.py` lets
atheris look for more.
"""

from __future__ import annotations

import hashlib
import json
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from trust_parts.readers import READERS

__all__ = ["CORPUS", "Fed", "feed", "seeds_of"]

#: A folder for each reader: seeds to begin with, and whatever once broke a promise.
CORPUS = Path(__file__).resolve().parents[2] / "tests" / "fuzz" / "corpus"
#: What parsers of text and numbers stumble over.
WORDS = (
    *(b"nan", b"inf", b"-1", b"1e308", b"1e-320", b"2147483648", b"9" * 400, b"null", b"true"),
    *(b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n", b"\n\n", b'"', b"'", b"\\", b"{", b"["),
    *(b"[]", b"{}", b"}", b"]", b",", b";", b"\t", b"|", b"?", b":", b"%", b"@attribute", b"@data"),
    *("\u2028".encode(), "\N{SNAKE}".encode(), b"0x10", b"1_000", b"--", b"=", b"#"),
)
#: What a value of JSON may not be expected to be, and what a number is multiplied with.
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 0.5, 1e308, -1e308, 5e-324, 2**31, 2**40, 2**63, 10**400),
    *("", "x", "a" * 5000, "inf", "nan", [], {}, [[]], [0], {"x": 0}, "AAAA", "\ud800"),
)
VALUES_NEAR = (-1.0, 0.0, 2.0, 0.5, 1e6, 1e-6, 1 + 1e-12)


@dataclass
class Fed:
    """What came of feeding a reader."""

    reader: str
    inputs: int = 0
    read: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    findings: list[str] = field(default_factory=list)


def seeds_of(reader: str) -> list[bytes]:
    """Return what there is of a reader's corpus, in the order of its names."""
    return [path.read_bytes() for path in sorted((CORPUS / reader).glob("*")) if path.is_file()]


def feed(reader: str, n: int, seed: int, keep: Path | None = None) -> Fed:
    """Feed a reader mutations of its corpus; what breaks a promise is kept in a folder."""
    random = np.random.default_rng([seed, *reader.encode()])
    seeds, fed = seeds_of(reader), Fed(reader)
    read = READERS[reader]
    for _ in range(n):
        content = _changed(seeds[random.integers(len(seeds))], seeds, random)
        started = time.process_time()
        try:
            fed.read += read(content)
        except Exception:
            fed.findings.append(_keep(content, keep))
        took = time.process_time() - started
        fed.inputs, fed.seconds = fed.inputs + 1, fed.seconds + took
        fed.slowest = max(fed.slowest, took)
    return fed


def _keep(content: bytes, folder: Path | None) -> str:
    """Write down what broke a promise; return how."""
    said = traceback.format_exc().strip().splitlines()
    name = hashlib.sha256(content).hexdigest()[:12]
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    place = next((line.strip() for line in reversed(said) if "src/miter" in line), "")
    return f"{name}: {said[-1][:200]} ({place})"


def _changed(content: bytes, seeds: list[bytes], random: np.random.Generator) -> bytes:
    """Return bytes a few changes away; of JSON, more often a few values."""
    try:
        value = json.loads(content)
    except ValueError:
        return _mutated(content, seeds, random)
    if random.random() < 0.2:
        return _mutated(content, seeds, random)
    for _ in range(1 + int(random.geometric(0.6))):
        _change_value(value, random)
    return json.dumps(value).encode()


def _change_value(value: Any, random: np.random.Generator) -> None:
    """Change something in a nest of objects and lists, in its place."""
    while isinstance(value, dict | list) and value:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = keys[random.integers(len(keys))]
        inner = value[key]
        if isinstance(inner, dict | list) and inner and random.random() < 0.9:
            value = inner
            continue
        match int(random.integers(5)):
            case 0 if isinstance(value, list):
                value.insert(key, inner)
            case 1:
                del value[key]
            case 2 if isinstance(inner, float):
                value[key] = inner * VALUES_NEAR[random.integers(len(VALUES_NEAR))]
            case 3:
                other = keys[random.integers(len(keys))]
                value[key], value[other] = value[other], inner
            case _:
                value[key] = VALUES[random.integers(len(VALUES))]
        return


def _mutated(content: bytes, seeds: list[bytes], random: np.random.Generator) -> bytes:
    """Return bytes a few changes away."""
    changed = bytearray(content)
    for _ in range(1 + int(random.geometric(0.6))):
        first, last = sorted(random.integers(0, len(changed) + 1, 2).tolist())
        match int(random.integers(7)):
            case 0:  # a byte
                if changed:
                    changed[min(first, len(changed) - 1)] = int(random.integers(256))
            case 1:  # a piece is lost
                del changed[first : min(last, first + int(random.geometric(0.3)))]
            case 2:  # a piece twice
                piece = bytes(changed[first : min(last, first + 64)])
                changed[first:first] = piece * int(random.integers(1, 4))
            case 3:  # a word
                changed[first:first] = WORDS[random.integers(len(WORDS))]
            case 4:  # a word in place of what was there
                length = int(random.geometric(0.2))
                changed[first : first + length] = WORDS[random.integers(len(WORDS))]
            case 5:  # torn off
                if random.random() < 0.1:
                    del changed[last:]
            case _:  # a piece of another
                other = seeds[random.integers(len(seeds))]
                begin = int(random.integers(len(other) + 1))
                changed[first:first] = other[begin : begin + int(random.geometric(0.02))]
    return bytes(changed)
