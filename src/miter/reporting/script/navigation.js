/** Where a key leads in a tree, as trees on screens have it. */

/**
 * Returns the node to go to, and whether one opens or closes; null where the key means nothing.
 *
 * @param key the name of the key
 * @param node where the reader is
 * @param visible the nodes that are seen, in reading order
 * @param tree parents, and `childrenOf`
 */
export function afterKey(key, node, visible, { parent, childrenOf, open }) {
  const place = visible.indexOf(node);
  const isOpen = open.has(node);
  const isLeaf = childrenOf(node).length === 0;
  switch (key) {
    case "ArrowDown": return { node: visible[Math.min(place + 1, visible.length - 1)] };
    case "ArrowUp": return { node: visible[Math.max(place - 1, 0)] };
    case "Home": return { node: visible[0] };
    case "End": return { node: visible[visible.length - 1] };
    case "ArrowRight":
      if (isLeaf) return { node };
      return isOpen ? { node: childrenOf(node)[0] } : { node, opens: node };
    case "ArrowLeft":
      if (isOpen && !isLeaf) return { node, closes: node };
      return { node: node > 0 ? parent[node] : 0 };
    case "Enter": case " ":
      if (isLeaf) return { node };
      return isOpen ? { node, closes: node } : { node, opens: node };
    default: return null;
  }
}
