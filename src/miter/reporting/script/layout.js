/** Where things are drawn: the tree from left to right, and the sunburst. */

import { hierarchy, partition, tree as tidy } from "d3-hierarchy";
import { arc, linkHorizontal } from "d3-shape";

/** The nodes that are seen: those whose ancestors are all open. In reading order. */
export function visibleNodes(childrenOf, open) {
  const seen = [];
  const left = [0];
  while (left.length > 0) {
    const node = left.pop();
    seen.push(node);
    if (open.has(node)) left.push(...[...childrenOf(node)].reverse());
  }
  return seen;
}

/** The nodes to open at first: level by level, as long as no more than so many ends are seen. */
export function openAtFirst(childrenOf, most) {
  const open = new Set();
  let level = [0];
  let nEnds = 1;
  while (level.length > 0) {
    const inner = level.filter((node) => childrenOf(node).length > 0);
    const below = inner.flatMap((node) => childrenOf(node));
    nEnds += below.length - inner.length;
    if (nEnds > most && open.size > 0) break;
    inner.forEach((node) => open.add(node));
    level = below;
  }
  return open;
}

/**
 * Tidy places for boxes of one width and different heights, from left to right.
 *
 * Returns the middle of the left side of each box, and how much place all of them take.
 */
export function placeBoxes(visible, childrenOf, heights, { width, between, gap }) {
  const isSeen = new Set(visible);
  const root = hierarchy(0, (node) => {
    const below = childrenOf(node).filter((child) => isSeen.has(child));
    return below.length > 0 ? below : null;
  });
  const apart = (a, b) => (heights.get(a.data) + heights.get(b.data)) / 2 + (a.parent === b.parent ? gap : 2 * gap);
  tidy().nodeSize([1, width + between]).separation(apart)(root);
  let top = Infinity;
  let bottom = -Infinity;
  root.each((place) => {
    top = Math.min(top, place.x - heights.get(place.data) / 2);
    bottom = Math.max(bottom, place.x + heights.get(place.data) / 2);
  });
  const places = new Map();
  root.each((place) => places.set(place.data, { left: place.y, middle: place.x - top }));
  return { places, width: root.height * (width + between) + width, height: bottom - top };
}

const curve = linkHorizontal();

/** The line from the right side of a box to the left side of one below it. */
export function linkPath(from, to, width) {
  return curve({ source: [from.left + width, from.middle], target: [to.left, to.middle] });
}

/** Arcs of a sunburst of radius 1: the angle by rows, the ring by depth. */
export function placeArcs(childrenOf, weightOf, leastShare) {
  const total = weightOf(0) || 1;
  const root = hierarchy(0, (node) => {
    const below = childrenOf(node).filter((child) => weightOf(child) / total >= leastShare);
    return below.length > 0 ? below : null;
  });
  root.each((place) => {
    const below = (place.children ?? []).reduce((sum, child) => sum + weightOf(child.data), 0);
    place.value = Math.max(weightOf(place.data), below);
  });
  partition().size([2 * Math.PI, 1])(root);
  return root.descendants().map(({ data, depth, x0, x1, y0, y1 }) => ({ node: data, depth, x0, x1, y0, y1 }));
}

/** The outline of an arc, for a sunburst of a radius. */
export function arcPath({ depth, x0, x1, y0, y1 }, radius) {
  return arc()({
    startAngle: x0,
    endAngle: x1,
    innerRadius: depth === 0 ? 0 : y0 * radius,
    outerRadius: y1 * radius,
    padAngle: depth === 0 ? 0 : 0.004,
  });
}
