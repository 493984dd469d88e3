/** What mistakes cost: leaves, the matrix of answers and the mean cost move with it. */

import { countAnswers, scores } from "./confusion.js";
import { Decider, plainCosts } from "./decider.js";
import { h, name, replace } from "./dom.js";
import { counted, percent, short } from "./words.js";

/** A matrix of so many classes can still be typed in. */
const MOST_CLASSES = 30;

export function showCosts(place, model, store) {
  const { contents } = model;
  const { classes } = contents;
  const own = contents.costs ?? plainCosts(classes.length);
  let costs = own.map((row) => [...row]);
  const chosen = h("select", { id: "cost-class" }, classes.map((label, code) => h("option", { value: String(code) }, label)));
  const ratio = h("input", { id: "cost-ratio", type: "number", min: 0, step: "any", value: 1 });
  const said = h("p", { class: "said", "aria-live": "polite" });
  const cells = [];

  function apply() {
    const isOwn = costs.every((row, p) => row.every((cost, t) => cost === own[p][t]));
    const { size } = store.get();
    const used = isOwn ? null : costs;
    store.set({ costs: used, decider: new Decider(model, size, used) });
  }

  function focus() {
    const [code, factor] = [Number(chosen.value), Number(ratio.value)];
    if (!Number.isFinite(factor) || factor < 0 || ratio.value === "") return;
    costs = own.map((row, p) => row.map((cost, t) => (t === code && p !== t ? cost * factor : cost)));
    cells.forEach((row, p) => row.forEach((cell, t) => { if (cell) cell.value = costs[p][t]; }));
    apply();
  }

  function reset() {
    ratio.value = 1;
    focus();
  }
  chosen.addEventListener("change", focus);
  ratio.addEventListener("input", focus);

  place.append(
    h("p", null, contents.costs ? "The model was made for costs; here they can be changed." : "Some mistakes may be worse than others. Say so, and see what moves."),
    h("p", { class: "sentence" },
      h("label", { for: "cost-class" }, "To miss "), chosen,
      h("label", { for: "cost-ratio" }, " costs "), ratio, h("span", null, contents.costs ? " times what it did." : " times as much as another mistake.")),
    said,
    h("p", null, h("button", { type: "button", onclick: reset }, "As it was")),
    classes.length <= MOST_CLASSES ? h("details", null, h("summary", null, "Every single mistake"), matrix()) : "",
  );

  function matrix() {
    const head = h("tr", null, h("th", { scope: "col" }, "answered ↓ really →"), classes.map((label) => h("th", { scope: "col" }, name(label))));
    const lines = classes.map((answer, p) => {
      cells.push([]);
      return h("tr", null, h("th", { scope: "row" }, name(answer)), classes.map((truth, t) => {
        if (p === t && own[p][t] === 0) {
          cells[p].push(null);
          return h("td", { class: "none" }, "0");
        }
        const cell = h("input", { type: "number", min: 0, step: "any", value: own[p][t], "aria-label": `Cost of answering ${answer} where ${truth} is true` });
        cell.addEventListener("input", () => {
          const value = Number(cell.value);
          if (cell.value !== "" && Number.isFinite(value) && value >= 0) {
            costs[p][t] = value;
            apply();
          }
        });
        cells[p].push(cell);
        return h("td", null, cell);
      }));
    });
    return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Costs of single mistakes" }, h("table", { class: "cost-matrix" }, h("thead", null, head), h("tbody", null, lines)));
  }

  function build() {
    const { decider, size, tab } = store.get();
    if (tab !== "costs") return;
    const counts = countAnswers(decider);
    const now = scores(counts, costs);
    const before = decider.costs === null ? now : scores(countAnswers(new Decider(model, size, null)), costs);
    const moved = decider.isForest ? null : movedLeaves(decider);
    const about = contents.kind === "forest" && contents.rows.total > contents.rows.numbers.length ? "about " : "";
    replace(
      said,
      "A row costs ", about, h("strong", { id: "mean-cost" }, short(now.meanCost, 3)), " in the mean",
      decider.costs === null ? "" : ` (${short(before.meanCost, 3)} with the answers as they were)`,
      `; ${about}${percent(now.right / now.total)} of the rows are right.`,
      moved === null || decider.costs === null ? "" : ` ${counted(moved, "leaf answers", "leaves answer")} otherwise.`,
    );
  }

  function movedLeaves(decider) {
    const tree = model.trees[0];
    return tree.children.filter((below, node) => (below.length === 0 || decider.isLeaf(node)) && decider.isThere(node) && decider.answers[0].labels[node] !== tree.labels[node]).length;
  }

  store.on(["decider", "tab"], build);
}
