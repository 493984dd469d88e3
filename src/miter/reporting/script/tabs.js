/** Tabs beside the tree: one panel is seen at a time, arrows lead from tab to tab. */

import { byId, h } from "./dom.js";

/** Make tabs of panels: pairs of a name and a title; panels are `#panel-NAME`. */
export function showTabs(place, panels, store) {
  const tabs = new Map(panels.map(([key, title]) => [key, h("button", {
    type: "button",
    role: "tab",
    id: `tab-${key}`,
    "aria-controls": `panel-${key}`,
    onclick: () => store.set({ tab: key }),
  }, title)]));
  place.append(...tabs.values());
  const keys = [...tabs.keys()];

  place.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = keys[(keys.indexOf(store.get().tab) + step + keys.length) % keys.length];
    store.set({ tab: next });
    tabs.get(next).focus();
  });

  function choose() {
    for (const [key, tab] of tabs) {
      const isChosen = key === store.get().tab;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      byId(`panel-${key}`).hidden = !isChosen;
    }
  }
  store.on(["tab"], choose);
  choose();
}
