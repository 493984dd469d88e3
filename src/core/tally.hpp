// Sums over some rows of a table that add up, to the last bit, to those over all of them.
//
// Where a table is in parts, what each part adds is counted in whole numbers: weights times a
// scale, rounded. Whole numbers give the same sum in any order, however rows are dealt over parts.
#pragma once

#include <cstdint>
#include <vector>

#include "level.hpp"
#include "move.hpp"
#include "splits.hpp"
#include "table.hpp"

namespace miter {

// What weights, and weights times costs, are multiplied with before they are rounded.
struct Scales {
  double weight, cost;
};

// What the rows of a level, or those that are in one part of a table, add to its branches. A row
// that no branch fits ends at its node, and is in none of the sums. Branches of all nodes are
// numbered through.
struct Tally {
  std::vector<std::int32_t> branch;        // of every entry within its node; kShareOut, kStay
  std::vector<std::int64_t> sizes;         // entries of each branch
  std::vector<std::int64_t> shared_sizes;  // entries of each node that are shared out
  std::vector<std::int64_t> counts;        // branches x classes, without what is shared out
  std::vector<std::int64_t> shared;        // nodes x classes: what is shared out
  std::vector<std::int64_t> losses;        // the same of costs, if there are any
  std::vector<std::int64_t> shared_losses;
};

// missing_of_class (n_nodes x n_classes) overrides the branch of missing values; may be null.
Tally tally_level(const Table& table, const Level& level, const Splits& splits,
                  const std::int32_t* missing_of_class, const Scales& scales);

}  // namespace miter
