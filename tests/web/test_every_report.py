"""Every kind of report in a real browser: what it says is what the model answers."""

import numpy as np
import pandas as pd
import pytest

import miter
from miter.lab.estimates.evaluation import labelled_rows

from .conftest import KINDS, fitted, frame

TREES = [kind for kind in KINDS if kind != "forest"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_thousand_rows_get_the_answers_of_the_model(kind, pages, open_page):
    X, _ = frame(1000, 3)
    X.loc[::9, "colour"] = "never seen"
    with pytest.warns(miter.DataWarning):
        answers, shares = fitted(kind).predict(X), fitted(kind).predict_proba(X)
    rows = X.astype(object).where(X.notna(), None).to_dict("records")
    page = open_page(pages(kind))
    said = page.evaluate(
        """rows => {
             const { store, model } = globalThis.miter;
             const { decider } = store.get();
             const given = rows.map((row) => decider.answer(model.routing.read(row)));
             return {
               labels: given.map(({ label }) => model.contents.classes[label]),
               shares: given.map(({ shares }) => [...shares]),
             };
           }""",
        rows,
    )
    assert said["labels"] == answers.tolist()
    assert np.abs(np.array(said["shares"]) - shares).max() < 1e-12


@pytest.mark.parametrize("kind", KINDS)
def test_a_click_on_a_node_shows_it(kind, pages, open_page):
    page = open_page(pages(kind))
    box = page.locator("[role=treeitem]").nth(1)
    node = int(box.get_attribute("data-node"))
    box.click()
    shown = page.evaluate("globalThis.miter.store.get().tree")
    tree = fitted(kind).trees_[shown]
    panel = page.locator("#panel-node")
    assert panel.locator("h3").inner_text() == f"Node {node}"
    total = tree.counts[node].sum()
    assert f"Training rows: {total:,.1f}".removesuffix(".0") in panel.inner_text()
    assert tree.schema.classes[tree.labels[node]] in panel.inner_text()
    assert box.get_attribute("aria-selected") == "true"


@pytest.mark.parametrize("kind", KINDS)
def test_a_typed_row_gets_its_answer_and_lights_its_way(kind, pages, open_page):
    page = open_page(pages(kind))
    page.get_by_role("tab", name="A row").click()
    typed = {"age": 44.0, "income": 5210.5, "rooms": 5.0, "colour": "red", "size": "M"}
    for name in ("age", "income", "rooms"):
        _field(page, name).fill(str(typed[name]))
    for name in ("colour", "size"):
        _field(page, name).select_option(label=typed[name])
    row = pd.DataFrame([typed])
    answer = fitted(kind).predict(row)[0]
    assert page.locator(".answer-line strong").inner_text() == answer
    share = fitted(kind).predict_proba(row).max()
    assert page.locator(".answer-line .chance").inner_text().strip() == f"{share:.1%}"
    shown = page.evaluate("globalThis.miter.store.get().tree")
    tree = fitted(kind).trees_[shown]
    coded = labelled_rows(fitted(kind), row, needed=False).X
    _, nodes = tree.paths(coded)
    lit = page.locator(".box.lit").evaluate_all("boxes => boxes.map(b => Number(b.dataset.node))")
    assert sorted(lit) == sorted(nodes.tolist())


def _field(page, name):
    place = page.evaluate(
        "name => globalThis.miter.model.contents.columns.findIndex((one) => one.name === name)",
        name,
    )
    field = page.locator(f"#cell-{place}")
    # A column that is never asked for is behind a button.
    if not field.is_visible():
        page.locator("#panel-row details summary").last.click()
    return field


@pytest.mark.parametrize("kind", KINDS)
def test_a_slider_answers_at_once(kind, pages, open_page):
    page = open_page(pages(kind))
    page.get_by_role("tab", name="A row").click()
    X, _ = frame(260, 2)
    for income in (1000, 4000, 9000):
        slider = page.get_by_label("income, slider")
        slider.evaluate(
            """(slider, value) => {
                 slider.value = value;
                 slider.dispatchEvent(new Event("input"));
               }""",
            income,
        )
        row = X.iloc[[0]].assign(income=float(slider.input_value()))
        assert page.locator(".answer-line strong").inner_text() == fitted(kind).predict(row)[0]


@pytest.mark.parametrize("kind", KINDS)
def test_costs_move_answers_and_the_mean_cost(kind, pages, open_page):
    page = open_page(pages(kind))
    page.get_by_role("tab", name="Costs").click()
    page.locator("#cost-class").select_option(label="high")
    page.locator("#cost-ratio").fill("8")
    X, y = frame(260, 2)
    model = fitted(kind)
    data = labelled_rows(model, X, y)
    costs = 1.0 - np.eye(3)
    costs[:, list(model.classes_).index("high")] *= 8
    codes = model.predict_codes(data.X, costs)
    mean = costs[codes, data.labels].mean()
    assert float(page.locator("#mean-cost").inner_text()) == pytest.approx(mean, rel=5e-3)
    assert page.locator("#accuracy").inner_text() == f"{np.mean(codes == data.labels):.1%}"
    if kind != "forest":
        labels = model.tree_.answering_for(costs).labels
        assert page.evaluate("globalThis.miter.store.get().decider.answers[0].labels") == (
            labels.tolist()
        )


@pytest.mark.parametrize("kind", KINDS)
def test_a_smaller_model_is_what_pruning_leaves(kind, pages, open_page):
    page = open_page(pages(kind))
    page.get_by_role("tab", name="Size").click()
    slider = page.locator("#size")
    slider.evaluate(
        "slider => { slider.value = slider.min; slider.dispatchEvent(new Event('input')); }"
    )
    X, y = frame(260, 2)
    model = fitted(kind)
    data = labelled_rows(model, X, y)
    if kind == "forest":
        said = page.locator("#panel-size .said").inner_text()
        assert said.startswith("1 tree")
        codes = model.trees_[0].predict_proba(data.X).argmax(axis=1)
    else:
        assert page.locator("[role=treeitem]").count() == 1
        codes = np.full(data.n_rows, model.tree_.labels[0])
    assert page.locator("#accuracy").inner_text() == f"{np.mean(codes == data.labels):.1%}"
    page.get_by_role("button", name="Whole again").click()
    whole = model.predict_codes(data.X)
    assert page.locator("#accuracy").inner_text() == f"{np.mean(whole == data.labels):.1%}"


@pytest.mark.parametrize("kind", TREES)
def test_what_would_change_the_answer_changes_it(kind, pages, open_page):
    page = open_page(pages(kind))
    page.get_by_role("tab", name="A row").click()
    before = page.locator(".answer-line strong").inner_text()
    changed = page.locator(".change")
    assert changed.is_visible()
    page.get_by_role("button", name="Try it").click()
    after = page.locator(".answer-line strong").inner_text()
    assert after != before


@pytest.mark.parametrize("kind", KINDS)
def test_cells_of_the_matrix_list_their_rows(kind, pages, open_page):
    page = open_page(pages(kind))
    X, y = frame(260, 2)
    codes = fitted(kind).predict(X)
    truth, answer = "middle", "middle"
    wanted = np.flatnonzero((y == truth) & (codes == answer))
    page.get_by_role("button", name=f"{len(wanted)} rows of {truth} answered {answer}").click()
    listed = page.locator(".listing tbody th").all_inner_texts()
    assert listed == [f"row {row + 1}" for row in wanted[:60]]
    page.locator(".listing tbody th button").first.click()
    assert page.locator("#row-number").input_value() == str(wanted[0] + 1)
    assert "That is right" in page.locator("#panel-row").inner_text()


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_serious_keeps_people_out(kind, pages, open_page, axe):
    page = open_page(pages(kind))
    for tab in page.get_by_role("tab").all():
        tab.click()
        assert serious(page, axe) == []
    for options in ({"color_scheme": "dark"}, {"viewport": {"width": 390, "height": 800}}):
        assert serious(open_page(pages(kind), **options), axe) == []


def serious(page, axe):
    """Return what axe-core finds that is serious or worse."""
    page.evaluate(axe)
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    return [
        (one["id"], one["impact"], [node["html"][:200] for node in one["nodes"][:3]])
        for one in found["violations"]
        if one["impact"] in {"serious", "critical"}
    ]


@pytest.mark.parametrize("kind", ["univariate", "forest"])
def test_on_a_phone_nothing_is_wider_than_the_screen(kind, pages, open_page):
    page = open_page(pages(kind), viewport={"width": 390, "height": 800})
    for tab in page.get_by_role("tab").all():
        tab.click()
        assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("kind", TREES)
def test_boxes_do_not_overlap(kind, pages, open_page):
    page = open_page(pages(kind))
    page.get_by_role("button", name="Open all").click()
    boxes = page.locator(".box").evaluate_all(
        """boxes => boxes.map((box) => {
             const { left, right, top, bottom } = box.getBoundingClientRect();
             return [left, right, top, bottom, box.scrollWidth > box.clientWidth + 1];
           })"""
    )
    assert not any(box[4] for box in boxes)
    for place, one in enumerate(boxes):
        for other in boxes[place + 1 :]:
            is_beside = one[1] <= other[0] or other[1] <= one[0]
            assert is_beside or one[3] <= other[2] or other[3] <= one[2]
