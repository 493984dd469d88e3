/** The tree as boxes: from left to right, or as a list, which is also how it prints. */

import { classBar, swatch } from "./colours.js";
import { h, name, replace, s } from "./dom.js";
import { linkPath, placeBoxes, visibleNodes } from "./layout.js";
import { afterKey } from "./navigation.js";
import { pathTo } from "./trees.js";
import { amount, counted } from "./words.js";

const BOX = { width: 216, between: 74, gap: 10 };
const THICKEST = 18;

/** What the pictures of a tree have in common: which nodes there are, who is below whom. */
export function shownTree(state, model) {
  const { decider } = state;
  const tree = model.trees[state.tree];
  const isOne = !decider.isForest;
  const isCut = (node) => isOne && decider.isLeaf(node);
  return {
    tree,
    plain: model.contents.trees[state.tree],
    questions: model.questions[state.tree],
    parent: tree.parent,
    labels: decider.answers[state.tree].labels,
    childrenOf: (node) => (isCut(node) ? [] : tree.children[node]),
    isThere: (node) => !isOne || decider.isThere(node),
  };
}

/** The nodes that the row goes through, each with the part of it that comes there. */
export function nodesOfRow(state, model) {
  const shares = new Map();
  if (!state.isLit) return shares;
  const tree = model.trees[state.tree];
  for (const [node, share] of state.decider.ends(state.row.x, state.tree)) {
    for (const one of pathTo(tree, node)) shares.set(one, (shares.get(one) ?? 0) + share);
  }
  return shares;
}

/** A sentence for those who hear the tree. */
export function sayNode(shown, classes, node) {
  const { questions, tree, labels } = shown;
  const words = node === 0 ? "All rows" : questions.said(node);
  const asks = shown.childrenOf(node).length > 0 ? `, asks about ${questions.asks(node)}` : "";
  return `${words}: ${classes[labels[node]]}, ${counted(tree.weight[node], "training row")}${asks}`;
}

