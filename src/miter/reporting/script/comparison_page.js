/** The page of an experiment: learners side by side, by any measure, against any of them. */

import { setPalette } from "./colours.js";
import { byId, h, name, replace, s } from "./dom.js";
import { groupsOf } from "./ranks.js";
import { makeStore } from "./store.js";
import { short } from "./words.js";

const fixed = (value, digits) => (value === null ? "" : value.toFixed(Math.abs(value) >= 1000 ? 0 : digits));

export function showComparison(contents) {
  setPalette(contents.colours);
  const measures = Object.keys(contents.measures);
  const learners = contents.learners.map((one) => one.name);
  const references = Object.keys(contents.measures[measures[0]].tests);
  const store = makeStore({ measure: measures[0], reference: references[0], set: 0, sorted: null });
  const choose = (id, title, values, say, key) => {
    const select = h("select", { id }, values.map((value) => h("option", { value }, say(value))));
    select.addEventListener("change", () => store.set({ [key]: select.value }));
    return h("span", { class: "group" }, h("label", { for: id }, title), select);
  };
  byId("toolbar").append(
    choose("measure", "Compare by", measures, (one) => contents.measures[one].title, "measure"),
    choose("reference", "held against", references, (one) => one, "reference"),
  );
  const show = () => {
    const state = store.get();
    const measure = contents.measures[state.measure];
    replace(byId("comparison"), table(contents, measure, learners, store));
    replace(byId("ranks"), ranks(measure, learners));
    replace(byId("runs"), runs(contents, measure, learners, store));
  };
  store.on(["measure", "reference", "set", "sorted"], show);
  show();
  replace(byId("sizes"), frontier(contents, learners));
  return { store };
}

/** The means of a row, the best of them marked, and who is significantly better or worse. */
function table(contents, measure, learners, store) {
  const { reference, sorted, set } = store.get();
  const tests = measure.tests[reference];
  const sign = measure.higher_is_better ? 1 : -1;
  const order = contents.sets.map((_, place) => place);
  if (sorted !== null) order.sort((a, b) => sign * ((measure.means[b][sorted] ?? -Infinity) - (measure.means[a][sorted] ?? -Infinity)));
  const head = h("tr", null, h("th", { scope: "col" }, h("button", { type: "button", class: "sort", onclick: () => store.set({ sorted: null }) }, "set")), learners.map((one, k) => h(
    "th", { scope: "col", class: "number", "aria-sort": sorted === k ? "descending" : "none" },
    h("button", { type: "button", class: "sort", onclick: () => store.set({ sorted: k }) }, name(one), sorted === k ? " ▾" : ""),
    one === reference ? h("span", { class: "small" }, " (held against)") : null,
  )));
  const lines = order.map((place) => {
    const known = measure.means[place].filter((mean) => mean !== null);
    const best = sign > 0 ? Math.max(...known) : Math.min(...known);
    return h("tr", { class: place === set ? "seen" : null },
      h("th", { scope: "row" }, h("button", { type: "button", class: "link", onclick: () => store.set({ set: place }) }, name(contents.sets[place].name))),
      measure.means[place].map((mean, k) => cell(measure, tests, place, k, mean, mean === best)));
  });
  return [
    h("p", { class: "small" }, `${measure.title}: mean ± deviation of the runs; the best of a set is bold. ▲ significantly better than `, name(reference), ", ▼ worse", tests.test ? ` (${tests.test}, 5%).` : "."),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": measure.title }, h("table", { class: "compared" },
      h("thead", null, head), h("tbody", null, lines), h("tfoot", null, summary(measure, tests)))),
  ];
}

function cell(measure, tests, place, k, mean, isBest) {
  if (mean === null) return h("td", { class: "number" }, measure.failed[place][k] > 0 ? "failed" : "");
  const winner = tests.winners[place][k];
  const p = tests.p_values[place][k];
  const deviation = measure.deviations[place][k];
  return h(
    "td", { class: "number", title: p === null ? null : `p = ${p.toPrecision(2)}` },
    isBest ? h("strong", null, fixed(mean, measure.digits)) : fixed(mean, measure.digits),
    deviation === null ? null : h("span", { class: "small" }, ` ± ${fixed(deviation, measure.digits)}`),
    h("span", { class: winner > 0 ? "better" : "worse" }, winner > 0 ? " ▲" : winner < 0 ? " ▼" : ""),
    winner === 0 ? null : h("span", { class: "unseen" }, winner > 0 ? " better" : " worse"),
    measure.failed[place][k] > 0 ? h("span", { class: "small" }, ` ${measure.failed[place][k]} failed`) : null,
  );
}

