import gzip
import json

import numpy as np
import pytest

from miter.model_file import load
from miter.registry import LEARNERS


def test_summary(run, weather, tmp_path):
    path = tmp_path / "tree.miter"
    result = run("fit", weather, "--target", "play", "-o", path, "--learner", "id3")
    assert (result.code, result.err) == (0, "")
    tree = load(path).tree_
    assert result.out.splitlines() == [
        f"Read      {weather}: 14 rows, 3 columns, 2 classes",
        f"Grew      id3 tree: {tree.n_nodes} nodes, {tree.n_leaves} leaves, depth {tree.depth}, "
        "seed 0",
        "Right     on 100.00% of the training rows",
        f"Saved     {path}",
        f"Next      miter show {path}",
        f"          miter report {path} {weather} -o {path.with_suffix('.html')}",
        f"          miter explain {path} {weather} --row 1",
    ]


def test_summary_as_json(run, weather, tmp_path):
    path = tmp_path / "tree.miter"
    result = run("fit", weather, "--target", "play", "-o", path, "--json", "-p", "max_depth=0")
    assert json.loads(result.out) == {
        "rows": 14,
        "columns": 3,
        "classes": 2,
        "left_out": [],
        "seed": 0,
        "trees": 1,
        "nodes": 1,
        "leaves": 1,
        "depth": 0,
        "training_accuracy": 9 / 14,
        "learner": "readable",
        "saved": str(path),
    }


def test_parameters(run, weather, tmp_path):
    path = tmp_path / "tree.miter"
    result = run(
        *["fit", weather, "--target", "play", "-o", path, "--seed", "5", "--threads", "1"],
        *["-p", "criterion=gain", "-p", "pruning=null", "-p", "min_samples_leaf=1"],
        *["-p", 'attribute_costs={"wind": 2}', "-p", "significance=0.5"],
        *["--learner", "univariate"],
    )
    assert result.code == 0, result.err
    model = load(path)
    assert (model.criterion, model.pruning, model.min_samples_leaf) == ("gain", None, 1)
    assert (model.attribute_costs, model.random_state, model.significance) == ({"wind": 2}, 5, 0.5)


def test_kinds(run, weather, tmp_path):
    path = tmp_path / "tree.miter"
    result = run(
        *["fit", weather, "--target", "play", "-o", path, "--kind", "humidity=ignored"],
        *["--kind", 'outlook=["sunny", "overcast", "rain"]'],
    )
    assert result.code == 0, result.err
    schema = load(path).tree_.schema
    assert [(c.name, c.kind) for c in schema.columns] == [
        ("outlook", "ordered"),
        ("wind", "symbolic"),
    ]
    assert schema.columns[0].values == ("sunny", "overcast", "rain")


def test_validation_rows_are_used(run, weather, tmp_path):
    contrary = tmp_path / "contrary.csv"
    contrary.write_text("outlook,humidity,wind,play\novercast,78,weak,no\nsunny,90,strong,yes\n")
    arguments = ["fit", weather, "--target", "play", "-p", "pruning=reduced_error"]
    n_nodes = {}
    for name in (weather, contrary):
        path = tmp_path / "tree.miter"
        result = run(*arguments, "--learner", "id3", "--validation", name, "-o", path)
        assert result.code == 0, result.err
        n_nodes[name] = load(path).tree_.n_nodes
    assert n_nodes[contrary] < n_nodes[weather]


def test_model_in_gzip(run, weather, tmp_path):
    assert run("fit", weather, "--target", "play", "-o", tmp_path / "tree.gz").code == 0
    assert (tmp_path / "tree.gz").read_bytes()[:2] == b"\x1f\x8b"


def test_c45_files_need_no_target(run, tmp_path):
    (tmp_path / "t.names").write_text("yes, no.\nwind: weak, strong.\nheat: continuous.\n")
    (tmp_path / "t.data").write_text("weak, 1, yes\nstrong, 2, no\nweak, 3, yes\nstrong, ?, no\n")
    for name in ("t", "t.data", "t.names"):
        path = tmp_path / f"{name}.miter"
        assert run("fit", tmp_path / name, "-o", path, "-q").code == 0
        assert load(path).classes_.tolist() == ["yes", "no"]


def test_help_names_every_learner(run):
    out = run("fit", "--help").out
    assert all(name in out for name in LEARNERS)


