/** The tree as rings: every node an arc as wide as its rows are many. */

import { fillOf } from "./colours.js";
import { replace, s } from "./dom.js";
import { arcPath, placeArcs, visibleNodes } from "./layout.js";
import { afterKey } from "./navigation.js";
import { nodesOfRow, sayNode, shownTree } from "./tree_view.js";

const RADIUS = 300;
/** Arcs of fewer rows than this share would not be seen. */
const LEAST = 0.001;

export function showSunburst(place, model, store) {
  const rings = s("svg", {
    viewBox: `${-RADIUS - 4} ${-RADIUS - 4} ${2 * RADIUS + 8} ${2 * RADIUS + 8}`,
    role: "tree",
    "aria-label": "The tree as rings",
    class: "rings",
  });
  place.append(rings);
  let arcs = new Map();
  let shown = null;

  function build() {
    const state = store.get();
    if (state.view !== "sunburst") return;
    shown = shownTree(state, model);
    const { tree, labels } = shown;
    const purity = (node) => tree.counts[node][labels[node]] / (tree.weight[node] || 1);
    const placed = placeArcs(shown.childrenOf, (node) => tree.weight[node], LEAST);
    arcs = new Map(placed.map((one) => [one.node, s("path", {
      d: arcPath(one, RADIUS),
      role: "treeitem",
      "data-node": one.node,
      "aria-level": one.depth + 1,
      "aria-label": sayNode(shown, model.contents.classes, one.node),
      tabindex: -1,
      fill: fillOf(labels[one.node]),
      "fill-opacity": 0.25 + 0.75 * purity(one.node) ** 2,
    }, s("title", null, sayNode(shown, model.contents.classes, one.node)))]));
    replace(rings, [...arcs.values()]);
    select();
    light();
  }

  function select() {
    const { node } = store.get();
    const chosen = arcs.has(node) ? node : 0;
    for (const [one, arc] of arcs) {
      arc.setAttribute("aria-selected", String(one === chosen));
      arc.setAttribute("tabindex", one === chosen ? 0 : -1);
    }
    if (arcs.has(chosen)) rings.append(arcs.get(chosen));
  }

  function light() {
    const shares = nodesOfRow(store.get(), model);
    for (const [node, arc] of arcs) arc.classList.toggle("lit", shares.has(node));
  }

  rings.addEventListener("click", (event) => {
    const arc = event.target.closest("[data-node]");
    if (arc) store.set({ node: Number(arc.dataset.node), tab: "node" });
  });
  rings.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !shown) return;
    // Everything is open here.
    const open = new Set([...arcs.keys()].filter((node) => shown.childrenOf(node).some((child) => arcs.has(child))));
    const visible = visibleNodes(shown.childrenOf, open).filter((node) => arcs.has(node));
    const step = afterKey(event.key === "ArrowLeft" ? "Up a level" : event.key, store.get().node, visible, { ...shown, open });
    const node = step ? step.node : event.key === "ArrowLeft" ? Math.max(shown.parent[store.get().node], 0) : null;
    if (node === null) return;
    event.preventDefault();
    store.set({ node, tab: "node" });
    arcs.get(node)?.focus();
  });

  store.on(["view", "tree", "decider"], build);
  store.on(["node"], () => arcs.size > 0 && select());
  store.on(["row", "isLit"], light);
}