function summary(measure, tests) {
  const line = (title, values) => h("tr", null, h("th", { scope: "row" }, title), values.map((value) => h("td", { class: "number" }, value)));
  const lines = [line("mean", measure.overall.map((one) => fixed(one, measure.digits)))];
  if (measure.ranks.some((one) => one !== null)) lines.push(line("mean rank", measure.ranks.map((one) => fixed(one, 2))));
  if (tests.wins.some((one) => one !== null)) lines.push(line("better, as good, worse", tests.wins.map((one) => (one ? one.join(" / ") : ""))));
  return lines;
}

/** Mean ranks on a line; bars join learners that chance alone could tell apart. */
function ranks(measure, learners) {
  const ranked = learners.map((one, k) => [one, measure.ranks[k]]).filter(([, rank]) => rank !== null).sort((a, b) => a[1] - b[1]);
  if (ranked.length < 2) return h("p", null, "There are ranks where two learners have a mean on each of two sets.");
  const difference = measure.critical_difference;
  const groups = difference === null ? [] : groupsOf(ranked.map(([, rank]) => rank), difference);
  const [width, step] = [640, 24];
  const across = (rank) => 20 + ((width - 40) * (rank - 1)) / (learners.length - 1);
  const top = 46 + groups.length * 9;
  const half = Math.ceil(ranked.length / 2);
  const place = (k) => top + step * (k < half ? k : ranked.length - 1 - k);
  const labels = ranked.map(([one, rank], k) => {
    const isLeft = k < half;
    const end = isLeft ? -8 : width + 8;
    return s("g", null,
      s("path", { d: `M${across(rank)},34 V${place(k)} H${end}`, class: "leader" }),
      s("text", { x: end + (isLeft ? -4 : 4), y: place(k) + 4, "text-anchor": isLeft ? "end" : "start", class: "rank-name" }, `${one.length > 34 ? `${one.slice(0, 32)}…` : one} ${rank.toFixed(2)}`));
  });
  const ticks = learners.map((_, k) => s("g", null,
    s("line", { x1: across(k + 1), x2: across(k + 1), y1: 28, y2: 34, class: "axis" }),
    s("text", { x: across(k + 1), y: 22, "text-anchor": "middle", class: "label" }, String(k + 1))));
  const bars = groups.map(([low, high], k) => s("line", { x1: across(low) - 4, x2: across(high) + 4, y1: 42 + 9 * k, y2: 42 + 9 * k, class: "group-bar" }));
  const height = top + step * half + 6;
  return [
    h("p", null, "Mean ranks; 1 is best. ", difference === null ? "" : `Learners that a bar joins differ by less than ${difference.toFixed(2)}, which chance alone explains (Nemenyi, 5%).`),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Ranks" },
      s("svg", { class: "ranks", viewBox: `-270 0 ${width + 540} ${height}`, role: "img", "aria-label": `Mean ranks: ${ranked.map(([one, rank]) => `${one} ${rank.toFixed(2)}`).join(", ")}` },
        s("line", { x1: across(1), x2: across(learners.length), y1: 34, y2: 34, class: "axis" }), ticks, labels, bars)),
  ];
}

