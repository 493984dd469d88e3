import json
import re

import numpy as np
import pandas as pd
import pytest

import miter
from miter.data import play_tennis
from miter.splits import Linear, Term

SUNNY = {"Outlook": "Sunny", "Temp.": "Hot", "Humidity": "High", "Wind": "Weak"}


@pytest.fixture(scope="module")
def tennis():
    return miter.id3().fit(play_tennis())


@pytest.fixture(scope="module")
def plane():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(300, 4)), columns=["a", "b", "c", "d"])
    y = np.where(X.a + 2 * X.b - X.c > 0, "up", "down")
    return miter.LinearMachineTreeClassifier(random_state=0).fit(X, y), X


def test_path_and_counts(tennis):
    explanation = miter.explain(tennis, SUNNY)
    assert explanation.label == "No"
    assert [step.condition for step in explanation.steps] == ["Outlook = Sunny", "Humidity = High"]
    assert explanation.counts == {"Yes": 0.0, "No": 3.0}
    assert sum(explanation.probabilities.values()) == pytest.approx(1)


def test_steps_sum_to_their_margins(plane):
    model, X = plane
    for number in range(0, 300, 30):
        explanation = miter.explain(model, X.iloc[number])
        assert explanation.label == model.predict(X.iloc[[number]])[0]
        for step in explanation.steps:
            if step.margin is not None:
                total = step.without + sum(reason.contribution for reason in step.reasons)
                assert total == pytest.approx(step.margin, abs=1e-9)


def test_effects_sum_to_the_change_of_the_probability(plane):
    model, X = plane
    tree = model.tree_
    explanation = miter.explain(model, X.iloc[0])
    code = model.schema_.classes.index(explanation.label)
    end = tree.apply(X.iloc[[0]].to_numpy())[0]
    change = tree.probabilities[end, code] - tree.probabilities[0, code]
    assert sum(explanation.effects.values()) == pytest.approx(change)


@pytest.mark.parametrize("form", ["mapping", "series", "frame", "list", "array"])
def test_forms_of_a_row(plane, form):
    model, X = plane
    row = X.iloc[5]
    given = {
        "mapping": row.to_dict(),
        "series": row,
        "frame": X.iloc[[5]],
        "list": row.tolist(),
        "array": row.to_numpy(),
    }[form]
    assert miter.explain(model, given).row == pytest.approx(row.to_dict())


def test_questions_are_those_that_can_change_the_answer(plane):
    model, X = plane
    asked = 0
    for number in range(40):
        row = X.iloc[number].to_dict() | {"b": None, "d": None}
        questions = miter.explain(model, row).questions
        named = {question.column for question in questions}
        now = model.predict(pd.DataFrame([row]).astype(float))[0]
        for question in questions:
            for label, value in question.answers.items():
                known = pd.DataFrame([row | {question.column: value}]).astype(float)
                assert model.predict(known)[0] == label != now
        can = set()
        for name in ("b", "d"):
            rows = pd.DataFrame([row] * 300).astype(float)
            rows[name] = np.sort(X[name].to_numpy())
            if (model.predict(rows) != now).any():
                can.add(name)
        assert can <= named  # the rows tried are some of the values between least and most
        asked += len(named)
    assert asked


def test_nearest_rows(plane):
    model, X = plane
    nearest = miter.explain(model, X.iloc[7], X, n_nearest=2).nearest
    assert nearest[0] == pytest.approx(X.iloc[7].to_dict())
    assert len(nearest) == 2


def test_as_text_markdown_json_and_frame(plane, tennis):
    text = str(miter.explain(tennis, SUNNY))
    assert text.startswith(
        "The answer is No, with a probability of 100%, because\n1. Outlook is Su"
    )
    assert "2. Humidity is High" in text
    assert text.endswith("All 3 training rows that came here are No")
    model, X = plane
    explanation = miter.explain(model, X.iloc[0])
    assert "columns together speak most for" in str(explanation)
    assert "| --- |" in explanation.to_markdown()
    assert json.loads(json.dumps(explanation.to_dict(), allow_nan=False))["label"] in {"up", "down"}
    assert {"column", "contribution"} <= {*explanation.to_frame().columns}


def test_forest(plane):
    _, X = plane
    y = np.where(X.a > 0, "up", "down")
    model = miter.LinearMachineForestClassifier(n_estimators=5, random_state=0).fit(X, y)
    explanation = miter.explain(model, X.iloc[0])
    assert (explanation.steps, explanation.n_trees) == ((), 5)
    assert next(iter(explanation.effects)) == "a"
    assert "of 5 trees say so" in str(explanation)


