"""What several test files share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

# Time limits fail by chance on a busy machine.
settings.register_profile("miter", deadline=None)
settings.load_profile("miter")

PROJECT = Path(__file__).resolve().parents[1]


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
