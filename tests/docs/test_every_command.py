"""Every command and every Python block of the README and the docs, word for word."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image
from sklearn.datasets import load_breast_cancer, load_iris

from miter.cli.door import miter

PROJECT = Path(__file__).parents[2]
DOCS = PROJECT / "docs"
PAGES = [PROJECT / "README.md", *sorted(DOCS.glob("*.md")), *sorted(DOCS.glob("papers/*.md"))]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# A command inside a sentence has a file; others only name a verb or an option.
INLINE = re.compile(r"`(miter [^`\n]*\.\w+[^`\n]*)`")


def steps(page):
    """Return the commands and Python blocks of a page in the order in which a reader meets them."""
    text = page.read_text("utf-8")
    found = [(match.start(), "miter", match[1]) for match in INLINE.finditer(text)]
    for match in BLOCK.finditer(text):
        if match[1] == "python":
            found.append((match.start(), "python", match[2]))
        elif match[1] in {"", "sh"}:
            joined = match[2].replace("\\\n", " ")
            lines = (line.removeprefix("$ ") for line in joined.splitlines())
            found += [(match.start(), "miter", line) for line in lines if line.startswith("miter ")]
    return [(kind, step) for _, kind, step in sorted(found, key=lambda place: place[0])]


def write_c45(folder, name, X, labels, names):
    """Write rows as C4.5 has them, beside the costs of confusing two classes."""
    classes = sorted(set(labels))
    declared = "".join(f"{column}: continuous.\n" for column in names)
    (folder / f"{name}.names").write_text(f"{', '.join(classes)}.\n{declared}")
    rows = [",".join([*map(str, row), label]) for row, label in zip(X, labels, strict=True)]
    for suffix in (".data", ".test"):
        (folder / f"{name}{suffix}").write_text("\n".join(rows) + "\n")
    (folder / f"{name}.costs").write_text(
        f"{classes[0]}, {classes[1]}: 5\n{classes[1]}, {classes[0]}: 1\n"
    )


def write_pictures(folder):
    random = np.random.default_rng(0)
    (folder / "images").mkdir()
    (folder / "labels").mkdir()
    for number in range(8):
        name = "street" if number == 7 else f"photo{number}"
        ids = (np.arange(24)[:, None] > 12 + random.integers(-4, 4)) * np.ones((1, 32), int)
        pixels = np.where(ids[..., None] == 1, 90, 200) + random.integers(-30, 30, (24, 32, 3))
        Image.fromarray(pixels.astype(np.uint8)).save(folder / "images" / f"{name}.png")
        Image.fromarray(ids.astype(np.uint8)).save(folder / "labels" / f"{name}.png")
    Image.open(folder / "images" / "street.png").save(folder / "street.jpg")
    (folder / "classes.csv").write_text("id,name\n0,Sky\n1,Road\n2,Unlabelled\n")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with small files of the names that the pages use."""
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(0)
    iris = load_iris()
    species = [iris.target_names[code] for code in iris.target]
    names = ["sepal length", "sepal width", "petal length", "petal width"]
    write_c45(tmp_path, "iris", iris.data, species, names)
    lines = [
        ",".join([*map(str, row), label]) for row, label in zip(iris.data, species, strict=True)
    ]
    header = ",".join([*names, "species"])
    for name, step in (("iris", 1), ("test", 3), ("new", 5)):
        (tmp_path / f"{name}.csv").write_text("\n".join([header, *lines[::step]]) + "\n")
    cancer = load_breast_cancer(as_frame=True)
    tumours = cancer.data[["worst perimeter", "worst smoothness"]].assign(
        diagnosis=cancer.target_names[cancer.target]
    )
    tumours[::2].to_csv("tumours.csv", index=False)
    tumours[1::2].to_csv("others.csv", index=False)
    (tmp_path / "cars.csv").write_text("\n".join([header.replace("species", "class"), *lines]))
    for name, labels in (
        ("vote", ("d", "r")),
        ("german", ("1", "2")),
        ("heart-statlog", ("1", "2")),
    ):
        X = random.integers(0, 30, (120, 3))
        noisy = X[:, 0] + random.normal(0, 6, 120) > 15
        columns = ["credit_amount", "age", "length"]
        write_c45(tmp_path, name, X, np.array(labels)[noisy.astype(int)].tolist(), columns)
    X = random.integers(1, 4, (124, 6))
    labels = np.where((X[:, 0] == X[:, 1]) | (X[:, 4] == 1), "1", "0").tolist()
    write_c45(tmp_path, "monks-1", X, labels, [f"a{n}" for n in range(1, 7)])
    write_pictures(tmp_path)
    [experiment] = re.findall(
        r"^```toml\n(.*?)^```$",
        (PROJECT / "docs" / "laboratory.md").read_text("utf-8"),
        re.M | re.S,
    )
    (tmp_path / "experiment.toml").write_text(experiment)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_every_step(page, folder):
    # What the pages say of their sets holds for those sets only.
    names = {}
    for kind, step in steps(page):
        if kind == "python":
            exec(compile(step, str(page), "exec"), names)
        else:
            result = CliRunner().invoke(miter, shlex.split(step)[1:])
            assert result.exit_code == 0, f"{step}\n{result.stderr}"


def test_there_are_steps():
    found = [kind for page in PAGES for kind, _ in steps(page)]
    assert found.count("miter") >= 40
    assert found.count("python") >= 20
