"""The command line run inside the test, or as a program of its own."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

import miter
from miter.cli.door import miter as command_line

SOURCES = str(Path(miter.__file__).parents[1])

WEATHER = """\
outlook,humidity,wind,play
sunny,85,weak,no
sunny,90,strong,no
overcast,78,weak,yes
rain,96,weak,yes
rain,80,weak,yes
rain,70,strong,no
overcast,65,strong,yes
sunny,95,weak,no
sunny,70,weak,yes
rain,?,weak,yes
sunny,70,strong,yes
overcast,90,strong,yes
overcast,75,weak,yes
rain,80,strong,no
"""


@dataclass
class Result:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def sentence(self):
        """The one line on stderr, without 'miter: '; fails if it is anything else."""
        assert self.err.startswith("miter: "), self.err
        assert self.err.count("\n") == 1, self.err
        assert self.out == ""
        return self.err.removeprefix("miter: ").rstrip("\n")


@pytest.fixture
def run():
    """Return a function that runs the command line in this process."""

    def call(*arguments):
        result = CliRunner().invoke(command_line, list(map(str, arguments)))
        assert isinstance(result.exception, SystemExit | None), result.exception
        return Result(result.exit_code, result.stdout, result.stderr)

    return call


@pytest.fixture
def program():
    """Return a function that starts the command line as a program of its own."""
    environment = os.environ | {"PYTHONPATH": SOURCES}

    def start(*arguments, **options):
        return subprocess.Popen(
            [sys.executable, "-m", "miter.cli", *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            text=True,
            **options,
        )

    return start


@pytest.fixture
def weather(tmp_path):
    path = tmp_path / "weather.csv"
    path.write_text(WEATHER)
    return path


@pytest.fixture
def model(run, weather, tmp_path):
    """Return a model of the weather that is right on every row."""
    path = tmp_path / "weather.miter"
    result = run("fit", weather, "--target", "play", "-o", path, "--learner", "id3", "-q")
    assert (result.code, result.out, result.err) == (0, "", "")
    return path
