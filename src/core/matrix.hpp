// A table of numbers that somebody else owns: rows x columns, float or double, any strides.
#pragma once

#include <cstdint>

namespace miter {

template <class T>
struct MatrixOf {
  const T* data;
  std::int64_t n_rows, n_columns, row_stride, column_stride;

  double at(std::int64_t row, std::int64_t column) const {
    return static_cast<double>(data[row * row_stride + column * column_stride]);
  }
  // Asks for a row's numbers before they are needed, if they lie side by side.
  void prefetch(std::int64_t row) const {
    constexpr std::int64_t kInLine = 64 / sizeof(T);
    if (column_stride != 1) return;
    for (std::int64_t c = 0; c < n_columns; c += kInLine) {
      __builtin_prefetch(data + row * row_stride + c);
    }
  }
};

struct Matrix {
  MatrixOf<float> floats{};
  MatrixOf<double> doubles{};
  bool is_float = false;

  std::int64_t n_rows() const { return is_float ? floats.n_rows : doubles.n_rows; }
  std::int64_t n_columns() const { return is_float ? floats.n_columns : doubles.n_columns; }
  double at(std::int64_t row, std::int64_t column) const {
    return is_float ? floats.at(row, column) : doubles.at(row, column);
  }
  // Calls body with the typed matrix, so that inner loops do not ask for the type.
  template <class Body>
  auto visit(Body&& body) const {
    return is_float ? body(floats) : body(doubles);
  }
};

}  // namespace miter
