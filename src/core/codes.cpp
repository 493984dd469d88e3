#include "codes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <type_traits>

#include "interrupt.hpp"
#include "parallel.hpp"
#include "sorting.hpp"

namespace miter {
namespace {

constexpr std::size_t kSampleSize = 50'000;  // about 200 rows a bin

// The leading 32 bits of a number as an unsigned integer with the same order.
std::uint32_t leading_bits(float value) { return in_order(value); }
std::uint32_t leading_bits(double value) {
  return bits_in_order(static_cast<std::int32_t>(std::bit_cast<std::int64_t>(value + 0.0) >> 32));
}

// Column scratch of one thread: sort keys of rows, and where a pass puts them.
struct SortSpace {
  std::vector<SortKey> keys, spare;
};

// Makes room for n codes up to and including `largest` and hands the array to body.
template <class Body>
void fill_codes(CodedColumn& column, std::size_t n, std::uint32_t largest, Body&& body) {
  if (largest <= 0xff) {
    column.narrow.resize(n);
    body(column.narrow.data());
  } else if (largest <= 0xffff) {
    column.middle.resize(n);
    body(column.middle.data());
  } else {
    column.wide.resize(n);
    body(column.wide.data());
  }
}

template <class T>
CodedColumn code_symbols(const MatrixOf<T>& X, std::int64_t c, std::uint32_t n_values) {
  CodedColumn column{.n_codes = n_values};
  fill_codes(column, X.n_rows, n_values, [&](auto* codes) {
    for_rows(X.n_rows, [&](std::int64_t row) {
      const double value = X.at(row, c);
      const bool known = value >= 0 && value < n_values;  // false for NaN
      codes[row] = static_cast<std::remove_reference_t<decltype(*codes)>>(
          known ? static_cast<std::uint32_t>(value) : n_values);
      column.has_missing |= !known;
    });
  });
  return column;
}

// Sorts the rows of a column that are known by their values. Leading bits are sorted first: the few
// numbers that share them are then compared in full.
template <class Value>
void sort_rows(std::int64_t n_rows, Value&& value, SortSpace& s) {
  s.keys.resize(n_rows);
  std::size_t n_known = 0;
  for_rows(n_rows, [&](std::int64_t row) {
    const auto x = value(row);
    if (std::isnan(x)) return;
    s.keys[n_known++] = sort_key(leading_bits(x), static_cast<std::uint32_t>(row));
  });
  s.keys.resize(n_known);
  sort_by_number(s.keys, s.spare);
  if (sizeof(value(0)) == 4) return;
  std::int64_t n_compared = 0;
  auto is_less = [&](SortKey a, SortKey b) {
    if (++n_compared % kPatience == 0) Interrupt::check();
    return value(owner_of(a)) < value(owner_of(b));
  };
  for (auto first = s.keys.begin(), last = first; first != s.keys.end(); first = last) {
    while (last != s.keys.end() && number_of(*last) == number_of(*first)) ++last;
    if (last - first > 1) std::sort(first, last, is_less);
  }
}

template <class T>
CodedColumn code_exactly(const MatrixOf<T>& X, std::int64_t c, SortSpace& s) {
  const std::size_t n_rows = X.n_rows;
  auto value = [&](std::size_t row) { return X.data[row * X.row_stride + c * X.column_stride]; };
  sort_rows(X.n_rows, value, s);
  const std::size_t n_known = s.keys.size();
  auto is_new = [&](std::size_t i) {
    return i > 0 && (number_of(s.keys[i]) != number_of(s.keys[i - 1]) ||
                     value(owner_of(s.keys[i])) != value(owner_of(s.keys[i - 1])));
  };
  std::uint32_t n_codes = n_known > 0 ? 1 : 0;
  for_rows(static_cast<std::int64_t>(n_known), [&](std::int64_t i) { n_codes += is_new(i); });
  CodedColumn column{.n_codes = n_codes, .has_missing = n_known < n_rows};
  fill_codes(column, n_rows, n_codes, [&](auto* codes) {
    using Code = std::remove_reference_t<decltype(*codes)>;
    if (column.has_missing) std::fill(codes, codes + n_rows, static_cast<Code>(n_codes));
    std::uint32_t code = 0;
    for_rows(static_cast<std::int64_t>(n_known), [&](std::int64_t i) {
      code += is_new(i);
      codes[owner_of(s.keys[i])] = static_cast<Code>(code);
    });
  });
  return column;
}

// Upper edges of at most max_codes bins with about equally many rows of a fixed random sample.
template <class T>
std::vector<T> quantile_edges(const MatrixOf<T>& X, std::int64_t c, int max_codes) {
  const std::uint64_t n_rows = X.n_rows;
  const bool all = n_rows <= kSampleSize;
  const std::size_t n_sample = all ? n_rows : kSampleSize;
  std::vector<T> sample;
  sample.reserve(n_sample);
  std::uint64_t state = 0x9e3779b97f4a7c15ull;
  for (std::size_t i = 0; i < n_sample; ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    const std::uint64_t row = all ? i : (state >> 33) % n_rows;
    const T value = X.data[row * X.row_stride + c * X.column_stride];
    if (!std::isnan(value)) sample.push_back(value);
  }
  std::sort(sample.begin(), sample.end());

  std::vector<T> distinct;
  std::unique_copy(sample.begin(), sample.end(), std::back_inserter(distinct));
  if (distinct.size() <= static_cast<std::size_t>(max_codes)) {
    if (!distinct.empty()) distinct.pop_back();  // the last bin has no upper edge
    return distinct;
  }
  std::vector<T> edges;
  for (int bin = 1; bin < max_codes; ++bin) {
    const T edge = sample[bin * sample.size() / max_codes];
    if ((edges.empty() || edge > edges.back()) && edge < sample.back()) edges.push_back(edge);
  }
  return edges;
}

// At most max_codes codes: a value's code is the number of edges below it.
template <class T>
CodedColumn code_by_quantiles(const MatrixOf<T>& X, std::int64_t c, int max_codes) {
  const std::vector<T> edges = quantile_edges(X, c, max_codes);
  const std::size_t n_rows = X.n_rows;
  CodedColumn column{.n_codes = static_cast<std::uint32_t>(edges.size()) + 1};
  // Padded to a power of two with +inf, the search is a fixed number of steps without branches.
  std::vector<T> padded(std::bit_ceil(edges.size() + 1), std::numeric_limits<T>::infinity());
  std::copy(edges.begin(), edges.end(), padded.begin());
  const std::size_t half = padded.size() / 2;
  column.narrow.resize(n_rows);
  bool has_missing = false;
  for_rows(static_cast<std::int64_t>(n_rows), [&](std::int64_t row) {
    const T value = X.data[row * X.row_stride + c * X.column_stride];
    std::size_t code = 0;
    for (std::size_t step = half; step > 0; step /= 2) {
      code += value > padded[code + step - 1] ? step : 0;
    }
    const bool missing = std::isnan(value);
    has_missing |= missing;
    column.narrow[row] = static_cast<std::uint8_t>(missing ? column.n_codes : code);
  });
  column.has_missing = has_missing;
  return column;
}

}  // namespace

std::vector<CodedColumn> code_columns(const Matrix& X, const std::vector<std::int32_t>& n_values,
                                      int max_codes, int n_threads) {
  std::vector<CodedColumn> columns(n_values.size());
  std::vector<SortSpace> space(n_threads);
  X.visit([&](const auto& typed) {
    parallel_for(columns.size(), n_threads, [&](std::size_t c, int thread) {
      columns[c] = n_values[c] > 0 ? code_symbols(typed, c, n_values[c])
                   : max_codes > 0 ? code_by_quantiles(typed, c, max_codes)
                                   : code_exactly(typed, c, space[thread]);
    });
  });
  return columns;
}

}  // namespace miter