export function showTree(place, model, store) {
  const { contents } = model;
  const links = s("svg", { class: "links", "aria-hidden": "true" });
  const boxes = h("div", { role: "tree", "aria-label": "The tree" });
  const field = h("div", { class: "field" }, links, boxes);
  place.append(field);
  let cards = new Map();
  let shown = null;
  let visible = [];
  let isPlaced = false;
  let lit = new Map();
  /** What the reader folded although a row goes through it. */
  const folded = new Set();

  /** What is open: what the reader opened, and the way of the row. */
  function openNow() {
    const open = new Set(store.get().open);
    for (const node of lit.keys()) if (!folded.has(node)) open.add(node);
    return open;
  }

  function card(node, open) {
    const { plain, questions, tree, labels, childrenOf } = shown;
    const below = childrenOf(node);
    const isSplit = below.length > 0;
    const words = node === 0 ? "All rows" : questions.short(node) || questions.words(node);
    const asks = isSplit && (node === 0 || !open.has(node) || questions.short(below[0]) !== "");
    const goesOn = plain.goes_on.includes(node);
    const siblings = node === 0 ? [0] : childrenOf(tree.parent[node]);
    return h(
      "div",
      {
        role: "treeitem",
        class: `box${isSplit ? " split" : " leaf"}`,
        "data-node": node,
        "aria-level": tree.depth[node] + 1,
        "aria-posinset": siblings.indexOf(node) + 1,
        "aria-setsize": siblings.length,
        "aria-expanded": isSplit ? String(open.has(node)) : null,
        tabindex: -1,
        style: { "--level": tree.depth[node] },
      },
      h("div", { class: "words", title: questions.words(node) || null }, h("bdi", null, words)),
      h("div", { class: "answer" }, swatch(labels[node]), name(contents.classes[labels[node]]), h("span", { class: "rows" }, amount(tree.weight[node]), h("span", { class: "unseen" }, " training rows"))),
      classBar(tree.counts[node]),
      goesOn ? h("div", { class: "asks" }, "The tree goes on here; this page does not hold the rest.") : null,
      asks ? h("div", { class: "asks" }, "asks ", h("bdi", null, questions.asks(node))) : null,
      isSplit ? h("span", { class: "toggle", "data-toggle": node, "aria-hidden": "true" }, open.has(node) ? "–" : "+") : null,
    );
  }

  function build() {
    const state = store.get();
    const hadFocus = boxes.contains(document.activeElement);
    shown = shownTree(state, model);
    lit = nodesOfRow(state, model);
    const open = openNow();
    visible = visibleNodes(shown.childrenOf, open);
    cards = new Map(visible.map((node) => [node, card(node, open)]));
    replace(boxes, [...cards.values()]);
    arrange();
    select(hadFocus);
    light();
  }

  /** Put boxes where they belong; in a list they are where they stand. */
  function arrange() {
    const { view, zoom } = store.get();
    place.className = `tree ${view}`;
    if (view !== "map") return;
    const heights = new Map(visible.map((node) => [node, cards.get(node).offsetHeight]));
    const { places, width, height } = placeBoxes(visible, shown.childrenOf, heights, BOX);
    for (const node of visible) {
      const { left, middle } = places.get(node);
      cards.get(node).style.left = `${left}px`;
      cards.get(node).style.top = `${middle - heights.get(node) / 2}px`;
    }
    drawLinks(places);
    links.setAttribute("width", width);
    links.setAttribute("height", height);
    boxes.style.width = `${width}px`;
    boxes.style.height = `${height}px`;
    field.style.setProperty("--zoom", zoom);
    field.style.width = `${width * zoom}px`;
    field.style.height = `${height * zoom}px`;
    if (!isPlaced) {
      // What is opened first shows its root.
      place.scrollTop = places.get(0).middle * zoom - place.clientHeight / 2;
      isPlaced = true;
    }
  }

  function drawLinks(places) {
    const { tree } = shown;
    const paths = visible.filter((node) => node > 0).map((node) => s("path", {
      d: linkPath(places.get(tree.parent[node]), places.get(node), BOX.width),
      "data-to": node,
      "stroke-width": Math.max(1, (THICKEST * tree.weight[node]) / (tree.weight[0] || 1)),
    }));
    replace(links, paths);
  }

  function select(takesFocus = false) {
    const { node } = store.get();
    const chosen = cards.has(node) ? node : 0;
    for (const [one, box] of cards) {
      box.setAttribute("aria-selected", String(one === chosen));
      box.tabIndex = one === chosen ? 0 : -1;
    }
    if (takesFocus) cards.get(chosen).focus();
  }

  function light() {
    for (const [node, box] of cards) box.classList.toggle("lit", lit.has(node));
    for (const path of links.children) path.classList.toggle("lit", lit.has(Number(path.dataset.to)));
  }

  /** The way of another row: the boxes stay where they are unless it leads through others. */
  function follow() {
    const before = [...openNow()];
    folded.clear();
    lit = nodesOfRow(store.get(), model);
    const now = openNow();
    if (before.length !== now.size || before.some((node) => !now.has(node))) build();
    else light();
  }

  function toggle(node) {
    const open = new Set(store.get().open);
    if (openNow().has(node)) {
      open.delete(node);
      folded.add(node);
    } else {
      open.add(node);
      folded.delete(node);
    }
    store.set({ open });
  }

  boxes.addEventListener("click", (event) => {
    const box = event.target.closest("[data-node]");
    if (!box) return;
    const node = Number(box.dataset.node);
    if (event.target.closest("[data-toggle]")) toggle(node);
    store.set({ node, tab: "node" });
  });
  boxes.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { node } = store.get();
    const step = afterKey(event.key, node, visible, { ...shown, open: openNow() });
    if (!step) return;
    event.preventDefault();
    if ("opens" in step) toggle(step.opens);
    if ("closes" in step) toggle(step.closes);
    store.set({ node: step.node, tab: "node" });
    cards.get(step.node)?.focus();
  });

  store.on(["open", "tree", "decider"], build);
  store.on(["view", "zoom"], arrange);
  store.on(["node"], () => select());
  store.on(["row", "isLit"], follow);
  build();
  return {
    /** Bring a node into sight. */
    reveal(node) {
      cards.get(node)?.scrollIntoView({ block: "center", inline: "center" });
    },
    /** The place that all boxes take at full size. */
    extent: () => ({ width: boxes.offsetWidth, height: boxes.offsetHeight }),
  };
}