# ---- wrong use: exit code 2 ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--learner", "univariat"], "there is no learner 'univariat'; did you mean 'univariate'?"),
        (["-p", "max_deph=3"], "learner 'readable' has no parameter 'max_deph'; did you mean"),
        (["-p", "max_depth"], "-p 'max_depth' is not of the form NAME=VALUE."),
        (["-p", "=3"], "-p '=3' is not of the form NAME=VALUE."),
        (["-p", "max_depth=3", "-p", "max_depth=4"], "-p gives the parameter 'max_depth' twice."),
        (["-p", "random_state=3", "--seed", "4"], "-p random_state and --seed say the same"),
        (["-p", "n_threads=3", "--threads", "4"], "-p n_threads and --threads say the same"),
        (["--seed", "-1"], "Invalid value for '--seed'"),
        (["--threads", "0"], "Invalid value for '--threads'"),
        (["--kind", "wind"], "--kind 'wind' is not of the form COLUMN=KIND."),
        (["--kind", "=numeric"], "--kind '=numeric' is not of the form COLUMN=KIND."),
        (
            ["--kind", "wind=symbol"],
            "--kind 'wind=symbol': there is no kind 'symbol'; did you mean",
        ),
        (["--kind", "wind=[1]"], "--kind 'wind=[1]': there is no kind '[1]'; known are"),
        (["--kind", "a=numeric", "--kind", "a=ordered"], "--kind names the column 'a' twice."),
    ],
    ids=str,
)
def test_wrong_use(run, weather, tmp_path, arguments, sentence):
    result = run("fit", weather, "--target", "play", "-o", tmp_path / "tree.miter", *arguments)
    assert result.code == 2
    assert result.sentence.startswith(sentence)
    assert list(tmp_path.iterdir()) == [weather]


def test_data_are_not_overwritten(run, weather):
    before = weather.read_bytes()
    result = run("fit", weather, "--target", "play", "-o", weather)
    assert (result.code, weather.read_bytes()) == (2, before)
    assert "would overwrite an input" in result.sentence


# ---- failure: exit code 1, nothing written -------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("", ["weather.csv"]),
        ("x,play\n", ["weather.csv has no rows"]),
        ("x,play\n1,yes\n2\n3,no\n", ["line 3", "1 cells where 2 are expected"]),
        ("x,play\n1,yes\n2,no,3\n", ["line 3", "3 cells where 2 are expected"]),
        ("x,play\n1,yes\n2,yes\n", ["at least two classes"]),
        ("x,play\n1,yes\n2,\n3,no\n", ["line 3", "'play'"]),
        ("x,play,play\n1,2,yes\n2,3,no\n", ["'play'"]),
        ("x,y\n1,2\n2,3\n", ["no column 'play' for the class"]),
        ("x,play\n1,yes\ninf,no\n3,no\n", ["'x'", "inf"]),
        ("play\nyes\nno\n", ["no column but"]),
        ("x,play\n1,yes\n\udc81,no\n", ["weather.csv, line 3", "neither UTF-8 nor"]),
    ],
    ids=repr,
)
def test_data_that_cannot_be_used(run, weather, tmp_path, rows, words):
    weather.write_bytes(rows.encode("utf-8", "surrogateescape"))
    result = run("fit", weather, "--target", "play", "-o", tmp_path / "tree.miter")
    assert result.code == 1
    for word in words:
        assert word in result.sentence
    assert list(tmp_path.iterdir()) == [weather]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("weak, 1, yes\nstormy, 2, no\n", ["line 2", "'stormy'"]),
        ("weak, 1, yes\nweak, 2, perhaps\n", ["line 2", "'perhaps'"]),
        ("weak, 1, yes\nweak, hot, no\n", ["line 2", "'hot'", "'heat'"]),
        ("weak, 1, yes\nweak, no\n", ["line 2", "2 cells where 3 are expected"]),
        ("", ["has no rows"]),
    ],
    ids=repr,
)
def test_c45_data_that_cannot_be_used(run, tmp_path, rows, words):
    (tmp_path / "t.names").write_text("yes, no.\nwind: weak, strong.\nheat: continuous.\n")
    (tmp_path / "t.data").write_text(rows)
    result = run("fit", tmp_path / "t", "-o", tmp_path / "tree.miter")
    assert result.code == 1
    for word in words:
        assert word in result.sentence
    assert not (tmp_path / "tree.miter").exists()


def test_text_in_a_column_of_numbers(run, weather, tmp_path):
    weather.write_text("x,play\n1,yes\n12 y,no\n")
    path = tmp_path / "tree.miter"
    result = run("fit", weather, "--target", "play", "--kind", "x=numeric", "-o", path)
    assert result.code == 1
    assert "line 3" in result.sentence
    assert "'12 y'" in result.sentence


