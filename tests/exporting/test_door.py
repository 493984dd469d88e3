"""What cannot be exported, and what the answers of an export rest on."""

import sys

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import miter
from miter.data import Column
from miter.data.costs import first_of_largest
from miter.exporting.program import column_codes, program_of

from .conftest import every_kind, schema


def test_unknown_languages_are_refused():
    with pytest.raises(ValueError, match="there is no language 'fortran' to export to"):
        miter.export(every_kind(), "fortran")


def test_what_is_no_tree_is_refused():
    with pytest.raises(ValueError, match="a PixelClassifier cannot be exported; give a tree"):
        miter.export(miter.PixelClassifier(), "c")
    with pytest.raises(NotFittedError):
        miter.export(miter.id3(), "c")


def test_a_tree_itself_is_exported():
    model = every_kind()
    assert miter.export(model.tree_, "python") == miter.export(model, "python")


@pytest.mark.parametrize("language", ["c", "sql"])
def test_texts_that_a_language_cannot_hold(language):
    with pytest.raises(ValueError, match=r"'a\\x00b' has a zero character in its name or a value"):
        miter.export(every_kind(schema(("a\0b", "b", "c", "d"))), language)


def test_onnx_needs_some_names_for_itself():
    pytest.importorskip("onnx")
    with pytest.raises(ValueError, match="ONNX needs the name 'label' of a column for itself"):
        miter.export(every_kind(schema(("label", "b", "c", "d"))), "onnx")


def test_onnx_says_what_it_needs(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ValueError, match=r"pip install 'miter\[onnx\]'"):
        miter.export(every_kind(), "onnx")


def test_other_spellings_of_yes_and_no_are_known():
    codes = column_codes(Column("smokes", "symbolic", ("no", "yes")))
    assert (codes["No"], codes["TRUE"], codes["1"]) == (0, 1, 1)
    assert column_codes(Column("age", "numeric")) is None


def test_python_reads_rows_as_people_have_them():
    module = {}
    exec(miter.export(every_kind(), "python"), module)
    rows = [
        {"height": 1.5, "weight": np.float32(2.0), "colour": " red ", "size": "large"},
        {"height": "1.5", "weight": 2, "colour": "red", "size": "large", "more": "left alone"},
    ]
    assert module["predict_proba"](rows[0]) == module["predict_proba"](rows[1])
    with pytest.raises(KeyError, match="colour"):
        module["predict"]({"height": 1.5, "weight": 2.0})
    with pytest.raises(ValueError, match="tall"):
        module["predict"](rows[0] | {"height": "tall"})


def test_merits_that_differ_by_rounding_are_a_tie():
    merit = np.array([[0.3, 0.1 + 0.2, 0.0], [1.0, 2.0, 2.0 - 1e-9], [-3e9, -3e9 + 1e-6, -9e9]])
    assert first_of_largest(merit).tolist() == [0, 1, 0]


def test_a_program_knows_where_rows_may_be_shared_and_end():
    nodes = program_of(every_kind()).trees[0].nodes
    assert [n for n, node in enumerate(nodes) if node.can_share] == [0, 1, 7]
    assert [n for n, node in enumerate(nodes) if node.can_end and node.children] == [1]
