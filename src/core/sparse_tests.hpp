// Tests of a few columns: for every open node of a level, the best found of each number of terms.
//
// A test divides the classes of a node in two groups, and its rows by a logistic regression between
// the groups, cut at one half. Terms are chosen by forward selection: of the variables that the
// score test likes best the one that lowers the loss most; then weak terms are exchanged. Which
// groups, and how many terms, is told by the information that the test gives about all classes.
#pragma once

#include <cstdint>
#include <vector>

#include "level.hpp"
#include "packed.hpp"
#include "table.hpp"

namespace miter {

struct SparseOptions {
  int max_terms = 6;              // of a test
  int n_conditions = 0;           // for each number, whether it is above so many quantiles
  double events = 3;              // weight outside the largest class that every term needs
  double l2 = 2;                  // half of this times the squared weights is added to the loss
  double min_leaf = 1;            // weight that both branches must have
  std::int64_t max_rows = 10000;  // a larger node is searched on so many of its rows
};

struct SparseTest {
  int n_terms;
  double gain;  // bits, of all rows of the node
  PackedSplit split;
};

// Of every node the tests of two terms, three, and so on, as far as they divide its rows; with
// conditions, from one term on.
std::vector<std::vector<SparseTest>> find_sparse_tests(const Table& table, const Level& level,
                                                       const SparseOptions& options);

}  // namespace miter
