"""Tests and examples do not fail by chance, and leave no pictures open."""

import os
import sys

import numpy as np
import pytest

# No windows, whatever the machine has.
os.environ["MPLBACKEND"] = "agg"


@pytest.fixture(autouse=True)
def _same_chance_in_every_test():
    """Draw what has no seed alike every time."""
    np.random.seed(0)


@pytest.fixture(autouse=True)
def _closed_pictures():
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
