import assert from "node:assert/strict";
import { test } from "node:test";

import { readNumber, stepOf, stripValues } from "../../../src/miter/reporting/script/fields.js";
import { groupsOf } from "../../../src/miter/reporting/script/ranks.js";
import { findNodes } from "../../../src/miter/reporting/script/search.js";
import { makeStore } from "../../../src/miter/reporting/script/store.js";
import { amount, counted, percent, sayCell, short, signed } from "../../../src/miter/reporting/script/words.js";

test("numbers have few digits", () => {
  assert.equal(short(0.000123456, 3), "0.000123");
  assert.equal(short(123456.7, 3), "123,000");
  assert.equal(short(0), "0");
  assert.equal(short(-2.45), "-2.45");
  assert.equal(short(1e-12, 2), "1e-12");
  assert.equal(signed(-1.25), "−1.3");
  assert.equal(signed(3), "+3");
  assert.equal(percent(0.1234), "12.3%");
  assert.equal(amount(1234.5), "1,234.5");
  assert.equal(counted(1, "leaf", "leaves"), "1 leaf");
});

test("cells are written as the user writes them", () => {
  assert.equal(sayCell({ values: ["S", "M"] }, 1), "M");
  assert.equal(sayCell({}, NaN), "?");
  assert.equal(sayCell({}, null), "?");
  assert.equal(sayCell({ part: "date" }, 18322.5), "2020-03-01");
  assert.equal(sayCell({ part: "duration" }, 3725), "1:02:05");
  assert.equal(sayCell({ unit: "$" }, 5), "$5");
  assert.equal(sayCell({ unit: "%" }, 5), "5%");
  assert.equal(sayCell({ unit: "km" }, 5.5), "5.5 km");
});

test("what is typed is a number, nothing, or no number", () => {
  assert.equal(readNumber(" 1,5 "), 1.5);
  assert.equal(readNumber("$12"), 12);
  assert.equal(readNumber("1e3"), 1000);
  assert.ok(Number.isNaN(readNumber("")));
  assert.ok(Number.isNaN(readNumber("?")));
  assert.equal(readNumber("12 y"), null);
});

test("sliders have whole or round steps", () => {
  assert.equal(stepOf({ least: 0, most: 80, whole: true }), 1);
  assert.equal(stepOf({ least: 0, most: 10, whole: false }), 0.05);
  assert.equal(stepOf({ least: 3, most: 3, whole: false }), 0.01);
});

test("strips ask along the whole range, or every value", () => {
  const values = stripValues({ least: 0, most: 10 }, 10);
  assert.equal(values.length, 10);
  assert.equal(values[0], 0.5);
  assert.deepEqual(stripValues({ values: ["a", "b"] }), [0, 1]);
  assert.deepEqual(stripValues({ least: 1, most: 1 }), []);
});

test("nodes are found by words, questions and answers", () => {
  const questions = {
    words: (node) => ["", "age > 3", "age <= 3"][node],
    short: () => "",
    asks: (node) => (node === 0 ? "age" : ""),
  };
  const find = (text, isThere = () => true) => findNodes(text, questions, [0, 1, 0], ["No", "Yes"], isThere);
  assert.deepEqual(find("AGE yes"), [1]);
  assert.deepEqual(find("age"), [0, 1, 2]);
  assert.deepEqual(find("age", (node) => node > 1), [2]);
  assert.deepEqual(find(" "), []);
});

test("neighbours within the critical difference are one group", () => {
  assert.deepEqual(groupsOf([1, 1.5, 3, 3.2], 1), [[1, 1.5], [3, 3.2]]);
  assert.deepEqual(groupsOf([1, 2, 3], 1.5), [[1, 2], [2, 3]]);
  assert.deepEqual(groupsOf([1, 2, 3], 0.5), []);
  assert.deepEqual(groupsOf([3, 1, 2], 5), [[1, 3]]);
});

test("those who listen to a name are told when it changes, and only then", () => {
  const store = makeStore({ size: 0, node: 0 });
  const told = [];
  store.on(["size"], (state) => told.push(state.size));
  store.set({ node: 3 });
  store.set({ size: 2 });
  assert.deepEqual(told, [2]);
  assert.deepEqual(store.get(), { size: 2, node: 3 });
});
