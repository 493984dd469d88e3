import assert from "node:assert/strict";
import { test } from "node:test";

import { Questions, wholeTest } from "../../../src/miter/reporting/script/questions.js";

const columns = ["a", "'b c'", "d", "e"].map((said) => ({ said }));
const sum = ["step", ["sum", ...[0, 1, 2, 3].map((column) => [1, ["cell", column]])], [2.5]];

function questionsOf(tests, children, parent, short = null) {
  return new Questions({ tests, words: parent.map((_, node) => `words ${node}`), short }, { children, parent }, columns);
}

test("a cut is a step whose missing values go somewhere", () => {
  assert.deepEqual(wholeTest(["cut", 3, [1.5], -1]), ["missing", 3, ["constant", -1], ["step", ["cell", 3], [1.5]]]);
  assert.equal(wholeTest(null), null);
  assert.equal(wholeTest(sum), sum);
});

test("few columns are named, many are counted", () => {
  const questions = questionsOf([["cut", 1, [2], 0], sum, null, null, null], [[1, 2], [3, 4], [], [], []], [-1, 0, 0, 1, 1]);
  assert.deepEqual([0, 1, 2].map((node) => questions.asks(node)), ["'b c'", "4 columns together", ""]);
});

test("where missing values go", () => {
  const lookup = ["lookup", 2, [0, -2, 1], -2];
  const questions = questionsOf([["cut", 0, [2], -1], sum, lookup, null, null, null, null], [[1, 2], [3, 4], [5, 6], [], [], [], []], [-1, 0, 0, 1, 1, 2, 2]);
  assert.deepEqual([0, 1, 2].map((node) => questions.missing(node)), [-1, null, null]);
});

test("conditions know their column and their side", () => {
  const tests = [["cut", 0, [2, 5], -1], ["lookup", 2, [0, 1], -1], sum, null, null, null, null, null];
  const children = [[1, 2, 3], [4, 5], [6, 7], [], [], [], [], []];
  const questions = questionsOf(tests, children, [-1, 0, 0, 0, 1, 1, 2, 2]);
  assert.deepEqual([1, 2, 3, 4, 5, 6, 7].map((node) => questions.side(node)), [[0, "<"], [0, "<>"], [0, ">"], [2, "="], [2, "="], null, null]);
});

test("many columns are said in a few words", () => {
  const questions = questionsOf([sum, null, null], [[1, 2], [], []], [-1, 0, 0], ["", "speak most for A", ""]);
  assert.equal(questions.said(1), "4 columns together speak most for A");
  assert.equal(questions.said(2), "words 2");
  assert.equal(questions.short(2), "");
});
