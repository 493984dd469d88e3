/** Finding nodes by the words that lead to them, what they ask, and what they answer. */

/** The nodes that hold all words of a text, in the order of their numbers. */
export function findNodes(text, questions, labels, classes, isThere) {
  const wanted = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (wanted.length === 0) return [];
  const found = [];
  for (let node = 0; node < labels.length; node += 1) {
    if (isThere(node)) {
      const said = [questions.words(node), questions.short(node), questions.asks(node), classes[labels[node]], `node ${node}`];
      const lower = said.join(" ").toLowerCase();
      if (wanted.every((word) => lower.includes(word))) found.push(node);
    }
  }
  return found;
}
