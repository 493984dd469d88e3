import os
import subprocess
import sys
from pathlib import Path

import pytest

import miter
from miter.cli.door import miter as command_line
from miter.registry import LEARNERS


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_script(run, shell):
    result = run("completion", shell)
    assert result.code == 0
    assert f"_MITER_COMPLETE={shell}_complete" in result.out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("miter ", set(command_line.commands)),
        ("miter fit --learner ", set(LEARNERS)),
        ("miter completion z", {"zsh"}),
    ],
)
def test_completing(words, expected):
    environment = {
        "_MITER_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1),
    }
    script = "import sys; sys.argv[0] = 'miter'; from miter.cli import main; main()"
    sources = str(Path(miter.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | environment | {"PYTHONPATH": sources},
        capture_output=True,
        text=True,
        check=False,
    )
    assert {line.split(",")[1] for line in done.stdout.splitlines()} == expected
