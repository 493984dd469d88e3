/** Drawings of what Python counted. */

import { fillOf } from "./colours.js";
import { h, name, s } from "./dom.js";
import { percent, short, signed } from "./words.js";

const WIDTH = 340;

/** A line of text below or above a drawing. */
const label = (x, y, anchor, text, kind = "label") => s("text", { x, y, "text-anchor": anchor, class: kind }, text);

/**
 * Rows of each class by a number, with the cuts.
 *
 * @param say how a number is written
 */
export function histogram({ ends, cuts, bars }, say, described) {
  const height = 120;
  const nBins = bars[0][1].length;
  const totals = Array.from({ length: nBins }, (_, bin) => bars.reduce((sum, [, own]) => sum + own[bin], 0));
  const highest = Math.max(...totals, 1);
  const step = WIDTH / nBins;
  const across = (value) => (WIDTH * (value - ends[0])) / (ends[1] - ends[0]);
  const shapes = [];
  for (let bin = 0; bin < nBins; bin += 1) {
    let top = height;
    for (const [code, own] of bars) {
      if (own[bin] > 0) {
        const tall = (height * own[bin]) / highest;
        top -= tall;
        shapes.push(s("rect", { x: bin * step + 0.4, y: top, width: step - 0.8, height: tall, fill: fillOf(code) }));
      }
    }
  }
  const lines = cuts.map((cut) => s("line", { x1: across(cut), x2: across(cut), y1: -4, y2: height + 4, class: "cut" }));
  const marks = cuts.map((cut) => label(Math.min(Math.max(across(cut), 16), WIDTH - 16), height + 17, "middle", say(cut), "label strong"));
  const isFree = (x) => cuts.every((cut) => Math.abs(across(cut) - x) > 70);
  return s(
    "svg",
    { class: "chart", viewBox: `-6 -8 ${WIDTH + 12} ${height + 30}`, role: "img", "aria-label": described },
    shapes,
    s("line", { x1: 0, x2: WIDTH, y1: height, y2: height, class: "axis" }),
    lines,
    marks,
    isFree(0) ? label(0, height + 17, "start", say(ends[0], 3)) : null,
    isFree(WIDTH) ? label(WIDTH, height + 17, "end", say(ends[1], 3)) : null,
  );
}

/** Rows as points in the plane where the classes lie farthest apart; the chosen row is a ring. */
export function plane(points, chosen, described, pick) {
  const side = 240;
  const all = chosen ? [...points, chosen] : points;
  const [lows, highs] = [Math.min, Math.max].map((best) => [1, 2].map((axis) => all.reduce((a, p) => best(a, p[axis]), best === Math.min ? Infinity : -Infinity)));
  const place = (point, axis) => 8 + ((side - 16) * (point[axis] - lows[axis - 1])) / (highs[axis - 1] - lows[axis - 1] || 1);
  const dot = (point) => s("circle", {
    cx: (place(point, 1) * WIDTH) / side, cy: side - place(point, 2), r: 3.6, fill: fillOf(point[3]), class: "point",
    onclick: () => pick(point[0]),
  }, s("title", null, point[4]));
  return s(
    "svg",
    { class: "chart", viewBox: `0 0 ${WIDTH} ${side}`, role: "img", "aria-label": described },
    s("rect", { x: 0, y: 0, width: WIDTH, height: side, class: "frame" }),
    points.map(dot),
    chosen ? s("circle", { cx: (place(chosen, 1) * WIDTH) / side, cy: side - place(chosen, 2), r: 8, class: "chosen" }) : null,
  );
}

/** How far a network's sum is above its cut, over two columns. */
export function response({ ends, size, values }, sayAcross, sayUp, described, fills) {
  const side = 220;
  const cell = side / size;
  const most = Math.max(...values.map(Math.abs), 1e-9);
  const shapes = values.map((value, place) => s("rect", {
    x: (place % size) * cell + 40,
    y: side - (Math.floor(place / size) + 1) * cell,
    width: cell,
    height: cell,
    "shape-rendering": "crispEdges",
    fill: value > 0 ? fills[1] : fills[0],
    "fill-opacity": 0.15 + 0.75 * Math.sqrt(Math.abs(value) / most),
  }));
  return s(
    "svg",
    { class: "chart", viewBox: `-24 -6 ${side + 90} ${side + 28}`, role: "img", "aria-label": described },
    shapes,
    s("rect", { x: 40, y: 0, width: side, height: side, class: "frame" }),
    label(40, side + 16, "start", sayAcross(ends[0][0])),
    label(40 + side, side + 16, "end", sayAcross(ends[0][1])),
    label(36, side, "end", sayUp(ends[1][0])),
    label(36, 10, "end", sayUp(ends[1][1])),
  );
}

