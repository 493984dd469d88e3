/** What the nodes of a tree ask, in words and as tests; told of a node when it is asked for. */

import { columnsOf, evaluate } from "./reasons.js";

/** The columns of a test are named up to this number, and counted beyond. */
const NAMED = 3;

/** A test in full: the commonest is written shortly. */
export function wholeTest(test) {
  if (test === null || test[0] !== "cut") return test;
  const [, column, cuts, missing] = test;
  return ["missing", column, ["constant", missing], ["step", ["cell", column], cuts]];
}

export class Questions {
  /**
   * @param nodes plain values: words, short words and tests
   * @param tree parents and children
   * @param columns with the names as they are said
   */
  constructor(nodes, tree, columns) {
    this.nodes = nodes;
    this.tree = tree;
    this.columns = columns;
  }

  test(node) {
    return wholeTest(this.nodes.tests[node]);
  }

  /** What leads to a node, in full. */
  words(node) {
    return this.nodes.words[node];
  }

  /** What leads to a node, in a few words below a node that says the rest; nothing for most. */
  short(node) {
    return this.nodes.short?.[node] ?? "";
  }

  /** What leads to a node, in a few words where many columns are weighed together. */
  said(node) {
    const short = this.short(node);
    return short ? `${this.asks(this.tree.parent[node])} ${short}` : this.words(node);
  }

  /** The columns that a node asks about; nothing for a leaf. */
  asks(node) {
    const test = this.test(node);
    if (test === null) return "";
    const asked = columnsOf(test);
    if (asked.length > NAMED) return `${asked.length} columns together`;
    return asked.map((column) => this.columns[column].said).join(", ");
  }

  /** The branch of rows of which it is not known; -1: all of them; null: it is added up. */
  missing(node) {
    const test = this.test(node);
    const asked = columnsOf(test);
    if (asked.length !== 1) return null;
    const x = [];
    x[asked[0]] = NaN;
    const branch = evaluate(test, x);
    return branch >= -1 ? branch : null;
  }

  /** Of which column the condition that leads to a node is, and on which side; null for sums. */
  side(node) {
    const above = this.tree.parent[node];
    const test = this.test(above);
    const branch = node - this.tree.children[above][0];
    const inner = test[0] === "missing" ? test[3] : test;
    if (inner[0] === "lookup") return [inner[1], "="];
    if (inner[0] !== "step" || inner[1][0] !== "cell") return null;
    const column = inner[1][1];
    if (branch === 0) return [column, "<"];
    return [column, branch === inner[2].length ? ">" : "<>"];
  }
}
