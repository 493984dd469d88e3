// Linear machines in vector code.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "matrix.hpp"

namespace miter {

// The first n numbers of four rows, as n x 4.
void side_by_side(const float* const* rows, std::size_t n, double* x);
void side_by_side(const double* const* rows, std::size_t n, double* x);

// A machine over numbers, laid out for vector code that answers for several rows together.
struct FastMachine {
  static constexpr int kTogether = 4;
  static constexpr std::size_t kMostColumns = 128;

  FastMachine() = default;
  // From the packed numbers of a machine.
  FastMachine(const std::int32_t* ints, const double* reals);

  std::vector<std::int32_t> columns;  // none: the machine is not of this kind
  bool takes_all = false;             // the columns are the first, in order
  std::vector<double> centres;        // of the columns, if one is bent
  // For each output its constant and the weights of the inputs. An input is a column; if one is
  // bent, two inputs are a column's part below its centre and its part above.
  std::vector<double> weights;
  std::int32_t n_outputs = 0;

  // Branches of up to kTogether rows; kShareOut where a value is missing.
  template <class T>
  void branches(const MatrixOf<T>& X, const std::int32_t* rows, std::int64_t n,
                std::int32_t* out) const {
    alignas(32) double x[kMostColumns * kTogether];
    const T* of_row[kTogether];
    for (std::int64_t r = 0; r < kTogether; ++r) {
      of_row[r] = X.data + rows[std::min(r, n - 1)] * X.row_stride;
    }
    if (takes_all && X.column_stride == 1) {
      side_by_side(of_row, columns.size(), x);
    } else {
      for (std::size_t k = 0; k < columns.size(); ++k) {
        for (int r = 0; r < kTogether; ++r) {
          x[k * kTogether + r] = static_cast<double>(of_row[r][columns[k] * X.column_stride]);
        }
      }
    }
    std::int32_t found[kTogether];
    largest_sums(x, found);
    std::copy_n(found, n, out);
  }

  // The branch of one row.
  template <class Value>
  std::int32_t branch(Value&& value) const {
    alignas(32) double x[kMostColumns * kTogether];
    for (std::size_t k = 0; k < columns.size(); ++k) {
      std::fill_n(x + k * kTogether, kTogether, value(columns[k]));
    }
    std::int32_t found[kTogether];
    largest_sums(x, found);
    return found[0];
  }

 private:
  // The first of the largest sums; x is columns x kTogether.
  void largest_sums(const double* x, std::int32_t* found) const;
};

}  // namespace miter
