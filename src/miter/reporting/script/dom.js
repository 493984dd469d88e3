/** Elements from names, attributes and children. Texts are always texts, never markup. */

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.entries(value).forEach(([key, one]) => element.style.setProperty(key, one));
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An element of HTML. */
export function h(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** An element of SVG. */
export function s(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** Put new children in the place of those that are there. */
export function replace(element, ...children) {
  element.replaceChildren();
  return fill(element, null, children);
}

export const byId = (id) => document.getElementById(id);

/** Names of the user stand apart: their direction is their own business. Long ones are cut. */
export function name(text, most = 72) {
  const letters = text.length > most ? [...text] : [];
  if (letters.length <= most) return h("bdi", { class: "name" }, text);
  return h("bdi", { class: "name", title: text }, `${letters.slice(0, most - 8).join("")}…`);
}
