"""What can be done with a page, by mouse and by keyboard, and what it cannot do."""

import numpy as np
import pandas as pd
import pytest

import miter

from .conftest import fitted, frame
from .test_every_report import serious


def test_the_tree_is_walked_by_keys(pages, open_page):
    page = open_page(pages("univariate"))
    page.locator("[role=treeitem]").first.focus()
    focused = "document.activeElement.dataset.node"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == "1"
    page.keyboard.press("ArrowDown")
    second = page.evaluate(focused)
    assert second != "1"
    page.keyboard.press("Home")
    assert page.evaluate(focused) == "0"
    assert page.locator("[role=treeitem]").count() > 3
    page.keyboard.press("ArrowLeft")
    assert page.locator("[role=treeitem]").count() == 1
    page.keyboard.press("Enter")
    assert page.locator("[role=treeitem]").count() > 3
    assert page.locator("#panel-node h3").inner_text() == "All rows"


def test_tabs_are_walked_by_keys(pages, open_page):
    page = open_page(pages("readable"))
    page.get_by_role("tab", name="Node").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#panel-row").is_visible()
    assert not page.locator("#panel-node").is_visible()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.locator("#panel-costs").is_visible()


def test_nodes_are_found_by_words(pages, open_page):
    page = open_page(pages("univariate"))
    page.get_by_role("button", name="Fold all").click()
    tree = fitted("univariate").tree_
    asked = {tree.schema.columns[int(c)].name for c in tree.columns}
    name = sorted(asked)[0]
    page.locator("#find-node").fill(f"{name} high")
    found = page.locator("#toolbar [role=status]").inner_text()
    assert found.startswith("1 of ")
    words = page.locator(".box[aria-selected=true]").inner_text()
    assert name in words
    assert "high" in words
    page.locator("#find-node").fill("no such words")
    assert page.locator("#toolbar [role=status]").inner_text() == "0 found"


def test_the_tree_opens_folds_zooms_and_turns(pages, open_page):
    page = open_page(pages("univariate"))
    n_nodes = fitted("univariate").tree_.n_nodes
    page.get_by_role("button", name="Open all").click()
    assert page.locator(".box").count() == n_nodes
    page.get_by_role("button", name="Fold all").click()
    assert page.locator(".box").count() == 1
    page.locator(".box .toggle").click()
    assert page.locator(".box").count() > 1
    width = page.locator(".box").first.bounding_box()["width"]
    page.get_by_role("button", name="Smaller").click()
    assert page.locator(".box").first.bounding_box()["width"] < width
    page.get_by_role("button", name="List").click()
    assert not page.locator(".links").is_visible()
    page.get_by_role("button", name="Rings").click()
    arcs = page.locator(".rings [role=treeitem]")
    assert arcs.count() == n_nodes
    arcs.first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.node") == "1"
    assert page.locator("#panel-node h3").inner_text() == "Node 1"


def test_branches_are_as_thick_as_their_rows_are_many(pages, open_page):
    page = open_page(pages("univariate"))
    drawn = page.locator(".links path").evaluate_all(
        "paths => paths.map((p) => [Number(p.dataset.to), Number(p.getAttribute('stroke-width'))])"
    )
    weight = fitted("univariate").tree_.counts.sum(axis=1)
    for node, width in drawn:
        assert width == pytest.approx(max(1, 18 * weight[node] / weight[0]))


def test_rules_are_searched_and_sorted(pages, open_page):
    page = open_page(pages("univariate"))
    lines = page.locator("#rules tbody tr")
    assert lines.count() == min(fitted("univariate").get_n_leaves(), 30)
    counts = page.locator("#rules tbody td:nth-child(3)").all_inner_texts()
    numbers = [float(text.replace(",", "")) for text in counts]
    assert numbers == sorted(numbers, reverse=True)
    page.get_by_role("button", name="rows").last.click()
    counts = page.locator("#rules tbody td:nth-child(3)").all_inner_texts()
    assert float(counts[0].replace(",", "")) == min(numbers)
    page.locator("#find-rule").fill("middle")
    answers = page.locator("#rules tbody td:nth-child(2)").all_inner_texts()
    assert answers
    assert all("middle" in text for text in answers)
    page.locator("#rules tbody button").first.click()
    assert page.locator("#panel-node h3").inner_text().startswith("Node")


