"""`miter draw`: every picture from files, and what is said where there is none to draw."""

import numpy as np
import pytest
from PIL import Image

from miter.cli.draw import draw

pytest.importorskip("matplotlib", reason="pictures need the extra 'plot'")

STARTS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


@pytest.fixture
def draws(run, tmp_path):
    """Return a function that draws, and complains unless there is a picture."""

    def call(kind, *arguments, suffix=".png"):
        path = tmp_path / f"{kind}{suffix}"
        result = run("draw", kind, *arguments, "-o", path)
        assert (result.code, result.out) == (0, ""), result.err
        assert result.err.endswith(f"Drew {path}\n")
        assert path.read_bytes().startswith(STARTS[suffix])
        return path

    return call


@pytest.fixture
def forest(run, weather, tmp_path):
    path = tmp_path / "forest.miter"
    options = ("--learner", "bagging", "-p", "n_estimators=3", "-q")
    assert run("fit", weather, "--target", "play", "-o", path, *options).code == 0
    return path


def test_every_picture_of_a_model(draws, model, weather):
    draws("tree", model)
    draws("tree", model, weather, "--node-ids", "--max-depth", 1, suffix=".svg")
    draws("node", model, weather, "--node", 2)
    draws("regions", model, weather)
    draws("regions", model, weather, "--x", "humidity", "--y", "wind", "--row", 3, suffix=".pdf")
    draws("pruning", model)
    draws("pruning", model, weather)
    draws("confusion", model, weather, suffix=".svg")
    draws("calibration", model, weather, "--class", "yes")
    draws("importances", model)
    draws("importances", model, weather)


def test_words_are_words(draws, model):
    said = draws("tree", model, suffix=".svg").read_text("utf-8")
    assert ">outlook</text>" in said


def test_trees_of_a_forest(draws, forest, weather, run, tmp_path):
    draws("tree", forest, weather, "--tree", 2)
    draws("node", forest, weather, "--tree", 1)
    draws("pruning", forest, "--tree", 3)
    draws("regions", forest, weather)
    for kind, *data in (("tree",), ("node", weather), ("pruning",)):
        result = run("draw", kind, forest, *data, "-o", tmp_path / "x.png")
        assert result.code == 2
        assert result.sentence.startswith(f"{forest} has 3 trees; say which with --tree.")
    result = run("draw", "tree", forest, "--tree", 4, "-o", tmp_path / "x.png")
    assert result.sentence.startswith(f"--tree 4: {forest} has 3.")


def test_points_tables(draws, run, tmp_path, weather):
    path = tmp_path / "machine.miter"
    options = ("--learner", "linear_machine", "-q")
    assert run("fit", weather, "--target", "play", "-o", path, *options).code == 0
    draws("tree", path, weather, "--points")
    result = run("draw", "tree", path, "--points", "-o", tmp_path / "x.png")
    assert (result.code, result.sentence[:19]) == (2, "--points needs DATA")


def test_rows_without_classes_have_answers(draws, model, weather, tmp_path, run):
    lines = weather.read_text().splitlines()
    bare = tmp_path / "bare.csv"
    bare.write_text("\n".join(line.rpartition(",")[0] for line in lines) + "\n")
    draws("node", model, bare)
    draws("regions", model, bare)
    result = run("draw", "confusion", model, bare, "-o", tmp_path / "x.png")
    assert result.err.endswith("the classes are not there; the rows need a column 'play'\n")


