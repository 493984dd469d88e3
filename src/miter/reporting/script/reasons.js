/**
 * What spoke for the branch that a row took, and what against, read from the test itself.
 *
 * A column's contribution is what its value adds to the margin between the branch taken and the
 * next best, compared with not knowing the value, as `miter.explaining.reasons` has it.
 */

/** The value of a test, or of a part of one, for a row of numbers and codes. */
export function evaluate(test, x) {
  switch (test[0]) {
    case "constant": return test[1];
    case "cell": return x[test[1]];
    case "distance": {
      const beyond = x[test[1]] - test[2];
      return Math.max(test[3] ? beyond : -beyond, 0);
    }
    case "lookup": return x[test[1]] >= 0 ? test[2][x[test[1]]] : test[3];
    case "missing": return evaluate(Number.isNaN(x[test[1]]) ? test[2] : test[3], x);
    case "sum": return test.slice(1).reduce((total, [factor, part]) => total + factor * evaluate(part, x), 0);
    case "step": {
      const value = evaluate(test[1], x);
      return test[2].filter((cut) => value > cut).length;
    }
    case "sigmoid": return 1 / (1 + Math.exp(-evaluate(test[1], x)));
    case "largest": {
      const sums = test.slice(1).map((part) => evaluate(part, x));
      return sums.indexOf(sums.reduce((a, b) => (b > a ? b : a)));
    }
    default: throw new Error(`there is no test ${test[0]}`);
  }
}

/** The positions of the columns that a test reads, each once. */
export function columnsOf(test) {
  switch (test[0]) {
    case "constant": return [];
    case "cell": case "distance": case "lookup": return [test[1]];
    case "missing": return [...new Set([test[1], ...columnsOf(test[2]), ...columnsOf(test[3])])];
    case "sum": return [...new Set(test.slice(1).flatMap(([, part]) => columnsOf(part)))];
    case "step": case "sigmoid": return columnsOf(test[1]);
    default: return [...new Set(test.slice(1).flatMap(columnsOf))];
  }
}

/** The test of rows whose values are known, where one that is missing only sends them somewhere. */
const known = (test) => (test[0] === "missing" && test[2][0] === "constant" ? test[3] : test);

/** The sums that a test compares, for a row; null where it compares none. */
export function sumsOf(test, x) {
  const inner = known(test);
  if (inner[0] === "step") return [evaluate(inner[1], x)];
  if (inner[0] === "largest") return inner.slice(1).map((part) => evaluate(part, x));
  return null;
}

/**
 * Why a row took a branch: the next best one, the margin, the margin of a row of which nothing is
 * known, and what each column adds. The margin is null where a test has no measure.
 */
export function reasonsOf(test, x, branch) {
  const inner = known(test);
  if (inner[0] === "step") return ofStep(inner[1], inner[2], x, branch);
  if (inner[0] === "largest") {
    const sums = inner.slice(1).map((part) => divide(part, x));
    let rival = -1;
    sums.forEach((one, k) => {
      if (k !== branch && (rival < 0 || one.known > sums[rival].known)) rival = k;
    });
    return between(sums[branch], sums[rival], rival);
  }
  return { rival: branch, margin: null, without: null, contributions: [] };
}

function ofStep(of, cuts, x, branch) {
  const ways = [];
  const divided = divide(of, x);
  if (branch > 0) ways.push([divided.known - cuts[branch - 1], 1, branch - 1]);
  if (branch < cuts.length) ways.push([cuts[branch] - divided.known, -1, branch + 1]);
  const [margin, sign, rival] = ways.reduce((a, b) => (b[0] < a[0] ? b : a));
  const columns = columnsOf(of);
  if (columns.length === 1) return { rival, margin, without: 0, contributions: [[columns[0], margin]] };
  const cut = sign > 0 ? cuts[branch - 1] : cuts[branch];
  const contributions = [...divided.parts].map(([column, part]) => [column, sign * part]);
  return { rival, margin, without: sign * (divided.unknown - cut), contributions: strongest(contributions) };
}

function between(best, other, rival) {
  const parts = new Map(best.parts);
  other.parts.forEach((part, column) => parts.set(column, (parts.get(column) ?? 0) - part));
  return {
    rival,
    margin: best.known - other.known,
    without: best.unknown - other.unknown,
    contributions: strongest([...parts]),
  };
}

const strongest = (contributions) => contributions.sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));

/** A value, its value where nothing is known, and each column's part of the difference. */
function divide(test, x) {
  const columns = columnsOf(test);
  if (columns.length <= 1) {
    const value = evaluate(test, x);
    const blank = evaluate(test, x.map(() => NaN));
    const unknown = Number.isNaN(blank) ? value : blank;
    return { known: value, unknown, parts: new Map(columns.map((c) => [c, value - unknown])) };
  }
  if (test[0] === "sum") {
    const total = { known: 0, unknown: 0, parts: new Map() };
    for (const [factor, part] of test.slice(1)) {
      const one = divide(part, x);
      total.known += factor * one.known;
      total.unknown += factor * one.unknown;
      one.parts.forEach((share, c) => total.parts.set(c, (total.parts.get(c) ?? 0) + factor * share));
    }
    return total;
  }
  // A unit of a network passes on what it gets in the same parts.
  const inside = divide(test[1], x);
  const [before, after] = [inside.unknown, inside.known].map((value) => 1 / (1 + Math.exp(-value)));
  const gone = inside.known - inside.unknown;
  const steep = gone === 0 ? before * (1 - before) : (after - before) / gone;
  return {
    known: after,
    unknown: before,
    parts: new Map([...inside.parts].map(([column, part]) => [column, steep * part])),
  };
}