def test_truncated_gzip(run, tmp_path):
    values = np.random.default_rng(0).normal(size=2000)
    rows = "x,play\n" + "".join(f"{x},{'yes' if x > 0 else 'no'}\n" for x in values)
    path = tmp_path / "rows.csv.gz"
    path.write_bytes(gzip.compress(rows.encode())[:-500])
    result = run("fit", path, "--target", "play", "-o", tmp_path / "tree.miter")
    assert result.code == 1
    assert "rows.csv.gz" in result.sentence


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-p", "conditions=som"], "conditions is 'som'; give 'auto', True or False"),
        (["-p", "max_depth=-1"], "max_depth is -1"),
        (["-p", "max_depth=deep"], "max_depth is 'deep'"),
        (["-p", "pruning=axe"], "pruning is 'axe'"),
        (["-p", "min_samples_leaf=0"], "min_samples_leaf is 0"),
        (["--kind", "storm=numeric"], "--kind mentions the unknown column 'storm'"),
        (["--kind", "play=numeric"], "--kind mentions the unknown column 'play'"),
        (["--validation", "nowhere.csv"], "there is no file nowhere.csv"),
    ],
    ids=str,
)
def test_values_that_cannot_be_used(run, weather, tmp_path, arguments, words):
    result = run("fit", weather, "--target", "play", "-o", tmp_path / "tree.miter", *arguments)
    assert result.code == 1
    assert words in result.sentence
    assert list(tmp_path.iterdir()) == [weather]


def test_missing_target_is_asked_for_in_our_words(run, weather, tmp_path):
    result = run("fit", weather, "-o", tmp_path / "tree.miter")
    assert result.code == 1
    assert "--target" in result.sentence
    assert "target=" not in result.sentence
    assert "'outlook'" in result.sentence


def test_no_data(run, tmp_path):
    result = run("fit", tmp_path / "nowhere.csv", "--target", "y", "-o", tmp_path / "tree.miter")
    assert result.code == 1
    assert "there is no file" in result.sentence


def test_no_place_for_the_model(run, weather, tmp_path):
    result = run("fit", weather, "--target", "play", "-o", tmp_path / "nowhere" / "tree.miter")
    assert (result.code, result.sentence) == (1, f"{tmp_path / 'nowhere'}: there is no such folder")
    result = run("fit", weather, "--target", "play", "-o", tmp_path)
    assert (result.code, result.sentence) == (1, f"{tmp_path}: is a folder; give a file")


def test_old_model_stays_when_fitting_fails(run, weather, model):
    before = model.read_bytes()
    result = run("fit", weather, "--target", "play", "-o", model, "-p", "l2=-1")
    assert (result.code, model.read_bytes()) == (1, before)
    assert run("fit", weather, "--target", "play", "-o", model, "-p", "max_depth=0").code == 0
    assert load(model).tree_.n_nodes == 1


# ---- costs ---------------------------------------------------------------------------------


@pytest.fixture
def fit(run, weather, tmp_path):
    def call(*arguments):
        path = tmp_path / "tree.miter"
        settings = ["--target", "play", "-o", path, "-p", "max_depth=0"]
        return run("fit", weather, *settings, *arguments), path

    return call


def test_costs_are_trained_with_and_saved(fit, run, weather, tmp_path):
    costs = tmp_path / "weather.costs"
    costs.write_text("yes, no: 5\nno, yes: 1\n")
    result, path = fit("--costs", costs)
    assert result.code == 0
    assert "the tree is a single leaf and answers 'no' to every row" in result.err
    assert "by the costs, 'no' is the cheapest answer" in result.err
    # All is called no, which is wrong for nine of 14 rows, at 1 each.
    lines = result.out.splitlines()
    assert lines[2:4] == [
        "Right     on 35.71% of the training rows",
        "Cost      0.6429, the mean of the training rows",
    ]
    model = load(path)
    assert model.costs == [[0, 1], [5, 0]]
    assert model.costs_.tolist() == [[0, 1], [5, 0]]
    assert "Total cost: 9. Mean cost: 0.6429" in run("evaluate", path, weather).out


@pytest.mark.parametrize(
    ("ratio", "accuracy", "cost"), [("1.7", 9 / 14, 1.7 * 5 / 14), ("1.9", 5 / 14, 9 / 14)]
)
def test_focus(fit, ratio, accuracy, cost):
    result, path = fit("--focus", f"no={ratio}", "--json")
    summary = json.loads(result.out)
    assert summary["training_accuracy"] == pytest.approx(accuracy)
    assert summary["training_cost"] == pytest.approx(cost)
    assert load(path).costs == [[0, 1], [float(ratio), 0]]


