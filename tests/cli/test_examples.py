"""The examples in the docstrings of everything around the estimators run."""

import doctest
import importlib
import pkgutil

import pytest

import miter.cli
import miter.lab
import miter.model_file
import miter.show

PACKAGES = (miter.cli, miter.lab, miter.model_file, miter.show)
MODULES = [
    f"{package.__name__}.{module.name}"
    for package in PACKAGES
    for module in pkgutil.iter_modules(package.__path__)
    if module.name != "__main__"
]


@pytest.mark.parametrize("name", [*MODULES, "miter.learners", "miter.progress"])
def test_examples(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_every_public_name_has_an_example(package):
    for name in package.__all__:
        assert ">>>" in getattr(package, name).__doc__, name
