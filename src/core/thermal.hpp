// Thermal training of a linear machine, and elimination of its variables.
//
// Utgoff and Brodley 1991, Tables 2 and 3; Draper, Brodley and Utgoff 1993, Tables 1 and 2 and
// section 2.2.
#pragma once

#include <cstdint>
#include <vector>

#include "parallel.hpp"

namespace miter {

// Encoded rows: n_rows x n_variables, scaled; the constant 1 is added here.
struct EncodedRows {
  const double* values;
  const std::int32_t* y;      // 0 to n_classes - 1, every class present
  const double* weights;      // how often each row is drawn; may be null
  const double* costs;        // n_rows x n_classes, of each answer; null: a mistake costs 1
  const std::int32_t* group;  // variables of one group are eliminated together, 0 to n_groups - 1
  std::int64_t n_rows;
  int n_variables, n_classes, n_groups;
};

struct ThermalOptions {
  bool in_passes = false;  // 1993: pass through the rows; 1991: draw them at random
  double beta = 2, least_beta = 0.001;
  double a = 0.995, b = 0.0005;
  bool keep_best = true;  // the best machine seen in training, not the last
  bool eliminate = true;
  double t_quantile = 2.5;  // of Student's t with n - 1 degrees of freedom, at the test's level
  double delta = 0.10;      // stop eliminating when accuracy has dropped by this much
  double early_start = 0;   // 1993: eliminate once the magnitude has settled to within this part
  std::uint64_t seed = 0;
};

struct TrainedMachine {
  std::vector<double> weights;     // n_classes x (n_variables + 1), the constant last
  std::vector<std::uint8_t> kept;  // per variable
  double accuracy = 0;             // with costs: the part of all possible cost that it avoids
};

TrainedMachine train_thermal(const EncodedRows& rows, const ThermalOptions& options);

}  // namespace miter
