// What each column adds to the answers of a tree: interventional Shapley values.
//
// For a row x and a row z of the background the columns are the players: a coalition's columns have
// the values of x, the others those of z. A walk down the tree decides, column by column and only
// where a test needs to know it, whose value a column has. A node where such a walk ends stands for
// all coalitions with the columns decided so: with a columns of x and b of z among them, each of
// the a gets (a - 1)! b! / (a + b)! of what the node says, and each of the b loses
// a! (b - 1)! / (a + b)! of it. A test of several columns is settled as soon as no choice of those
// undecided can change its branch; the column that can move it most is decided first.
#pragma once

#include <cstdint>
#include <vector>

#include "matrix.hpp"
#include "router.hpp"

namespace miter {

struct AttributionOptions {
  std::int64_t max_states = 4096;  // a pair of rows that needs more decisions is sampled:
  std::int64_t n_draws = 10;       // so many orders of the columns, each also backwards
  std::uint64_t seed = 0;
  int n_threads = 1;
};

struct Attribution {
  std::vector<double> values;    // rows x columns x width, the mean over the background
  std::vector<double> variance;  // of the values, where pairs were sampled; else 0
  std::int64_t n_sampled = 0;    // pairs of rows
};

// values_of_nodes is n_nodes x width; a row that is shared out blends what its parts get.
Attribution attribute(const Router& tree, const Matrix& X, const Matrix& background,
                      const double* values_of_nodes, int width, const AttributionOptions& options);

}  // namespace miter
