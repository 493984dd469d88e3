from dataclasses import dataclass
from typing import Literal

import pytest

from miter.data import Schema
from miter.model_file.fields import FieldError, plain, reader_of
from miter.splits import SPLIT_KINDS


@dataclass(frozen=True)
class Layer:
    weights: tuple[tuple[float, ...], ...]
    form: Literal["step", "slope"]


@dataclass(frozen=True)
class NewSplit:
    """What a new kind of split may look like."""

    layers: tuple[Layer, ...]
    bias: float | None
    label: str | int | float | bool


NEW = NewSplit((Layer(((0.5, 1.0), ()), "slope"),), None, 3)


def test_new_dataclass_needs_no_code():
    assert reader_of(NewSplit)(plain(NEW)) == NEW


@pytest.mark.parametrize("label", ["a", 1, 1.0, True])
def test_union_keeps_the_type(label):
    value = reader_of(str | int | float | bool)(label)
    assert (value, type(value)) == (label, type(label))


@pytest.mark.parametrize("kind", [*SPLIT_KINDS.values(), Schema])
def test_everything_that_is_stored_can_be_read(kind):
    assert callable(reader_of(kind))


def test_type_without_a_way():
    with pytest.raises(TypeError, match="cannot be read from a model file"):
        reader_of(set)


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("layers", 1, "layers: 1 is not a list"),
        ("layers", [{}], "layers[0]: the field 'form' is missing"),
        (
            "layers",
            [{"weights": [[1], ["a"]], "form": "step"}],
            "layers[0].weights[1][0]: 'a' is not a number",
        ),
        ("layers", [{"weights": [], "form": "hop"}], "layers[0].form: 'hop' is none of"),
        ("bias", "x", "bias: "),
        ("bias", float("nan"), "bias: "),
        ("label", [], "label: "),
        ("label", 2**64, "label: "),
    ],
)
def test_place_of_an_error(field, value, sentence):
    with pytest.raises(FieldError) as caught:
        reader_of(NewSplit)(plain(NEW) | {field: value})
    assert str(caught.value).startswith(sentence)


def test_long_values_are_shortened():
    with pytest.raises(FieldError) as caught:
        reader_of(int)([[1] * 1000] * 1000)
    assert len(str(caught.value)) < 200