def test_shared_rows():
    tree = miter.c45().fit(play_tennis())
    explanation = miter.explain(tree, SUNNY | {"Humidity": None})
    assert explanation.steps[-1].missing == ("Humidity",)
    assert 0 < explanation.steps[-1].share < 1
    assert "is not known" in str(explanation)
    assert [question.column for question in explanation.questions] == ["Humidity"]


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (SUNNY | {"sky": "blue"}, "no column 'sky'"),
        ({"Outlook": "Sunny"}, "no 'Temp.', 'Humidity', 'Wind'"),
        (SUNNY | {"Outlook": "Foggy"}, "Foggy"),
        (["Sunny"], "1 cells and the model 4 columns"),
    ],
)
def test_wrong_rows(tennis, row, sentence):
    with pytest.raises(miter.DataError, match=sentence):
        miter.explain(tennis, row)


def test_many_rows(plane):
    model, X = plane
    with pytest.raises(miter.DataError, match="there are 2 rows"):
        miter.explain(model, X.iloc[:2])


def test_no_model():
    with pytest.raises(TypeError, match="not a fitted model"):
        miter.explain("tree", {})


@pytest.mark.parametrize("nothing", [None, pd.NaT, pd.NA, float("nan"), np.datetime64("NaT")])
def test_every_way_to_write_a_missing_cell(nothing):
    days = pd.date_range("2020-01-01", periods=40)
    X = pd.DataFrame({"day": days, "size": np.arange(40.0) % 7})
    model = miter.UnivariateTreeClassifier(kinds={"day": "date"})
    model.fit(X, np.where(days.day < 16, "early", "late"))
    assert miter.explain(model, {"day": nothing, "size": 1.0}).row["day"] is None


def test_a_list_of_rules_is_not_explained_by_its_tree(plane):
    _, X = plane
    rules = miter.RuleListClassifier().fit(X, np.where(X.a > X.b, "up", "down"))
    for ask in (miter.explain, miter.counterfactual):
        with pytest.raises(miter.DataError, match="first rule that holds"):
            ask(rules, X.iloc[0])


def test_names_stand_in_quotes_and_numbers_have_few_digits():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(300, 2)) * 1000, columns=["net income", "loan (total)"])
    y = (X["net income"] > X["loan (total)"] + 1 / 3).astype(int)
    model = miter.LinearMachineTreeClassifier(random_state=0).fit(X, y)
    said = str(miter.explain(model, {"net income": 123.456789, "loan (total)": None}, X))
    assert "'net income' 123.457 (" in said
    assert "In brackets: how much each counts, beside a row of which nothing is known" in said
    assert "not known: 'loan (total)'" in said
    assert "'loan (total)' is not known, and could make it " in said
    assert " are 0" in said or " are 1" in said
    assert not re.search(r"\d\.\d{6}|\d{7}", said)


def test_large_numbers_are_written_out():
    X = pd.DataFrame({"price": np.arange(40) * 1000.0})
    model = miter.UnivariateTreeClassifier().fit(X, X.price.to_numpy() > 20500)
    assert "price is at most 20500: it is 8000" in str(miter.explain(model, {"price": 8000.0}))


class TwoConditions(miter.Splitter):
    """A test that asks about a column twice, as readable trees may."""

    def find_split(self, node):
        terms = [Term.condition(1, cut, 1.5, missing=0.7) for cut in (-0.5, 0.5)]
        return Linear((Term.number(0, 1.0), *terms), 1.5)


def test_a_column_in_several_terms_is_one_column():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(200, 2)), columns=["a", "b"])
    y = X.a + 1.5 * (X.b > 0.5) + 1.5 * (X.b > -0.5) > 1.5
    model = miter.TreeClassifier(TwoConditions(), max_depth=1).fit(X, y)
    explanation = miter.explain(model, {"a": 0.0, "b": None})
    assert explanation.steps[0].missing == ("b",)
    assert explanation.steps[0].headline == "a + 1.5 [b > -0.5] + 1.5 [b > 0.5] <= 1.5"
    assert [question.column for question in explanation.questions] == ["b"]
    found = miter.counterfactual(model, {"a": 0.0, "b": -1.0})
    assert model.predict(pd.DataFrame([found.row]))[0] == found.label


def test_a_value_that_training_never_saw_is_told_in_a_sentence(tennis):
    with pytest.raises(miter.DataError) as error:
        miter.explain(tennis, SUNNY | {"Outlook": "Foggy"})
    assert str(error.value).startswith("column 'Outlook': ")
    assert "Foggy" in str(error.value)
    assert "give a value that training saw" in str(error.value)


def test_sentences_have_no_signs():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(200, 2)), columns=["a", "b <= 2 [x]"])
    y = X.a + 3 * (X["b <= 2 [x]"] > 0) > 1.5
    model = miter.TreeClassifier(TwoConditions(), max_depth=1).fit(X, y)
    said = str(miter.explain(model, {"a": 0.0, "b <= 2 [x]": -1.0}))
    tested = "a + 1.5 (if 'b <= 2 [x]' is above -0.5) + 1.5 (if 'b <= 2 [x]' is above 0.5)"
    assert f"1. the sum {tested} is at most 1.5, by " in said


def test_what_is_not_known_is_not_said_to_be(tennis):
    said = str(miter.explain(tennis, SUNNY | {"Humidity": None}))
    assert "2. Humidity is not known, which counts as: Humidity is High" in said
