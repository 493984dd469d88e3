"""Model files of every version of the format are read for ever, and answer as they did."""

import json
from pathlib import Path

import numpy as np
import pytest

from miter import load, save
from miter.data import Data

GOLDEN = Path(__file__).parent
ANSWERS = {
    f"{path.parent.name}/{path.stem}": path for path in sorted(GOLDEN.glob("version_*/*.json"))
}
PIXELS = [name for name in ANSWERS if name.endswith("/pixels")]
#: Learners that are classes of their own now.
RENAMED = dict.fromkeys(
    ["version_1/passes", "version_1/thermal", "version_1/trained"], "ThermalMachineTreeClassifier"
)


def read_answers(name):
    answers = json.loads(ANSWERS[name].read_text())
    return ANSWERS[name].with_name(answers["model"]), answers


def as_table(schema, rows):
    """Return the rows; codes beyond the values of a column stand for values never seen."""
    X = np.array([[np.nan if cell is None else cell for cell in row] for row in rows])
    n_values = np.array(schema.n_values)
    X[(n_values > 0) & (n_values <= X)] = np.nan
    return Data(schema, X)


def check(name, model, answers):
    assert type(model).__name__ == RENAMED.get(name, answers["learner"])
    rows = as_table(model.schema_, answers["rows"])
    predicted = model.predict(rows).tolist()
    assert predicted == answers["predict"]
    assert [*map(type, predicted)] == [*map(type, answers["predict"])]
    for shares in answers.keys() & {"predict_proba", "transform"}:
        assert getattr(model, shares)(rows).tolist() == answers[shares]


@pytest.mark.parametrize("name", [name for name in ANSWERS if name not in PIXELS])
def test_answers_are_what_they_were(name, tmp_path):
    path, answers = read_answers(name)
    model = load(path)
    check(name, model, answers)
    save(model, tmp_path / "again.miter")
    check(name, load(tmp_path / "again.miter"), answers)


@pytest.mark.parametrize("name", PIXELS)
def test_classifier_of_pixels(name, tmp_path):
    path, answers = read_answers(name)
    model, photograph = load(path), np.array(answers["photograph"], np.uint8)
    save(model, tmp_path / "again.miter")
    for classifier in (model, load(tmp_path / "again.miter")):
        assert classifier.predict(photograph).tolist() == answers["labels"]
        assert classifier.predict_proba(photograph).tolist() == answers["probabilities"]
    road = model.mask(photograph, "road")
    assert road.tolist() == (np.array(answers["labels"]) == 3).tolist()


def test_every_file_has_its_answers():
    files = set(GOLDEN.glob("version_*/*.miter*"))
    assert files == {read_answers(name)[0] for name in ANSWERS}
    assert len(files) > 50
