import assert from "node:assert/strict";
import { test } from "node:test";

import { answersOf, blend, firstOfLargest } from "../../../src/miter/reporting/script/answers.js";
import { makeTree } from "../../../src/miter/reporting/script/trees.js";

const tree = (counts, parent, more = {}) => makeTree({
  nodes: { counts, parent, labels: parent.map(() => 0), losses: null, smoothing: 0, rows: null, ...more },
}, 2);

test("what differs by rounding alone is a tie, and the first wins", () => {
  assert.equal(firstOfLargest([0.3, 0.1 + 0.2]), 0);
  assert.equal(firstOfLargest([0.3, 0.31]), 1);
});

test("a tie is decided as the parent is", () => {
  const { labels } = answersOf(tree([[0, 2, 1, 8], [0, 1, 1, 1], [1, 7]], [-1, 0, 0]), [[0, 1], [1, 0]]);
  assert.deepEqual(labels, [1, 1, 1]);
});

test("costs move the labels", () => {
  const own = tree([[0, 8, 1, 2], [0, 8], [1, 2]], [-1, 0, 0]);
  assert.equal(answersOf(own, [[0, 1], [1, 0]]).labels[0], 0);
  assert.equal(answersOf(own, [[0, 9], [1, 0]]).labels[0], 1);
});

test("a leaf is as sure as its parent's rows make it", () => {
  const { probabilities } = answersOf(tree([[0, 3, 1, 1], [0, 3], [1, 1]], [-1, 0, 0], { smoothing: 1 }), null);
  assert.deepEqual([...probabilities[1]], [(3 + 0.75) / 4, 0.25 / 4]);
});

test("a node without rows has its parent's probabilities", () => {
  const { probabilities } = answersOf(tree([[0, 3, 1, 1], [0, 3, 1, 1], []], [-1, 0, 0]), null);
  assert.deepEqual([...probabilities[2]], [0.75, 0.25]);
});

test("parts blend by their shares", () => {
  assert.deepEqual([...blend([[0, 0.25], [1, 0.75]], [[1, 0], [0, 1]])], [0.25, 0.75]);
});
