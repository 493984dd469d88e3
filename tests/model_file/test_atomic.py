import os
import stat
import sys

import pytest

from miter.model_file import replacing


def test_file_appears_when_it_is_complete(tmp_path):
    path = tmp_path / "result"
    with replacing(path) as file:
        file.write(b"half")
        file.flush()
        assert not path.exists()
        file.write(b" and half")
    assert path.read_bytes() == b"half and half"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, OSError])
def test_failure_leaves_everything_as_it_was(tmp_path, error):
    path = tmp_path / "result"
    path.write_bytes(b"old")

    def write():
        with replacing(path) as file:
            file.write(b"new")
            raise error("stop")

    with pytest.raises(error, match="stop"):
        write()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_failure_of_the_last_step(tmp_path, monkeypatch):
    path = tmp_path / "result"

    def refuse(source, target):
        raise PermissionError(13, "Permission denied", str(source))

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(PermissionError) as caught, replacing(path) as file:
        file.write(b"new")
    assert caught.value.filename == str(path)
    assert not list(tmp_path.iterdir())


def test_no_such_folder(tmp_path):
    path = tmp_path / "nowhere" / "result"
    with pytest.raises(FileNotFoundError) as caught, replacing(path):
        pytest.fail("there is nothing to write to")
    assert caught.value.filename == str(path)


def test_folder_in_its_place(tmp_path):
    with pytest.raises(IsADirectoryError), replacing(tmp_path):
        pytest.fail("there is nothing to write to")


def test_permissions(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_bytes(b"old")
    old.chmod(0o640)
    mask = os.umask(0o022)
    try:
        for path in (old, new):
            with replacing(path) as file:
                file.write(b"new")
    finally:
        os.umask(mask)
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert stat.S_IMODE(new.stat().st_mode) == 0o644


def test_link_stays_a_link(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    with replacing(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_device_is_written_to_and_stays(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with replacing(pipe) as file:
            file.write(b"through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_long_name(tmp_path):
    path = tmp_path / ("x" * 250)
    with replacing(path) as file:
        file.write(b"new")
    assert path.read_bytes() == b"new"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits for files")
def test_a_full_disk_names_the_file(tmp_path):
    import resource

    path = tmp_path / "file"
    path.write_bytes(b"before")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
        with pytest.raises(OSError, match="File too large") as refused, replacing(path) as file:
            file.write(bytes(10**5))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert refused.value.filename == str(path)
    assert path.read_bytes() == b"before"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_what_a_killed_program_left_is_removed(tmp_path):
    path = tmp_path / "file"
    old, new = (tmp_path / f".file.{digits * 12}.part" for digits in "ab")
    others = [tmp_path / f".other.{'a' * 12}.part", tmp_path / ".file.part", tmp_path / ".file.a"]
    for part in (old, new, *others):
        part.touch()
    for part in (old, *others):
        os.utime(part, (0, 0))
    with replacing(path) as file:
        file.write(b"whole")
    assert {each.name for each in tmp_path.iterdir()} == {
        each.name for each in (path, new, *others)
    }


def test_an_error_without_a_number_stays_what_it_is(tmp_path):
    with pytest.raises(OSError, match=r"^no picture$"), replacing(tmp_path / "file"):
        raise OSError("no picture")
