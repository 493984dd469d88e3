// A linear machine for every open node of a level, trained by minimising a smooth error.
#pragma once

#include <cstdint>
#include <vector>

#include "matrix.hpp"
#include "parallel.hpp"
#include "univariate.hpp"

namespace miter {

struct MachineOptions {
  double l2 = 0.3;                   // on scaled variables; constants are free
  std::vector<double> temperatures;  // of the annealed expected error; none: logistic regression
  bool bent = false;                 // numbers also count by their distance from the mean
  int max_iterations = 100;          // of each stage of training
  double tolerance = 1e-4;
  std::int64_t max_rows = 20000;  // a larger node is trained on so many of its rows
  bool eliminate = false;         // take out columns that do not help
  int max_columns = 0;            // > 0: use no more than so many
  int folds = 5;                  // of the cross-validation that says how many columns
  std::uint64_t seed = 0;
};

// A machine as packed numbers (see route.hpp); no branches: the rows cannot be told apart.
struct FoundMachine {
  std::vector<std::int32_t> ints;
  std::vector<double> reals;
  std::int32_t n_branches = 0;
};

// What training reads beside the level.
struct MachineTable {
  Matrix X;
  const std::int32_t* y;
  const double* costs;  // of each class as the answer to each row; null: a mistake costs 1
  int n_classes;
  std::vector<std::int32_t> n_values;  // of each column; 0: a number
};

std::vector<FoundMachine> find_machines(const MachineTable& table, const Level& level,
                                        const MachineOptions& options, int n_threads);

}  // namespace miter
