import warnings

import numpy as np
import pytest
from PIL import Image

from miter.errors import DataError
from miter.pixels import images
from miter.pixels.images import open_labels, open_photograph, photographs_in, size_of


def everything(photograph):
    return photograph.rows(0, photograph.height)


@pytest.fixture
def pixels():
    return np.random.default_rng(0).integers(0, 256, (6, 9, 3), np.uint8)


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "LA", "P", "1"])
def test_every_kind_of_photograph_becomes_rgb(pixels, tmp_path, mode):
    image = Image.fromarray(pixels).convert(mode)
    image.save(tmp_path / "photo.png")
    opened = open_photograph(tmp_path / "photo.png", "")
    assert opened.shape == size_of(tmp_path / "photo.png", "") == (6, 9)
    assert (everything(opened) == np.asarray(image.convert("RGB"))).all()


def test_palette_with_transparency(pixels, tmp_path):
    image = Image.fromarray(pixels).quantize(16)
    image.save(tmp_path / "photo.png", transparency=bytes(range(16)))
    opened = open_photograph(tmp_path / "photo.png", "")
    assert (everything(opened) == np.asarray(image.convert("RGB"))).all()


def test_jpeg(pixels, tmp_path):
    Image.fromarray(pixels).save(tmp_path / "photo.jpg")
    opened = everything(open_photograph(tmp_path / "photo.jpg", ""))
    assert (opened == np.asarray(Image.open(tmp_path / "photo.jpg"))).all()


def test_camera_held_sideways(pixels, tmp_path):
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.fromarray(pixels).save(tmp_path / "photo.png", exif=exif)
    opened = open_photograph(tmp_path / "photo.png", "")
    assert opened.shape == size_of(tmp_path / "photo.png", "") == (9, 6)
    assert (everything(opened) == np.rot90(pixels, -1)).all()


def test_arrays(pixels):
    assert (everything(open_photograph(pixels, "")) == pixels).all()
    grey = open_photograph(pixels[..., 0], "")
    assert (everything(grey) == pixels[..., :1]).all()
    assert everything(grey).shape == pixels.shape
    with_alpha = np.concatenate([pixels, pixels[..., :1]], axis=2)
    assert (everything(open_photograph(with_alpha, "")) == pixels).all()


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.zeros((4, 5, 2), np.uint8), "photo 1 has the shape (4, 5, 2)"),
        (np.zeros((0, 5, 3), np.uint8), "photo 1 has the shape (0, 5, 3)"),
        (np.zeros(4, np.uint8), "photo 1 has the shape (4,)"),
        (np.zeros((4, 5, 3)), "photo 1 is of float64; give uint8"),
    ],
    ids=repr,
)
def test_arrays_that_are_no_photographs(array, words):
    with pytest.raises(DataError) as error:
        open_photograph(array, "photo 1")
    assert words in str(error.value)


@pytest.mark.parametrize("mode", ["L", "P", "1"])
def test_label_images(tmp_path, mode):
    ids = np.array([[0, 1, 1], [1, 0, 1]], np.uint8)
    image = Image.fromarray(ids * (255 if mode == "1" else 1))
    if mode == "P":
        image.putpalette([9, 8, 7, 6, 5, 4])
    else:
        image = image.convert(mode)
    image.save(tmp_path / "ids.png")
    assert Image.open(tmp_path / "ids.png").mode == mode
    found = open_labels(tmp_path / "ids.png", "")
    assert found.dtype == np.uint8
    assert found.tolist() == ids.tolist()


def test_label_image_of_16_bits(tmp_path):
    Image.fromarray(np.array([[3, 255]], np.uint16)).save(tmp_path / "ids.png")
    assert open_labels(tmp_path / "ids.png", "").tolist() == [[3, 255]]
    Image.fromarray(np.array([[3, 256]], np.uint16)).save(tmp_path / "ids.png")
    with pytest.raises(DataError, match="ids from 3 to 256; give ids from 0 to 255"):
        open_labels(tmp_path / "ids.png", "")


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.zeros((2, 2, 3), np.uint8), "ids has the shape (2, 2, 3)"),
        (np.zeros((2, 2)), "the type float64"),
        (np.array([[-1, 0]]), "ids has ids from -1 to 0"),
    ],
    ids=repr,
)
def test_arrays_that_are_no_labels(array, words):
    with pytest.raises(DataError) as error:
        open_labels(array, "ids")
    assert words in str(error.value)


