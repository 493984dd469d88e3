import csv
import io
import json

import numpy as np
import pytest

from miter.lab.comparisons.comparison import compare
from miter.lab.comparisons.comparison_table import FORMS, format_comparison, number
from miter.lab.comparisons.many_sets import friedman_test, nemenyi_critical_difference
from miter.lab.experiments.results import Results, Run
from miter.significance import five_by_two_f_test

SETS = ("iris", "vote", "wine", "zoo")
LEARNERS = ("c45", "good", "bad", "line")
ACCURACIES = {"c45": 0.8, "good": 0.9, "bad": 0.6, "line": 0.8}
COSTS = {"c45": 0.5, "good": 0.8, "bad": 0.2, "line": 0.5}
NODES = {"c45": 10, "good": 2000, "bad": 5, "line": None}


def make_results(resampling="5x2", failing=(), sets=SETS, learners=LEARNERS, priced=()):
    random = np.random.default_rng(0)
    experiment = {
        "sets": [
            {"name": name, "hash": name} | ({"costs": [[0, 5], [1, 0]]} if name in priced else {})
            for name in sets
        ],
        "learners": [{"name": name, "class": "T", "parameters": {}} for name in learners],
        "resampling": resampling,
        "seed": 0,
    }
    runs = []
    for set_name in sets:
        noise = random.normal(0, 0.02, 10)
        for learner in learners:
            own = random.normal(0, 0.003, 10)
            for place in range(10):
                identity = (set_name, set_name, learner, "T", {}, 1, *divmod(place, 2), 50, 50)
                if (set_name, learner, place) in failing:
                    runs.append(Run(*identity, error="ValueError: no"))
                    continue
                accuracy = ACCURACIES[learner] + noise[place] + own[place]
                outcome = {"n_wrong": 5, "accuracy": accuracy, "nodes": NODES[learner]}
                if set_name in priced:
                    outcome["cost"] = COSTS[learner] + noise[place] - own[place]
                runs.append(Run(*identity, **outcome, fit_seconds=0.001 * (place + 1)))
    return Results(experiment, runs)


@pytest.fixture(scope="module")
def comparison():
    return compare(make_results())


def test_means_and_deviations(comparison):
    runs = comparison.results.of("vote", "good")
    values = 100 * np.array([run.accuracy for run in runs])
    mean = comparison.means[1][1]
    assert (mean.set, mean.learner, mean.n_runs, mean.is_complete) == ("vote", "good", 10, True)
    assert mean.mean == pytest.approx(values.mean())
    assert mean.deviation == pytest.approx(values.std(ddof=1))
    column = [row[1].mean for row in comparison.means]
    assert comparison.overall[1] == pytest.approx(np.mean(column))


def test_winners(comparison):
    assert [[mean.winner for mean in row] for row in comparison.means] == [[0, 1, -1, 0]] * 4
    assert comparison.wins_ties_losses == (None, (4, 0, 0), (0, 0, 4), (0, 4, 0))
    against_good = compare(comparison.results, reference="good")
    assert against_good.wins_ties_losses == ((0, 0, 4), None, (0, 0, 4), (0, 0, 4))
    assert compare(comparison.results, level=1e-12).wins_ties_losses[1] == (0, 4, 0)


def test_ranks(comparison):
    assert comparison.ranks[1:3] == (1.0, 4.0)
    assert comparison.ranks[0] + comparison.ranks[3] == 5.0
    scores = np.array([[mean.mean for mean in row] for row in comparison.means])
    assert comparison.friedman[0] == friedman_test(scores)
    assert comparison.critical_difference == nemenyi_critical_difference(4, 4)


def test_less_is_better_for_nodes(comparison):
    by_nodes = comparison.by("nodes")
    assert by_nodes.ranks == (2.0, 3.0, 1.0, None)
    assert by_nodes.overall == (10.0, 2000.0, 5.0, None)
    assert [mean.winner for mean in by_nodes.means[0]] == [0, -1, 1, 0]
    assert by_nodes.means[0][3].mean is None


