/** Rows by their true class and by what is answered. */

const pairsOf = (list) => {
  const pairs = [];
  for (let place = 0; place < list.length; place += 2) pairs.push([list[place], list[place + 1]]);
  return pairs;
};

/** A matrix of rows, true classes down, answers across. */
export function countAnswers(decider) {
  const { contents, nClasses } = decider.model;
  const matrix = Array.from({ length: nClasses }, () => new Float64Array(nClasses));
  if (contents.endings) {
    const { whole, shared } = contents.endings;
    for (const [node, counts] of whole) {
      const answer = decider.answerEnding(-1, [[node, 1]]);
      for (const [truth, count] of pairsOf(counts)) matrix[truth][answer] += count;
    }
    for (const [begin, parts, counts] of shared) {
      const answer = decider.answerEnding(begin, pairsOf(parts));
      for (const [truth, count] of pairsOf(counts)) matrix[truth][answer] += count;
    }
    return matrix;
  }
  answerRows(decider).forEach((answer, place) => {
    matrix[contents.rows.truth[place]][answer] += contents.rows.weights[place];
  });
  return matrix;
}

/** The answer to each row of the page. */
export function answerRows(decider) {
  const { contents } = decider.model;
  if (contents.runs) return contents.rows.cells.map((cells) => decider.answer(coded(cells)).label);
  return contents.rows.shares.map((shares) => decider.weigh(Float64Array.from(shares)));
}

/** Cells as routing reads them: missing is not a number. */
export function coded(cells) {
  return cells.map((cell) => (cell === null ? NaN : cell));
}

/** How many rows there are, how many are right, and what a row costs in the mean. */
export function scores(matrix, costs) {
  let total = 0;
  let right = 0;
  let cost = 0;
  matrix.forEach((row, truth) => row.forEach((count, answer) => {
    total += count;
    if (truth === answer) right += count;
    cost += count * costs[answer][truth];
  }));
  return { total, right, meanCost: total > 0 ? cost / total : 0 };
}
