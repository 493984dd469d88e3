// Dividing the classes of a node into two groups, and training a unit that tells the groups apart.
//
// Yildiz and Alpaydin, Univariate and Multivariate Decision Trees, section 3.2: the exchange method
// of Guo and Gelfand 1992. Every class in turn would change its group; the change after which the
// trained unit leaves the least entropy is made, until none leaves less.
#pragma once

#include <cstdint>
#include <vector>

#include "encode.hpp"
#include "level.hpp"
#include "packed.hpp"
#include "table.hpp"
#include "unit.hpp"

namespace miter {

struct UnitOptions {
  int n_hidden = 0;  // 0: a perceptron; -1: half as many as there are variables
  int least_hidden = 1, most_hidden = 10;  // where it is half of them
  std::vector<double> l2;  // several, descending: the best by leave-one-out, or by folds (network)
  int n_init = 1;          // of a network; the one with the least loss is kept
  int max_iterations = 100;
  double tolerance = 1e-4;
  bool by_gradient = false;  // plain gradient descent on inputs scaled to 0..1
  GradientOptions gradient;
  ColumnScales scales;            // for gradient descent
  std::int64_t max_rows = 10000;  // a larger node is trained on so many of its rows
};

// What was found for a node.
struct FoundUnit {
  PackedSplit split;                 // no branches: the unit would send all rows one way
  std::vector<std::uint8_t> groups;  // of each class; 2: it is not there
  double l2 = 0;                     // the penalty that was chosen
  double loss = 0;                   // logistic, of all rows, without the penalty
  std::int32_t n_weights = 0;
};

// groups (n_nodes x n_classes) to begin with; null: the most distant classes begin. exchange: else
// the groups that are given stay.
std::vector<FoundUnit> find_units(const Table& table, const Level& level,
                                  const std::uint8_t* groups, bool exchange,
                                  const UnitOptions& options);

// Cross-validation at the nodes, several times over: how every entry of the level is dealt.
struct Parts {
  const std::int32_t* first;   // n_repeats x n_entries
  const std::int32_t* spread;  // n_entries
  int n_repeats, n_parts;
};

// The share of each part's rows that a unit, trained on the other parts, puts into the wrong group:
// n_nodes x (n_repeats x n_parts). l2: the penalty of each node.
std::vector<double> part_errors(const Table& table, const Level& level, const std::uint8_t* groups,
                                const double* l2, const Parts& parts, const UnitOptions& options);

}  // namespace miter
