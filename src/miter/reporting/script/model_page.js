/** The page of a tree or a forest. */

import { patterns, setPalette } from "./colours.js";
import { coded } from "./confusion.js";
import { showConfusion } from "./confusion_view.js";
import { showCosts } from "./cost_panel.js";
import { Decider, makeModel } from "./decider.js";
import { byId, h, replace } from "./dom.js";
import { offerModel } from "./download.js";
import { openAtFirst } from "./layout.js";
import { showNode } from "./node_panel.js";
import { showRow } from "./row_panel.js";
import { showRules } from "./rules_view.js";
import { showSize } from "./size_panel.js";
import { makeStore } from "./store.js";
import { showSunburst } from "./sunburst.js";
import { showTabs } from "./tabs.js";
import { showToolbar } from "./toolbar.js";
import { shownTree, showTree } from "./tree_view.js";
import { amount } from "./words.js";

/** So many ends of branches are seen at first, on a wide screen and on a narrow one. */
const OPEN_WIDE = 14;
const OPEN_NARROW = 12;

/** Say below the tree whose way is lit. */
function sayWay({ row }, { rows }) {
  const which = row.place === null ? "your own row" : `row ${amount(rows.numbers[row.place])}`;
  replace(byId("way"), h("span", { class: "lit-mark", "aria-hidden": "true" }), ` The way of ${which}.`);
}

export function showModel(contents, routing) {
  setPalette(contents.colours);
  document.body.prepend(patterns(contents.classes.length));
  const model = makeModel(contents, routing);
  const isNarrow = window.matchMedia("(max-width: 700px)").matches;
  const size = contents.kind === "forest" ? contents.sizes.steps.length - 1 : 0;
  const [tree] = contents.shown;
  const store = makeStore({
    tree,
    size,
    node: 0,
    costs: null,
    decider: new Decider(model, size, null),
    row: { place: 0, x: coded(contents.rows.cells[0]) },
    lastPlace: 0,
    tab: "node",
    isLit: false,
    view: isNarrow ? "list" : "map",
    zoom: 1,
    open: new Set(),
  });
  const opening = () => openAtFirst(shownTree(store.get(), model).childrenOf, isNarrow ? OPEN_NARROW : OPEN_WIDE);
  store.set({ open: opening() });

  const field = byId("tree");
  const view = showTree(field, model, store);
  showSunburst(byId("rings"), model, store);
  showToolbar(byId("toolbar"), model, store, view, field);
  const hasTruth = contents.rows.truth !== null;
  const canSize = contents.sizes.steps.length > 1;
  const canCost = hasTruth && contents.classes.length > 1;
  showTabs(byId("tabs"), [["node", "Node"], ["row", "A row"], canSize && ["size", "Size"], canCost && ["costs", "Costs"]].filter(Boolean), store);
  showNode(byId("panel-node"), model, store);
  showRow(byId("panel-row"), model, store);
  if (canSize) showSize(byId("panel-size"), model, store);
  if (canCost) showCosts(byId("panel-costs"), model, store);
  if (hasTruth) showConfusion(byId("confusion"), model, store);
  if (contents.kind === "tree") showRules(byId("rules"), model, store);
  offerModel(contents);

  store.on(["tree"], () => store.set({ open: opening() }));
  store.on(["view"], ({ view: look }) => {
    byId("rings").hidden = look !== "sunburst";
    field.hidden = look === "sunburst";
  });
  // The way of a row is lit from when somebody looks at one.
  store.on(["tab", "row"], (state) => {
    if (state.tab === "row" && !state.isLit) store.set({ isLit: true });
    if (state.isLit) sayWay(state, contents);
  });
  store.on(["seen"], () => byId("side").scrollIntoView({ block: "start" }));
  return { model, store };
}