def test_label_image_in_colour(pixels, tmp_path):
    Image.fromarray(pixels).save(tmp_path / "ids.png")
    with pytest.raises(DataError, match="pixels of the kind RGB; a label image has one number"):
        open_labels(tmp_path / "ids.png", "")


def test_label_image_in_jpeg(pixels, tmp_path):
    Image.fromarray(pixels[..., 0]).save(tmp_path / "ids.jpg")
    with pytest.raises(DataError, match="not a PNG image"):
        open_labels(tmp_path / "ids.jpg", "")


@pytest.mark.parametrize("suffix", ["png", "jpg"])
def test_truncated_photographs(tmp_path, suffix):
    path = tmp_path / f"photo.{suffix}"
    pixels = np.random.default_rng(0).integers(0, 256, (60, 90, 3), np.uint8)
    Image.fromarray(pixels).save(path)
    content = path.read_bytes()
    for share in (0.1, 0.5, 0.9):
        path.write_bytes(content[: int(share * len(content))])
        with pytest.raises(DataError, match=rf"photo\.{suffix} .*save it anew"):
            open_photograph(path, "")


def test_damaged_photographs_give_no_other_error(tmp_path):
    random = np.random.default_rng(0)
    path = tmp_path / "photo.png"
    Image.fromarray(random.integers(0, 256, (8, 8, 3), np.uint8)).save(path)
    content = path.read_bytes()
    n_refused = 0
    for place in range(len(content)):
        damaged = bytearray(content)
        damaged[place] ^= 1 << int(random.integers(8))
        path.write_bytes(damaged)
        try:
            open_photograph(path, "")
        except DataError:
            n_refused += 1
    assert n_refused > 0.5 * len(content)


def test_files_that_are_no_images(tmp_path):
    path = tmp_path / "photo.png"
    with pytest.raises(DataError, match="there is no file"):
        open_photograph(path, "")
    path.write_text("a street")
    with pytest.raises(DataError, match="not a PNG or JPEG image"):
        open_photograph(path, "")
    with pytest.raises(DataError, match=r"cannot be read: Is a directory"):
        open_photograph(tmp_path, "")


def test_photograph_of_16_bits(tmp_path):
    Image.fromarray(np.zeros((2, 2), np.uint16)).save(tmp_path / "photo.png")
    with pytest.raises(DataError, match="save it with 8 bits a channel"):
        open_photograph(tmp_path / "photo.png", "")


def test_limit_of_pillow_is_raised_here_only(tmp_path, monkeypatch):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 10)
    Image.new("RGB", (9, 9)).save(tmp_path / "photo.png")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert open_photograph(tmp_path / "photo.png", "").shape == (9, 9)
    assert Image.MAX_IMAGE_PIXELS == 10


def test_too_many_pixels(tmp_path, monkeypatch):
    assert images.MOST_PIXELS > 10**8
    monkeypatch.setattr(images, "MOST_PIXELS", 80)
    Image.new("RGB", (9, 9)).save(tmp_path / "photo.png")
    with pytest.raises(DataError, match="9 x 9 pixels, more than 80; cut it into parts"):
        open_photograph(tmp_path / "photo.png", "")


def test_photographs_of_a_folder(tmp_path):
    for name in ("b.PNG", "a.jpg", "c.jpeg", ".hidden.png", "notes.txt"):
        (tmp_path / name).touch()
    assert [path.name for path in photographs_in(tmp_path)] == ["a.jpg", "b.PNG", "c.jpeg"]
    assert photographs_in(tmp_path / "a.jpg") == [tmp_path / "a.jpg"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="has no PNG or JPEG files"):
        photographs_in(tmp_path / "empty")
