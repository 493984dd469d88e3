"""Every experiment starts: what it imports is there, and its options are understood."""

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "experiments"
EXPERIMENTS = sorted(
    path.name for path in FOLDER.glob("*.py") if "__main__" in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_it_starts(name):
    done = subprocess.run(
        [sys.executable, FOLDER / name, "--help"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "--quick" in done.stdout


def test_there_are_some():
    assert "costs.py" in EXPERIMENTS
