"""What docs/export.md shows in other languages, word for word."""

import re
import subprocess
from pathlib import Path
from shutil import which

import pytest
from sklearn.datasets import load_iris

import miter

PAGE = (Path(__file__).parents[2] / "docs" / "export.md").read_text("utf-8")
NAMES = ["sepal length", "sepal width", "petal length", "petal width"]
ROW = [6.1, 2.8, 4.0, 1.3]


@pytest.fixture(scope="module")
def tree():
    X, y = load_iris(return_X_y=True, as_frame=True)
    X.columns = NAMES
    return miter.UnivariateTreeClassifier(random_state=0).fit(X, load_iris().target_names[y])


def block(language):
    [text] = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)
    return text


def expected(tree):
    import pandas as pd

    row = pd.DataFrame([ROW], columns=NAMES)
    return f"{tree.predict(row)[0]} {tree.predict_proba(row)[0, 1]:.2f}\n"


def run(*command, cwd):
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=True).stdout


def test_c(tree, tmp_path):
    if which("gcc") is None:
        pytest.skip("gcc is not here")
    (tmp_path / "iris.c").write_text(miter.export(tree, "c", name="iris"))
    (tmp_path / "main.c").write_text(block("c"))
    [command] = re.findall(r"^gcc .*$", PAGE, re.M)
    run(*command.split(), cwd=tmp_path)
    assert run("./iris", cwd=tmp_path) == expected(tree)


def test_javascript(tree, tmp_path):
    if which("node") is None:
        pytest.skip("node is not here")
    (tmp_path / "iris.mjs").write_text(miter.export(tree, "javascript"))
    (tmp_path / "main.mjs").write_text(block("js"))
    assert run("node", "main.mjs", cwd=tmp_path) == expected(tree)
