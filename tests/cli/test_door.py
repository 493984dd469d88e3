import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from miter import __version__
from miter.cli import door

VERBS = [
    "fit",
    "predict",
    "show",
    "draw",
    "rules",
    "prune",
    "simplify",
    "export",
    "evaluate",
    "importance",
    "explain",
    "counterfactual",
    "attribute",
    "report",
    "compare",
    "bootstrap",
    "curve",
    "costs",
    "data",
    "learners",
    "pixels",
    "completion",
]
HEAVY = ["numpy", "scipy", "sklearn", "rich", "pandas", "narwhals", "miter.data", "miter.core"]


def test_help_names_every_verb_in_order(run):
    result = run("--help")
    assert result.code == 0
    listed = [line.split()[0] for line in result.out.split("Commands:")[1].splitlines() if line]
    assert listed == VERBS
    assert run("-h").out == result.out


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_a_verb(run, verb):
    result = run(verb, "-h")
    assert result.code == 0
    assert result.out.startswith(f"Usage: miter {verb}")


@pytest.mark.parametrize("verb", ["fit", "predict", "show", "evaluate", "data"])
def test_every_verb_with_results_has_json_and_quiet(run, verb):
    out = run(verb, "--help").out
    assert "--json" in out
    assert "--quiet" in out


def test_version(run):
    assert run("--version").out == f"miter, version {__version__}\n"


@pytest.mark.parametrize(
    "arguments", [["--help"], ["fit", "--help"], ["--version"], ["data", "-h"]]
)
def test_help_is_quick_because_nothing_heavy_is_imported(arguments):
    script = (
        "import sys\nfrom miter.cli import main\n"
        "try:\n    main()\n"
        "except SystemExit as exit:\n"
        f"    print(sorted(set({HEAVY}) & set(sys.modules)), exit.code, file=sys.stderr)\n"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(door.__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    assert done.stdout
    assert done.stderr == "[] 0\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], f"Say what to do: {', '.join(VERBS)}. See 'miter --help'."),
        (["curve"], "Say what to do: learning, size, roc, cost. See 'miter curve --help'."),
        (["pixels"], "Say what to do: fit, apply. See 'miter pixels --help'."),
        (["grow"], "No such command 'grow'"),
        (["--grow"], "No such option"),
        (["fit"], "Missing argument 'DATA'"),
        (["fit", "a.csv"], "Missing option '-o'"),
        (["show"], "Missing argument 'MODEL'"),
        (["predict", "a.miter"], "Missing argument 'DATA'"),
        (["show", "a.miter", "--depth", "2"], "No such option"),
        (["show", "a.miter", "--max-depth", "-1"], "Invalid value for '--max-depth'"),
        (["show", "a.miter", "--max-depth", "x"], "Invalid value for '--max-depth'"),
        (["show", "a.miter", "b.miter"], "Got unexpected extra argument"),
        (["completion", "tcsh"], "Invalid value for"),
    ],
    ids=str,
)
def test_wrong_use(run, arguments, sentence):
    result = run(*arguments)
    assert result.code == 2
    assert result.sentence.startswith(sentence)
    assert result.sentence.endswith("--help'.")


def test_ctrl_c(program, tmp_path):
    pipe = tmp_path / "endless.csv"
    os.mkfifo(pipe)
    process = program("fit", pipe, "--target", "y", "-o", tmp_path / "model.miter")
    with open(pipe, "w") as rows:  # goes on when the program has opened the other end
        rows.write("x,y\n")
        rows.flush()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
    assert "Traceback" not in process.communicate()[1]
    assert list(tmp_path.iterdir()) == [pipe]


def test_unforeseen_errors_have_no_traceback_either(run, monkeypatch, model):
    def fail(*_, **__):
        raise TypeError("a\nlong story")

    monkeypatch.setattr("miter.show.export_text", fail)
    result = run("show", model)
    assert result.code == 1
    assert result.sentence.startswith("TypeError: a long story; that is a mistake in Miter")


def test_too_little_memory(run, monkeypatch, model):
    def fail(*_, **__):
        raise MemoryError

    monkeypatch.setattr("miter.show.export_text", fail)
    assert run("show", model).sentence == "there is not enough memory for this"


def test_warnings_are_sentences(capsys):
    door._show_warning(UserWarning("the weights\nare small"), UserWarning, "file.py", 3)
    assert capsys.readouterr().err == "miter: warning: the weights are small\n"
