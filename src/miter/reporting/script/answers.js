/** What nodes answer for given costs, as Python's `Tree` has it, to the last tie. */

const ROUNDING = 1e-12;

/** The position of the first that is largest, but for rounding. */
export function firstOfLargest(merit) {
  const highest = Math.max(...merit);
  const least = highest - ROUNDING * Math.max(1, Math.abs(highest));
  return merit.findIndex((value) => value >= least);
}

/** Probabilities, merits and labels of the nodes of a tree; costs null: those it was grown for. */
export function answersOf(tree, costs) {
  const probabilities = meanOf(tree, tree.counts);
  const losses = costs === null ? tree.losses : tree.counts.map((row) => expected(row, costs));
  const merit = losses === null
    ? probabilities
    : meanOf(tree, losses).map((row) => row.map((loss) => -loss));
  return { probabilities, merit, labels: costs === null ? tree.labels : labelsOf(tree, merit) };
}

/** What each class costs as the answer to rows of these classes; costs are predicted x true. */
function expected(counts, costs) {
  return costs.map((row) => row.reduce((total, c, k) => total + c * counts[k], 0));
}

/** Sums over the rows of each node, divided by their weight and smoothed by those of the parent. */
function meanOf(tree, sums) {
  const means = [];
  for (let node = 0; node < tree.size; node += 1) {
    const total = tree.weight[node];
    const above = node > 0 && tree.smoothing > 0 ? means[tree.parent[node]] : null;
    means.push(sums[node].map((value, k) => {
      if (above) return (value + tree.smoothing * above[k]) / (total + tree.smoothing);
      return total > 0 ? value / total : 0;
    }));
  }
  return means.map((row, node) => (tree.weight[node] > 0 || node === 0 ? row : means[tree.parent[node]]));
}

/** The best class of each node; in a tie rather its parent's. */
function labelsOf(tree, merit) {
  const highest = merit.map((row) => Math.max(...row));
  const most = merit.reduce((a, row) => row.reduce((b, value) => Math.max(b, Math.abs(value)), a), 1);
  const labels = [];
  merit.forEach((row, node) => {
    const inherited = node > 0 ? labels[tree.parent[node]] : -1;
    const isTied = node > 0 && row[inherited] >= highest[node] - ROUNDING * most;
    labels.push(isTied ? inherited : row.indexOf(highest[node]));
  });
  return labels;
}

/** Lists of numbers of the nodes where a row ends, each times its share, added up. */
export function blend(parts, values) {
  const total = new Array(values[0].length).fill(0);
  for (const [node, share] of parts) values[node].forEach((value, k) => { total[k] += share * value; });
  return total;
}
