import gzip

import pytest

from miter.data.files.lines import read_lines
from miter.errors import DataError


def test_plain_and_gzipped_files_give_the_same_lines(tmp_path):
    text = "\ufeffé,1\r\nb,2".encode()
    (tmp_path / "a.csv").write_bytes(text)
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(text))
    for name in ("a.csv", "a.csv.gz"):
        assert list(read_lines(tmp_path / name)) == ["é,1\r\n", "b,2"]


def test_a_byte_that_is_not_utf8_is_named_by_its_line(tmp_path):
    path = tmp_path / "a.csv"
    # Far behind the first block that is decoded.
    path.write_bytes(b"a,b\n" * 9000 + b"caf\xe9,1\n")
    with pytest.raises(DataError, match=r"a\.csv, line 9001: the byte 0xe9 is not UTF-8"):
        list(read_lines(path))


@pytest.mark.parametrize(
    "content",
    [b"not gzip", gzip.compress(b"a,b\n" * 1000, mtime=0)[:-12]],
    ids=["no gzip", "cut off"],
)
def test_a_damaged_gzip_file(tmp_path, content):
    path = tmp_path / "a.csv.gz"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"a\.csv\.gz cannot be read"):
        list(read_lines(path))


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(DataError, match="cannot be read"):
        list(read_lines(tmp_path))
