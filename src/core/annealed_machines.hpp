// A linear machine for every open node of a level, trained by minimising a smooth error.
#pragma once

#include <cstdint>
#include <vector>

#include "level.hpp"
#include "packed.hpp"
#include "table.hpp"

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
};

std::vector<PackedSplit> find_machines(const Table& table, const Level& level,
                                       const MachineOptions& options);

}  // namespace miter
