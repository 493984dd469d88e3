// Splits that have been checked, and can be asked for the branches of rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "fast_machine.hpp"
#include "interrupt.hpp"
#include "matrix.hpp"
#include "packed.hpp"
#include "terms.hpp"

namespace miter {

// Throws std::invalid_argument about the split of a node.
[[noreturn]] void refuse_node(std::size_t i, const std::string& why);

class Splits {
 public:
  // Throws std::invalid_argument with a sentence when the numbers do not make sense for columns
  // with these numbers of values (0: a number): they may come from a file.
  Splits(PackedSplits packed, std::vector<std::int32_t> n_values);

  std::size_t size() const { return packed_.size(); }
  std::size_t n_columns() const { return n_values_.size(); }
  SplitKind kind(std::size_t i) const { return static_cast<SplitKind>(packed_.kind[i]); }
  std::int32_t n_branches(std::size_t i) const { return packed_.n_branches[i]; }
  const std::int32_t* ints(std::size_t i) const {
    return packed_.ints.data() + packed_.int_start[i];
  }
  const double* reals(std::size_t i) const { return packed_.reals.data() + packed_.real_start[i]; }

  // The branch of a row at split i, or kShareOut, or kStay. value(column) reads the row.
  template <class Value>
  std::int32_t branch(std::size_t i, Value&& value) const {
    return with_kind(i, [&](auto&& branch_of) { return branch_of(value); });
  }

  // How much work a row is at split i, in steps of which kPatience are worth a look at the clock.
  std::int64_t steps_of_row(std::size_t i) const { return 1 + (reals(i + 1) - reals(i)) / 32; }

  // The branches of many rows at split i, the same as one by one.
  template <class T>
  void branches(std::size_t i, const MatrixOf<T>& X, const std::int32_t* rows, std::int64_t n,
                std::int32_t* out) const {
    const std::int64_t steps = steps_of_row(i);
    constexpr std::int64_t kOfMachine = FastMachine::kTogether;
    const std::int64_t together =
        kOfMachine * std::max<std::int64_t>(kPatience / steps / kOfMachine, 1);
    for (std::int64_t k = 0; k < n; k += together) {
      const std::int64_t m = std::min(n - k, together);
      Interrupt::count_steps(m * steps);
      branches_of_some(i, X, rows + k, m, out + k);
    }
  }

 private:
  template <class T>
  void branches_of_some(std::size_t i, const MatrixOf<T>& X, const std::int32_t* rows,
                        std::int64_t n, std::int32_t* out) const {
    auto value_of = [&](std::int64_t row) {
      return [&X, row](std::int32_t column) { return X.at(row, column); };
    };
    if (kind(i) != SplitKind::machine || fast_[i].columns.empty()) {
      return with_kind(i, [&](auto&& branch_of) {
        for (std::int64_t k = 0; k < n; ++k) out[k] = branch_of(value_of(rows[k]));
      });
    }
    constexpr std::int64_t kAhead = 2 * FastMachine::kTogether;
    for (std::int64_t k = 0; k < n; k += FastMachine::kTogether) {
      const std::int64_t m = std::min<std::int64_t>(n - k, FastMachine::kTogether);
      for (std::int64_t r = k + kAhead; r < std::min(n, k + kAhead + m); ++r) X.prefetch(rows[r]);
      fast_[i].branches(X, rows + k, m, out + k);
      for (std::int64_t r = k; r < k + m; ++r) {
        if (out[r] == kShareOut) out[r] = largest_output(ints(i), reals(i), value_of(rows[r]));
      }
    }
  }

  // Calls body with a function that finds the branch of a row at split i: many rows ask once what
  // kind of split it is.
  template <class Body>
  auto with_kind(std::size_t i, Body&& body) const {
    const std::int32_t* own = ints(i);
    const double* real = reals(i);
    switch (kind(i)) {
      case SplitKind::threshold:
        return body([own, real, end = reals(i + 1)](auto&& value) {
          const double x = value(own[0]);
          if (x != x) return own[1];
          std::int32_t b = 0;
          for (const double* cut = real; cut != end; ++cut) b += x > *cut;
          return b;
        });
      case SplitKind::category:
        return body([own, end = ints(i + 1)](auto&& value) {
          const double x = value(own[0]);
          if (!(x >= 0 && x < own[2])) return own[1];  // also NaN
          return branch_of_value(own + 3, end, static_cast<std::int32_t>(x));
        });
      case SplitKind::linear:
        return body([own, real](auto&& value) -> std::int32_t {
          double sum = 0;
          add_terms(std::integral_constant<std::int32_t, 1>(), own[0], own + 1, real + 1, value,
                    &sum);
          return sum > real[0];
        });
      case SplitKind::machine:
        return body([own, real, &fast = fast_[i]](auto&& value) {
          const std::int32_t b = fast.columns.empty() ? kShareOut : fast.branch(value);
          return b >= 0 ? b : largest_output(own, real, value);
        });
      case SplitKind::network:
        return body([own, real](auto&& value) { return network_output(own, real, value); });
      default:
        return body([](auto&&) { return kStay; });
    }
  }

  // Looks a value up among pairs of value and branch.
  static std::int32_t branch_of_value(const std::int32_t* first, const std::int32_t* last,
                                      std::int32_t value) {
    std::int64_t low = 0, high = (last - first) / 2;
    while (low < high) {
      const std::int64_t middle = (low + high) / 2;
      if (first[2 * middle] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const bool is_there = first + 2 * low < last && first[2 * low] == value;
    return is_there ? first[2 * low + 1] : kStay;
  }

  // The sums of the outputs of a machine or of hidden units, and what follows their numbers.
  template <class Value>
  static const double* output_sums(std::int32_t n_outputs, std::int32_t n_terms,
                                   const std::int32_t* terms, const double* real, Value&& value,
                                   std::vector<double>& sums) {
    sums.assign(real, real + n_outputs);
    return add_terms(n_outputs, n_terms, terms, real + n_outputs, value, sums.data());
  }

  // Whether the weighted sigmoids of the hidden units are above the threshold.
  template <class Value>
  static std::int32_t network_output(const std::int32_t* own, const double* real, Value&& value) {
    thread_local std::vector<double> sums;
    const double* weight = output_sums(own[0], own[1], own + 2, real, value, sums);
    double total = 0;
    for (std::int32_t h = 0; h < own[0]; ++h) total += weight[h] / (1 + std::exp(-sums[h]));
    return total > weight[own[0]];
  }

  // The first of the largest discriminants.
  template <class Value>
  static std::int32_t largest_output(const std::int32_t* own, const double* real, Value&& value) {
    thread_local std::vector<double> sums;
    output_sums(own[0], own[1], own + 2 + own[0], real, value, sums);
    return static_cast<std::int32_t>(std::max_element(sums.begin(), sums.end()) - sums.begin());
  }

  void check(std::size_t i) const;
  void check_category(std::size_t i) const;
  void check_column(std::size_t i, std::int32_t column, bool symbolic) const;
  // Checks the terms of several outputs, and that so many other real numbers are there.
  void check_terms(std::size_t i, std::int64_t n_outputs, std::int32_t n_terms,
                   const std::int32_t* terms, std::int64_t n_others) const;

  PackedSplits packed_;
  std::vector<std::int32_t> n_values_;
  std::vector<FastMachine> fast_;  // one for each split, if any is a machine
};

}  // namespace miter
