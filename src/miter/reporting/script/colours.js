/** The colour of a class, and its pattern where there are more classes than colours. */

import { s } from "./dom.js";

/** What lies over a colour the second time, the third, ...; as in the pictures of Python. */
const HATCHES = [
  null,
  (ink) => s("path", { d: "M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2", ...ink }),
  (ink) => s("circle", { cx: 3, cy: 3, r: 1.3, fill: ink.stroke }),
  (ink) => s("path", { d: "M0,0 l6,6 M6,0 l-6,6", ...ink }),
  (ink) => s("path", { d: "M0,3 h6", ...ink }),
  (ink) => s("path", { d: "M-1,5 l2,2 M0,0 l6,6 M5,-1 l2,2", ...ink }),
  (ink) => s("path", { d: "M0,3 h6 M3,0 v6", ...ink }),
  (ink) => s("circle", { cx: 3, cy: 3, r: 1.7, fill: "none", ...ink }),
];

let palette = ["#888"];

export function setPalette(colours) {
  palette = colours;
}

export const colourOf = (code) => palette[code % palette.length];
const roundOf = (code) => Math.floor(code / palette.length) % HATCHES.length;

/** What a shape of a class is filled with. */
export const fillOf = (code) => (roundOf(code) === 0 ? colourOf(code) : `url(#class-${code})`);

/** The patterns of all classes that need one, to be put into the page once. */
export function patterns(nClasses) {
  const defined = [];
  for (let code = palette.length; code < nClasses; code += 1) {
    const draw = HATCHES[roundOf(code)];
    if (draw) {
      defined.push(s(
        "pattern",
        { id: `class-${code}`, width: 6, height: 6, patternUnits: "userSpaceOnUse" },
        s("rect", { width: 6, height: 6, fill: colourOf(code) }),
        draw({ stroke: "#fff", "stroke-width": 1.4 }),
      ));
    }
  }
  return s("svg", { width: 0, height: 0, "aria-hidden": "true", class: "defined" }, s("defs", null, defined));
}

/** A small square of the colour of a class. */
export function swatch(code) {
  return s(
    "svg",
    { class: "swatch", viewBox: "0 0 12 12", "aria-hidden": "true" },
    s("rect", { x: 0.5, y: 0.5, width: 11, height: 11, rx: 2, fill: fillOf(code) }),
  );
}

/** The rows of each class as parts of one bar. */
export function classBar(counts, label) {
  const total = counts.reduce((a, b) => a + b, 0);
  let left = 0;
  const parts = [];
  counts.forEach((count, code) => {
    if (count > 0) {
      const width = (100 * count) / total;
      parts.push(s("rect", { x: left, y: 0, width, height: 10, fill: fillOf(code) }));
      left += width;
    }
  });
  const described = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return s("svg", { class: "class-bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", ...described }, parts);
}
