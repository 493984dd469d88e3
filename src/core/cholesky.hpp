// Small systems of equations: a symmetric positive matrix as its lower triangle, row by row.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace miter {

// Turns a matrix into its factor. What is hardly positive counts as a little.
inline void factorise(std::vector<double>& matrix, int n) {
  double* row = matrix.data();
  for (int i = 0; i < n; row += ++i) {
    const double* other = matrix.data();
    for (int j = 0; j < i; other += ++j) {
      double rest = row[j];
      for (int k = 0; k < j; ++k) rest -= row[k] * other[k];
      row[j] = rest / other[j];
    }
    double rest = row[i];
    for (int k = 0; k < i; ++k) rest -= row[k] * row[k];
    row[i] = std::sqrt(std::max(rest, 1e-12 * std::abs(row[i]) + 1e-300));
  }
}

// Half of a solution: the square of what it leaves is b' A^-1 b.
inline void solve_half(const std::vector<double>& factor, int n, double* b) {
  const double* row = factor.data();
  for (int i = 0; i < n; row += ++i) {
    for (int k = 0; k < i; ++k) b[i] -= row[k] * b[k];
    b[i] /= row[i];
  }
}

inline void solve(const std::vector<double>& factor, int n, double* b) {
  solve_half(factor, n, b);
  auto at = [&](int i, int j) { return factor[i * (i + 1) / 2 + j]; };
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) b[i] -= at(k, i) * b[k];
    b[i] /= at(i, i);
  }
}

inline std::vector<double> diagonal_of_inverse(const std::vector<double>& factor, int n) {
  std::vector<double> diagonal(n), unit(n);
  for (int i = 0; i < n; ++i) {
    std::fill(unit.begin(), unit.end(), 0.0);
    unit[i] = 1;
    solve_half(factor, n, unit.data());
    for (double x : unit) diagonal[i] += x * x;
  }
  return diagonal;
}

}  // namespace miter
