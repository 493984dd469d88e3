/** One field for each column of a row: a number with a slider, a list of names, a date. */

import { h, name } from "./dom.js";
import { sayCell, short } from "./words.js";

const DAY = 86_400_000;

/** A slider's steps: whole where the column is, else about 200 round ones. */
export function stepOf({ least, most, whole }) {
  if (whole) return 1;
  const wished = (most - least) / 200;
  if (!(wished > 0)) return 0.01;
  const power = 10 ** Math.floor(Math.log10(wished));
  return power * [1, 2, 5].reduce((best, one) => (one * power <= wished ? one : best), 1);
}

/** What a typed text means to a number; NaN for nothing, null for what is none. */
export function readNumber(text) {
  const trimmed = text.trim().replace(/^[$£€¥₹]|%$/g, "").trim();
  if (trimmed === "" || trimmed === "?") return NaN;
  const plain = /^[-+]?\d+,\d+$/.test(trimmed) ? trimmed.replace(",", ".") : trimmed;
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}

function makeNumber(column, id, change) {
  const isDate = column.part === "date";
  const step = stepOf(column);
  const remark = h("span", { class: "remark", role: "status" });
  const text = h("input", isDate ? { type: "date", id } : { type: "text", inputmode: "decimal", id, autocomplete: "off", placeholder: "not known" });
  const slider = h("input", { type: "range", min: column.least, max: column.most, step, "aria-label": `${column.name}, slider` });
  const strip = h("div", { class: "strip", "aria-hidden": "true" });
  text.addEventListener("input", () => {
    const value = isDate ? (text.valueAsNumber / DAY) : readNumber(text.value);
    remark.textContent = value === null ? "no number; it counts as not known" : "";
    change(value === null ? NaN : value);
  });
  slider.addEventListener("input", () => {
    remark.textContent = "";
    change(Number(slider.value));
  });
  return {
    element: h("div", { class: "field-row" }, h("label", { for: id }, name(column.name), column.unit ? h("span", { class: "unit" }, ` ${column.unit}`) : null), text, h("div", { class: "slide" }, slider, strip), remark),
    strip,
    show(value) {
      const isMissing = Number.isNaN(value);
      slider.classList.toggle("missing", isMissing);
      slider.value = isMissing ? (column.least + column.most) / 2 : value;
      slider.setAttribute("aria-valuetext", sayCell(column, value));
      if (document.activeElement === text) return;
      if (isDate) text.valueAsNumber = isMissing ? NaN : value * DAY;
      else text.value = isMissing ? "" : String(Number(value.toPrecision(15)));
    },
  };
}

function makeChoice(column, id, change) {
  const options = column.values.map((value, code) => h("option", { value: String(code) }, value));
  const select = h("select", { id }, options, h("option", { value: "" }, "(not known, or another value)"));
  select.addEventListener("change", () => change(select.value === "" ? NaN : Number(select.value)));
  const strip = h("div", { class: "strip steps", "aria-hidden": "true" });
  return {
    element: h("div", { class: "field-row" }, h("label", { for: id }, name(column.name)), select, h("div", { class: "slide" }, strip)),
    strip,
    show(value) {
      select.value = Number.isNaN(value) ? "" : String(value);
    },
  };
}

/** A field: its element, how to show a value, and the strip of answers along its values. */
export function makeField(column, place, change) {
  const id = `cell-${place}`;
  return column.values ? makeChoice(column, id, change) : makeNumber(column, id, change);
}

/** The values along which the answers of a strip are asked for. */
export function stripValues(column, n = 60) {
  if (column.values) return column.values.slice(0, 40).map((_, code) => code);
  if (!(column.most > column.least)) return [];
  return Array.from({ length: n }, (_, k) => column.least + ((k + 0.5) * (column.most - column.least)) / n);
}

export const sayRange = (column) => `${short(column.least)} to ${short(column.most)}`;
