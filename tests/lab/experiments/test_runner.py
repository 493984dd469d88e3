import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import joblib
import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

import miter
from miter.data import led, monks, play_tennis
from miter.data.costs import focus
from miter.lab.estimates.resampling import parse_resampling
from miter.lab.experiments.experiment import Experiment, ExperimentError, SetChoice
from miter.lab.experiments.results_file import ResultsFileError, read_results
from miter.lab.experiments.runner import run

LEARNERS = {
    "c45": "univariate",
    "random": ("DecisionTreeClassifier", {"splitter": "random"}),
    "forest": ("RandomForestClassifier", {"n_estimators": 3}),
    "line": ("LogisticRegression", {"max_iter": 5}),
}

# 2 sets x 10 learners x 10 divisions.
MANY = """
import sys
from miter.data import led, monks
from miter.lab.experiments.experiment import Experiment
from miter.lab.experiments.runner import run
sets = {"monks-1": monks(1), "led": led(150, seed=1)}
learners = {f"tree {n}": ("univariate", {"max_depth": n}) for n in range(1, 9)}
learners |= {f"random {n}": ("DecisionTreeClassifier", {"splitter": "random", "max_depth": n})
             for n in range(1, 3)}
experiment = Experiment(sets, learners, "5x2", seed=5)
if __name__ == "__main__":
    run(experiment, sys.argv[1], int(sys.argv[2]), progress=False)
"""


def make_experiment(**changes):
    sets = {"monks-1": monks(1), "led": led(100, seed=2)}
    return Experiment(
        **{"sets": sets, "learners": LEARNERS, "resampling": "5x2", "seed": 3} | changes
    )


@pytest.fixture(scope="module")
def results():
    return run(make_experiment(), progress=False)


def test_every_learner_on_every_division_of_every_set(results):
    assert len(results) == len({run.key for run in results}) == 2 * 4 * 10
    assert not results.failed()
    assert {(run.repeat, run.fold) for run in results} == {(r, f) for r in range(5) for f in (0, 1)}


@pytest.mark.parametrize("n_workers", [2, 4])
def test_the_number_of_workers_changes_nothing(results, n_workers, tmp_path):
    path = tmp_path / "results.jsonl"
    assert run(make_experiment(), path, n_workers, progress=False) == results
    assert read_results(path) == results


def test_an_active_backend_is_used(results):
    # In threads warnings go where they go without Miter, here to an error.
    learners = {name: learner for name, learner in LEARNERS.items() if name != "line"}
    with joblib.parallel_config("threading", n_jobs=2):
        threaded = run(make_experiment(learners=learners), progress=False)
    assert {one.n_warnings for one in threaded} == {None}
    expected = [one.n_wrong for one in results if one.learner != "line"]
    assert [one.n_wrong for one in threaded] == expected


def test_divisions_are_the_same_for_all_learners_and_seeds_for_all_sets(results):
    divisions = parse_resampling("5x2").splits(monks(1).labels, 3)
    by_place = {}
    for one in results:
        by_place.setdefault((one.repeat, one.fold), set()).add(one.seed)
        if one.set == "monks-1":
            assert one.n_test == len(divisions[2 * one.repeat + one.fold][1])
    assert all(len(seeds) == 1 for seeds in by_place.values())
    assert len({min(seeds) for seeds in by_place.values()}) == 10
    alone = run(make_experiment(sets={"led": led(100, seed=2)}, learners=["id3"]), progress=False)
    assert [one.seed for one in alone] == [one.seed for one in results.of("led", "c45")]


def test_another_seed_divides_otherwise(results):
    other = run(make_experiment(seed=4), progress=False)
    assert [one.n_wrong for one in other] != [one.n_wrong for one in results]


@pytest.mark.parametrize(
    ("resampling", "places"),
    [
        ("3-fold", [(0, 0), (0, 1), (0, 2)]),
        ("2x3-fold", [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]),
        ("bootstrap 3", [(0, 0), (1, 0), (2, 0)]),
        ("holdout 0.3", [(0, 0)]),
        ("leave-one-out", [(0, fold) for fold in range(14)]),
    ],
)
def test_every_resampling(resampling, places):
    experiment = Experiment({"tennis": play_tennis()}, ["id3"], resampling)
    results = run(experiment, progress=False)
    assert [(one.repeat, one.fold) for one in results] == places
    assert not results.failed()


def test_warnings_are_counted(results):
    assert {one.n_warnings > 0 for one in results.of("led", "line")} == {True}
    assert "ConvergenceWarning" in results.of("led", "line")[0].first_warning


class FailsOnce(ClassifierMixin, BaseEstimator):
    """Fails in the division that has this seed."""

    def __init__(self, seed=None, random_state=None):
        self.seed = seed
        self.random_state = random_state

    def fit(self, X, y):
        if self.random_state == self.seed:
            raise ValueError("this one is too hard")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_a_failure_is_reported_and_the_others_go_on(results, tmp_path):
    place = results.of("led", "c45")[3]
    learners = {"c45": "univariate", "weak": FailsOnce(place.seed)}
    path = tmp_path / "results.jsonl"
    outcome = run(make_experiment(learners=learners), path, progress=False)
    assert len(outcome) == 40
    assert [
        (one.set, one.learner, one.repeat, one.fold, one.error) for one in outcome.failed()
    ] == [
        (name, "weak", place.repeat, place.fold, "ValueError: this one is too hard")
        for name in ("monks-1", "led")
    ]
    assert read_results(path) == outcome
    # A failed run is done; it is not tried again.
    assert run(make_experiment(learners=learners), path, progress=False) == outcome


