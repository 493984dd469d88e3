"""What several test files share."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings

# Time limits fail by chance on a busy machine.
settings.register_profile("miter", deadline=None)
settings.load_profile("miter")

PROJECT = Path(__file__).resolve().parents[1]


#: Names that could end a script, a style, an attribute or a text, or are hard to show.
HOSTILE = (
    '<script>alert("x")</script>',
    "quotes \" ' ` \\ and </style>",
    "n" * 300,
    "emoji \N{SNAKE}\N{WAVING BLACK FLAG} \N{FAMILY}",
    "\u05e2\u05d1\u05e8\u05d9\u05ea \u0645\u0631\u062d\u0628\u0627 \u202eoverride",
    "line\nbreak\ttab\r\u2028",
    "<img src=x onerror=alert(1)>",
    "__proto__",
    "constructor",
    "{{ 7*7 }} {% raw %} ${1}",
    "&lt;b&gt; &amp;",
    "a name of some sixty characters, as people like to have them",
)


@pytest.fixture(scope="session")
def hostile_names() -> tuple[str, ...]:
    return HOSTILE


def find_data_folder() -> Path | None:
    """Return the folder of the classic data sets, or None where there is none."""
    given = os.environ.get("MITER_DATA")
    folder = Path(given) if given else PROJECT.parent / "shared" / "data"
    return folder if (folder / "index.csv").is_file() else None


@pytest.fixture(scope="session")
def data_folder() -> Path:
    folder = find_data_folder()
    if folder is None:
        pytest.skip("the classic data sets are not here; set MITER_DATA to their folder")
    return folder


@pytest.fixture(scope="session")
def dataset(data_folder: Path) -> Callable[..., Path]:
    """Return a function from the name of a set to the path of its rows."""

    def find(name: str, suffix: str = ".data") -> Path:
        plain = data_folder / name / f"{name}{suffix}"
        gzipped = plain.with_name(plain.name + ".gz")
        for path in (plain, gzipped):
            if path.is_file():
                return path
        pytest.skip(f"{plain} is not here")

    return find


@pytest.fixture(scope="session")
def in_parts() -> ModuleType:
    """Return what the tests of rows in parts share: tests/in_parts.py."""
    spec = importlib.util.spec_from_file_location("in_parts", PROJECT / "tests" / "in_parts.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
