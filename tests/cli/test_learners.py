"""`miter learners`: which there are, and what their parameters mean."""

import json

import pytest

from miter.registry import LEARNERS, make_learner


def test_every_learner_is_listed_with_what_it_is(run):
    result = run("learners")
    assert result.code == 0
    listed = dict(line.split(maxsplit=1) for line in result.out.splitlines())
    assert listed == {name: entry.help for name, entry in LEARNERS.items()}


@pytest.mark.parametrize("name", LEARNERS)
def test_every_parameter_is_listed_with_default_and_meaning(run, name):
    result = run("learners", name)
    assert result.code == 0, result.err
    parameters = make_learner(name).get_params(deep=False)
    lines = result.out.splitlines()
    assert len(lines) == len(parameters)
    for line, (parameter, default) in zip(lines, parameters.items(), strict=True):
        assert line.startswith(f"{parameter} = {default!r}  ")
        assert line.rstrip().endswith(".")


def test_for_machines(run):
    about = json.loads(run("learners", "--json").out)
    assert about[0]["in_python"] == "miter.UnivariateTreeClassifier"
    about = json.loads(run("learners", "id3", "--json").out)
    depth = next(entry for entry in about if entry["name"] == "max_depth")
    assert depth == {
        "name": "max_depth",
        "default": "None",
        "type": "int, optional",
        "is": "Splits on the longest path; None: as deep as it gets.",
    }


def test_an_unknown_learner_is_named(run):
    result = run("learners", "forrest")
    assert result.code == 2
    assert "there is no learner 'forrest'; did you mean 'forest'?" in result.sentence
