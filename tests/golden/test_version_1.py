"""Models that version 1 of the format holds are read for ever, and answer as they did."""

import json
from pathlib import Path

import numpy as np
import pytest

from miter import load, save
from miter.data import Data

FOLDER = Path(__file__).parent / "version_1"
ANSWERS = {path.stem: path for path in sorted(FOLDER.glob("*.json"))}


def read_answers(name):
    answers = json.loads(ANSWERS[name].read_text())
    return FOLDER / answers["model"], answers


def as_matrix(rows):
    return np.array([[np.nan if cell is None else cell for cell in row] for row in rows])


#: Learners that are classes of their own now.
RENAMED = dict.fromkeys(["passes", "thermal", "trained"], "ThermalMachineTreeClassifier")


def check(name, model, answers):
    assert type(model).__name__ == RENAMED.get(name, answers["learner"])
    rows = Data(model.tree_.schema, as_matrix(answers["rows"]))
    predicted = model.predict(rows).tolist()
    assert predicted == answers["predict"]
    assert [*map(type, predicted)] == [*map(type, answers["predict"])]
    for shares in answers.keys() & {"predict_proba", "transform"}:
        assert getattr(model, shares)(rows).tolist() == answers[shares]


@pytest.mark.parametrize("name", [name for name in ANSWERS if name != "pixels"])
def test_answers_are_what_they_were(name, tmp_path):
    path, answers = read_answers(name)
    model = load(path)
    check(name, model, answers)
    save(model, tmp_path / "again.miter")
    check(name, load(tmp_path / "again.miter"), answers)


def test_classifier_of_pixels():
    path, answers = read_answers("pixels")
    model, photograph = load(path), np.array(answers["photograph"], np.uint8)
    assert model.predict(photograph).tolist() == answers["labels"]
    assert model.predict_proba(photograph).tolist() == answers["probabilities"]
    assert model.mask(photograph, "road").tolist() == (np.array(answers["labels"]) == 3).tolist()
    assert type(model.estimator_).__name__ == answers["learner"]


def test_every_file_has_its_answers():
    files = {path.name for path in FOLDER.glob("*.miter*")}
    assert files == {read_answers(name)[1]["model"] for name in ANSWERS}
    assert len(files) > 40
