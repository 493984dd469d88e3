/** The tree as rules, to be searched and sorted. */

import { swatch } from "./colours.js";
import { h, name, replace } from "./dom.js";
import { rulesOf } from "./rules.js";
import { amount, counted, percent } from "./words.js";

const FIRST = 30;
/** Of a tree with more nodes rules are not said at once. */
const MANY = 2000;

/** Rules in the order of a column; without one, as the tree has them. */
export function sortRules(rules, by, isDown, classes) {
  const key = {
    rule: (rule) => rule.conditions.length,
    answer: (rule) => classes[rule.label],
    rows: (rule) => rule.rows,
    right: (rule) => rule.right ?? -1,
  }[by];
  if (!key) return rules;
  const sign = isDown ? -1 : 1;
  return [...rules].sort((a, b) => sign * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

/** Rules that hold all words of a text. */
export function filterRules(rules, text, classes) {
  const wanted = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return rules.filter((rule) => {
    const said = `${rule.conditions.join(" ")} ${classes[rule.label]}`.toLowerCase();
    return wanted.every((word) => said.includes(word));
  });
}

export function showRules(place, model, store) {
  const { contents } = model;
  const { classes } = contents;
  const find = h("input", { type: "search", id: "find-rule", placeholder: "words of a rule, or an answer" });
  const said = h("p", { class: "small", role: "status" });
  const table = h("div");
  let sorted = { by: "rows", isDown: true };
  let most = FIRST;
  place.append(h("p", null, h("label", { for: "find-rule" }, "Find "), find), said, table);
  find.addEventListener("input", () => build());

  function header(by, title, isNumber) {
    const isOwn = sorted.by === by;
    return h("th", { scope: "col", class: isNumber ? "number" : null, "aria-sort": isOwn ? (sorted.isDown ? "descending" : "ascending") : "none" },
      h("button", {
        type: "button",
        class: "sort",
        onclick: () => {
          sorted = { by, isDown: isOwn ? !sorted.isDown : isNumber };
          build();
        },
      }, title, h("span", { "aria-hidden": "true" }, isOwn ? (sorted.isDown ? " ▾" : " ▴") : "")));
  }

  function line(rule) {
    const conditions = rule.conditions.length === 0 ? ["always"] : rule.conditions;
    return h(
      "tr", null,
      h("td", null, h("button", { type: "button", class: "link rule-words", onclick: () => store.set({ node: rule.node, tab: "node", seen: "node" }) },
        conditions.map((words, k) => [k > 0 ? h("span", { class: "and" }, " and ") : null, h("bdi", null, words)]))),
      h("td", null, swatch(rule.label), " ", name(classes[rule.label])),
      h("td", { class: "number" }, amount(rule.rows)),
      h("td", { class: "number" }, rule.right === null ? "" : percent(rule.right, 0)),
    );
  }

  function build() {
    const all = rulesOf(store.get().decider);
    const found = sortRules(filterRules(all, find.value, classes), sorted.by, sorted.isDown, classes);
    said.textContent = found.length === all.length ? counted(all.length, "rule") : `${amount(found.length)} of ${counted(all.length, "rule")}`;
    replace(
      table,
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Rules" }, h("table", { class: "rules" },
        h("thead", null, h("tr", null, header("rule", "If"), header("answer", "then"), header("rows", "rows", true), header("right", "right", true))),
        h("tbody", null, found.slice(0, most).map(line)))),
      found.length > most ? h("button", {
        type: "button",
        onclick: () => {
          most += 500;
          build();
        },
      }, `Show more of ${amount(found.length)}`) : null,
    );
  }

  // Thousands of rules can wait until the tree is there.
  let waiting = 0;
  function soon() {
    clearTimeout(waiting);
    if (model.trees[0].size <= MANY) build();
    else waiting = setTimeout(build, 200);
  }
  store.on(["decider"], soon);
  soon();
}
