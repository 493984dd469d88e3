// How mixed the classes are: the weight of a set of rows times its entropy (bits) or Gini index.
//
// Both are sums, so that the gain of a split is one subtraction: mixed(all) - mixed(each branch).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace miter {

inline double x_log_x(double x) { return x > 0 ? x * std::log2(x) : 0.0; }

// x log2 x, by table for the whole numbers of unweighted rows: the logarithm is what costs most in
// the scan over thresholds.
class XLogXTable {
 public:
  explicit XLogXTable(std::size_t n_rows) {
    constexpr std::size_t kMost = std::size_t{1} << 16;  // 512 KB: it should stay in the cache
    table_.resize(std::min(n_rows, kMost) + 1);
    for (std::size_t x = 0; x < table_.size(); ++x) table_[x] = x_log_x(static_cast<double>(x));
  }

  double operator()(std::int32_t x) const {
    return static_cast<std::size_t>(x) < table_.size() ? table_[x] : x_log_x(x);
  }
  // Of a number that is often a whole one.
  double of_perhaps_whole(double x) const {
    const auto whole = static_cast<std::size_t>(x > 0 ? x : 0);
    return static_cast<double>(whole) == x && whole < table_.size() ? table_[whole] : x_log_x(x);
  }

 private:
  std::vector<double> table_;
};

class Entropy {
 public:
  Entropy() = default;
  explicit Entropy(const XLogXTable& table) : table_(&table) {}

  // Whole counts need the table.
  template <class Count>
  double mixed(const Count* counts, int n_classes, Count total) const {
    double pure = 0;
    for (int c = 0; c < n_classes; ++c) pure += term(counts[c]);
    return term(total) - pure;
  }

 private:
  double term(double x) const { return x_log_x(x); }
  double term(std::int32_t x) const { return (*table_)(x); }

  const XLogXTable* table_ = nullptr;
};

class Gini {
 public:
  template <class Count>
  double mixed(const Count* counts, int n_classes, Count total) const {
    double squares = 0;
    for (int c = 0; c < n_classes; ++c) {
      const auto count = static_cast<double>(counts[c]);
      squares += count * count;
    }
    return total > 0 ? static_cast<double>(total) - squares / static_cast<double>(total) : 0.0;
  }
};

}  // namespace miter
