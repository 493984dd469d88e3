import assert from "node:assert/strict";
import { test } from "node:test";

import { conditionsOf } from "../../../src/miter/reporting/script/rules.js";
import { filterRules, sortRules } from "../../../src/miter/reporting/script/rules_view.js";

/** A path of four nodes below the root, with the side of each condition. */
const path = (...sides) => ({
  tree: { parent: [-1, 0, 1, 2, 3] },
  side: (node) => sides[node - 1],
  said: (node) => ["", "first", "second", "third", "fourth"][node],
});

test("a stricter condition on the same side makes the one above it needless", () => {
  assert.deepEqual(conditionsOf(path([0, "<"], [0, ">"], [0, "<"], [1, "<"]), 4), ["second", "third", "fourth"]);
});

test("conditions on sums and on other columns stay", () => {
  assert.deepEqual(conditionsOf(path(null, [0, "<"], null, [1, "<"]), 4), ["first", "second", "third", "fourth"]);
});

test("of values the last set holds, between two cuts both sides are said", () => {
  assert.deepEqual(conditionsOf(path([0, "="], [0, "="], [1, "<"], [1, "<>"]), 4), ["second", "fourth"]);
});

test("the root has no conditions", () => {
  assert.deepEqual(conditionsOf(path(null, null, null, null), 0), []);
});

const rules = [
  { conditions: ["age > 3"], label: 0, rows: 5, right: 0.5 },
  { conditions: ["age <= 3", "Size = L"], label: 1, rows: 9, right: null },
];

test("rules are found by all words, whatever their case", () => {
  assert.deepEqual(filterRules(rules, "AGE size", ["no", "yes"]), [rules[1]]);
  assert.deepEqual(filterRules(rules, "yes", ["no", "yes"]), [rules[1]]);
  assert.equal(filterRules(rules, "  ", ["no", "yes"]).length, 2);
});

test("rules are sorted by any column, both ways", () => {
  assert.deepEqual(sortRules(rules, "rows", true, ["no", "yes"]).map((one) => one.rows), [9, 5]);
  assert.deepEqual(sortRules(rules, "right", false, ["no", "yes"]).map((one) => one.rows), [9, 5]);
  assert.deepEqual(sortRules(rules, "answer", true, ["no", "yes"]).map((one) => one.label), [1, 0]);
  assert.deepEqual(sortRules(rules, "rule", true, ["no", "yes"]).map((one) => one.rows), [9, 5]);
});
