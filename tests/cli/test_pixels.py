import json

import numpy as np
import pytest
from PIL import Image

from miter.model_file import load
from miter.pixels.pictures import TINT

CLASSES = "id,name,red,green,blue\n0,Sky,128,128,128\n3,Road,128,64,128\n11,Unlabelled,0,0,0\n"


def draw_street(seed, height=24, width=30):
    random = np.random.default_rng(seed)
    labels = np.full((height, width), 11, np.uint8)
    labels[: height // 3] = 0
    labels[height // 2 :] = 3
    photograph = random.integers(0, 60, (height, width, 3), np.uint8)
    photograph[labels == 0] += np.array([90, 120, 190], np.uint8)
    photograph[labels == 3] += 80
    return photograph, labels


@pytest.fixture
def streets(tmp_path):
    """Return a folder with photographs of two streets, their label images and a class table."""
    folder = tmp_path / "streets"
    for kind in ("images", "labels"):
        (folder / kind).mkdir(parents=True)
    for number, name in enumerate(("one.png", "two.jpg")):
        photograph, labels = draw_street(number)
        Image.fromarray(photograph).save(folder / "images" / name)
        Image.fromarray(labels).save(folder / "labels" / f"{name[:3]}.png")
    (folder / "classes.csv").write_text(CLASSES)
    return folder


@pytest.fixture
def fit(run, streets, tmp_path):
    """Return a function that fits a small tree to the streets, with more arguments."""

    def call(*arguments, learner="univariate"):
        return run(
            *["pixels", "fit", streets / "images", streets / "labels"],
            *["-o", tmp_path / "road.miter", "--learner", learner],
            *["--classes", streets / "classes.csv", "--ignore", "Unlabelled", *arguments],
        )

    return call


@pytest.fixture
def model(fit, tmp_path):
    result = fit("-q")
    assert (result.code, result.out, result.err) == (0, "", "")
    return tmp_path / "road.miter"


def read(path):
    return np.asarray(Image.open(path))


def files_in(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


# ---- fit -----------------------------------------------------------------------------------


def test_summary(fit, streets, tmp_path):
    result = fit("--pixels", "500", "--position", "--texture")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == f"Read      {streets / 'images'}: 2 photographs, 500 pixels drawn"
    assert lines[1] == "Features  red, green, blue, row, column, grey_mean, grey_deviation"
    assert lines[2] == "Classes   Road, Sky"
    assert lines[3].startswith("Grew      univariate tree: ")
    assert lines[4] == f"Saved     {tmp_path / 'road.miter'}"


def test_summary_as_json(fit, tmp_path):
    answer = json.loads(fit("--json", "--colour", "hsv,lab", "--pixels", "99").out)
    tree = load(tmp_path / "road.miter").estimator_.tree_
    assert answer == {
        "photographs": 2,
        "learner": "univariate",
        "pixels": 99,
        "features": ["hue", "saturation", "value", "lightness", "lab_a", "lab_b"],
        "classes": ["Road", "Sky"],
        "trees": 1,
        "nodes": tree.n_nodes,
        "leaves": tree.n_leaves,
        "depth": tree.depth,
        "saved": str(tmp_path / "road.miter"),
    }


def test_parameters_and_seed(fit, tmp_path):
    path = tmp_path / "road.miter"
    assert (
        fit("-p", "max_depth=1", "--neighbourhood", "2", "--seed", "7", "--pixels", "50").code == 0
    )
    model = load(path)
    assert (model.estimator_.max_depth, model.estimator_.random_state) == (1, 7)
    assert model.features.neighbourhood == 2
    first = path.read_bytes()
    fit("-p", "max_depth=1", "--neighbourhood", "2", "--seed", "7", "--pixels", "50")
    assert path.read_bytes() == first
    fit("-p", "max_depth=1", "--neighbourhood", "2", "--seed", "8", "--pixels", "50")
    assert path.read_bytes() != first


def test_attention_on_one_class(fit, streets, tmp_path):
    photographs = [streets / "images" / "one.png", streets / "images" / "two.jpg"]
    n_road = []
    for arguments in ((), ("--focus", "Sky=1000"), ("--focus", "Road=1000")):
        assert fit("-q", "-p", "max_depth=1", *arguments).code == 0
        model = load(tmp_path / "road.miter")
        n_road.append(sum(model.mask(photograph, "Road").sum() for photograph in photographs))
    plain, to_sky, to_road = n_road
    assert to_sky <= plain <= to_road
    assert to_sky < to_road


def test_costs_from_a_file(fit, tmp_path):
    (tmp_path / "streets.costs").write_text("Sky, Road: 7\nRoad, Sky: 1\n")
    assert fit("-q", "--costs", tmp_path / "streets.costs").code == 0
    model = load(tmp_path / "road.miter")
    assert model.estimator_.costs_.max() == 7


def test_linear_machine_is_the_default(run, streets, tmp_path):
    result = run(
        *["pixels", "fit", streets / "images" / "one.png", streets / "labels" / "one.png"],
        *["-o", tmp_path / "road.miter", "--ignore", "11", "--pixels", "200", "--json"],
    )
    assert result.code == 0, result.err
    answer = json.loads(result.out)
    assert (answer["learner"], answer["classes"]) == ("linear_machine", ["0", "3"])


def test_photograph_with_a_folder_of_labels(run, streets, tmp_path):
    result = run(
        *["pixels", "fit", streets / "images" / "two.jpg", streets / "labels", "--json"],
        *["-o", tmp_path / "road.miter", "--learner", "univariate"],
    )
    assert json.loads(result.out)["classes"] == ["0", "3", "11"]


def test_the_tree_can_be_shown(run, model):
    assert "Road" in run("show", model).out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--learner", "univariat"], "no learner 'univariat'; did you mean 'univariate'"),
        (["--learner", "woods"], "no learner 'woods'"),
        (["-p", "max_deph=3"], "no parameter 'max_deph'"),
        (["--colour", "rbg"], "no colour space 'rbg'; did you mean 'rgb'"),
        (["--colour", "rgb,"], "no colour space ''"),
        (["--neighbourhood", "1000"], "neighbourhood is 1000"),
        (["--pixels", "0"], "Invalid value for '--pixels'"),
        (["--focus", "Road"], "--focus"),
        (["--focus", "Road=5", "-p", "costs=[[0,1],[1,0]]"], "-p costs and --costs or --focus"),
    ],
    ids=str,
)
def test_wrong_use(fit, tmp_path, arguments, words):
    before = files_in(tmp_path)
    result = fit(*arguments)
    assert result.code == 2
    assert words in result.sentence
    assert files_in(tmp_path) == before


def spoil_labels(streets, array):
    Image.fromarray(array).save(streets / "labels" / "two.png")


def cut_short(path):
    path.write_bytes(path.read_bytes()[:-300])


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda s: (s / "labels" / "two.png").unlink(), "two.jpg has no label image"),
        (lambda s: spoil_labels(s, np.zeros((9, 8), np.uint8)), "two.png has 8 x 9 pixels, but"),
        (
            lambda s: spoil_labels(s, np.full((24, 30), 7, np.uint8)),
            "two.png has the id 7 in row 0",
        ),
        (lambda s: spoil_labels(s, np.zeros((24, 30, 3), np.uint8)), "pixels of the kind RGB"),
        (lambda s: cut_short(s / "images" / "one.png"), "one.png cannot be read"),
        (lambda s: cut_short(s / "images" / "two.jpg"), "two.jpg cannot be read"),
        (lambda s: (s / "images" / "two.jpg").write_text("street"), "two.jpg is not a PNG or JPEG"),
        (lambda s: (s / "labels" / "two.png").write_text("street"), "two.png is not a PNG image"),
        (lambda s: (s / "classes.csv").write_text("id,name\n0,Sky\n"), "no class 'Unlabelled'"),
        (lambda s: (s / "classes.csv").write_text("a,b\n"), "has no column 'id'"),
        (lambda s: (s / "classes.csv").unlink(), "there is no file"),
        (lambda s: [path.unlink() for path in (s / "images").iterdir()], "no PNG or JPEG files"),
    ],
)
def test_streets_that_cannot_be_used(fit, streets, tmp_path, spoil, words):
    spoil(streets)
    before = files_in(tmp_path)
    result = fit()
    assert result.code == 1
    assert words in result.sentence
    assert files_in(tmp_path) == before


