"""A real browser, and reports of every kind to open in it."""

from functools import cache
from pathlib import Path
from shutil import which

import numpy as np
import pandas as pd
import pytest

import miter
from miter.lab import Experiment, run

PROJECT = Path(__file__).resolve().parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")

KINDS = {
    "univariate": lambda: miter.c45(missing="fractions", random_state=0),
    "readable": lambda: miter.ReadableTreeClassifier(random_state=0),
    "linear machine": lambda: miter.LinearMachineTreeClassifier(random_state=0),
    "hybrid": lambda: miter.HybridTreeClassifier(random_state=0),
    "ica": lambda: miter.ICATreeClassifier(random_state=0),
    "forest": lambda: miter.LinearMachineForestClassifier(
        12, max_depth=5, oob_score=True, random_state=0
    ),
}


def frame(n_rows, seed):
    """Return rows of people with numbers and names, some of them missing, and their classes."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": random.integers(18, 80, n_rows).astype(float),
            "income": random.gamma(4, 900, n_rows).round(2),
            "rooms": random.integers(1, 7, n_rows).astype(float),
            "colour": random.choice(["red", "green", "blue", "yellow"], n_rows),
            "size": random.choice(["S", "M", "L"], n_rows),
        }
    )
    score = X.income / 1000 + X.rooms + 2 * (X.colour == "red") + random.normal(0, 0.8, n_rows)
    y = pd.Series(np.array(["low", "middle", "high"])[np.digitize(score, [6, 8.5])], name="rent")
    for place, name in enumerate(X):
        X.loc[random.random(n_rows) < 0.04 + 0.02 * place, name] = None
    X["size"] = pd.Categorical(X["size"], ["S", "M", "L"], ordered=True)
    return X, y


@cache
def fitted(kind):
    X, y = frame(400, 1)
    return KINDS[kind]().fit(X, y)


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="session")
def pages(folder):
    """Return a function from the kind of a model to the page of its report."""

    @cache
    def make(kind):
        X, y = frame(260, 2)
        path = folder / f"{kind.replace(' ', '-')}.html"
        return miter.report(fitted(kind), X, y, path, name="people.csv")

    return make


@pytest.fixture(scope="session")
def compared(folder):
    """Return the page of a comparison."""
    from miter.data import monks

    sets = {"monks-1": monks(1), "monks-3": monks(3)}
    results = run(Experiment(sets, ["id3", "c45", "DummyClassifier"]))
    return miter.report(results, path=folder / "compared.html")


@pytest.fixture(scope="session")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = next((path for name in BROWSERS if (path := which(name))), None)
    if program is None:
        pytest.skip(f"there is no browser here: none of {', '.join(BROWSERS)}")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu"]
        )
        yield opened
        opened.close()


@pytest.fixture
def open_page(browser):
    """Return a function that opens a page; at the end nothing went wrong and nothing was asked."""
    contexts, complaints = [], []

    def open_(path, **options):
        context = browser.new_context(**({"viewport": {"width": 1400, "height": 900}} | options))
        contexts.append(context)
        page = context.new_page()
        own = path.as_uri()

        def ask(route):
            if route.request.url.partition("#")[0] != own:
                complaints.append(f"asked for {route.request.url}")
            route.continue_()

        page.route("**/*", ask)
        page.on(
            "console",
            lambda said: said.type in {"error", "warning"} and complaints.append(said.text),
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
        page.goto(own)
        page.wait_for_selector("html[data-ready]", state="attached")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="session")
def axe():
    """Return the source of axe-core, which looks for what keeps people out."""
    path = PROJECT / "node_modules" / "axe-core" / "axe.min.js"
    if not path.is_file():
        pytest.skip("axe-core is not here; npm ci installs it")
    return path.read_text("utf-8")
