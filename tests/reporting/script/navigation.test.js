import assert from "node:assert/strict";
import { test } from "node:test";

import { afterKey } from "../../../src/miter/reporting/script/navigation.js";

const childrenOf = (node) => ({ 0: [1, 2], 2: [3, 4] }[node] ?? []);
const tree = (...open) => ({ parent: [-1, 0, 0, 2, 2], childrenOf, open: new Set(open) });

test("up and down go through what is seen, and stop at its ends", () => {
  assert.deepEqual(afterKey("ArrowDown", 1, [0, 1, 2], tree(0)), { node: 2 });
  assert.deepEqual(afterKey("ArrowDown", 2, [0, 1, 2], tree(0)), { node: 2 });
  assert.deepEqual(afterKey("ArrowUp", 0, [0, 1, 2], tree(0)), { node: 0 });
  assert.deepEqual(afterKey("End", 0, [0, 1, 2], tree(0)), { node: 2 });
});

test("right opens, then goes in; left closes, then goes out", () => {
  assert.deepEqual(afterKey("ArrowRight", 2, [0, 1, 2], tree(0)), { node: 2, opens: 2 });
  assert.deepEqual(afterKey("ArrowRight", 2, [0, 1, 2, 3, 4], tree(0, 2)), { node: 3 });
  assert.deepEqual(afterKey("ArrowRight", 1, [0, 1, 2], tree(0)), { node: 1 });
  assert.deepEqual(afterKey("ArrowLeft", 2, [0, 1, 2, 3, 4], tree(0, 2)), { node: 2, closes: 2 });
  assert.deepEqual(afterKey("ArrowLeft", 1, [0, 1, 2], tree(0)), { node: 0 });
});

test("enter opens and closes", () => {
  assert.deepEqual(afterKey("Enter", 2, [0, 1, 2], tree(0)), { node: 2, opens: 2 });
  assert.deepEqual(afterKey("Enter", 2, [0, 1, 2, 3, 4], tree(0, 2)), { node: 2, closes: 2 });
});

test("other keys are the browser's", () => {
  assert.equal(afterKey("x", 0, [0], tree()), null);
});
