/** All there is to say of the chosen node. */

import { effectBars, effectTable, histogram, plane, response } from "./charts.js";
import { classBar, colourOf, swatch } from "./colours.js";
import { coded } from "./confusion.js";
import { h, name, replace } from "./dom.js";
import { sumsOf } from "./reasons.js";
import { conditionsOf } from "./rules.js";
import { shownTree } from "./tree_view.js";
import { sum } from "./trees.js";
import { Visitors } from "./visitors.js";
import { amount, counted, percent, sayCell, short } from "./words.js";

const MOST_ROWS = 24;

export function showNode(place, model, store) {
  const { contents } = model;
  const { classes, columns } = contents;
  const visitors = new Map();

  function visitorsOf(tree) {
    if (!visitors.has(tree)) visitors.set(tree, new Visitors(model, tree));
    return visitors.get(tree);
  }
  (function prepare() {
    if (!visitorsOf(store.get().tree).goOn()) setTimeout(prepare, 10);
  })();

  function build() {
    const state = store.get();
    if (state.tab !== "node") return;
    const shown = shownTree(state, model);
    const node = shown.isThere(state.node) ? state.node : state.decider.stop(state.node);
    const note = shown.plain.nodes.notes?.[node];
    const isSplit = shown.childrenOf(node).length > 0;
    replace(
      place,
      h("h3", null, node === 0 ? "All rows" : `Node ${node}`),
      rule(shown, node),
      answer(shown, node),
      isSplit ? test(shown, node) : null,
      isSplit ? pictures(shown, node, state) : null,
      note ? h("p", null, "The learner noted: ", h("bdi", null, note)) : null,
      rows(visitorsOf(state.tree).at(node)),
    );
  }

  function rule(shown, node) {
    const conditions = conditionsOf(shown.questions, node);
    if (conditions.length === 0) return h("p", null, "Every row begins here.");
    return h(
      "div", { class: "rule" },
      h("p", null, "Rows come here if"),
      h("ul", null, conditions.map((words) => h("li", null, h("bdi", null, words)))),
    );
  }

  function answer(shown, node) {
    const { tree, labels } = shown;
    const label = labels[node];
    const counts = tree.counts[node];
    const total = tree.weight[node];
    const said = shown.childrenOf(node).length > 0 ? "A row that could not go on would be" : "The answer here is";
    return h(
      "div", null,
      h("p", null, `${said} `, swatch(label), " ", h("strong", null, name(classes[label])), "."),
      classTable("Training rows", counts, total),
      tree.rows ? classTable(`Rows of ${contents.rows.table || "this report"}`, tree.rows[node], sum(tree.rows[node])) : null,
    );
  }

  function classTable(title, counts, total) {
    const present = [...counts.keys()].filter((code) => counts[code] > 0).sort((a, b) => counts[b] - counts[a]);
    const lines = present.slice(0, 8).map((code) => h(
      "tr", null,
      h("th", { scope: "row" }, swatch(code), " ", name(classes[code])),
      h("td", { class: "number" }, amount(counts[code])),
      h("td", { class: "number" }, percent(counts[code] / total)),
    ));
    const more = present.length - lines.length;
    return h(
      "div", { class: "counts" },
      h("p", { class: "caption" }, `${title}: ${amount(total)}`),
      classBar(counts, `${title} by class`),
      h("table", null, h("tbody", null, lines)),
      more > 0 ? h("p", { class: "small" }, `and ${counted(more, "more class", "more classes")}`) : null,
    );
  }

  function test(shown, node) {
    const { questions } = shown;
    const branches = shown.childrenOf(node);
    const missing = questions.missing(node);
    let way = "What is not known counts as a usual value.";
    if (missing === -1) way = "A row of which this is not known goes to all branches, in parts as the training rows did.";
    else if (missing !== null) way = ["A row of which this is not known goes where ", h("bdi", null, questions.said(branches[missing])), "."];
    return h(
      "div", null,
      h("h4", null, "What it asks"),
      h("ol", { class: "branches" }, branches.map((child) => h(
        "li", null,
        h("button", { type: "button", class: "link", onclick: () => store.set({ node: child }) }, h("bdi", null, questions.said(child))),
        " ", swatch(shown.labels[child]),
      ))),
      branches.some((child) => questions.short(child)) ? h("details", null, h("summary", null, "The sums themselves"),
        h("ol", { class: "sums" }, branches.map((child) => h("li", null, h("bdi", null, questions.words(child)))))) : null,
      h("p", { class: "small" }, way),
    );
  }

  function pictures(shown, node, state) {
    const panel = shown.plain.panels[node];
    if (!panel) {
      return h("p", { class: "small" }, `Pictures are made of the ${counted(shown.plain.n_panels, "node")} that most rows come to; this is none of them.`);
    }
    const branches = shown.childrenOf(node);
    const codes = [0, 1].map((branch) => shown.labels[branches[Math.min(branch, branches.length - 1)]]);
    const sides = codes.map((code) => classes[code]);
    const drawn = [];
    if (panel.values) drawn.push(h("h4", null, "Values and classes"), valueTable(panel.values, columns[panel.column], shown, branches));
    if (panel.histogram) {
      const isColumn = panel.column !== undefined;
      const title = isColumn ? name(columns[panel.column].name) : panel.is_margin ? "How clear the decision is" : "How far rows are from the cut";
      const say = isColumn ? (value, digits) => sayCell(columns[panel.column], value, digits) : (value) => short(value, 3);
      drawn.push(
        h("h4", null, title),
        histogram(panel.histogram, say, `Rows of each class by ${isColumn ? columns[panel.column].name : "their distance from the cut"}`),
        panel.is_margin ? h("p", { class: "small" }, "The score of the best class less that of the next best: near 0 it was a close call.") : null,
      );
    }
    if (panel.plane && panel.plane.points.length > 1) {
      drawn.push(h("h4", null, "Where the classes lie"), drawPlane(panel.plane, shown, node, state), h("p", { class: "small" }, "Rows in the plane of the scores where the classes are farthest apart. Choose a point to see its row."));
    }
    if (panel.effects?.length) {
      drawn.push(h("h4", null, "What each column does"));
      const columnName = (column) => columns[column].name;
      if (panel.effects[0][2].length === 1) drawn.push(effectBars(panel.effects, columnName, sides, codes.map(colourOf)));
      else drawn.push(effectTable(panel.effects, columnName, branches.map((child) => classes[shown.labels[child]])));
      drawn.push(h("p", { class: "small" }, "How far the score moves where a column rises by one deviation of the rows here; ± for names, which do not rise."));
    }
    if (panel.response) {
      const [across, up] = panel.response.columns.map((column) => columns[column]);
      drawn.push(
        h("h4", null, "What two columns decide"),
        response(panel.response, (v) => sayCell(across, v), (v) => sayCell(up, v), `The decision over ${across.name} and ${up.name}`, codes.map(colourOf)),
        h("p", { class: "small" }, name(across.name), " to the right, ", name(up.name), " upwards, the other columns at their middle."),
      );
    }
    return h("div", { class: "pictures" }, drawn);
  }

  function valueTable(values, column, shown, branches) {
    const most = Math.max(...values.map(([, , counts]) => sum(counts)), 1);
    return h("table", { class: "values" }, h("tbody", null, values.map(([code, branch, counts]) => h(
      "tr", null,
      h("th", { scope: "row" }, name(column.values[code])),
      h("td", { class: "wide" }, h("span", { class: "sized", style: { width: `${(100 * sum(counts)) / most}%` } }, classBar(counts, "Rows by class"))),
      h("td", { class: "number" }, amount(sum(counts))),
      h("td", null, branch >= 0 && branch < branches.length ? swatch(shown.labels[branches[branch]]) : "stays"),
    ))));
  }

  function drawPlane({ centre, axes, points }, shown, node, state) {
    const { rows: { numbers, truth, answers } } = contents;
    const classOf = (row) => (truth ? truth[row] : answers[row]);
    const dots = points.map(([row, x, y]) => [row, x, y, classOf(row), `row ${numbers[row]}: ${classes[classOf(row)]}`]);
    return plane(dots, placeRow(shown.questions.test(node), { centre, axes }, state.row), "Rows in the plane of the scores", (row) => store.set({ row: { place: row, x: coded(contents.rows.cells[row]) }, tab: "row" }));
  }

  function placeRow(test, { centre, axes }, row) {
    const sums = row ? sumsOf(test, row.x) : null;
    if (!sums) return null;
    const mean = sum(sums) / sums.length;
    const [across, up] = [0, 1].map((axis) => sum(sums.map((value, k) => (value - mean - centre[k]) * axes[k][axis])));
    return [-1, across, up];
  }

  function rows(places) {
    const { rows: { numbers, truth, answers, total } } = contents;
    if (places.length === 0) return h("p", { class: "small" }, "No row of this page comes here.");
    const shownRows = places.slice(0, MOST_ROWS);
    const isSample = total > numbers.length;
    return h(
      "div", null,
      h("h4", null, `Rows that come here${isSample ? ", among those in this page" : ""}: ${amount(places.length)}`),
      h("ul", { class: "row-links" }, shownRows.map((row) => h("li", null, h("button", {
        type: "button",
        class: truth && truth[row] !== answers[row] ? "chip wrong" : "chip",
        onclick: () => store.set({ row: { place: row, x: coded(contents.rows.cells[row]) }, tab: "row" }),
      }, swatch(truth ? truth[row] : answers[row]), ` ${amount(numbers[row])}`)))),
      places.length > MOST_ROWS ? h("p", { class: "small" }, `and ${amount(places.length - MOST_ROWS)} more`) : null,
    );
  }

  store.on(["node", "tab", "tree", "decider", "row"], build);
  build();
}