def test_few_sets_and_learners():
    one = compare(make_results(sets=("iris",)))
    assert (one.ranks, one.friedman, one.critical_difference) == ((None,) * 4, None, None)
    two = compare(make_results(learners=("c45", "bad")))
    assert (two.ranks, two.friedman) == ((1.0, 2.0), None)
    alone = compare(make_results(learners=("c45",)))
    assert (alone.test_name, alone.ranks) == (None, (None,))
    assert alone.wins_ties_losses == (None,)


def test_failures_are_told_and_not_tested():
    comparison = compare(make_results(failing={("vote", "good", 3), ("vote", "good", 5)}))
    mean = comparison.means[1][1]
    assert (mean.n_runs, mean.n_failed, mean.p_value, mean.is_complete) == (8, 2, None, False)
    assert comparison.wins_ties_losses[1] == (3, 0, 0)
    text = comparison.to_text()
    assert (
        "! good failed in 2 of 10 runs on vote, first in repeat 1, fold 1: ValueError: no" in text
    )
    everything = {("vote", "good", place) for place in range(10)}
    comparison = compare(make_results(failing=everything))
    assert comparison.overall[1] is None
    assert comparison.ranks[1] is None
    for form in FORMS:
        assert format_comparison(comparison, form)


def test_mistakes(comparison):
    for arguments, sentence in (
        ({"measure": "accurcy"}, "there is no measure 'accurcy'; did you mean 'accuracy'"),
        ({"reference": "god"}, "there is no learner 'god'; did you mean 'good'"),
        ({"level": 5}, "level is 5; give a number between 0 and 1"),
    ):
        with pytest.raises(ValueError, match=sentence):
            compare(comparison.results, **arguments)
    with pytest.raises(ValueError, match="there is no format 'txt'; did you mean 'text'"):
        format_comparison(comparison, "txt")


def test_text(comparison):
    lines = str(comparison).splitlines()
    title = "Accuracy in %, mean ± standard deviation of 10 runs (5x2, seed 0)"
    assert lines[0] == title
    assert lines[2].split() == ["set", *LEARNERS]
    assert lines[4].startswith("iris")
    assert (lines[4].count("+"), lines[4].count("-")) == (1, 1)
    assert [line.split()[0] for line in lines[9:14]] == [
        "mean",
        "mean",
        "win/tie/loss",
        "nodes",
        "fit",
    ]
    assert lines[-2] == "Marks: + better, - worse than c45 (combined 5x2cv F test, level 0.05)."
    assert lines[-1].startswith("Ranks: Friedman's test gives p = 0.0")


def test_ranks_that_do_not_differ_are_not_taken_apart():
    level = compare(make_results()).by("fit")
    assert "the learners do not differ significantly" in level.to_text()


def test_large_numbers_have_no_decimals(comparison):
    line = comparison.by("nodes").to_text().splitlines()[4]
    assert "2000 ± 0 -" in line
    assert "10.0 ± 0.0" in line
    assert (number(999.94), number(1000.4)) == ("999.9", "1000")


def test_one_run():
    text = compare(make_results("holdout 0.3")).to_text()
    assert "Marks" not in text
    assert "win/tie/loss" not in text


def test_csv(comparison):
    rows = list(csv.DictReader(io.StringIO(comparison.to_csv())))
    assert len(rows) == 16
    assert [row["winner"] for row in rows[:4]] == ["0", "1", "-1", "0"]
    assert float(rows[1]["mean"]) == comparison.means[0][1].mean
    assert rows[0]["p_value"] == ""


def test_json(comparison):
    answer = json.loads(format_comparison(comparison, "json"))
    assert answer == json.loads(json.dumps(comparison.to_dict()))
    assert answer["test"] == "combined 5x2cv F test"
    assert answer["ranks"]["good"] == 1.0
    assert answer["wins_ties_losses"]["good"] == [4, 0, 0]
    assert answer["friedman"][0]["p_value"] < 0.05
    same_everywhere = compare(make_results(learners=("c45", "good", "bad")))
    format_comparison(same_everywhere, "json")  # an infinite statistic


