import itertools

import numpy as np
import pandas as pd
import pytest

import miter

NAMES = ["a", "b", "c", "whole", "place"]


def make_rows(n_rows=300, seed=0):
    random = np.random.default_rng(seed)
    X = pd.DataFrame(random.normal(size=(n_rows, 3)), columns=NAMES[:3])
    X["whole"] = random.integers(0, 10, n_rows)
    X["place"] = random.choice(["north", "south", "west"], n_rows)
    shift = X["place"].map({"north": 1.0, "south": -1.0, "west": 0.0})
    score = X.a + 0.7 * X.b - 0.3 * (X.whole - 5) + shift
    y = np.select([score > 1.0, score > -1.0], ["high", "middle"], "low")
    return X, y


LEARNERS = {
    "univariate": miter.UnivariateTreeClassifier,
    "machines": miter.LinearMachineTreeClassifier,
    "combinations": miter.LinearCombinationTreeClassifier,
    "perceptrons": miter.PerceptronTreeClassifier,
    "networks": miter.NetworkTreeClassifier,
}


@pytest.fixture(scope="module", params=LEARNERS)
def model(request):
    X, y = make_rows()
    return LEARNERS[request.param](random_state=0).fit(X, y)


def predict(model, rows):
    return model.predict(pd.DataFrame(rows, columns=NAMES))


@pytest.mark.parametrize("distance", ["l1", "l2"])
def test_answers_change_the_class_and_meet_the_constraints(model, distance):
    X, _ = make_rows()
    for number in range(0, 300, 60):
        row = X.iloc[number].to_dict()
        found = miter.counterfactual(
            model, row, fixed=["b"], only_up=["a"], ranges={"whole": (1, 9)}, distance=distance
        )
        was = predict(model, [row])[0]
        assert predict(model, [found.row])[0] == found.label != was == found.was
        assert found.row["b"] == row["b"]
        assert found.row["a"] >= row["a"]
        assert 1 <= found.row["whole"] <= 9
        assert float(found.row["whole"]).is_integer()
        assert {name for name in NAMES if found.row[name] != row[name]} == {*found.changes}


@pytest.mark.parametrize("distance", ["l1", "l2"])
def test_no_row_drawn_nearer_changes_the_class(model, distance):
    """Networks are searched; for all others the nearest row is found."""
    X, _ = make_rows()
    random = np.random.default_rng(1)
    spread = [column.spread.deviation for column in model.schema_.columns[:4]]
    for number in range(0, 300, 75):
        row = X.iloc[number].to_dict()
        found = miter.counterfactual(model, row, distance=distance)
        if found.gap > 0:
            assert isinstance(model, miter.NetworkTreeClassifier) or distance == "l2"
            continue
        step = random.normal(size=(2000, 3)) * (random.random((2000, 3)) < 0.6) + 1e-9
        norm = np.abs(step).sum(axis=1) if distance == "l1" else np.sqrt((step**2).sum(axis=1))
        step *= (found.distance * (1 - 1e-4) * random.random(2000) ** 0.3 / norm)[:, None]
        rows = pd.DataFrame([row] * 2000, columns=NAMES)
        rows[NAMES[:3]] += step * spread[:3]
        assert (model.predict(rows) == found.was).all()


def test_equals_brute_force_over_a_grid():
    """Over whole numbers and symbols all rows can be tried."""
    random = np.random.default_rng(3)
    X = pd.DataFrame(random.integers(0, 6, (400, 2)), columns=["p", "q"])
    X["s"] = random.choice(["x", "y"], 400)
    y = (2 * X.p + 3 * X.q + 4 * (X.s == "y") > 13).astype(int)
    model = miter.LinearMachineTreeClassifier(random_state=0).fit(X, y)
    scale = [column.spread.deviation for column in model.schema_.columns[:2]]
    every = pd.DataFrame(
        [(*pq, s) for pq in itertools.product(range(-5, 11), repeat=2) for s in "xy"],
        columns=["p", "q", "s"],
    )
    answers = model.predict(every)
    for number in range(0, 400, 40):
        row = X.iloc[number]
        found = miter.counterfactual(model, row)
        far = np.abs(every.p - row.p) / scale[0] + np.abs(every.q - row.q) / scale[1]
        far = far + (every.s != row.s)
        assert found.distance == pytest.approx(far[answers != found.was].min(), abs=1e-6)


def test_wanted_class(model):
    X, _ = make_rows()
    row = X.iloc[3]
    for label in model.classes_:
        assert miter.counterfactual(model, row, to=label).label == label
    same = miter.counterfactual(model, row, to=model.predict(X.iloc[[3]])[0])
    assert (same.changes, same.distance) == ({}, 0.0)


def test_several_answers():
    X, y = make_rows()
    model = miter.UnivariateTreeClassifier(random_state=0).fit(X, y)
    found = miter.counterfactual(model, X.iloc[0], n_answers=3)
    answers = [found, *found.others]
    assert len({tuple(answer.changes) for answer in answers}) == len(answers) > 1
    assert [a.distance for a in answers] == sorted(a.distance for a in answers)


def test_margin(model):
    X, _ = make_rows()
    if isinstance(model, miter.NetworkTreeClassifier):
        pytest.skip("rows that are tried have no margin")
    row = X.iloc[11].to_dict()
    found = miter.counterfactual(model, row, margin=0.05, fixed=["whole", "place"])
    spread = model.schema_.columns[0].spread.deviation
    for sign in (-1, 1):
        moved = found.row | {"a": found.row["a"] + sign * 0.049 * spread}
        assert predict(model, [moved])[0] == found.label


