"""A small street: sky above, road below, a strip that nobody labelled between them."""

import numpy as np
import pytest
from PIL import Image

NAMES = {0: "Sky", 3: "Road", 11: "Unlabelled"}


def draw_street(seed=0, height=24, width=30):
    """Return a photograph and its label image."""
    random = np.random.default_rng(seed)
    labels = np.full((height, width), 11, np.uint8)
    labels[: height // 3] = 0
    labels[height // 2 :] = 3
    photograph = random.integers(0, 60, (height, width, 3), np.uint8)
    photograph[labels == 0] += np.array([90, 120, 190], np.uint8)
    photograph[labels == 3] += 80
    return photograph, labels


@pytest.fixture
def street():
    return draw_street()


@pytest.fixture
def street_files(tmp_path, street):
    """Return the paths of the street's photograph and label image."""
    photograph, labels = street
    Image.fromarray(photograph).save(tmp_path / "street.png")
    Image.fromarray(labels).save(tmp_path / "street_ids.png")
    return tmp_path / "street.png", tmp_path / "street_ids.png"
