/** The rule of a node: what holds for all rows that come to it. */

import { pathTo } from "./trees.js";

/** Whether a condition further down a path makes one above it needless: it is always stricter. */
function covers(below, above) {
  if (!below || !above || below[0] !== above[0]) return false;
  return below[1] === above[1] || below[1] === "=" || (below[1] === "<>" && above[1] !== "=");
}

/** The conditions on the way to a node, without those that one further down makes needless. */
export function conditionsOf(questions, node) {
  const path = pathTo(questions.tree, node).slice(1);
  const sides = path.map((one) => questions.side(one));
  return path
    .filter((_, place) => !sides.some((below, other) => other > place && covers(below, sides[place])))
    .map((one) => questions.said(one));
}

/** A rule for each leaf as the model stands, from the first to the last. */
export function rulesOf(decider) {
  const { model } = decider;
  const [tree] = model.trees;
  const { labels } = decider.answers[0];
  const counts = tree.rows ?? tree.counts;
  const rules = [];
  for (let node = 0; node < tree.size; node += 1) {
    const isLeaf = tree.children[node].length === 0 || decider.isLeaf(node);
    if (isLeaf && decider.isThere(node)) {
      const total = counts[node].reduce((a, b) => a + b, 0);
      rules.push({
        node,
        conditions: conditionsOf(model.questions[0], node),
        label: labels[node],
        rows: total,
        right: total > 0 ? counts[node][labels[node]] / total : null,
      });
    }
  }
  return rules;
}
