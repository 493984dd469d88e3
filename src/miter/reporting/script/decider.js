/** The model as it stands: cut back to a size, with some of its trees, for some costs. */

import { answersOf, blend, firstOfLargest } from "./answers.js";
import { Questions } from "./questions.js";
import { makeTree, routeOf } from "./trees.js";

const LEAF = { branch: null };

/** What stays the same whatever the size and the costs are. */
export function makeModel(contents, routing) {
  const trees = contents.trees.map((plain) => makeTree(plain, contents.classes.length));
  return {
    contents,
    routing,
    trees,
    // Of a forest only some trees are shown.
    questions: contents.trees.map(({ nodes }, k) => (nodes.tests ? new Questions(nodes, trees[k], contents.columns) : null)),
    routes: trees.map((tree, k) => routeOf(routing.tests[k], tree)),
    nClasses: contents.classes.length,
  };
}

/** Costs where every mistake costs the same. */
export function plainCosts(nClasses) {
  return Array.from({ length: nClasses }, (_, p) =>
    Array.from({ length: nClasses }, (__, t) => (p === t ? 0 : 1)));
}

export class Decider {
  /**
   * @param model what `makeModel` returned
   * @param size the place of a size among `contents.sizes.steps`
   * @param costs predicted classes x true ones; null: those that the model was made for
   */
  constructor(model, size = 0, costs = null) {
    const { contents } = model;
    this.model = model;
    this.costs = costs;
    this.isForest = contents.kind === "forest";
    this.leafFrom = this.isForest || !contents.sizes ? null : contents.sizes.leaf_from;
    this.size = size;
    this.nTrees = this.isForest ? contents.sizes.steps[size].trees : 1;
    // Trees that vote have their own costs; what they say together is weighed anew.
    const own = this.isForest ? null : costs;
    this.answers = model.trees.map((tree) => answersOf(tree, own));
    this.routes = this.isCut
      ? [model.routes[0].map((node, place) => (this.isLeaf(place) ? LEAF : node))]
      : model.routes;
  }

  get isCut() {
    return this.leafFrom !== null && this.size > 0;
  }

  /** Whether a node of the one tree is a leaf, or gone, at this size. */
  isLeaf(node) {
    return this.leafFrom !== null && this.leafFrom[node] <= this.size;
  }

  /** Whether a node is there at this size. */
  isThere(node) {
    return node === 0 || !this.isLeaf(this.model.trees[0].parent[node]);
  }

  /** The nodes of a tree where parts of a row end, each with its share. */
  ends(x, tree = 0) {
    return this.model.routing.ends(this.routes[tree], x);
  }

  /** The class of a row, its probabilities, and where it ends in the one tree. */
  answer(x) {
    if (this.isForest) return this.#answerTogether(x);
    const parts = this.ends(x);
    const isShared = this.model.routing.isShared(this.routes[0], x);
    return { ...this.#answerParts(0, parts, isShared), parts, isShared };
  }

  #answerParts(tree, parts, isShared) {
    const { probabilities, merit, labels } = this.answers[tree];
    const label = isShared ? firstOfLargest(blend(parts, merit)) : labels[parts[0][0]];
    return { label, shares: blend(parts, probabilities) };
  }

  #answerTogether(x) {
    const { contents, nClasses, routing } = this.model;
    const total = new Float64Array(nClasses);
    for (let k = 0; k < this.nTrees; k += 1) {
      const isShared = routing.isShared(this.routes[k], x);
      const { label, shares } = this.#answerParts(k, this.ends(x, k), isShared);
      if (contents.answer === "votes") total[label] += 1;
      else shares.forEach((share, place) => { total[place] += share; });
    }
    const shares = total.map((share) => share / this.nTrees);
    return { label: this.weigh(shares), shares, parts: null, isShared: false };
  }

  /** The answer of a forest to the shares that its trees give the classes. */
  weigh(shares) {
    const { contents } = this.model;
    const costs = this.costs ?? (contents.answer === "votes" ? null : contents.costs);
    if (costs === null) return firstOfLargest(shares);
    return firstOfLargest(costs.map((row) => -row.reduce((sum, c, k) => sum + c * shares[k], 0)));
  }

  /** The node at which rows stop that would end at a node of the whole tree. */
  stop(node) {
    if (!this.isCut) return node;
    const { parent } = this.model.trees[0];
    let at = node;
    while (at > 0 && this.isLeaf(parent[at])) at = parent[at];
    return at;
  }

  /** The answer to rows that end alike: at a node, or shared out from a node on. */
  answerEnding(begin, parts) {
    if (begin < 0 || this.stop(begin) !== begin || this.isLeaf(begin)) {
      return this.answers[0].labels[this.stop(parts[0][0])];
    }
    const moved = parts.map(([node, share]) => [this.stop(node), share]);
    return firstOfLargest(blend(moved, this.answers[0].merit));
  }
}
