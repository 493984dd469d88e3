import json
import sys

import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from miter import Pessimistic, TreeClassifier
from miter.data import monks
from miter.lab import Experiment, run
from miter.lab.experiments.fingerprint import fingerprint
from miter.lab.experiments.results import Run
from miter.lab.experiments.results_file import ResultsFileError, open_results, read_results
from miter.splitters import UnivariateSplitter

EXPERIMENT = {
    "sets": [{"name": "iris", "hash": "2"}],
    "learners": [{"name": "c45", "class": "T", "parameters": {"text": "Zoë\r\n"}}],
    "resampling": "10-fold",
    "seed": 0,
}


def make_run(fold):
    return Run("iris", "2", "c45", "T", {"text": "Zoë\r\n"}, 1, 0, fold, 9, 1, 0, 1.0, error="é\n")


@pytest.fixture
def path(tmp_path):
    """Return a file with three runs."""
    path = tmp_path / "results.jsonl"
    with open_results(path, EXPERIMENT) as file:
        assert file.runs == ()
        for fold in range(3):
            file.append(make_run(fold))
    return path


def runs_of(path):
    return [run.fold for run in read_results(path)]


def test_what_was_written_is_read(path):
    results = read_results(path)
    assert results.runs == tuple(map(make_run, range(3)))
    assert results.experiment == EXPERIMENT
    assert len(path.read_bytes().splitlines()) == 4
    assert [file.name for file in path.parent.iterdir()] == ["results.jsonl"]


def test_runs_are_on_the_disk_at_once(tmp_path):
    path = tmp_path / "results.jsonl"
    with open_results(path, EXPERIMENT) as file:
        for fold in range(3):
            file.append(make_run(fold))
            assert runs_of(path) == list(range(fold + 1))


def test_it_goes_on(path):
    before = path.read_bytes()
    with open_results(path, EXPERIMENT) as file:
        assert file.runs == tuple(map(make_run, range(3)))
        file.append(make_run(3))
    assert path.read_bytes().startswith(before)
    assert runs_of(path) == [0, 1, 2, 3]


def test_wherever_it_is_torn_whole_runs_are_kept(path):
    whole = path.read_bytes()
    ends = [place + 1 for place, byte in enumerate(whole) if byte == ord("\n")]
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        n_runs = max(sum(end <= length for end in ends) - 1, 0)
        with open_results(path, EXPERIMENT) as file:
            assert len(file.runs) == n_runs, length
            for fold in range(n_runs, 3):
                file.append(make_run(fold))
        assert path.read_bytes() == whole


@pytest.mark.parametrize(
    "wrong",
    [
        {"set": "other"},
        {"learner": "other"},
        {"set": ["iris"]},
        {"learner": None},
        {"fold": "first"},
        {"repeat": None},
        {"n_train": True},
        {"accuracy": "high"},
        {"parameters": []},
        {"error": 3},
    ],
)
def test_a_run_of_other_values_is_refused(path, wrong):
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = json.dumps(json.loads(lines[2]) | wrong).encode() + b"\n"
    path.write_bytes(b"".join(lines))
    with pytest.raises(ResultsFileError, match="line 3 is no run"):
        read_results(path)


@pytest.mark.parametrize(
    "wrong", [{"sets": 3}, {"sets": [3]}, {"learners": [{}]}, {"learners": None}, {"resampling": 1}]
)
def test_an_experiment_that_is_none_is_refused(path, wrong):
    experiment = EXPERIMENT | wrong
    header = {"format": "miter results", "version": 1, "experiment": experiment}
    path.write_text(json.dumps(header | {"fingerprint": fingerprint(experiment)}) + "\n")
    with pytest.raises(ResultsFileError, match="is no file of results"):
        read_results(path)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits for files")
def test_a_full_disk_names_the_file_and_loses_no_run(path):
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with open_results(path, EXPERIMENT) as file:
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 20, limits[1]))
            with pytest.raises(OSError, match=r"File too large: .*results\.jsonl"):
                file.append(make_run(3))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert runs_of(path) == [0, 1, 2]
    assert not path.read_bytes().endswith(b"\n")


def test_nothing_is_nested_too_deep(path):
    lines = path.read_bytes().splitlines(keepends=True)
    deep = b"[" * 100_000 + b"\n"
    for place in (0, 2):
        path.write_bytes(b"".join([*lines[:place], deep, *lines[place + 1 :]]))
        with pytest.raises(ResultsFileError, match="is no "):
            read_results(path)


def test_a_last_line_of_zeros_is_dropped(path):
    whole = path.read_bytes()
    for tail in (b"\0" * 100, b"\0" * 100 + b"\n", b'{"set": 3}\n'):
        path.write_bytes(whole + tail)
        assert runs_of(path) == [0, 1, 2]
        with open_results(path, EXPERIMENT):
            pass
        assert path.read_bytes() == whole


