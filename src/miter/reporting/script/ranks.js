/** Groups of learners whose mean ranks differ by less than chance allows. */

/** The longest runs of neighbours, by rank, that lie within a critical difference. */
export function groupsOf(ranks, difference) {
  const sorted = [...ranks].sort((a, b) => a - b);
  const groups = [];
  let reached = -1;
  sorted.forEach((low, first) => {
    let last = first;
    while (last + 1 < sorted.length && sorted[last + 1] - low < difference) last += 1;
    if (last > first && last > reached) groups.push([low, sorted[last]]);
    reached = Math.max(reached, last);
  });
  return groups;
}
