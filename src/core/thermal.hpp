// Thermal training of a linear machine for every open node of a level, and elimination of its
// variables.
//
// Utgoff and Brodley 1991, Tables 2 and 3; Draper, Brodley and Utgoff 1993, Tables 1 and 2 and
// section 2.2.
#pragma once

#include <cstdint>
#include <vector>

#include "level.hpp"
#include "packed.hpp"
#include "table.hpp"

namespace miter {

// What is taken out of a machine: nothing, one variable after the other, or all variables of a
// column together.
enum class Elimination { none, variables, columns };

struct ThermalOptions {
  bool in_passes = false;  // 1993: pass through the rows; 1991: draw them at random
  double beta = 2, least_beta = 0.001;
  double a = 0.995, b = 0.0005;
  bool keep_best = true;  // the best machine seen in training, not the last
  Elimination eliminate = Elimination::variables;
  double delta = 0.10;     // stop eliminating when accuracy has dropped by this much
  double early_start = 0;  // 1993: eliminate once the magnitude has settled to within this part
};

// For every node: seeds, and quantiles of Student's t at the level of the test that a smaller
// machine must pass.
std::vector<PackedSplit> find_thermal_machines(const Table& table, const Level& level,
                                               const std::uint64_t* seeds,
                                               const double* t_quantiles,
                                               const ThermalOptions& options);

}  // namespace miter