def test_damage_in_the_middle_is_no_torn_line(path):
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], lines[2][:40] + b"\n", lines[3]]))
    before = path.read_bytes()
    with (
        pytest.raises(ResultsFileError, match="line 3 is no run; the file is damaged"),
        open_results(path, EXPERIMENT),
    ):
        pass
    assert path.read_bytes() == before


def test_a_run_that_is_there_twice_counts_once(path):
    path.write_bytes(path.read_bytes() + path.read_bytes().splitlines(keepends=True)[-1])
    assert runs_of(path) == [0, 1, 2]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"seed": 1}, "seed is 0 there and 1 here. Give another file"),
        ({"resampling": "5x2"}, "resampling is '10-fold' there and '5x2' here"),
        ({"sets": [{"name": "iris", "hash": "3"}]}, "set 'iris' has other rows or columns there"),
        ({"sets": [{"name": "vote", "hash": "2"}]}, "set 'iris' is only there; set 'vote' is only"),
        (
            {"learners": [{"name": "c45", "class": "T", "parameters": {}}]},
            "learner 'c45' has the parameters {'text': 'Zoë",
        ),
    ],
    ids=str,
)
def test_another_experiment_is_refused(path, changes, sentence):
    before = path.read_bytes()
    with pytest.raises(ResultsFileError) as caught, open_results(path, EXPERIMENT | changes):
        pass
    message = f"{path} holds the results of another experiment: {sentence}"
    assert str(caught.value).startswith(message)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"x", b"a,b\n1,2\n", b"[]\n", b'{"format": "x"}\n', b"\n", b"{}"]
)
def test_other_files_are_left_alone(tmp_path, content):
    path = tmp_path / "precious.csv"
    path.write_bytes(content)
    with pytest.raises(ResultsFileError, match="is no file of results"):
        open_results(path, EXPERIMENT).__enter__()
    with pytest.raises(ResultsFileError, match="is no file of results"):
        read_results(path)
    assert path.read_bytes() == content


def test_headers_of_the_future_and_changed_ones(path):
    header, *lines = path.read_text().splitlines()
    for changes, sentence in (
        ({"version": 2}, "has version 2 of the format, this Miter reads 1"),
        ({"experiment": EXPERIMENT | {"seed": 5}}, "line 1 was changed"),
    ):
        path.write_text("\n".join([json.dumps(json.loads(header) | changes), *lines, ""]))
        with pytest.raises(ResultsFileError, match=sentence):
            read_results(path)


def test_an_empty_file_and_no_folder(tmp_path):
    (tmp_path / "empty").touch()
    with open_results(tmp_path / "empty", EXPERIMENT) as file:
        file.append(make_run(0))
    assert runs_of(tmp_path / "empty") == [0]
    with pytest.raises(FileNotFoundError, match="no such folder"):
        open_results(tmp_path / "none" / "a.jsonl", EXPERIMENT).__enter__()


def test_two_writers(path):
    with (
        open_results(path, EXPERIMENT),
        pytest.raises(ValueError, match="is being written by process"),
        open_results(path, EXPERIMENT),
    ):
        pass


#: Where classes were written when files of results told it.
EARLIER = {
    "miter.TreeClassifier": "miter.classifier.TreeClassifier",
    "miter.Pessimistic": "miter.prune.pessimistic.Pessimistic",
    "miter.splitters.UnivariateSplitter": "miter.splitters.univariate.UnivariateSplitter",
    "sklearn.tree.DecisionTreeClassifier": "sklearn.tree._classes.DecisionTreeClassifier",
    "sklearn.ensemble.AdaBoostClassifier": "sklearn.ensemble._weight_boosting.AdaBoostClassifier",
}


def test_an_experiment_of_an_earlier_version_goes_on(tmp_path):
    path = tmp_path / "results.jsonl"
    learners = {
        "tree": TreeClassifier(UnivariateSplitter("gini"), pruning=Pessimistic()),
        "boosted": AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=2),
    }
    experiment = Experiment({"monks-1": monks(1)}, learners, "2-fold")
    results = run(experiment, path, progress=False)
    text = path.read_text()
    for name, place in EARLIER.items():
        assert f'"{name}"' in text
        text = text.replace(f'"{name}"', f'"{place}"')
    header, *lines = text.splitlines()
    described = json.loads(header)["experiment"]
    header = json.dumps(json.loads(header) | {"fingerprint": fingerprint(described)})
    path.write_text("\n".join([header, *lines[:3], ""]))
    assert run(experiment, path, progress=False) == results
    assert len(path.read_text().splitlines()) == 1 + 4
