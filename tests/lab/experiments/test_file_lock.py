import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import miter
from miter.lab.experiments.file_lock import locked

HOLD = """
import sys, time
from pathlib import Path
from miter.lab.experiments.file_lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path):
    """Return a path and another process that has locked it."""
    path = tmp_path / "results.jsonl"
    environment = os.environ | {"PYTHONPATH": str(Path(miter.__file__).parents[1])}
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout.readline() == b"held\n"
        yield path, process
        process.kill()


def test_one_at_a_time(holder):
    path, process = holder
    with pytest.raises(ValueError, match=rf"is being written by process {process.pid} on "):
        locked(path).__enter__()


def test_a_lock_left_behind_locks_nothing(holder):
    path, process = holder
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert path.with_name("results.jsonl.lock").exists()
    with locked(path):
        pass
    assert not path.with_name("results.jsonl.lock").exists()


def test_twice_in_one_process(tmp_path):
    path = tmp_path / "results.jsonl"
    with locked(path), pytest.raises(ValueError, match=f"process {os.getpid()} on"):
        locked(path).__enter__()
    with locked(path):
        pass


def test_an_error_unlocks(tmp_path):
    with pytest.raises(KeyboardInterrupt), locked(tmp_path / "a"):
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []
