import json

import numpy as np
import pytest
from PIL import Image
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from miter import UnivariateTreeClassifier, load, save
from miter.errors import DataError, ModelFileError
from miter.estimators.bagging import BaggedTreesClassifier
from miter.pixels import PixelClassifier, PixelFeatures, read_classes

NAMES = {0: "Sky", 3: "Road", 11: "Unlabelled"}
EVERYTHING = PixelFeatures(("rgb", "hsv", "lab"), True, True, 2)


def make(estimator=None, **settings):
    if estimator is None:
        estimator = UnivariateTreeClassifier(random_state=0)
    settings = {"class_names": NAMES, "ignore": ["Unlabelled"], "random_state": 0} | settings
    return PixelClassifier(estimator, **settings)


@pytest.fixture
def model(street):
    return make().fit([street[0]], [street[1]])


def test_answers(street, model):
    photograph, labels = street
    assert model.classes_.tolist() == ["Road", "Sky"]
    assert model.ids_.tolist() == [3, 0]
    assert model.n_pixels_ == np.count_nonzero(labels != 11)
    ids = model.predict(photograph)
    assert ids.dtype == np.uint8
    assert (ids == labels)[labels != 11].all()
    assert (model.mask(photograph, "Road") == (ids == 3)).all()
    assert model.score([photograph], [labels]) == 1.0


def test_probabilities(street, model):
    shares = model.predict_proba(street[0])
    assert shares.shape == (*street[1].shape, 2)
    assert shares.sum(axis=2) == pytest.approx(1)
    assert (model.ids_[shares.argmax(axis=2)] == model.predict(street[0])).all()
    assert np.exp(model.predict_log_proba(street[0])) == pytest.approx(shares)


def test_without_names_the_ids_are_the_classes(street):
    model = make(class_names=None, ignore=[11]).fit([street[0]], [street[1]])
    assert model.classes_.tolist() == model.ids_.tolist() == [0, 3]
    assert (model.mask(street[0], 3) == (model.predict(street[0]) == 3)).all()


def test_default_estimator_is_seeded(street):
    images = [street[0]], [street[1]]
    one, other = (
        PixelClassifier(class_names=NAMES, max_pixels=200, random_state=5).fit(*images)
        for _ in range(2)
    )
    assert type(one.estimator_).__name__ == "LinearMachineTreeClassifier"
    assert (one.predict_proba(street[0]) == other.predict_proba(street[0])).all()