def test_mistakes_are_looked_through(pages, open_page):
    page = open_page(pages("univariate"))
    X, y = frame(260, 2)
    wrong = np.flatnonzero(fitted("univariate").predict(X) != y)
    page.get_by_role("tab", name="A row").click()
    page.get_by_label("only mistakes").check()
    for row in wrong[:3]:
        page.get_by_role("button", name="Row after").click()
        assert page.locator("#row-number").input_value() == str(row + 1)
        assert f"It is really {y[row]}" in " ".join(
            page.locator(".wrong-line").inner_text().split()
        )


def test_the_model_is_taken_out_of_the_page(pages, open_page, tmp_path):
    page = open_page(pages("linear machine"), accept_downloads=True)
    with page.expect_download() as caught:
        page.locator("#download").click()
    path = tmp_path / caught.value.suggested_filename
    caught.value.save_as(path)
    assert path.name == "people.miter"
    X, _ = frame(100, 5)
    assert (miter.load(path).predict(X) == fitted("linear machine").predict(X)).all()


def test_a_page_can_do_nothing_else(pages, browser):
    page = browser.new_context().new_page()
    asked = []
    page.route("**/*", lambda route: (asked.append(route.request.url), route.continue_()))
    page.goto(pages("univariate").as_uri())
    page.wait_for_selector("html[data-ready]", state="attached")
    page.evaluate(
        """() => {
             const script = document.createElement("script");
             script.textContent = "globalThis.intruder = true";
             document.body.append(script);
             const image = new Image();
             image.src = "https://example.org/x.png";
             document.body.append(image);
             const frame = document.createElement("iframe");
             frame.src = "https://example.org/";
             document.body.append(frame);
             return fetch("https://example.org/").catch(() => null);
           }"""
    )
    assert page.evaluate("globalThis.intruder") is None
    assert [url for url in asked if url.startswith("http")] == []
    page.context.close()


@pytest.fixture(scope="module", params=["univariate", "linear machine", "forest"])
def hostile(request, folder, hostile_names):
    names = hostile_names
    random = np.random.default_rng(0)
    n = 240
    X = pd.DataFrame(
        {
            names[0]: random.normal(size=n),
            names[1]: random.normal(size=n).round(2),
            names[2]: random.choice(names[3:7], n),
            names[7]: random.choice(names[8:11], n),
            names[9]: random.normal(size=n),
        }
    )
    X.iloc[::7, 0] = np.nan
    score = X[names[0]].fillna(0) + X[names[1]] + (X[names[2]] == names[4])
    classes = np.array([names[0], names[2], names[4] + names[5], names[6]])
    y = pd.Series(classes[np.digitize(score, [-0.7, 0.2, 1])], name=names[6] + " target")
    kinds = {
        "univariate": miter.c45(random_state=0),
        "linear machine": miter.LinearMachineTreeClassifier(random_state=0),
        "forest": miter.BaggedTreesClassifier(n_estimators=3, random_state=0),
    }
    model = kinds[request.param].fit(X, y)
    path = folder / f"hostile {request.param}.html"
    return model, X, y, miter.report(model, X, y, path, name=names[0])


