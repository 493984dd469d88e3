/** Trees as a page has them: who is below whom, and the training rows of each class at each node. */

/** A list for each node with the weight of each class, from pairs of place and weight. */
export function dense(sparse, nClasses) {
  return sparse.map((pairs) => {
    const row = new Array(nClasses).fill(0);
    for (let place = 0; place < pairs.length; place += 2) row[pairs[place]] = pairs[place + 1];
    return row;
  });
}

export const sum = (values) => values.reduce((total, value) => total + value, 0);

/** A tree from its plain values. Children come after their parents, in the order of branches. */
export function makeTree(plain, nClasses) {
  const { nodes } = plain;
  const size = nodes.parent.length;
  const children = Array.from({ length: size }, () => []);
  const depth = new Int32Array(size);
  for (let node = 1; node < size; node += 1) {
    children[nodes.parent[node]].push(node);
    depth[node] = depth[nodes.parent[node]] + 1;
  }
  const counts = dense(nodes.counts, nClasses);
  return {
    size,
    depth,
    children,
    counts,
    parent: nodes.parent,
    weight: counts.map((row) => sum(row)),
    rows: nodes.rows ? dense(nodes.rows, nClasses) : null,
    labels: nodes.labels,
    losses: nodes.losses,
    smoothing: nodes.smoothing,
  };
}

/** The nodes of a tree as routing walks them: the test of each, its children, and their shares. */
export function routeOf(tests, tree) {
  return tests.map((branch, node) => {
    if (branch === null) return { branch };
    const children = tree.children[node];
    const total = sum(children.map((child) => tree.weight[child]));
    return { branch, children, shares: children.map((child) => (total > 0 ? tree.weight[child] / total : 0)) };
  });
}

/** The nodes from the root to a node, both included. */
export function pathTo(tree, node) {
  const path = [];
  for (let at = node; at >= 0; at = tree.parent[at]) path.push(at);
  return path.reverse();
}
