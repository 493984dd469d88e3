// Columns as small integers in the order of their values: what the split search reads.
//
// Exact: one code for each distinct value. Histogram: at most 255 codes, cut at quantiles. Symbols
// keep their own codes. In all of them a missing cell has the code `n_codes`. Codes are as narrow
// as they can be (8, 16 or 32 bits): at a million rows the search is bound by memory, not
// arithmetic.
#pragma once

#include <cstdint>
#include <vector>

#include "matrix.hpp"

namespace miter {

struct CodedColumn {
  std::uint32_t n_codes = 0;
  bool has_missing = false;
  // Exactly one of these is filled.
  std::vector<std::uint8_t> narrow{};
  std::vector<std::uint16_t> middle{};
  std::vector<std::uint32_t> wide{};

  template <class Body>
  auto visit(Body&& body) const {
    if (!narrow.empty()) return body(narrow.data());
    if (!middle.empty()) return body(middle.data());
    return body(wide.data());
  }
};

// n_values[c] is the number of values of a symbolic column, 0 for numbers. max_codes = 0: exact.
std::vector<CodedColumn> code_columns(const Matrix& X, const std::vector<std::int32_t>& n_values,
                                      int max_codes, int n_threads);

}  // namespace miter
