import json

import pytest


def test_attribute(run, model, weather):
    lines = run("attribute", model, weather, "--background", weather).out.splitlines()
    assert lines[0] == "mean size of what it adds, 14 rows"
    one = run("attribute", model, weather, "--background", weather, "--row", "3").out.splitlines()
    assert one[0] == "what it adds, 1 row"
    assert one[2].startswith("(expected)")


def test_attribute_json_sums_to_the_prediction(run, model, weather):
    found = json.loads(run("attribute", model, weather, "--background", weather, "--json").out)
    assert found["error"] is None
    for row in found["values"]:
        total = [sum(cells) for cells in zip(found["expected"], *row, strict=True)]
        assert sum(total) == pytest.approx(1)


def test_wrong_use(run, model, weather):
    assert "--background" in run("attribute", model, weather).sentence
    wrong = run("attribute", model, weather, "--background", weather, "--row", "99")
    assert "has 14 rows" in wrong.sentence