def test_what_is_done_is_not_done_again(tmp_path, monkeypatch):
    path = tmp_path / "results.jsonl"
    first = run(make_experiment(), path, progress=False)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:31]) + lines[31][:50])
    performed = []
    perform = miter.lab.experiments.runner.perform

    def count(task):
        performed.append(task.key)
        return perform(task)

    monkeypatch.setattr("miter.lab.experiments.runner.perform", count)
    assert run(make_experiment(), path, progress=False) == first
    assert len(performed) == 50
    assert sorted(performed) == sorted({one.key for one in first} - kept_keys(lines[1:31]))


def kept_keys(lines):
    rows = map(json.loads, lines)
    return {(row["set"], row["learner"], row["repeat"], row["fold"]) for row in rows}


def test_results_of_another_experiment_are_refused(tmp_path):
    path = tmp_path / "results.jsonl"
    run(make_experiment(learners=["id3"]), path, progress=False)
    before = path.read_bytes()
    other = make_experiment(sets={"monks-1": monks(2), "led": led(100, seed=2)}, learners=["id3"])
    with pytest.raises(ResultsFileError, match="another experiment: set 'monks-1' has other rows"):
        run(other, path)
    assert path.read_bytes() == before


def test_too_few_rows():
    with pytest.raises(ExperimentError, match=r"set 'tennis': .* cannot be divided into 20 folds"):
        run(Experiment({"tennis": play_tennis()}, ["id3"], "20-fold"))


def test_interrupting_keeps_what_is_done(tmp_path, monkeypatch):
    path = tmp_path / "results.jsonl"
    perform = miter.lab.experiments.runner.perform
    performed = []

    def stop(task):
        if len(performed) == 10:
            raise KeyboardInterrupt
        performed.append(task.key)
        return perform(task)

    monkeypatch.setattr("miter.lab.experiments.runner.perform", stop)
    with pytest.raises(KeyboardInterrupt):
        run(make_experiment(), path, progress=False)
    assert sorted(one.key for one in read_results(path)) == sorted(performed)
    assert not path.with_name("results.jsonl.lock").exists()


@pytest.mark.parametrize(("n_workers", "kills"), [(1, (60, 130)), (2, (90,))])
def test_killed_and_begun_again(tmp_path, n_workers, kills):
    script, path = tmp_path / "many.py", tmp_path / "results.jsonl"
    script.write_text(MANY)
    command = [sys.executable, str(script), str(path), str(n_workers)]
    environment = os.environ | {"PYTHONPATH": str(Path(miter.__file__).parents[1])}
    for n_lines in kills:
        process = subprocess.Popen(command, env=environment)
        wait_for_lines(path, n_lines, process)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    assert kills[-1] <= len(path.read_bytes().splitlines()) < 201
    subprocess.run(command, env=environment, check=True)
    lines = path.read_bytes().splitlines()[1:]
    assert len(lines) == len(kept_keys(lines)) == 200
    names = {"__name__": "many"}
    exec(MANY, names)
    assert read_results(path) == run(names["experiment"], progress=False)


def wait_for_lines(path, n_lines, process):
    end = monotonic() + 120
    while process.poll() is None and monotonic() < end:
        if path.exists() and path.read_bytes().count(b"\n") >= n_lines:
            return
        sleep(0.002)
    pytest.fail(f"it ended with {process.poll()} before {n_lines} lines were written")


# ---- costs ---------------------------------------------------------------------------------


def test_every_run_has_its_cost():
    costs = {"Yes": {"No": 5}, "No": {"Yes": 1}}
    sets = [
        SetChoice("tennis", data=play_tennis(), costs=costs),
        SetChoice("monks-1", data=monks(1)),
    ]
    learners = {"plain": "id3", "none": "DummyClassifier"}
    results = run(Experiment(sets, learners, "3-fold"), progress=False)
    assert results.has_costs
    assert {one.cost for one in results if one.set == "monks-1"} == {None}
    # The most common class of the weather is yes: only rows of class no are wrong, at 5 each.
    for one in results.of("tennis", "none"):
        assert one.cost == pytest.approx(5 * one.n_wrong / one.n_test)


def test_learners_with_costs_use_those_of_the_set():
    data = led(300, seed=2)
    sets = [
        SetChoice("dear", data=data, costs=focus("8", 50)),
        SetChoice("cheap", data=data, costs=focus("8", 1)),
    ]
    names = ["univariate", "univariate+costs", "small"]
    learners = {name: name for name in names[:2]}
    learners["small"] = "DecisionTreeClassifier+costs", {"max_depth": 3}
    results = run(Experiment(sets, learners, "2-fold"), progress=False)
    assert not results.failed()
    means = {
        (choice.name, name): np.mean([one.cost for one in results.of(choice.name, name)])
        for choice in sets
        for name in names
    }
    for name in names[1:]:
        assert means["dear", name] < means["dear", names[0]]
    runs = [results.of(choice.name, names[1]) for choice in sets]
    assert [one.accuracy for one in runs[0]] < [one.accuracy for one in runs[1]]
    assert runs[0][0].parameters == {"costs": True}


def test_costs_survive_the_results_file_and_tell_experiments_apart(tmp_path):
    path = tmp_path / "results.jsonl"

    def make(ratio):
        choice = SetChoice("led", data=led(100), costs=focus("8", ratio))
        return Experiment([choice], ["univariate+costs"], "2-fold")

    results = run(make(5), path, progress=False)
    assert read_results(path) == results
    assert [one.cost for one in read_results(path)] == [one.cost for one in results]
    assert results.to_frame()["cost"].tolist() == [one.cost for one in results]
    with pytest.raises(ResultsFileError, match="set 'led' has other costs there"):
        run(make(6), path, progress=False)