/** Every run of every learner on one set. */
function runs(contents, measure, learners, store) {
  const { set } = store.get();
  const select = h("select", { id: "which-set" }, contents.sets.map((one, place) => h("option", { value: String(place), ...(place === set ? { selected: true } : {}) }, one.name)));
  select.addEventListener("change", () => store.set({ set: Number(select.value) }));
  const values = measure.runs[set];
  const all = values.flat();
  if (all.length === 0) return [h("label", { for: "which-set" }, "Set "), select, h("p", null, "No run on this set has this measure.")];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const across = (value) => 10 + (380 * (value - low)) / (high - low || 1);
  const lines = learners.map((one, k) => h("tr", null, h("th", { scope: "row" }, name(one)), h("td", { class: "wide" },
    s("svg", { class: "dots", viewBox: "0 0 400 18", role: "img", "aria-label": `${one}: ${values[k].map((value) => short(value)).join(", ") || "none"}` },
      s("line", { x1: 10, x2: 390, y1: 9, y2: 9, class: "axis" }),
      values[k].map((value) => s("circle", { cx: across(value), cy: 9, r: 4.5, class: "run" }, s("title", null, short(value))))))));
  return [
    h("p", null, h("label", { for: "which-set" }, "Set "), select, ` ${measure.title}, from ${short(low)} to ${short(high)}`),
    h("table", { class: "bars" }, h("tbody", null, lines)),
  ];
}

/** Accuracy against what a person must read, in the mean of the sets. */
function frontier(contents, learners) {
  const [right, read] = [contents.measures.accuracy, contents.measures.terms];
  const points = read ? learners.map((one, k) => [one, read.overall[k], right.overall[k]]).filter(([, x, y]) => x !== null && y !== null && x > 0) : [];
  if (points.length < 2) return h("p", null, "Fewer than two of the learners are trees with a mean on every set.");
  const [width, height] = [560, 280];
  const logs = points.map(([, x]) => Math.log10(x));
  const [left, end] = [Math.floor(Math.min(...logs)), Math.ceil(Math.max(...logs) + 1e-9)];
  const [low, high] = [Math.min(...points.map((p) => p[2])), Math.max(...points.map((p) => p[2]))];
  const room = (high - low) * 0.12 || 1;
  const across = (x) => (width * (Math.log10(x) - left)) / (end - left || 1);
  const down = (y) => height - (height * (y - low + room)) / (high - low + 2 * room);
  const ticks = Array.from({ length: end - left + 1 }, (_, k) => 10 ** (left + k));
  const isBest = ([, x, y]) => !points.some(([, u, v]) => (u <= x && v > y) || (u < x && v >= y));
  return [
    h("p", null, "Mean accuracy against the terms that a person must read of the model. Nothing is both shorter and more accurate than what is filled."),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Size and accuracy" },
      s("svg", { class: "frontier", viewBox: `-50 -10 ${width + 260} ${height + 50}`, role: "img", "aria-label": points.map(([one, x, y]) => `${one}: ${short(x, 3)} terms, ${y.toFixed(1)}%`).join("; ") },
        s("line", { x1: 0, x2: width, y1: height, y2: height, class: "axis" }),
        s("line", { x1: 0, x2: 0, y1: 0, y2: height, class: "axis" }),
        ticks.map((x) => s("text", { x: across(x), y: height + 18, "text-anchor": "middle", class: "label" }, x.toLocaleString("en-US"))),
        s("text", { x: width / 2, y: height + 36, "text-anchor": "middle", class: "label" }, "terms to read"),
        [low, high].map((y) => s("text", { x: -6, y: down(y) + 4, "text-anchor": "end", class: "label" }, `${y.toFixed(1)}%`)),
        spread(points.map((point) => ({ point, x: across(point[1]), y: down(point[2]) }))).map(({ point, x, y, label }) => s("g", null,
          s("circle", { cx: x, cy: y, r: 6, class: isBest(point) ? "run" : "run open" }),
          Math.abs(label - y) > 3 ? s("path", { d: `M${x + 6},${y} L${x + 11},${label}`, class: "leader" }) : null,
          s("text", { x: x + 12, y: label + 4, class: "rank-name" }, point[0].length > 34 ? `${point[0].slice(0, 32)}…` : point[0]))))),
  ];
}

/** Labels a line apart, where points lie close above each other. */
function spread(points) {
  const sorted = [...points].sort((a, b) => a.y - b.y);
  let last = -Infinity;
  for (const one of sorted) {
    one.label = Math.max(one.y, last + 16);
    last = one.label;
  }
  return sorted;
}
