/** Right and wrong: a matrix whose cells list their rows. */

import { swatch } from "./colours.js";
import { answerRows, coded, countAnswers, scores } from "./confusion.js";
import { h, name, replace } from "./dom.js";
import { plainCosts } from "./decider.js";
import { amount, percent, sayCell } from "./words.js";

const MOST_ROWS = 60;
const MOST_COLUMNS = 6;

export function showConfusion(place, model, store) {
  const { contents } = model;
  const { classes, columns, rows } = contents;
  const table = h("div");
  const listed = h("div", { "aria-live": "polite" });
  place.append(table, listed);
  const isSample = rows.total > rows.numbers.length;
  let cell = null;

  function build() {
    const { decider } = store.get();
    const matrix = countAnswers(decider);
    const { right, total } = scores(matrix, plainCosts(classes.length));
    const isAbout = contents.kind === "forest" && isSample && (decider.costs !== null || decider.nTrees < contents.n_trees);
    const sizes = matrix.map((row) => row.reduce((a, b) => a + b, 0));
    const head = h("tr", null,
      h("td", { class: "corner" }, "really ↓ answered →"),
      classes.map((label) => h("th", { scope: "col" }, h("span", { class: "turned" }, name(label)))),
      h("th", { scope: "col" }, "found"));
    const lines = classes.map((truth, t) => h(
      "tr", null,
      h("th", { scope: "row" }, swatch(t), " ", name(truth)),
      classes.map((answer, a) => cellOf(matrix[t][a], sizes[t], t, a)),
      h("td", { class: "number share" }, sizes[t] > 0 ? percent(matrix[t][t] / sizes[t], 0) : ""),
    ));
    const last = h("tr", null, h("th", { scope: "row" }, "right"), classes.map((_, a) => {
      const all = matrix.reduce((sum, row) => sum + row[a], 0);
      return h("td", { class: "number share" }, all > 0 ? percent(matrix[a][a] / all, 0) : "");
    }), h("td", { class: "number share" }, percent(right / total, 0)));
    const leftOut = contents.endings?.left_out ?? 0;
    replace(
      table,
      h("p", null, isAbout ? "About " : "", h("strong", { id: "accuracy" }, percent(right / total)), ` of ${amount(total)} rows are right${standing(decider)}. Choose a number to see its rows.`,
        leftOut > 0 ? ` ${amount(leftOut)} rows with missing values are not counted here: they end in too many different ways.` : "",
        isAbout ? " It is reckoned from the rows in this page." : ""),
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Rows by true class and answer" },
        h("table", { class: classes.length > 5 ? "confusion many" : "confusion" }, h("thead", null, head), h("tbody", null, lines, last))),
      h("p", { class: "small" }, "Found: how much of a class gets its name. Right: how much of what gets a name is of that class."),
    );
    list();
  }

  function standing(decider) {
    const said = [];
    if (decider.isCut) said.push("cut back");
    if (decider.isForest && decider.nTrees < contents.n_trees) said.push(`with ${decider.nTrees} trees`);
    if (decider.costs !== null) said.push("for the costs given");
    return said.length > 0 ? ` (${said.join(", ")})` : "";
  }

  function cellOf(count, size, truth, answer) {
    const share = size > 0 ? count / size : 0;
    const kind = truth === answer ? "right" : "wrong";
    const style = { "--strength": `${Math.round(8 + 62 * Math.sqrt(share))}%` };
    if (count === 0) return h("td", { class: "none" }, "·");
    return h("td", { class: kind, style }, h("button", {
      type: "button",
      "aria-label": `${amount(count)} rows of ${classes[truth]} answered ${classes[answer]}`,
      "aria-pressed": String(cell !== null && cell[0] === truth && cell[1] === answer),
      onclick: () => {
        cell = [truth, answer];
        build();
      },
    }, amount(Math.round(count))));
  }

  function list() {
    if (cell === null) return replace(listed);
    const [truth, answer] = cell;
    const answers = answerRows(store.get().decider);
    const found = answers.map((_, row) => row).filter((row) => rows.truth[row] === truth && answers[row] === answer);
    const names = [...columns.keys()].filter((k) => columns[k].used).sort((a, b) => columns[b].importance - columns[a].importance).slice(0, MOST_COLUMNS);
    const lines = found.slice(0, MOST_ROWS).map((row) => h(
      "tr", null,
      h("th", { scope: "row" }, h("button", { type: "button", class: "link", onclick: () => store.set({ row: { place: row, x: coded(rows.cells[row]) }, tab: "row", seen: "row" }) }, `row ${amount(rows.numbers[row])}`)),
      names.map((k) => h("td", null, h("bdi", null, sayCell(columns[k], rows.cells[row][k])))),
    ));
    return replace(
      listed,
      h("h4", null, "Really ", name(classes[truth]), ", answered ", name(classes[answer]), `: ${amount(found.length)} ${isSample ? "of the rows in this page" : "rows"}`),
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Rows of the chosen cell" },
        h("table", { class: "listing" },
          h("thead", null, h("tr", null, h("td"), names.map((k) => h("th", { scope: "col" }, name(columns[k].name))))),
          h("tbody", null, lines))),
      found.length > MOST_ROWS ? h("p", { class: "small" }, `and ${amount(found.length - MOST_ROWS)} more`) : null,
    );
  }

  store.on(["decider"], build);
  build();
}
