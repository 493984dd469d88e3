import assert from "node:assert/strict";
import { test } from "node:test";

import { arcPath, openAtFirst, placeArcs, placeBoxes, visibleNodes } from "../../../src/miter/reporting/script/layout.js";

/** A tree of three levels with four branches each. */
const children = [];
for (let node = 0; node < 21; node += 1) children.push(node < 5 ? [1, 2, 3, 4].map((k) => 4 * node + k) : []);
const childrenOf = (node) => children[node];

test("nodes are seen below open ones, in reading order", () => {
  assert.deepEqual(visibleNodes(childrenOf, new Set([0, 2])), [0, 1, 2, 9, 10, 11, 12, 3, 4]);
});

test("levels are opened as long as there is place, the first always", () => {
  assert.deepEqual(openAtFirst(childrenOf, 10), new Set([0]));
  assert.deepEqual(openAtFirst(childrenOf, 2), new Set([0]));
  assert.equal(openAtFirst(childrenOf, 16).size, 5);
});

test("boxes of different height do not overlap and do not leave their place", () => {
  const visible = visibleNodes(childrenOf, openAtFirst(childrenOf, 16));
  const heights = new Map(visible.map((node) => [node, 30 + 17 * (node % 5)]));
  const { places, width, height } = placeBoxes(visible, childrenOf, heights, { width: 100, between: 40, gap: 8 });
  const boxes = visible.map((node) => {
    const { left, middle } = places.get(node);
    return { left, right: left + 100, top: middle - heights.get(node) / 2, bottom: middle + heights.get(node) / 2 };
  });
  for (const box of boxes) {
    assert.ok(box.left >= 0 && box.right <= width + 1e-9 && box.top >= -1e-9 && box.bottom <= height + 1e-9);
  }
  boxes.forEach((a, k) => boxes.slice(k + 1).forEach((b) => {
    const isApart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
    assert.ok(isApart);
  }));
});

test("arcs of siblings share the angle of their parent by rows", () => {
  const weight = (node) => (node === 0 ? 16 : node < 5 ? 4 : 1);
  const arcs = placeArcs(childrenOf, weight, 0);
  const root = arcs.find((one) => one.node === 0);
  assert.ok(Math.abs(root.x1 - 2 * Math.PI) < 1e-9);
  const below = arcs.filter((one) => one.node >= 1 && one.node <= 4);
  below.forEach((one) => assert.ok(Math.abs(one.x1 - one.x0 - Math.PI / 2) < 1e-9));
  assert.match(arcPath(below[0], 100), /^M/);
});

test("arcs that would not be seen are left out", () => {
  const arcs = placeArcs(childrenOf, (node) => (node === 20 ? 0.001 : node === 0 ? 16 : 1), 0.01);
  assert.ok(!arcs.some((one) => one.node === 20));
});
