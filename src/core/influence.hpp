// How far each column moves the decisions of a split.
#pragma once

#include <cstdint>
#include <vector>

#include "matrix.hpp"
#include "splits.hpp"

namespace miter {

// The columns of split i are entries start[i] to start[i + 1].
struct Influences {
  std::vector<std::int64_t> start;
  std::vector<std::int32_t> column;
  std::vector<double> influence;
};

// Node i has the rows rows[row_start[i]] to rows[row_start[i + 1]]. Of a column of a split that
// sums terms: the mean square, over the rows of its node, of what the column adds to the decision
// more than it does in the mean. Of a split's only column: 1.
Influences column_influences(const Splits& splits, const Matrix& X, const std::int32_t* rows,
                             const std::int64_t* row_start, int n_threads);

}  // namespace miter