@pytest.mark.parametrize(
    "estimator",
    [
        DecisionTreeClassifier(random_state=0),
        RandomForestClassifier(5, random_state=0),
        BaggedTreesClassifier(n_estimators=3, random_state=0),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_any_classifier(street, estimator):
    model = make(estimator).fit([street[0]], [street[1]])
    assert model.score([street[0]], [street[1]]) > 0.99
    assert not hasattr(estimator, "classes_")
    assert model.estimator_.classes_.tolist() == ["Road", "Sky"]
    assert model.predict_proba(street[0]).shape == (*street[1].shape, 2)


def test_classifier_without_probabilities(street):
    model = make(LinearSVC(random_state=0, max_iter=10**5)).fit([street[0]], [street[1]])
    assert model.score([street[0]], [street[1]]) > 0.9
    with pytest.raises(DataError, match="LinearSVC gives no probabilities"):
        model.predict_proba(street[0])


def test_parameters_reach_the_tree_with_names_of_classes(street):
    tree = UnivariateTreeClassifier(class_weight={"Road": 3, "Sky": 1}, max_depth=1)
    model = make(tree).fit([street[0]], [street[1]])
    assert model.estimator_.tree_.counts[0].tolist() == [3 * 12 * 30, 8 * 30]
    assert model.estimator_.tree_.schema.names == ("red", "green", "blue")


def test_clone_and_parameters():
    model = make(features=EVERYTHING, max_pixels=5)
    copy = clone(model)
    assert copy.get_params()["features"] == EVERYTHING
    assert copy.get_params()["estimator__random_state"] == 0
    assert copy.max_pixels == 5


@pytest.mark.parametrize("block_pixels", [1, 65, 10**6])
def test_blocks_do_not_matter(street, block_pixels):
    photograph, labels = street
    settings = {"features": EVERYTHING, "max_pixels": 300}
    expected = make(**settings).fit([photograph], [labels])
    model = make(**settings, block_pixels=block_pixels).fit([photograph], [labels])
    assert (model.predict_proba(photograph) == expected.predict_proba(photograph)).all()
    assert (model.predict(photograph) == expected.predict(photograph)).all()


def test_memory_is_that_of_a_block(street_files, model, tmp_path, monkeypatch):
    sizes = []
    matrix = PixelFeatures.matrix

    def look(self, photograph, top, bottom):
        X = matrix(self, photograph, top, bottom)
        assert X.base is None or X.base.size == X.size
        sizes.append(len(X))
        return X

    monkeypatch.setattr(PixelFeatures, "matrix", look)
    model.set_params(block_pixels=70)
    model.apply_to_file(street_files[0], tmp_path, ["probability", "overlay"], "Road")
    assert sizes == [60] * 12  # two rows of 30 pixels at a time
    sizes.clear()
    model.fit(street_files[:1], street_files[1:])
    assert max(sizes) == 60


# ---- files ---------------------------------------------------------------------------------


def test_files_answer_like_arrays(street, street_files, model):
    photo, ids = street_files
    from_files = make().fit([photo], [ids])
    assert (from_files.predict(photo) == model.predict(street[0])).all()
    assert from_files.score([str(photo)], [str(ids)]) == 1.0


def test_pictures_by_value(street, street_files, model, tmp_path):
    photo, _ = street_files
    shown = []
    model.set_params(block_pixels=300)
    applied = model.apply_to_file(
        photo, tmp_path / "new" / "out", ["mask", "probability"], "Road", progress=shown.append
    )
    assert sorted(path.name for path in (tmp_path / "new" / "out").iterdir()) == [
        "street_mask.png",
        "street_probability.png",
    ]
    mask = np.asarray(Image.open(applied.files["mask"]))
    assert (mask == np.where(model.mask(street[0], "Road"), 255, 0)).all()
    share = np.asarray(Image.open(applied.files["probability"]))
    assert (share == np.rint(255 * model.predict_proba(street[0])[..., 0])).all()
    assert applied.shares["Road"] == (mask == 255).mean()
    assert sum(applied.shares.values()) == pytest.approx(1)
    assert (applied.height, applied.width) == street[1].shape
    assert shown == pytest.approx([10 / 24, 20 / 24, 1])


def test_saved_and_loaded(street, street_files, tmp_path):
    model = make(features=EVERYTHING).fit([street[0]], [street[1]])
    save(model, tmp_path / "road.miter")
    loaded = load(tmp_path / "road.miter")
    assert (loaded.mask(street[0], "Road") == model.mask(street[0], "Road")).all()
    assert (loaded.predict_proba(street[0]) == model.predict_proba(street[0])).all()
    assert loaded.features == EVERYTHING
    assert loaded.class_names == model.class_names
    assert loaded.schema_.names == EVERYTHING.names


def test_saved_and_loaded_without_names(street, tmp_path):
    model = make(class_names=None, ignore=[11]).fit([street[0]], [street[1]])
    save(model, tmp_path / "road.miter")
    loaded = load(tmp_path / "road.miter")
    assert loaded.class_names is None
    assert (loaded.predict(street[0]) == model.predict(street[0])).all()


def test_only_trees_can_be_saved(street, tmp_path):
    forest = make(RandomForestClassifier(2)).fit([street[0]], [street[1]])
    with pytest.raises(ModelFileError, match="a RandomForestClassifier is not made of trees"):
        save(forest, tmp_path / "forest.miter")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"ids": [3]}, "ids: give each class an id of its own"),
        ({"ids": [3, 3]}, "ids: give each class an id of its own"),
        ({"ids": [3, 256]}, "ids: give each class an id of its own"),
        ({"ids": [3, "0"]}, r"state.ids\[1\]: '0' is not a whole number"),
        ({"features": {"colour": ["hsv"]}}, "they are not the columns of the trees"),
        ({"features": {"colour": ["rbg"]}}, "no colour space 'rbg'"),
        ({"features": {"colours": ["rgb"]}}, "state.features: there is a field 'colours'"),
        ({"more": 1}, "state: there is a field 'more'"),
    ],
    ids=str,
)
def test_files_with_wrong_pixels(model, tmp_path, change, words):
    from miter.model_file.envelope import _checksum

    path = tmp_path / "road.miter"
    save(model, path)
    file = json.loads(path.read_text())
    file["model"]["state"] |= change
    file["checksum"] = _checksum(file["model"])
    path.write_text(json.dumps(file))
    with pytest.raises(ModelFileError, match=words):
        load(path)