def test_markdown_and_latex(comparison):
    assert comparison.to_markdown().count("**") == 2 * 4
    assert comparison.to_latex().count(r"\textbf") == 4


# ---- costs ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def priced():
    return compare(make_results(priced=SETS))


def test_the_f_test_is_made_on_costs(priced):
    by_cost = priced.by("cost")
    for row in by_cost.means:
        held = np.array([run.cost for run in priced.results.of(row[0].set, "c45")])
        for mean in row[1:]:
            own = np.array([run.cost for run in priced.results.of(mean.set, mean.learner)])
            verdict = five_by_two_f_test((held - own).reshape(5, 2))
            assert mean.p_value == verdict.p_value
            assert mean.winner == verdict.winner(0.05)
            assert mean.mean == pytest.approx(own.mean())
            assert mean.deviation == pytest.approx(own.std(ddof=1))


def test_less_cost_is_better(priced):
    by_cost = priced.by("cost")
    assert [[mean.winner for mean in row] for row in by_cost.means] == [[0, -1, 1, 0]] * 4
    assert by_cost.wins_ties_losses == (None, (0, 0, 4), (4, 0, 0), (0, 4, 0))
    assert by_cost.ranks[1:3] == (4.0, 1.0)


def test_costs_follow_the_accuracies(priced, comparison):
    text = str(priced)
    title = "Mean cost of a row, mean ± standard deviation of 10 runs (5x2, seed 0)"
    accuracies, costs = text.split(title)
    assert accuracies.rstrip() == str(comparison)
    lines = costs.splitlines()
    assert lines[2].split() == ["set", *LEARNERS]
    bad = priced.by("cost").means[0][2]
    assert f"{bad.mean:.3f} ± {bad.deviation:.3f} +" in lines[4]
    assert [line.split()[0] for line in lines[9:12]] == ["mean", "mean", "win/tie/loss"]
    assert lines[-2] == "Marks: + better, - worse than c45 (combined 5x2cv F test, level 0.05)."
    assert str(priced.by("cost")) == title + costs
    assert "cost" not in str(comparison)


def test_costs_in_other_forms(priced, comparison):
    plain = json.loads(format_comparison(priced, "json"))
    assert plain["cost"]["measure"] == "cost"
    assert plain["cost"]["means"][2]["mean"] == priced.by("cost").means[0][2].mean
    assert plain["cost"]["overall"]["bad"] == priced.by("cost").overall[2]
    assert "cost" not in json.loads(format_comparison(comparison, "json"))
    markdown = priced.to_markdown()
    assert markdown.count("| set | c45 | good | bad | line |") == 2
    bad = priced.by("cost").means[0][2]
    assert f"**{bad.mean:.3f}** ± {bad.deviation:.3f} +" in markdown
    assert priced.to_latex().count(r"\end{tabular}") == 2
    assert priced.to_csv() == comparison.to_csv()
    rows = list(csv.DictReader(io.StringIO(priced.by("cost").to_csv())))
    assert float(rows[2]["mean"]) == bad.mean


def test_sets_without_costs_are_left_open():
    mixed = compare(make_results(priced=SETS[:2])).by("cost")
    assert [row[1].mean is None for row in mixed.means] == [False, False, True, True]
    assert mixed.overall == (None,) * 4
    assert mixed.wins_ties_losses[2] == (2, 0, 0)


def test_failures_are_told_once(priced):
    failing = {("vote", "good", 3)}
    assert str(compare(make_results(failing=failing, priced=SETS))).count("! good failed") == 1
    alone = compare(make_results(failing=failing, priced=SETS), "cost")
    assert str(alone).count("! good failed") == 1


def test_no_costs_to_compare_by(comparison):
    with pytest.raises(ValueError, match="no set has costs, so there is none to compare by"):
        comparison.by("cost")
