"""The front door: what `import miter` offers."""

import subprocess
import sys
from importlib.metadata import version
from inspect import isclass, ismodule

import pytest

import miter
from miter.registry import ENTRIES


def test_version_is_the_packages():
    assert miter.__version__ == version("miter")


@pytest.mark.parametrize("name", miter.__all__)
def test_every_public_name_is_there_and_has_an_example(name):
    thing = getattr(miter, name)
    assert name in dir(miter)
    is_simple = ismodule(thing) or (isclass(thing) and issubclass(thing, Exception))
    assert ">>>" in thing.__doc__ or is_simple


def test_nothing_else_is_shown():
    assert {name for name in dir(miter) if not name.startswith("__")} == {*miter.__all__}


def test_all_prunings_are_among_them():
    assert {pruning.__name__ for pruning in miter.prune.PRUNINGS.values()} <= {*miter.__all__}


def test_whoever_knows_probabilities_knows_their_logarithms():
    kinds = [entry.load() for entry in ENTRIES]
    answering = [kind for kind in kinds if isclass(kind) and hasattr(kind, "predict_proba")]
    assert len(answering) > 10
    assert [kind for kind in answering if not hasattr(kind, "predict_log_proba")] == []


def test_unknown_names_are_refused():
    with pytest.raises(AttributeError, match="no attribute 'tree_of_life'"):
        miter.tree_of_life  # noqa: B018


def test_import_is_light():
    code = (
        "import miter, sys; print([m for m in ('numpy', 'sklearn', 'scipy') if m in sys.modules])"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert output.stdout.strip() == "[]"
