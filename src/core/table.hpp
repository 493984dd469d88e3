// The rows that trees grow on. Arrays are somebody else's, and outlive what reads them.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "matrix.hpp"

namespace miter {

struct Table {
  Matrix X;
  const std::int32_t* y;  // the class of each row
  const double* costs;    // rows x classes, of each answer; null: a mistake costs 1
  int n_classes;
  std::vector<std::int32_t> n_values;  // of each column; 0: a number

  std::size_t n_columns() const { return n_values.size(); }
};

// What every row adds to sums over rows, n numbers: 1 for its class, or what each class would cost
// as an answer.
struct RowValues {
  const std::int32_t* y;
  const double* costs;  // null: classes are counted
  int n;

  void add(std::int64_t row, double weight, double* sums) const {
    if (!costs) {
      sums[y[row]] += weight;
      return;
    }
    for (int k = 0; k < n; ++k) sums[k] += weight * costs[row * n + k];
  }
};

// The same in whole numbers, times a scale: their sums do not depend on the order of rows.
struct ScaledValues {
  const std::int32_t* y;
  const double* costs;  // null: classes are counted
  int n;
  double scale;

  void add(std::int64_t row, double weight, std::int64_t* sums) const {
    if (!costs) {
      sums[y[row]] += std::llrint(weight * scale);
      return;
    }
    for (int k = 0; k < n; ++k) sums[k] += std::llrint(weight * costs[row * n + k] * scale);
  }
};

}  // namespace miter
