/** A row of the data, or one that is typed in: its answer, why, and what would change it. */

import { colourOf, swatch } from "./colours.js";
import { answerRows, coded } from "./confusion.js";
import { h, name, replace } from "./dom.js";
import { makeField, stripValues } from "./fields.js";
import { reasonsOf } from "./reasons.js";
import { amount, percent, sayCell, short, signed } from "./words.js";

/** So many fields are shown at once; the others are behind a button. */
const FIRST_FIELDS = 24;
const MOST_REASONS = 5;

export function showRow(place, model, store) {
  const { contents } = model;
  const { classes, columns, rows } = contents;
  const head = h("div", { class: "picker" });
  const result = h("div", { class: "result", "aria-live": "polite" });
  const why = h("div", { class: "why" });
  const typed = h("div", { class: "fields" });
  const fields = new Map();
  place.append(head, result, why, typed);

  // ---- which row -----------------------------------------------------------------------------

  const number = h("input", { type: "number", id: "row-number", min: 1, max: rows.total });
  const onlyWrong = h("input", { type: "checkbox", id: "only-wrong" });
  const remark = h("span", { class: "small", role: "status" });

  function pick(row) {
    store.set({ row: { place: row, x: coded(rows.cells[row]) } });
  }

  /** The next row of the page in a direction, perhaps only among mistakes. */
  function step(direction) {
    const { row, decider } = store.get();
    const isWanted = onlyWrong.checked ? ((answers) => (one) => answers[one] !== rows.truth[one])(answerRows(decider)) : () => true;
    const n = rows.cells.length;
    for (let k = 1; k <= n; k += 1) {
      const one = ((row.place ?? 0) + direction * k + n * k) % n;
      if (isWanted(one)) return pick(one);
    }
    remark.textContent = "There are no mistakes among the rows of this page.";
    return null;
  }

  number.addEventListener("change", () => {
    const wanted = Number(number.value);
    const row = rows.numbers.findIndex((one) => one >= wanted);
    const found = row < 0 ? rows.numbers.length - 1 : row;
    remark.textContent = rows.numbers[found] === wanted ? "" : `Row ${amount(wanted)} is not in this page; this is the next one.`;
    pick(found);
  });
  head.append(
    h("label", { for: "row-number" }, "Row"), number,
    h("button", { type: "button", "aria-label": "Row before", onclick: () => step(-1) }, "◀"),
    h("button", { type: "button", "aria-label": "Row after", onclick: () => step(1) }, "▶"),
    rows.truth ? h("span", { class: "nowrap" }, onlyWrong, h("label", { for: "only-wrong" }, " only mistakes")) : "",
    remark,
    rows.total > rows.numbers.length ? h("p", { class: "small" }, `${amount(rows.numbers.length)} of the ${amount(rows.total)} rows are in this page: half of them evenly, the others so that every kind of mistake is among them.`) : "",
  );

  // ---- its answer ----------------------------------------------------------------------------

  function answerOf({ row, decider }) {
    if (contents.runs) return decider.answer(row.x);
    if (row.place === null) return null;
    const shares = Float64Array.from(rows.shares[row.place]);
    return { label: decider.weigh(shares), shares, parts: null };
  }

  function showAnswer(state, answer) {
    const { row } = state;
    if (!answer) {
      replace(result, h("p", null, "This forest is too large to run inside a page, so that only rows of the data have an answer here. ", h("code", null, "miter predict"), " answers any row."));
      return;
    }
    const order = [...answer.shares.keys()].sort((a, b) => answer.shares[b] - answer.shares[a]).slice(0, 5);
    const ended = answer.parts?.map(([node]) => node) ?? [];
    const goesOn = ended.some((node) => contents.trees[0].goes_on?.includes(node));
    replace(
      result,
      h("p", { class: "answer-line" }, swatch(answer.label), " ", h("strong", null, name(classes[answer.label])), h("span", { class: "chance" }, ` ${percent(answer.shares[answer.label])}`)),
      row.place !== null && rows.truth ? truthLine(rows.truth[row.place], answer.label) : row.place === null ? h("p", { class: "small" }, "A row of your own. ", h("button", { type: "button", class: "link", onclick: () => pick(state.lastPlace ?? 0) }, "Back to the row of the data")) : null,
      goesOn ? h("p", { class: "warning" }, "The tree goes on where this row ends here: it is too large for a page. The model itself may answer otherwise.") : null,
      h("ul", { class: "shares" }, order.filter((code) => answer.shares[code] >= 0.0005).map((code) => h(
        "li", null,
        h("span", { class: "share-name" }, name(classes[code])),
        h("span", { class: "share-track" }, h("span", { class: "share-bar", style: { width: `${100 * answer.shares[code]}%`, background: colourOf(code) } })),
        h("span", { class: "number" }, percent(answer.shares[code])),
      ))),
    );
  }

  function truthLine(truth, label) {
    if (truth === label) return h("p", { class: "right-line" }, "✓ That is right.");
    return h("p", { class: "wrong-line" }, "✗ It is really ", swatch(truth), " ", name(classes[truth]), ".");
  }

  // ---- why -----------------------------------------------------------------------------------

  function showWhy(state, answer) {
    if (!answer) return replace(why);
    if (answer.parts === null) return contents.runs ? replace(why, h("h4", null, "What its values do"), unknownEffects(state, answer)) : replace(why);
    return replace(why, h("h4", null, "Why"), h("ol", { class: "steps" }, steps(state, answer)), changes(state));
  }

  /** The way of the row, or of its largest part, and what spoke for each branch. */
  function steps({ row, decider }, answer) {
    const tree = model.trees[0];
    const shown = [];
    let node = 0;
    while (!decider.isLeaf(node) && tree.children[node].length > 0) {
      const routed = model.routes[0][node];
      let branch = routed.branch(row.x);
      if (branch === -2) {
        shown.push(h("li", null, "No training row had this value here, so the row goes no further."));
        break;
      }
      const isShared = branch === -1;
      if (isShared) branch = routed.shares.indexOf(Math.max(...routed.shares));
      const child = tree.children[node][branch];
      shown.push(sayStep(node, child, branch, isShared ? routed.shares[branch] : null, row.x));
      node = child;
    }
    if (shown.length === 0) shown.push(h("li", null, "Every row gets this answer."));
    const label = decider.answers[0].labels[node];
    const total = tree.weight[node];
    const right = tree.counts[node][label];
    return [...shown, h("li", { class: "end" }, `Of the ${amount(total)} training rows that came here ${amount(right)} are `, name(classes[label]), ".", answer.isShared ? " Other parts of the row end elsewhere; the answer blends them." : "")];
  }

  function sayStep(node, child, branch, share, x) {
    const [questions] = model.questions;
    const link = h("button", { type: "button", class: "link", onclick: () => store.set({ node: child, tab: "node" }) }, h("bdi", null, questions.said(child)));
    if (share !== null) {
      return h("li", null, link, ` (${questions.asks(node)} is not known: ${percent(share, 0)} of training rows went this way)`);
    }
    const { margin, without, contributions } = reasonsOf(questions.test(node), x, branch);
    // Of one value of a name the words have said it.
    if (margin === null) return h("li", null, link, questions.words(child).includes("{") ? h("span", { class: "small" }, ` ${sayColumns(node, x)}`) : null);
    if (contributions.length <= 1) return h("li", null, link, h("span", { class: "small" }, ` ${sayColumns(node, x)}, by ${short(margin, 3)}`));
    return h("li", null, link, h("span", { class: "small" }, ` by ${short(margin, 3)}`), reasonBars(contributions, x, without));
  }

  function sayColumns(node, x) {
    const inner = model.questions[0].test(node);
    const column = inner[1];
    return typeof column === "number" ? `it is ${sayCell(columns[column], x[column])}` : "";
  }

  /** What each column adds, and with what it began where nothing is known. */
  function reasonBars(contributions, x, without = null) {
    const most = Math.max(...contributions.map(([, part]) => Math.abs(part)), Math.abs(without ?? 0), 1e-12);
    const bar = (title, part) => h(
      "tr", null,
      h("th", { scope: "row" }, title),
      h("td", { class: "effect" }, h("span", { class: "track" }, h("span", { class: part >= 0 ? "right" : "left", style: { width: `${(50 * Math.abs(part)) / most}%` } }))),
      h("td", { class: "number" }, signed(part)),
    );
    const lines = contributions.slice(0, MOST_REASONS).map(([column, part]) => bar([name(columns[column].name), h("span", { class: "small" }, ` ${sayCell(columns[column], x[column])}`)], part));
    const more = contributions.length - lines.length;
    return h("div", null, h("table", { class: "effects", "aria-label": "To the right what speaks for it, to the left what speaks against" },
      h("tbody", null, without === null ? null : bar(h("span", { class: "small" }, "with nothing known"), without), lines)), more > 0 ? h("p", { class: "small" }, `and ${more} more columns`) : null);
  }

  /** Of a forest: how much less sure it would be, were a value not known. */
  function unknownEffects({ row, decider }, answer) {
    const effects = columns.map((column, k) => {
      if (!column.used || Number.isNaN(row.x[k])) return [k, 0];
      const x = [...row.x];
      x[k] = NaN;
      return [k, answer.shares[answer.label] - decider.answer(x).shares[answer.label]];
    }).filter(([, part]) => Math.abs(part) >= 0.0005).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
    if (effects.length === 0) return h("p", { class: "small" }, "No single value matters: the trees agree without it.");
    return [h("p", { class: "small" }, "By how much each value raises the share of the answer, compared with not knowing it."), reasonBars(effects, row.x)];
  }

  // ---- what would change it -------------------------------------------------------------------

  function changes({ row, decider }) {
    const found = row.place === null ? null : contents.changes[row.place];
    const isAsMade = !decider.isCut && decider.costs === null;
    if (!found || !isAsMade) {
      return h("p", { class: "small" }, "The coloured strips below the sliders show what the answer would be along each column.");
    }
    const apply = () => {
      const x = [...row.x];
      found.columns.forEach((column, k) => { x[column] = found.to[k] === null ? NaN : found.to[k]; });
      store.set({ row: { place: null, x }, lastPlace: row.place });
    };
    return h(
      "div", { class: "change" },
      h("h4", null, "What would change it"),
      h("p", null, "It would be ", swatch(found.label), " ", name(classes[found.label]), " with ", h("bdi", null, found.words.join(", ")), found.is_nearest ? ": no smaller change does it. " : ". ", h("button", { type: "button", onclick: apply }, "Try it")),
    );
  }

  // ---- the fields ----------------------------------------------------------------------------

  function changeCell(column, value) {
    const { row } = store.get();
    const x = [...row.x];
    x[column] = value;
    store.set({ row: { place: null, x }, ...(row.place === null ? {} : { lastPlace: row.place }) });
  }

  function buildFields() {
    const order = [...columns.keys()].sort((a, b) => columns[b].used - columns[a].used || columns[b].importance - columns[a].importance);
    const used = order.filter((k) => columns[k].used);
    const idle = order.filter((k) => !columns[k].used);
    const list = (ks) => ks.map((k) => {
      fields.set(k, makeField(columns[k], k, (value) => changeCell(k, value)));
      return fields.get(k).element;
    });
    const behind = used.slice(FIRST_FIELDS);
    typed.append(
      h("h4", null, "What if? Change its values"),
      ...list(used.slice(0, FIRST_FIELDS)),
      behind.length > 0 ? h("details", null, h("summary", null, `${behind.length} more columns`), list(behind)) : "",
      idle.length > 0 ? h("details", null, h("summary", null, idle.length === 1 ? "1 column that is never asked for" : `${idle.length} columns that are never asked for`), list(idle)) : "",
    );
    typed.addEventListener("toggle", () => drawStrips(store.get()), true);
  }

  function drawStrips({ row, decider }) {
    if (!contents.runs) return;
    for (const [k, field] of fields) {
      const isSeen = columns[k].used && field.element.offsetParent !== null;
      const values = isSeen ? stripValues(columns[k], decider.isForest ? 24 : 60) : [];
      const x = [...row.x];
      const labels = values.map((value) => {
        x[k] = value;
        return decider.answer(x).label;
      });
      const stops = labels.map((label, place) => `${colourOf(label)} ${(100 * place) / labels.length}% ${(100 * (place + 1)) / labels.length}%`);
      field.strip.style.background = stops.length > 0 ? `linear-gradient(to right, ${stops.join(", ")})` : "none";
    }
  }

  let waiting = 0;
  function build() {
    const state = store.get();
    if (state.tab !== "row") return;
    const { row } = state;
    number.value = row.place === null ? "" : rows.numbers[row.place];
    for (const [k, field] of fields) field.show(row.x[k]);
    const answer = answerOf(state);
    showAnswer(state, answer);
    showWhy(state, answer);
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => drawStrips(store.get()));
  }

  buildFields();
  store.on(["row", "decider", "tab"], build);
  build();
}