def test_pictures_of_results(draws, run, weather, tmp_path):
    other = tmp_path / "other.csv"
    other.write_text(weather.read_text())
    results = tmp_path / "results.jsonl"
    learners = ("--learner", "id3", "--learner", "c45", "--learner", "DummyClassifier")
    done = run("compare", weather, other, "--target", "play", *learners, "-r", "2-fold",
               "-o", results, "-q")  # fmt: skip
    assert done.code == 0, done.err
    draws("ranks", results, suffix=".pdf")
    draws("frontier", results, "--size", "leaves")
    wrong = run("draw", "frontier", results, "--size", "leafs", "-o", tmp_path / "x.png")
    assert wrong.sentence == "size is 'leafs'; did you mean 'leaves'?"
    wrong = run("draw", "ranks", results, "--measure", "acuracy", "-o", tmp_path / "x.png")
    assert "did you mean 'accuracy'" in wrong.sentence


def test_masks(draws, run, tmp_path):
    random = np.random.default_rng(0)
    labels = (np.arange(24)[:, None] > 12) * np.ones((1, 32), int)
    pixels = np.where(labels[..., None] == 1, 90, 200) + random.integers(-30, 30, (24, 32, 3))
    Image.fromarray(pixels.astype(np.uint8)).save(tmp_path / "photo.png")
    Image.fromarray(labels.astype(np.uint8)).save(tmp_path / "labels.png")
    path = tmp_path / "pixels.miter"
    done = run("pixels", "fit", tmp_path / "photo.png", tmp_path / "labels.png", "-o", path, "-q")
    assert done.code == 0, done.err
    draws("masks", path, tmp_path / "photo.png")
    draws(
        "masks", path, tmp_path / "photo.png", "--class", "1", "--labels", tmp_path / "labels.png"
    )
    wrong = run("draw", "masks", path, tmp_path / "photo.png", "--class", "2", "-o",
                tmp_path / "x.png")  # fmt: skip
    assert wrong.sentence.startswith("there is no class '2' among those that were learned")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("node", "MODEL", "DATA", "--node", "99"),
            "node 99 is not there; nodes with a test are 0",
        ),
        (("node", "MODEL", "DATA", "--panel", "margins"), "'margins' does not suit this test"),
        (("regions", "MODEL", "DATA", "--x", "humidty", "--y", "wind"), "did you mean 'humidity'?"),
        (
            ("regions", "MODEL", "DATA", "--x", "wind"),
            "--x and --y name the two columns; give both",
        ),
        (("regions", "MODEL", "DATA", "--row", "15"), "--row 15: DATA has 14 rows."),
        (
            ("calibration", "MODEL", "DATA", "--class", "yse"),
            "there is no class 'yse'; did you mean",
        ),
        (("masks", "MODEL", "DATA"), "was not learned from photographs; give one that was"),
    ],
)
def test_errors_come_with_their_cure(arguments, sentence, run, model, weather, tmp_path):
    names = {"MODEL": str(model), "DATA": str(weather)}
    given = [names.get(argument, argument) for argument in arguments]
    result = run("draw", *given, "-o", tmp_path / "x.png", "-q")
    assert result.code in (1, 2)
    assert sentence.replace("DATA", str(weather)) in result.sentence
    assert not (tmp_path / "x.png").exists()


def test_a_place_for_the_picture_is_looked_for_first(run, model, tmp_path):
    for output, sentence in (
        (tmp_path / "tree.gif", "ends in '.gif', but pictures are .png, .svg or .pdf"),
        (tmp_path / "none" / "tree.png", "there is no such folder"),
        (model, "would overwrite an input"),
    ):
        result = run("draw", "tree", model, "-o", output)
        assert result.code in (1, 2)
        assert sentence in result.sentence


def test_without_matplotlib_the_extra_is_named(run, model, tmp_path, monkeypatch):
    import builtins

    real_import = builtins.__import__

    def no_matplotlib(name, *rest):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real_import(name, *rest)

    monkeypatch.setattr(builtins, "__import__", no_matplotlib)
    result = run("draw", "tree", model, "-o", tmp_path / "tree.png")
    assert (result.code, result.sentence[:24]) == (1, "pictures need matplotlib")


def test_every_kind_has_an_example():
    for name, verb in draw.commands.items():
        assert f"Example: miter draw {name} " in verb.help