def test_no_labelled_pixels(fit, tmp_path):
    result = fit("--ignore", "Sky", "--ignore", "3")
    assert result.code == 1
    assert "no labelled pixels that count" in result.sentence
    assert not (tmp_path / "road.miter").exists()


def test_places_that_do_not_fit(run, streets, tmp_path):
    images, labels = streets / "images", streets / "labels"
    for arguments, code, words in (
        ([images, labels / "one.png", "-o", tmp_path / "m"], 1, "one.png is not a folder"),
        ([tmp_path / "x.png", labels, "-o", tmp_path / "m"], 1, "x.png has no label image"),
        ([images, labels, "-o", tmp_path / "no" / "m"], 1, "there is no such folder"),
        ([images, labels, "-o", tmp_path], 1, "is a folder; give a file"),
        ([images, labels, "-o", images / "one.png"], 2, "would overwrite an input"),
    ):
        result = run("pixels", "fit", *arguments)
        assert result.code == code
        assert words in result.sentence


# ---- apply ---------------------------------------------------------------------------------


def test_pictures_by_value(run, model, streets, tmp_path):
    photo, folder = streets / "images" / "one.png", tmp_path / "out"
    wishes = ["--mask", "--labels", "--overlay", "--probability"]
    result = run("pixels", "apply", model, photo, "-o", folder, "--class", "Road", *wishes)
    assert (result.code, result.err) == (0, "")
    names = [f"one_{wish[2:]}.png" for wish in wishes]
    assert files_in(folder) == sorted(names)
    mask, labels, overlay, share = (read(folder / name) for name in names)
    classifier, pixels = load(model), read(photo)
    is_road = classifier.mask(pixels, "Road")
    truth = draw_street(0)[1]
    assert (is_road == (truth == 3))[truth != 11].all()
    assert (mask == np.where(is_road, 255, 0)).all()
    assert (labels == classifier.predict(pixels)).all()
    assert (overlay[~is_road] == pixels[~is_road]).all()
    assert (overlay[is_road] == (pixels[is_road].astype(int) + TINT) // 2).all()
    assert (share == np.rint(255 * classifier.predict_proba(pixels)[..., 0])).all()
    assert result.out.startswith(f"{photo}: Road {is_road.mean():.1%}; wrote {folder}")


def test_json(run, model, streets, tmp_path):
    result = run(
        "pixels", "apply", model, streets / "images", "-o", tmp_path, "--json", "--class", "Road"
    )
    one, two = json.loads(result.out)
    assert one["photograph"] == str(streets / "images" / "one.png")
    assert two["written"] == {"mask": str(tmp_path / "two_mask.png")}
    assert (two["width"], two["height"]) == (30, 24)
    assert one["shares"]["Road"] == (read(one["written"]["mask"]) == 255).mean()
    assert sum(one["shares"].values()) == pytest.approx(1)


def test_labels_if_no_class_is_named(run, model, streets, tmp_path):
    result = run("pixels", "apply", model, streets / "images", "-o", tmp_path / "out", "-q")
    assert (result.code, result.out, result.err) == (0, "", "")
    assert files_in(tmp_path / "out") == ["one_labels.png", "two_labels.png"]


def test_progress_of_a_large_photograph(run, model, streets, tmp_path, monkeypatch):
    shown = []
    monkeypatch.setattr("miter.progress.ProgressLine.show", lambda line, text: shown.append(text))
    photo = streets / "images" / "one.png"
    assert run("pixels", "apply", model, photo, "-o", tmp_path / "out").err == ""
    assert shown == [f"classifying {photo}: 100%"]


def test_wrong_use_of_apply(run, model, streets, tmp_path):
    images = streets / "images"
    Image.fromarray(draw_street(0)[0]).save(images / "one.jpg")
    Image.fromarray(draw_street(0)[0]).save(images / "two_mask.png")
    before = files_in(tmp_path)
    for arguments, words in (
        ([images / "one.png", "-o", tmp_path / "out", "--mask"], "with --class"),
        ([images, "-o", tmp_path / "out"], "would both be written to"),
        (
            [images / "two.jpg", images / "two_mask.png", "-o", images, "--class", "Road"],
            "would overwrite an input",
        ),
        (["-o", tmp_path / "out"], "Missing argument"),
    ):
        result = run("pixels", "apply", model, *arguments)
        assert result.code == 2
        assert words in result.sentence
    assert files_in(tmp_path) == before


def test_photographs_that_cannot_be_used(run, model, streets, tmp_path):
    images = streets / "images"
    (images / "three.png").write_text("street")
    (tmp_path / "file").touch()
    cut_short(images / "two.jpg")
    before = files_in(tmp_path)
    for arguments, words in (
        ([images / "one.png", images / "four.png"], "there is no file"),
        ([images / "one.png", images / "three.png"], "three.png is not a PNG or JPEG image"),
        ([images / "two.jpg"], "two.jpg cannot be read"),
        ([images / "one.png", "--class", "Raod"], "no class 'Raod'"),
        ([images / "one.png", "-o", tmp_path / "file"], "is not a folder"),
    ):
        result = run("pixels", "apply", model, "-o", tmp_path / "out", *arguments)
        assert result.code == 1
        assert words in result.sentence
        assert files_in(tmp_path) == before


def test_model_that_knows_no_pixels(run, weather, streets, tmp_path):
    run("fit", weather, "--target", "play", "-o", tmp_path / "weather.miter", "-q")
    photo = streets / "images" / "one.png"
    result = run("pixels", "apply", tmp_path / "weather.miter", photo, "-o", tmp_path / "out")
    assert result.code == 1
    assert "not learned from photographs" in result.sentence
    assert not (tmp_path / "out").exists()


def test_help_names_both_verbs_and_every_learner(run):
    from miter.registry import LEARNERS

    out = run("pixels", "--help").out
    assert "fit" in out
    assert "apply" in out
    assert all(name in run("pixels", "fit", "--help").out for name in LEARNERS)