/** What columns add to one sum: bars to the left and to the right. */
export function effectBars(effects, columnName, sides, fills) {
  const most = Math.max(...effects.map(([, , [value]]) => Math.abs(value)), 1e-12);
  const rows = effects.map(([column, isSymbol, [value]]) => {
    const width = `${(50 * Math.abs(value)) / most}%`;
    const bar = h("span", {
      class: isSymbol ? "both" : value >= 0 ? "right" : "left",
      style: isSymbol ? { width: `${(100 * Math.abs(value)) / most}%` } : { width, background: fills[value >= 0 ? 1 : 0] },
    });
    return h(
      "tr", null,
      h("th", { scope: "row" }, name(columnName(column))),
      h("td", { class: "effect" }, h("span", { class: "track" }, bar)),
      h("td", { class: "number" }, isSymbol ? `±${short(value, 2)}` : signed(value)),
    );
  });
  return h(
    "div", null,
    h("p", { class: "sides" }, h("span", null, "← towards ", name(sides[0], 34)), h("span", null, "towards ", name(sides[1], 34), " →")),
    h("table", { class: "effects" }, h("tbody", null, rows)),
  );
}

/** What columns add to several sums: a table, the stronger the more colour. */
export function effectTable(effects, columnName, classes) {
  const most = Math.max(...effects.flatMap(([, , values]) => values.map(Math.abs)), 1e-12);
  const rows = effects.map(([column, isSymbol, values]) => h(
    "tr", null,
    h("th", { scope: "row" }, name(columnName(column))),
    values.map((value) => h("td", {
      class: isSymbol ? "both" : value >= 0 ? "plus" : "minus",
      style: { "--strength": `${Math.round((70 * Math.abs(value)) / most)}%` },
    }, isSymbol ? `±${short(value, 1)}` : signed(value, 1))),
  ));
  const head = h("tr", null, h("td"), classes.map((one) => h("th", { scope: "col" }, name(one))));
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "What columns add, by class" },
    h("table", { class: "heat" }, h("thead", null, head), h("tbody", null, rows)));
}

/** Size against the share of rows that are wrong, with the size that is chosen. */
export function sizeChart(steps, chosen, sizeOf, described, pick) {
  const [width, height] = [WIDTH, 130];
  const known = steps.filter((step) => step.wrong !== null);
  const highest = Math.max(...known.map((step) => step.wrong), 0.01);
  const most = Math.log(sizeOf(steps.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a))) + 1);
  const across = (step) => (most > 0 ? (width * Math.log(sizeOf(step) + 1)) / most : 0);
  const down = (step) => height - (height * step.wrong) / highest;
  const line = known.map((step, place) => `${place === 0 ? "M" : "L"}${across(step).toFixed(1)},${down(step).toFixed(1)}`).join("");
  const dots = steps.map((step, place) => (step.wrong === null ? null : s("circle", {
    cx: across(step), cy: down(step), r: place === chosen ? 6 : 3, class: place === chosen ? "dot chosen-dot" : "dot", onclick: () => pick(place),
  }, s("title", null, `${sizeOf(step)}: ${percent(step.wrong)} wrong`))));
  return s(
    "svg",
    { class: "chart", viewBox: `-46 -12 ${width + 60} ${height + 46}`, role: "img", "aria-label": described },
    s("line", { x1: 0, x2: width, y1: height, y2: height, class: "axis" }),
    s("line", { x1: 0, x2: 0, y1: 0, y2: height, class: "axis" }),
    s("path", { d: line, class: "line" }),
    dots,
    label(-6, 8, "end", percent(highest, highest < 0.1 ? 1 : 0)),
    label(-6, height, "end", "0"),
    label(0, height + 16, "middle", String(Math.min(...steps.map(sizeOf)))),
    label(width, height + 16, "end", String(Math.max(...steps.map(sizeOf)))),
  );
}
