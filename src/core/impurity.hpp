// How mixed the classes are: the weight of a set of rows times its entropy (bits) or Gini index.
//
// Both are sums, so that the gain of a split is one subtraction: mixed(all) - mixed(each branch).
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace miter {

// x log2 x, by table for the whole numbers of unweighted rows: the logarithm is what costs most in
// the scan over thresholds.
class Entropy {
 public:
  explicit Entropy(const std::vector<double>& table) : table_(table.data()), size_(table.size()) {}

  static std::vector<double> make_table(std::size_t n_rows) {
    constexpr std::size_t most = std::size_t{1} << 16;  // 512 KB: it should stay in the cache
    std::vector<double> table(std::min(n_rows, most) + 1);
    for (std::size_t x = 0; x < table.size(); ++x) table[x] = direct(static_cast<double>(x));
    return table;
  }

  template <class Count>
  double mixed(const Count* counts, int n_classes, Count total) const {
    double pure = 0;
    for (int c = 0; c < n_classes; ++c) pure += term(counts[c]);
    return term(total) - pure;
  }

 private:
  static double direct(double x) { return x > 0 ? x * std::log2(x) : 0.0; }
  double term(double x) const { return direct(x); }
  double term(std::int32_t x) const {
    return static_cast<std::size_t>(x) < size_ ? table_[x] : direct(x);
  }

  const double* table_;
  std::size_t size_;
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