# ---- what cannot be used -------------------------------------------------------------------


def test_not_fitted(street, tmp_path):
    for ask in (
        lambda: make().predict(street[0]),
        lambda: make().mask(street[0], "Road"),
        lambda: make().score([street[0]], [street[1]]),
        lambda: save(make(), tmp_path / "road.miter"),
    ):
        with pytest.raises(NotFittedError):
            ask()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"max_pixels": 0}, "max_pixels is 0"),
        ({"block_pixels": 1.5}, "block_pixels is 1.5"),
        ({"features": "rgb"}, "features is 'rgb'"),
        ({"ignore": ["Unlabeled"]}, "did you mean 'Unlabelled'"),
        ({"class_names": {0: "Sky"}, "ignore": []}, "label image 0 has the id 3 in row 12"),
        ({"ignore": ["Sky", "Road", "Unlabelled"]}, "no labelled pixels that count"),
        ({"ignore": ["Sky", "Unlabelled"]}, "labelled pixels are of the class 'Road'"),
    ],
    ids=str,
)
def test_settings_that_cannot_be_used(street, settings, words):
    labels = np.where(street[1] == 11, 0, street[1]) if "class_names" in settings else street[1]
    with pytest.raises(ValueError) as error:  # noqa: PT011
        make(**settings).fit([street[0]], [labels])
    assert words in str(error.value)


def test_lists_that_do_not_fit(street):
    photograph, labels = street
    for images, ids, words in (
        ([photograph], [], "1 photographs and 0 label images"),
        ([], [], "no photographs"),
        (photograph, [labels], "images is one image"),
        ([photograph], labels, "labels is one image"),
        ("street.png", [labels], "images is one image"),
    ):
        with pytest.raises(DataError, match=words):
            make().fit(images, ids)


def test_class_that_was_not_learned(street, model):
    with pytest.raises(DataError, match=r"no class 'Raod' among .*; did you mean 'Road'\?"):
        model.mask(street[0], "Raod")
    with pytest.raises(DataError, match="no class 'Unlabelled'"):
        model.mask(street[0], "Unlabelled")


def test_pictures_that_cannot_be_made(street_files, model, tmp_path):
    before = sorted(tmp_path.iterdir())
    for arguments, words in (
        ((["masque"], "Road"), "no picture 'masque'; did you mean 'mask'"),
        ((["mask"], None), "whose mask"),
        ((["mask"], "Raod"), "did you mean 'Road'"),
    ):
        with pytest.raises(ValueError, match=words):
            model.apply_to_file(street_files[0], tmp_path / "out", *arguments)
    street_files[0].write_bytes(street_files[0].read_bytes()[:400])
    with pytest.raises(DataError, match="save it anew"):
        model.apply_to_file(street_files[0], tmp_path / "out")
    assert sorted(tmp_path.iterdir()) == before


# ---- real photographs ----------------------------------------------------------------------


def test_streets_of_cambridge(data_folder):
    folder = data_folder / "road-scenes"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not here")
    names = [path.name for path in sorted((folder / "images").iterdir())]
    images, labels = ([folder / kind / name for name in names] for kind in ("images", "labels"))
    model = PixelClassifier(
        UnivariateTreeClassifier(),
        features=PixelFeatures(("rgb", "lab"), position=True, texture=True),
        class_names=read_classes(folder / "classes.csv"),
        ignore=["Unlabelled"],
        max_pixels=20_000,
        random_state=0,
    ).fit(images[:6], labels[:6])
    assert model.n_pixels_ == 20_000
    # Of the labelled pixels of the other four 32 % are buildings, the most common class.
    assert model.score(images[6:], labels[6:]) > 0.6
    road = np.asarray(Image.open(labels[6])) == 3
    found = model.mask(images[6], "Road")
    assert (road & found).sum() / (road | found).sum() > 0.6
