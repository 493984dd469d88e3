// The hyperplane that divides the classes of a node best, found one coefficient at a time.
//
// Breiman, Friedman, Olshen and Stone, Classification and Regression Trees, 1984, section 5.2: with
// the current combination v <= c, a coefficient changes by the d for which v - d (x + g) <= c
// divides best, for g of -0.25, 0 and 0.25. The rows are sorted by (v - c) / (x + g), where each
// changes its side, so that one sweep finds the best of all d. All variables have their turn, then
// the threshold, until a round gains little.
#pragma once

#include <cstdint>
#include <vector>

#include "level.hpp"
#include "packed.hpp"
#include "table.hpp"

namespace miter {

struct CombinationOptions {
  bool gini = false;      // else entropy
  double deletion = 0.1;  // part of the gain that variables taken out may cost together
  int n_init = 1;         // searches; all but the first begin in a random direction
  double l2 = 0;          // > 0: logistic regression with this penalty gives directions too
  int max_rounds = 20;
  double tolerance = 0.01;        // a round that gains less than this part is the last
  double min_leaf = 1;            // weight that both branches must have
  std::int64_t max_rows = 10000;  // a larger node is searched on so many of its rows
};

// Linear splits; costs are not looked at.
std::vector<PackedSplit> find_combinations(const Table& table, const Level& level,
                                           const CombinationOptions& options);

}  // namespace miter