def test_hostile_names_are_texts(hostile, hostile_names, open_page, axe):
    model, X, _, path = hostile
    page = open_page(path)
    for tab in page.get_by_role("tab").all():
        tab.click()
    for button in page.locator("[data-view]").all():
        button.click()
    assert page.locator("img, iframe, main script, header script").count() == 0
    assert page.title() == f"{hostile_names[0]}: {hostile_names[6]} target"
    text = page.locator("#the-table").inner_text()
    for name in (hostile_names[0], hostile_names[2], hostile_names[9], hostile_names[10]):
        assert name in text
    assert "{{ 7*7 }}" in page.locator("#the-columns").inner_text() + text
    assert page.evaluate("document.documentElement.scrollWidth") == 1400
    rows = X.astype(object).where(X.notna(), None).to_dict("records")
    said = page.evaluate(
        """rows => {
             const { store, model } = globalThis.miter;
             return rows.map((given) => {
               const row = Object.create(null);
               given.forEach(([name, value]) => { row[name] = value; });
               return store.get().decider.answer(model.routing.read(row)).label;
             });
           }""",
        [list(row.items()) for row in rows],
    )
    assert model.classes_[said].tolist() == model.predict(X).tolist()
    assert serious(page, axe) == []


def test_trees_of_a_forest_say_how_much_they_agree_with_it(pages, open_page):
    page = open_page(pages("forest"))
    said = page.locator("#which-tree option").all_inner_texts()
    agreement, shown = page.evaluate(
        "[globalThis.miter.model.contents.agreement, globalThis.miter.model.contents.shown]"
    )
    assert said == [
        f"Tree {k + 1}, like the forest on {100 * agreement[k]:.0f}% of rows" for k in shown
    ]


def test_dates_are_typed_as_dates(folder, open_page):
    random = np.random.default_rng(0)
    days = pd.Timestamp("2020-01-01") + pd.to_timedelta(random.integers(0, 700, 200), "D")
    X = pd.DataFrame({"joined": days, "price": random.normal(20, 5, 200)})
    y = np.where(days < pd.Timestamp("2021-01-01"), "old", "new")
    with pytest.warns(miter.DataWarning):
        model = miter.c45().fit(X, y)
    page = open_page(miter.report(model, X, y, folder / "dates.html"))
    page.get_by_role("tab", name="A row").click()
    place = [column.name for column in model.schema_.columns].index("joined")
    field = page.locator(f"#cell-{place}")
    for day, answer in (("2020-06-01", "old"), ("2021-06-01", "new")):
        field.fill(day)
        assert page.locator(".answer-line strong").inner_text() == answer


def test_clusters_have_a_report_too(folder, open_page, axe):
    X, _ = frame(300, 1)
    model = miter.ICATree(random_state=0).fit(X[["age", "income", "rooms"]])
    page = open_page(miter.report(model, X[["age", "income", "rooms"]], path=folder / "c.html"))
    assert page.locator("#right-and-wrong").count() == 0
    assert page.get_by_role("tab", name="Costs").count() == 0
    page.get_by_role("tab", name="A row").click()
    number = model.predict(X[["age", "income", "rooms"]])[0]
    assert page.locator(".answer-line strong").inner_text() == f"cluster {number}"
    assert serious(page, axe) == []


def test_a_comparison_is_looked_at(compared, open_page, axe):
    page = open_page(compared)
    means = page.locator("#comparison tbody td").all_inner_texts()
    assert len(means) == 6
    page.locator("#measure").select_option(label="Nodes")
    assert page.locator("#comparison tbody td").all_inner_texts() != means
    page.locator("#reference").select_option(label="c45")
    assert "than c45" in page.locator("#comparison p").first.inner_text()
    page.get_by_role("button", name="monks-3").click()
    assert page.locator("#which-set").input_value() == "1"
    assert page.locator("#ranks svg").get_attribute("aria-label").startswith("Mean ranks")
    assert serious(page, axe) == []
    phone = open_page(compared, viewport={"width": 390, "height": 800})
    assert phone.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("kind", ["univariate", "linear machine"])
def test_it_prints_whole(kind, pages, open_page):
    page = open_page(pages(kind))
    page.emulate_media(media="print")
    assert not page.locator("#toolbar").is_visible()
    for box in page.locator(".box").all():
        assert box.evaluate("box => getComputedStyle(box).position") == "relative"
    width = page.evaluate("document.documentElement.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.pdf().startswith(b"%PDF")
