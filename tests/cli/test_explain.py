import json


def test_explain(run, model, weather):
    lines = run("explain", model, weather, "--row", "3").out.splitlines()
    assert lines[0].startswith("The answer is yes")
    explanation = json.loads(run("explain", model, weather, "--row", "3", "--json").out)
    assert explanation["label"] == "yes"
    assert run("explain", model, weather, "--markdown").out.startswith("**The answer is no")
    assert "A row like it" in run("explain", model, weather, "--like", weather, "-q").out


def test_counterfactual(run, model, weather):
    answer = json.loads(run("counterfactual", model, weather, "--row", "1", "--json").out)
    assert (answer["was"], answer["label"]) == ("no", "yes")
    line = run("counterfactual", model, weather, "--row", "1").out
    assert line.startswith("no becomes yes with ")
    held = run("counterfactual", model, weather, "--row", "1", "--fixed", "outlook", "--json").out
    assert "outlook" not in json.loads(held)["changes"]


def test_wrong_use(run, model, weather):
    assert "has 14 rows" in run("explain", model, weather, "--row", "99").sentence
    assert (
        "write COLUMN=LEAST:MOST"
        in run("counterfactual", model, weather, "--range", "humidity").sentence
    )
    assert "there is no class" in run("counterfactual", model, weather, "--to", "maybe").sentence
    assert "names 'sky'" in run("counterfactual", model, weather, "--fixed", "sky").sentence
