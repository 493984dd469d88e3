// What columns add to sums: the one kind of term that linear splits, machines and networks have.
//
// A term is a column and its number of values: 0 of a number, kBent of a number whose weight
// changes at a centre, kCondition of a number that is above a cut or not. Its real numbers are rows
// of one weight for each output: what a number is multiplied with, or what each value of a symbol
// adds; then what a missing value adds. A bent number has its centre, the weights of what it is
// below the centre, and those of what it is above; a condition its cut, and what a number above it
// adds.
#pragma once

#include <cstdint>

namespace miter {

constexpr std::int32_t kBent = -1, kCondition = -2;

// How many real numbers a term has.
inline std::int64_t n_reals_of_term(std::int32_t n_values, std::int64_t n_outputs) {
  if (n_values == kBent) return 1 + 3 * n_outputs;
  if (n_values == kCondition) return 1 + 2 * n_outputs;
  return n_outputs * (n_values == 0 ? 2 : n_values + std::int64_t{1});
}

// What a term adds for a value x: a factor times a row of weights.
struct TermValue {
  double factor;
  const double* row;
};
inline TermValue term_value(std::int32_t n_values, const double* reals, std::int64_t n_outputs,
                            double x) {
  if (n_values == 0) {
    if (x != x) return {1.0, reals + n_outputs};
    return {x, reals};
  }
  if (n_values == kBent) {
    const double centre = *reals++;
    if (x != x) return {1.0, reals + 2 * n_outputs};
    return {x - centre, x < centre ? reals : reals + n_outputs};
  }
  if (n_values == kCondition) {
    const double cut = *reals++;
    if (x != x) return {1.0, reals + n_outputs};
    return {x > cut ? 1.0 : 0.0, reals};
  }
  const bool is_known = x >= 0 && x < n_values;
  return {1.0, reals + (is_known ? static_cast<std::int64_t>(x) : n_values) * n_outputs};
}

// Adds what terms add for a row to the sums of the outputs; value(column) reads the row. Returns
// what follows the real numbers of the terms. n_outputs may be a constant, for faster code.
template <class Number, class Value>
const double* add_terms(Number n_outputs, std::int32_t n_terms, const std::int32_t* terms,
                        const double* reals, Value&& value, double* sums) {
  for (std::int32_t term = 0; term < n_terms; ++term) {
    const std::int32_t n_values = terms[2 * term + 1];
    const TermValue added = term_value(n_values, reals, n_outputs, value(terms[2 * term]));
    for (std::int32_t k = 0; k < n_outputs; ++k) sums[k] += added.factor * added.row[k];
    reals += n_reals_of_term(n_values, n_outputs);
  }
  return reals;
}

}  // namespace miter
