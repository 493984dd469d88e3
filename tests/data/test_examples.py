"""The examples in the docstrings run."""

import doctest
import importlib
import pkgutil

import pytest

import miter.costs
import miter.data

MODULES = [f"miter.data.{module.name}" for module in pkgutil.iter_modules(miter.data.__path__)]


@pytest.mark.parametrize("name", [*MODULES, "miter.costs"])
def test_examples(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_every_public_name_has_an_example():
    public = [getattr(miter.data, name) for name in miter.data.__all__ if name != "KINDS"]
    for thing in [*public, miter.costs.read_costs]:
        assert ">>>" in thing.__doc__, thing
