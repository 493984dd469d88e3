"""Tests and examples do not fail by chance: what has no seed is drawn alike every time."""

import numpy as np
import pytest


@pytest.fixture(autouse=True)
def _same_chance_in_every_test():
    np.random.seed(0)
