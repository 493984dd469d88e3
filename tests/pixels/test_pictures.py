import numpy as np
import pytest
from PIL import Image

from miter.pixels.images import Photograph
from miter.pixels.pictures import TINT, Answer, write_pictures


@pytest.fixture
def pixels():
    return np.random.default_rng(0).integers(0, 256, (5, 4, 3), np.uint8)


@pytest.fixture
def answer(pixels):
    labels = np.arange(20, dtype=np.uint8).reshape(5, 4) % 3
    photograph = Photograph(Image.fromarray(pixels), "photo")
    return Answer(photograph, labels, 2, labels * 100, block_pixels=9)


def read(path):
    image = Image.open(path)
    assert image.format == "PNG"
    return image.mode, np.asarray(image)


def test_pictures_by_value(answer, pixels, tmp_path):
    names = ("overlay", "mask", "labels", "probability")
    places = {name: tmp_path / f"{name}.png" for name in names}
    write_pictures(answer, places)
    found = {name: read(path) for name, path in places.items()}
    assert [found[name][0] for name in names] == ["RGB", "L", "L", "L"]
    assert (found["mask"][1] == np.where(answer.labels == 2, 255, 0)).all()
    assert (found["labels"][1] == answer.labels).all()
    assert (found["probability"][1] == answer.probability).all()
    tinted = (pixels.astype(int) + TINT) // 2
    expected = np.where(answer.labels[..., np.newaxis] == 2, tinted, pixels)
    assert (found["overlay"][1] == expected).all()
    assert len(list(tmp_path.iterdir())) == 4


def test_no_picture_if_one_cannot_be_written(answer, tmp_path):
    (tmp_path / "mask.png").write_bytes(b"before")
    places = {"mask": tmp_path / "mask.png", "labels": tmp_path / "nowhere" / "labels.png"}
    with pytest.raises(OSError, match=r"labels\.png"):
        write_pictures(answer, places)
    assert [path.name for path in tmp_path.iterdir()] == ["mask.png"]
    assert (tmp_path / "mask.png").read_bytes() == b"before"


def test_no_picture_if_one_cannot_be_drawn(answer, tmp_path, monkeypatch):
    def fail(*_):
        raise MemoryError

    monkeypatch.setattr(Image.Image, "paste", fail)
    with pytest.raises(MemoryError):
        write_pictures(answer, {name: tmp_path / name for name in ("mask", "overlay")})
    assert list(tmp_path.iterdir()) == []