def test_others(run, tmp_path):
    rows = tmp_path / "rows.csv"
    rows.write_text("x,y\n" + "1,a\n2,b\n3,c\n" * 5)
    path = tmp_path / "tree.miter"
    for given, expected in ([], 0.1), (["--others", "0.5"], 0.5):
        assert run("fit", rows, "--target", "y", "--focus", "b=3", *given, "-o", path).code == 0
        assert load(path).costs == [[0, 3, expected], [1, 0, 1], [expected, 3, 0]]


@pytest.mark.filterwarnings("always")
def test_free_answers_are_warned_of_once(fit, tmp_path):
    costs = tmp_path / "weather.costs"
    costs.write_text("yes, no: 5\n")
    result, _ = fit("--costs", costs)
    assert result.code == 0
    assert result.err.count("predicting 'no' costs nothing whatever is true") == 1


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--focus", "no=3", "-p", "costs=[[0,1],[2,0]]"], 2, "-p costs and --costs or --focus"),
        (["--focus", "nope=3"], 1, "costs name 'nope', which is not a class"),
        (["--focus", "3"], 2, "is not of the form CLASS=RATIO"),
        (["--others", "3"], 2, "--others is a part of --focus"),
        (["--costs", "none.costs"], 1, "none.costs cannot be read"),
    ],
    ids=str,
)
def test_costs_that_make_no_sense(fit, arguments, code, words):
    result, path = fit(*arguments)
    assert result.code == code
    assert words in result.sentence
    assert not path.exists()


# ---- tables as people have them ---------------------------------------------------------------


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    rows = [f"person {i};{20 + i % 50},5;{'yes' if i % 50 > 25 else 'no'}" for i in range(200)]
    rows[7] = "person 7;oops;no"
    path.write_text("name;age;buys\n" + "\n".join(rows) + "\n")
    return path


def test_what_was_changed_is_said(run, people, tmp_path):
    result = run("fit", people, "--target", "buys", "-o", tmp_path / "a.miter")
    assert result.code == 0
    dialect, name, age = result.err.splitlines()
    assert dialect == f"{people} is separated by semicolons, with decimal commas"
    assert name.endswith("it names the row; left out; --kind name=symbolic keeps it")
    assert age.startswith("column 'age': 1 of 200 cells is no number: 'oops' in line 9")
    assert "1 column (1 other left out)" in result.out
    quiet = run("fit", people, "--target", "buys", "-o", tmp_path / "a.miter", "-q")
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")


def test_kinds_are_not_said_as_parameters(run, weather, tmp_path):
    arguments = ["fit", weather, "--target", "play", "-o", tmp_path / "a.miter"]
    result = run(*arguments, "-p", 'kinds={"wind": "ignored"}')
    assert (result.code, "--kind COLUMN=KIND" in result.sentence) == (2, True)


def test_none_as_python_writes_it(run, weather, tmp_path):
    path = tmp_path / "a.miter"
    assert run("fit", weather, "--target", "play", "-o", path, "-p", "pruning=None").code == 0
    assert load(path).pruning is None


def test_a_quantity_is_refused(run, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,price\n" + "".join(f"{i},{i}.25\n" for i in range(50)))
    for verb in (
        ["fit", "-o", tmp_path / "a.miter"],
        ["bootstrap"],
        ["compare", "--learner", "id3"],
    ):
        result = run(*verb, path, "--target", "price")
        assert (result.code, "make bands of it first" in result.sentence) == (1, True)


def test_a_single_leaf_says_why(run, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,y\n" + "".join(f"{i % 7},{'yes' if i == 5 else 'no'}\n" for i in range(99)))
    result = run("fit", path, "--target", "y", "-o", tmp_path / "a.miter")
    assert result.code == 0
    assert "single leaf and answers 'no' to every row" in result.err
    assert "99.0% of the rows are 'no'" in result.err
    assert "--focus 'yes=10'" in result.err


def test_a_class_that_names_the_row_is_pointed_out(run, tmp_path):
    rows = [f"{i % 7},{i % 3},name {i}" for i in range(60)]
    (tmp_path / "a.csv").write_text("\n".join(["a,b,who", *rows]))
    result = run("fit", tmp_path / "a.csv", "--target", "who", "-o", tmp_path / "a.miter")
    assert "'who' has 60 values in 60 rows, too many to learn each" in result.err
