"""The script of a page: it answers as Python does, and the bundle is what its modules make."""

import subprocess
from shutil import which

import numpy as np
import pytest

from miter.explaining.reasons import reasons_of
from miter.lab.estimates.evaluation import count_pairs
from miter.reporting.contents import contents_of_model

from .conftest import MODELS, PROJECT, SCRIPT, as_rows, fitted, schema, table

COSTS = [[0.0, 1, 1], [6, 0, 2], [1, 5, 0]]
NEEDS_NODE = pytest.mark.skipif(which("node") is None, reason="node is not here")
NEEDS_MODULES = pytest.mark.skipif(
    not (PROJECT / "node_modules" / "esbuild").is_dir(),
    reason="node_modules are not here; npm ci installs them",
)


@pytest.mark.parametrize("name", MODELS)
def test_answers_are_those_of_python(name, run_script):
    model, data = fitted(name), table(400, seed=5)
    contents = contents_of_model(model, data)
    own, other = run_script(
        contents,
        as_rows(data.X, schema()),
        [{"size": _whole(contents), "costs": None}, {"size": _whole(contents), "costs": COSTS}],
    )["answers"]
    assert np.abs(np.array(own["shares"]) - model.predict_shares(data.X)).max() < 1e-12
    for said, costs in ((own, None), (other, np.array(COSTS))):
        codes = model.predict_codes(data.X, costs)
        assert said["labels"] == codes.tolist()
        assert said["matrix"] == count_pairs(data.labels, codes, 3).tolist()


def _whole(contents):
    """Return the place of the size that the model has."""
    return len(contents["sizes"]["steps"]) - 1 if contents["kind"] == "forest" else 0


@pytest.mark.parametrize("name", ["univariate", "id3", "costs", "linear machine"])
def test_sizes_are_those_of_pruned_trees(name, run_script):
    model, data = fitted(name), table(200, seed=7)
    contents = contents_of_model(model, data)
    sizes = range(len(contents["sizes"]["steps"]))
    said = run_script(
        contents, as_rows(data.X, schema()), [{"size": size, "costs": None} for size in sizes]
    )["answers"]
    leaf_from = np.array(contents["sizes"]["leaf_from"])
    for size in sizes:
        cut = model.tree_.cut(leaf_from <= size)
        assert said[size]["labels"] == cut.predict(data.X).tolist()
        assert contents["sizes"]["steps"][size]["leaves"] == cut.n_leaves


@pytest.mark.parametrize(
    "name", [name for name in MODELS if "votes" not in name and "mean" not in name]
)
def test_reasons_are_those_of_python(name, run_script):
    model, data = fitted(name), table(60, seed=3)
    said = run_script(contents_of_model(model, data), as_rows(data.X, schema()), [])["reasons"]
    split = model.tree_.splits[0]
    for row, own in zip(data.X, said, strict=False):
        if own is None:
            continue
        wanted = reasons_of(split.expression, row)
        assert own["branch"] == wanted.branch
        if own["margin"] is None:
            assert np.isnan(wanted.margin)
            continue
        assert own["rival"] == wanted.rival
        assert own["margin"] == pytest.approx(wanted.margin)
        assert own["without"] == pytest.approx(wanted.without)
        assert dict(own["contributions"]) == pytest.approx(dict(wanted.contributions))


def test_fewer_trees_answer_as_the_first_ones(run_script):
    model, data = fitted("votes"), table(100, seed=9)
    contents = contents_of_model(model, data)
    said = run_script(contents, as_rows(data.X, schema()), [{"size": 0, "costs": None}])["answers"][
        0
    ]
    assert contents["sizes"]["steps"][0]["trees"] == 1
    assert said["labels"] == model.trees_[0].predict(data.X).tolist()


@NEEDS_NODE
@NEEDS_MODULES
def test_modules_pass_their_own_tests():
    done = subprocess.run(
        ["node", "--test", str(SCRIPT)], capture_output=True, text=True, check=False, cwd=PROJECT
    )
    assert done.returncode == 0, done.stdout[-4000:]


@NEEDS_NODE
@NEEDS_MODULES
def test_the_bundle_is_what_the_modules_make(tmp_path):
    room = PROJECT / "src" / "miter" / "reporting"
    built = subprocess.run(
        ["node", str(room / "script" / "build.js"), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=PROJECT,
    )
    assert built.returncode == 0, built.stderr
    for name in ("page.js", "LICENCES.txt"):
        fresh, kept = ((folder / name).read_text("utf-8") for folder in (tmp_path, room / "bundle"))
        assert fresh == kept, "the bundle is not that of these modules; make page builds it anew"
