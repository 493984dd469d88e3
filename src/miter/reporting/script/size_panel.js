/** How large the tree should be: a slider along the sizes that pruning leaves. */

import { sizeChart } from "./charts.js";
import { Decider } from "./decider.js";
import { h, replace } from "./dom.js";
import { counted, percent } from "./words.js";

export function showSize(place, model, store) {
  const { contents } = model;
  const { steps } = contents.sizes;
  const isForest = contents.kind === "forest";
  const sizeOf = (step) => (isForest ? step.trees : step.splits);
  // Slides from small to large, as sizes read; trees are listed from large to small.
  const toPlace = (value) => (isForest ? value : steps.length - 1 - value);
  const slider = h("input", { type: "range", id: "size", min: 0, max: steps.length - 1, step: 1, value: toPlace(store.get().size) });
  const said = h("p", { class: "said", "aria-live": "polite" });
  const chart = h("div");
  const choose = (size) => {
    const { costs } = store.get();
    store.set({ size, decider: new Decider(model, size, costs) });
  };
  slider.addEventListener("input", () => choose(toPlace(Number(slider.value))));
  place.append(
    h("p", null, isForest ? "With fewer trees the forest is smaller, and a little less sure." : "A smaller tree is easier to read, and often as right on new rows. What is cut away first is what helps least."),
    h("label", { for: "size" }, isForest ? "Number of trees" : "Number of tests"),
    contents.runs ? slider : null,
    said,
    chart,
  );

  function build() {
    const { size, tab } = store.get();
    if (tab !== "size") return;
    const step = steps[size];
    const whole = steps[isForest ? steps.length - 1 : 0];
    slider.value = toPlace(size);
    const words = isForest ? counted(step.trees, "tree") : `${counted(step.splits, "test")}, ${counted(step.leaves, "leaf", "leaves")}`;
    slider.setAttribute("aria-valuetext", words);
    const wrong = step.wrong === null ? "" : `: ${percent(step.wrong)} of the rows are wrong`;
    const before = step === whole || step.wrong === null ? "" : ` (all ${sizeOf(whole)}: ${percent(whole.wrong)})`;
    replace(said, h("strong", null, words), `${wrong}${before}.`, step === whole ? null : [" ", h("button", { type: "button", onclick: () => choose(steps.indexOf(whole)) }, "Whole again")]);
    replace(chart, step.wrong === null ? null : [
      h("p", { class: "caption" }, "Rows that are wrong, by size"),
      sizeChart(steps, size, sizeOf, "Share of rows that are wrong, for each size", contents.runs ? choose : () => {}),
      contents.is_training ? h("p", { class: "small" }, "Counted on the rows that the tree was grown on, which flatters large trees.") : null,
    ]);
  }
  store.on(["decider", "tab"], build);
}
