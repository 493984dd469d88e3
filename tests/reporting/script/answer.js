/**
 * What the script of a page answers, outside of a browser: for tests that compare it with Python.
 *
 * Reads a request from standard input: the folder with contents.json and routing.mjs, rows as the
 * user writes them, and a list of settings of size and costs.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { countAnswers } from "../../../src/miter/reporting/script/confusion.js";
import { Decider, makeModel } from "../../../src/miter/reporting/script/decider.js";
import { reasonsOf, sumsOf } from "../../../src/miter/reporting/script/reasons.js";

const request = JSON.parse(readFileSync(0, "utf8"));
const contents = JSON.parse(readFileSync(join(request.folder, "contents.json"), "utf8"));
const routing = await import(pathToFileURL(join(request.folder, "routing.mjs")).href);
const model = makeModel(contents, routing);
const rows = request.rows.map((row) => routing.read(row));

/** Why each row took its branch at the root, where it took one. */
function reasons() {
  const test = model.questions[0]?.test(0);
  if (!test) return [];
  return rows.map((x) => {
    const branch = routing.tests[0][0](x);
    return branch < 0 ? null : { branch, ...reasonsOf(test, x, branch), sums: sumsOf(test, x) };
  });
}

const answers = request.settings.map(({ size, costs }) => {
  const decider = new Decider(model, size, costs);
  const given = rows.map((x) => decider.answer(x));
  return {
    labels: given.map(({ label }) => label),
    shares: given.map(({ shares }) => [...shares]),
    matrix: contents.rows.truth ? countAnswers(decider).map((row) => [...row]) : null,
  };
});
process.stdout.write(JSON.stringify({ answers, reasons: reasons() }));
