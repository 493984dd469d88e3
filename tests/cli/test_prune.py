import json

import pytest

from miter.cli.prune import NAMES
from miter.model_file import load
from miter.prune import PRUNINGS


def test_a_tree_is_cut_to_size(run, model, tmp_path):
    small = tmp_path / "small.miter"
    result = run("prune", model, "--by", "cut_to_size", "-p", "most=3", "-o", small)
    assert (result.code, result.err) == (0, "")
    assert "5 to 3 leaves" in result.out
    assert load(small).get_n_leaves() == 3
    assert load(model).get_n_leaves() == 5  # it stays as it is


@pytest.mark.parametrize(
    "by", ["pessimistic", "error_based", "mdl", "cost_complexity", "reduced_error", "same_answer"]
)
def test_every_pruning(run, model, weather, tmp_path, by):
    small = tmp_path / "small.miter"
    options = ["--by", by, "--target", "play", "-o", small, "--json", "--merge"]
    result = run("prune", model, weather, *options)
    assert result.code == 0, result.err
    sizes = json.loads(result.out)
    assert sizes["after"]["leaves"] <= sizes["before"]["leaves"] == 5
    assert load(small).get_n_leaves() == sizes["after"]["leaves"]


@pytest.mark.parametrize(
    ("options", "code", "sentence"),
    [
        (["--by", "axe"], 2, "--by is 'axe'"),
        (["--by", "axe"], 2, "known are 'pessimistic', 'error_based', 'mdl', 'cost_complexity'"),
        (["--by", "pesimistic"], 2, "did you mean 'pessimistic'?"),
        (
            ["--by", "mdl", "-p", "leafs=classes"],
            2,
            "no setting 'leafs'; did you mean 'leaves'",
        ),
        (["--by", "cut_to_size", "-p", "most=0"], 2, "most is 0; give a whole number from 1 on"),
        (["--by", "pessimistic", "-p", "x=1"], 2, "has no setting 'x'; it has none"),
        (["--by", "reduced_error"], 1, "reduced-error pruning needs validation rows"),
        (["--by", "cross_validated"], 1, "cross-validated pruning grows trees of its own"),
    ],
)
def test_what_cannot_be_done(run, model, tmp_path, options, code, sentence):
    small = tmp_path / "small.miter"
    result = run("prune", model, *options, "-o", small)
    assert result.code == code
    assert sentence in result.sentence
    assert not small.exists()


def test_a_forest_is_refused(run, weather, tmp_path):
    forest, small = tmp_path / "forest.miter", tmp_path / "small.miter"
    options = ["--learner", "forest", "-p", "n_estimators=3", "-q"]
    assert run("fit", weather, "--target", "play", "-o", forest, *options).code == 0
    result = run("prune", forest, "--by", "mdl", "-o", small)
    assert "is not one tree that answers" in result.sentence


def test_a_model_is_not_overwritten(run, model):
    assert "would overwrite an input" in run("prune", model, "--by", "mdl", "-o", model).sentence


def test_help_names_every_pruning_of_a_finished_tree(run):
    need_trees_of_their_own = {"cross_validated", "out_of_bag", "price_per_term"}
    assert set(NAMES) == PRUNINGS.keys() - need_trees_of_their_own
    said = run("prune", "--help").out
    assert all(name in said for name in NAMES)
