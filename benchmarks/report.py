"""How long reports take to write, how large they are, and how fast they answer in a browser.

    python benchmarks/report.py            all cases
    python benchmarks/report.py --quick    no table of a million rows
    python benchmarks/report.py --json     for machines

Cases: trees of about 60 nodes on pendigits, a table of 1,000,000 rows, a tree of 10,000 leaves, a
forest. Writing is CPU time and wall time in this process, import and fit not counted; opening is
the wall time from navigation to a page that can be used; a click is the wall time until what it
asked for has been painted, the worst of ten nodes. The browser is Debian's Chromium, driven by
Playwright; where there is none, these are left out. The sets are looked for in MITER_DATA, then in
../shared/data.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
import warnings
from pathlib import Path
from shutil import which

import numpy as np

import miter
from miter.data import Column, Data, Schema

PROJECT = Path(__file__).resolve().parents[1]
BROWSER = which("chromium") or which("google-chrome")

#: A click on a node, until the panel has been painted.
CLICK = """() => new Promise((done) => {
  const boxes = [...document.querySelectorAll('.box')].slice(0, 10);
  const times = [];
  const next = () => {
    const box = boxes.pop();
    if (!box) return done(Math.max(...times));
    const start = performance.now();
    box.click();
    requestAnimationFrame(() => setTimeout(() => {
      times.push(performance.now() - start);
      next();
    }));
  };
  next();
})"""
#: A slider of the row's panel moved, until the answer has been painted.
SLIDE = """() => new Promise((done) => {
  document.getElementById('tab-row').click();
  const slider = document.querySelector('#panel-row input[type=range]');
  if (!slider) return done(null);
  const start = performance.now();
  slider.value = slider.min;
  slider.dispatchEvent(new Event('input'));
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
})"""


def pendigits():
    folder = Path(os.environ.get("MITER_DATA", PROJECT.parent / "shared" / "data"))
    return miter.read(folder / "pendigits" / "pendigits.data")


def machine_of_60_nodes():
    data = pendigits()
    model = miter.LinearMachineTreeClassifier(random_state=0).fit(data)
    return model.pruned(miter.CutToSize(50)), data


def univariate_of_60_nodes():
    data = pendigits()
    return miter.UnivariateTreeClassifier(random_state=0).fit(data).pruned(
        miter.CutToSize(30)
    ), data


def noisy(n_rows, n_columns=12, seed=0):
    """Return rows whose three classes follow from two sums and much chance, some cells missing."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, n_columns))
    score = np.column_stack([X[:, :4].sum(axis=1), X[:, 4:8].sum(axis=1), np.zeros(n_rows)])
    y = (score + random.normal(0, 1.5, score.shape)).argmax(axis=1).astype(np.int32)
    X[:, -1] = random.integers(0, 6, n_rows)
    X[random.random(X.shape) < 0.01] = np.nan
    columns = [Column(f"column {k}", "numeric") for k in range(n_columns - 1)]
    kind = Column("kind", "symbolic", tuple("abcdef"))
    return Data(Schema((*columns, kind), ("first", "second", "third")), X, y)


def million_rows():
    data = noisy(1_000_000)
    grown = miter.c45(random_state=0, pruning=None, min_samples_leaf=20).fit(
        data.take(np.arange(100_000))
    )
    return grown, data


def ten_thousand_leaves():
    data = noisy(60_000)
    model = miter.c45(random_state=0, pruning=None, min_samples_leaf=1).fit(data)
    return model.pruned(miter.CutToSize(10_000)), data


def forest():
    data = pendigits()
    return miter.LinearMachineForestClassifier(100, random_state=0).fit(data), data


CASES = {
    "pendigits, machines, 60 nodes": machine_of_60_nodes,
    "pendigits, one column, 60 nodes": univariate_of_60_nodes,
    "10,000 leaves": ten_thousand_leaves,
    "pendigits, forest of 100": forest,
    "1,000,000 rows": million_rows,
}


def measure(name, folder):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model, data = CASES[name]()
    path = Path(folder, "page.html")
    cpu, wall = time.process_time(), time.perf_counter()
    miter.report(model, data, path=path)
    return {
        "case": name,
        "nodes": sum(tree.n_nodes for tree in model.trees_),
        "rows": data.n_rows,
        "cpu_seconds": round(time.process_time() - cpu, 2),
        "seconds": round(time.perf_counter() - wall, 2),
        "megabytes": round(path.stat().st_size / 1e6, 2),
        **(look(path) if BROWSER else {}),
    }


def look(path):
    """Open a page and use it; times in milliseconds."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]", state="attached")
        opened = page.evaluate("performance.getEntriesByName('ready')[0].startTime")
        times = {"open_ms": opened, "click_ms": page.evaluate(CLICK)}
        times["slide_ms"] = page.evaluate(SLIDE)
        browser.close()
    return {key: None if value is None else round(value) for key, value in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="no table of a million rows")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    names = [name for name in CASES if not (given.quick and "1,000,000" in name)]
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            results.append(measure(name, folder))
            if not given.json:
                print(*(f"{key} {value}" for key, value in results[-1].items()), sep=", ")
    if given.json:
        print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
