import numpy as np
import pytest

from miter.lab.experiments import memory


def test_peak_is_that_of_the_work_since():
    if not memory.forget_peak():
        pytest.skip("this system cannot forget a peak")
    before = memory.read_peak()
    large = np.ones(8_000_000)  # 64 MB
    del large
    peak = memory.read_peak()
    assert 55 < peak - before < 120
    memory.forget_peak()
    assert memory.read_peak() < peak - 40


def test_a_system_that_cannot_tell(monkeypatch, tmp_path):
    monkeypatch.setattr(memory, "_RESET", tmp_path / "none" / "clear_refs")
    monkeypatch.setattr(memory, "_STATUS", tmp_path / "status")
    assert not memory.forget_peak()
    assert memory.read_peak() is None
    (tmp_path / "status").write_text("Name: python\n")
    assert memory.read_peak() is None
