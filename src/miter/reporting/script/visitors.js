/** Which rows of the page come to which node; found out little by little while nobody waits. */

import { coded } from "./confusion.js";
import { pathTo } from "./trees.js";

/** So many rows are sent down the tree before the page may answer again. */
const AT_ONCE = 100;

export class Visitors {
  constructor(model, tree) {
    this.model = model;
    this.tree = tree;
    this.rowsAt = new Map();
    this.nDone = 0;
  }

  /** Send some more rows down the tree; whether all have been. */
  goOn(nRows = AT_ONCE) {
    const { cells } = this.model.contents.rows;
    const tree = this.model.trees[this.tree];
    const route = this.model.routes[this.tree];
    const last = Math.min(this.nDone + nRows, cells.length);
    for (; this.nDone < last; this.nDone += 1) {
      const seen = new Set();
      for (const [node] of this.model.routing.ends(route, coded(cells[this.nDone]))) {
        pathTo(tree, node).forEach((one) => seen.add(one));
      }
      for (const node of seen) {
        if (!this.rowsAt.has(node)) this.rowsAt.set(node, []);
        this.rowsAt.get(node).push(this.nDone);
      }
    }
    return this.nDone === cells.length;
  }

  /** The places of the rows that come to a node. */
  at(node) {
    if (node === 0) return this.model.contents.rows.cells.map((_, row) => row);
    while (!this.goOn());
    return this.rowsAt.get(node) ?? [];
  }
}
