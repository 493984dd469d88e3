/** What can be done with the picture of the tree: find, fold, zoom, look at it otherwise. */

import { h } from "./dom.js";
import { findNodes } from "./search.js";
import { shownTree } from "./tree_view.js";
import { pathTo } from "./trees.js";
import { percent } from "./words.js";

/** So many nodes are opened at once. */
const MOST_OPEN = 1500;
const ZOOMS = [0.4, 0.5, 0.65, 0.8, 1, 1.25, 1.6];

export function showToolbar(place, model, store, view, field) {
  const { contents } = model;
  const find = h("input", { type: "search", id: "find-node", placeholder: "a column, a value, an answer" });
  const said = h("span", { class: "small", role: "status" });
  let found = [];
  let at = -1;

  function go(step) {
    if (found.length === 0) return;
    at = (at + step + found.length) % found.length;
    const node = found[at];
    const open = new Set(store.get().open);
    pathTo(model.trees[store.get().tree], node).slice(0, -1).forEach((one) => open.add(one));
    store.set({ open, node, tab: "node" });
    said.textContent = `${at + 1} of ${found.length}`;
    view.reveal(node);
  }

  function search() {
    const shown = shownTree(store.get(), model);
    found = findNodes(find.value, shown.questions, shown.labels, contents.classes, shown.isThere);
    at = -1;
    said.textContent = find.value.trim() === "" ? "" : `${found.length} found`;
    go(1);
  }
  find.addEventListener("input", search);
  find.addEventListener("keydown", (event) => {
    if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
  });

  function openAll() {
    const { childrenOf } = shownTree(store.get(), model);
    const open = new Set();
    const left = [0];
    let seen = 1;
    for (let k = 0; k < left.length; k += 1) {
      const below = childrenOf(left[k]);
      if (below.length > 0) {
        if (seen + below.length > MOST_OPEN) {
          said.textContent = `The first ${seen} nodes are open; open others one by one.`;
          break;
        }
        open.add(left[k]);
        seen += below.length;
        left.push(...below);
      }
    }
    store.set({ open });
  }

  function zoomBy(step) {
    const { zoom } = store.get();
    const nearest = ZOOMS.reduce((best, one, k) => (Math.abs(one - zoom) < Math.abs(ZOOMS[best] - zoom) ? k : best), 0);
    store.set({ zoom: ZOOMS[Math.min(Math.max(nearest + step, 0), ZOOMS.length - 1)] });
  }

  function fit() {
    const { width, height } = view.extent();
    const wished = Math.min(field.clientWidth / width, Math.max(field.clientHeight, 420) / height, 1);
    store.set({ zoom: Math.max(wished * 0.98, 0.25) });
  }

  field.addEventListener("wheel", (event) => {
    if (!event.ctrlKey || store.get().view !== "map") return;
    event.preventDefault();
    zoomBy(event.deltaY < 0 ? 1 : -1);
  }, { passive: false });
  drag(field);

  const button = (title, text, onclick) => h("button", { type: "button", title, "aria-label": title, onclick }, text);
  const looks = [["map", "Map"], ["list", "List"], ["sunburst", "Rings"]].map(([key, title]) => h("button", {
    type: "button", "data-view": key, onclick: () => store.set({ view: key }),
  }, title));
  const zooms = h("span", { class: "group", role: "group", "aria-label": "Zoom" }, button("Smaller", "−", () => zoomBy(-1)), button("Larger", "+", () => zoomBy(1)), button("Fit into the window", "fit", fit));
  place.append(
    chooseTree(model, store) ?? "",
    h("span", { class: "group" }, h("label", { for: "find-node" }, "Find"), find, button("One before", "◀", () => go(-1)), button("Next one", "▶", () => go(1)), said),
    h("span", { class: "group", role: "group", "aria-label": "How the tree is drawn" }, looks),
    h("span", { class: "group" }, h("button", { type: "button", onclick: openAll }, "Open all"), h("button", { type: "button", onclick: () => store.set({ open: new Set(), node: 0 }) }, "Fold all")),
    zooms,
  );

  function mark() {
    looks.forEach((look) => look.setAttribute("aria-pressed", String(look.dataset.view === store.get().view)));
    zooms.hidden = store.get().view !== "map";
  }
  store.on(["view"], mark);
  mark();
  return { fit };
}

/** Of a forest: which of its trees is seen. */
function chooseTree(model, store) {
  const { contents } = model;
  if (contents.shown.length < 2) return null;
  const options = contents.shown.map((k) => h("option", { value: String(k) }, `${contents.trees[k].name}, like the forest on ${percent(contents.agreement[k], 0)} of rows`));
  const select = h("select", { id: "which-tree" }, options);
  select.addEventListener("change", () => store.set({ tree: Number(select.value), node: 0 }));
  return h("span", { class: "group" }, h("label", { for: "which-tree" }, "Seen is"), select);
}

/** Move the map by dragging its ground. */
function drag(field) {
  let from = null;
  field.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button !== 0 || event.target.closest(".box, .rings")) return;
    from = { x: event.clientX, y: event.clientY, left: field.scrollLeft, top: field.scrollTop };
    field.setPointerCapture(event.pointerId);
  });
  field.addEventListener("pointermove", (event) => {
    if (!from) return;
    field.scrollLeft = from.left - (event.clientX - from.x);
    field.scrollTop = from.top - (event.clientY - from.y);
  });
  field.addEventListener("pointerup", () => { from = null; });
}
