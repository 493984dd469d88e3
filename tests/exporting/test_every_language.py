"""Every language: answers as those of the model itself, whatever the split and the row."""

import numpy as np
import pytest

import miter
from miter.exporting import LANGUAGES

from .conftest import HOSTILE, MODELS, every_kind, rows, runners, schema


@pytest.mark.parametrize("name", MODELS)
def test_answers(name, run):
    model = MODELS[name]()
    X = rows()
    if name == "other hostile names" and run is runners.run_onnx:
        X = X[:50]
    codes, chances = run(model, X)
    shares = model.predict_shares(X)
    assert np.abs(chances - shares).max() < 1e-12
    assert np.array_equal(codes, model.predict_codes(X))


@pytest.mark.parametrize("language", LANGUAGES)
def test_hostile_names_are_written(language):
    pytest.importorskip("onnx") if language == "onnx" else None
    model = every_kind(schema(HOSTILE[:4], HOSTILE[4:7]))
    written = miter.export(model, language)
    if language == "javascript":
        assert "</script" not in written


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_model_gives_the_same_text(language):
    pytest.importorskip("onnx") if language == "onnx" else None
    assert miter.export(every_kind(), language) == miter.export(every_kind(), language)