def test_plausible_and_near(model):
    X, _ = make_rows()
    row = X.iloc[20].to_dict()
    for column in model.schema_.columns[:3]:
        found = miter.counterfactual(model, row, plausible=True)
        assert column.spread.least <= found.row[column.name] <= column.spread.most
    if isinstance(model, miter.UnivariateTreeClassifier):
        found = miter.counterfactual(model, row, near=X)
        assert predict(model, [found.row])[0] == found.label


def test_one_hot_groups():
    X, y = make_rows()
    wide = pd.concat([X[["a", "b"]], pd.get_dummies(X["place"]).astype(int)], axis=1)
    model = miter.LinearMachineTreeClassifier(random_state=0).fit(wide, y)
    group = ["north", "south", "west"]
    for number in range(0, 300, 50):
        found = miter.counterfactual(model, wide.iloc[number], fixed=["a"], one_hot=[group])
        assert sorted(found.row[name] for name in group) == [0, 0, 1]


def test_missing_values_stay_missing_or_become_known(model):
    X, _ = make_rows()
    row = X.iloc[2].to_dict() | {"b": None}
    found = miter.counterfactual(model, row)
    rows = pd.DataFrame([found.row], columns=NAMES)
    assert model.predict(rows.astype({"b": float}))[0] == found.label != found.was


def test_forest():
    X, y = make_rows()
    model = miter.LinearMachineForestClassifier(n_estimators=8, random_state=0).fit(X, y)
    for number in range(0, 300, 100):
        found = miter.counterfactual(model, X.iloc[number], fixed=["a"])
        assert predict(model, [found.row])[0] == found.label != found.was
        assert found.row["a"] == X.iloc[number]["a"]
        assert 0 <= found.gap <= found.distance


@pytest.mark.parametrize(
    ("wishes", "sentence"),
    [
        ({"to": "none"}, "there is no class 'none'; the classes are high, low, middle"),
        ({"fixed": ["x"]}, "fixed names 'x'"),
        ({"fixed": "a"}, "give a list of names"),
        ({"fixed": NAMES}, "no row that meets the constraints gets another class; loosen"),
        ({"only_up": ["place"]}, "whose values have no order"),
        ({"ranges": {"a": 3}}, "give .least, most."),
        ({"ranges": {"a": (3, 1)}}, "the least comes first"),
        ({"ranges": {"place": ["east"]}}, "it has north, south, west"),
    ],
    ids=str,
)
def test_wrong_wishes(wishes, sentence):
    X, y = make_rows()
    model = miter.UnivariateTreeClassifier(random_state=0).fit(X, y)
    with pytest.raises(miter.DataError, match=sentence):
        miter.counterfactual(model, X.iloc[0], **wishes)


def test_saved_models_know_where_their_numbers_lie(tmp_path):
    X, y = make_rows()
    model = miter.UnivariateTreeClassifier(random_state=0).fit(X, y)
    miter.save(model, tmp_path / "m.miter")
    found = miter.counterfactual(miter.load(tmp_path / "m.miter"), X.iloc[0])
    assert found.to_dict() == miter.counterfactual(model, X.iloc[0]).to_dict()


def test_what_is_said_changes_the_class():
    """The nearest row is just beyond a cut: said in few digits it could be on the wrong side."""
    X = pd.DataFrame({"room temperature": np.linspace(0, 100, 41), "noise": np.arange(41.0) % 3})
    model = miter.UnivariateTreeClassifier().fit(X, np.where(X.iloc[:, 0] > 50, "hot", "cold"))
    found = miter.counterfactual(model, X.iloc[4])
    assert str(found).startswith(
        "cold becomes hot with 'room temperature' just above 51.25 in place of 10"
    )
    assert "'room temperature' 51.25 in place of 100" in str(
        miter.counterfactual(model, X.iloc[40])
    )


def test_the_answer_that_is_there_already():
    X, y = make_rows()
    model = miter.UnivariateTreeClassifier().fit(X, y)
    row = X.iloc[0]
    same = miter.counterfactual(model, row, model.predict(X.iloc[[0]])[0])
    assert str(same) == f"The answer is {same.label} already: nothing has to change"


def test_units_are_said():
    X = pd.DataFrame({"price": [f"€{n}.50" for n in range(40)]})
    model = miter.UnivariateTreeClassifier(kinds={"price": "numeric"})
    model.fit(X, ["cheap"] * 20 + ["dear"] * 20)
    found = miter.counterfactual(model, {"price": "€3.50"})
    assert "price just above €20 in place of €3.5" in str(found)


def test_what_is_fixed_and_missing_stays_missing():
    random = np.random.default_rng(0)
    X = pd.DataFrame({"s": random.choice(["a", "b"], 200), "n": random.normal(size=200)})
    X.loc[:20, "s"] = None
    y = np.where(X.s == "a", "yes", "no")
    model = miter.c45().fit(X, y)
    row = {"s": None, "n": 0.0}
    with pytest.raises(miter.DataError, match="loosen 's' in fixed"):
        miter.counterfactual(model, row, fixed=["s"])
    assert miter.counterfactual(model, row).row["s"] is not None
