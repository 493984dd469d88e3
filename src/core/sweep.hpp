// Rows that change sides one after the other, and how pure the sides are meanwhile.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace miter {

// A row with the number at which it changes its side; ordered as the numbers are.
using Key = std::uint64_t;
constexpr std::uint32_t kTop = std::uint32_t{1} << 31;
constexpr std::uint32_t kFromLeft = kTop;  // beside the row: it leaves the left side

inline Key key_of(float at, std::uint32_t row) {
  const auto bits = std::bit_cast<std::uint32_t>(at + 0.0f);  // one zero, not two
  return Key{bits ^ (bits & kTop ? ~std::uint32_t{0} : kTop)} << 32 | row;
}

inline double number_of(Key key) {
  const auto ordered = static_cast<std::uint32_t>(key >> 32);
  return std::bit_cast<float>(ordered ^ (ordered & kTop ? kTop : ~std::uint32_t{0}));
}

// Sorts by number: eleven bits at a time, where there are enough rows for that.
inline void sort_keys(std::vector<Key>& keys, std::vector<Key>& other) {
  constexpr std::size_t few = 300;
  constexpr int bits = 11, n_places = 1 << bits;
  if (keys.size() < few) {
    std::sort(keys.begin(), keys.end());
    return;
  }
  other.resize(keys.size());
  std::uint32_t places[3][n_places] = {};
  auto digit = [](Key key, int pass) { return (key >> (32 + pass * bits)) & (n_places - 1); };
  for (Key key : keys) {
    for (int pass = 0; pass < 3; ++pass) ++places[pass][digit(key, pass)];
  }
  for (int pass = 0; pass < 3; ++pass) {
    std::uint32_t next = 0;
    for (std::uint32_t& place : places[pass]) next += std::exchange(place, next);
    for (Key key : keys) other[places[pass][digit(key, pass)]++] = key;
    keys.swap(other);
  }
}

// How pure two sides are, kept up while rows change sides.
class Sides {
 public:
  Sides(bool gini, std::size_t n_classes, std::size_t n_rows)
      : gini_(gini), table_(gini ? 0 : std::min<std::size_t>(n_rows + 1, 1 << 16)) {
    for (std::size_t x = 0; x < table_.size(); ++x) table_[x] = direct(static_cast<double>(x));
    for (Side& side : sides_) side.counts.resize(n_classes);
  }

  void clear() {
    for (Side& side : sides_) {
      std::fill(side.counts.begin(), side.counts.end(), 0.0);
      side.pure = side.weight = 0;
    }
  }
  void copy(const Sides& other) {
    for (int side : {0, 1}) sides_[side].counts = other.sides_[side].counts;
  }
  // To begin with; then comes `begin`.
  void put(int side, int c, double weight) { sides_[side].counts[c] += weight; }
  void begin() {
    for (Side& side : sides_) {
      side.pure = side.weight = 0;
      for (const double count : side.counts) {
        side.pure += term(count);
        side.weight += count;
      }
    }
  }
  void move(int from, int c, double weight) {
    change(sides_[from], c, -weight);
    change(sides_[1 - from], c, weight);
  }
  double smaller() const { return std::min(sides_[0].weight, sides_[1].weight); }
  // Rows times impurity, negative: the larger, the purer.
  double purity() const { return purity(sides_[0]) + purity(sides_[1]); }

 private:
  struct Side {
    std::vector<double> counts;
    double pure = 0, weight = 0;
  };
  void change(Side& side, int c, double weight) {
    double& count = side.counts[c];
    side.weight += weight;
    if (gini_) {
      side.pure += weight * (2 * count + weight);
      count += weight;
      return;
    }
    side.pure -= term(count);
    count += weight;
    side.pure += term(count);
  }
  double purity(const Side& side) const {
    if (gini_) return side.weight > 0 ? side.pure / side.weight - side.weight : 0;
    return side.pure - term(side.weight);
  }
  static double direct(double x) { return x > 0 ? x * std::log2(x) : 0.0; }
  // By table for the whole numbers of unweighted rows.
  double term(double x) const {
    if (gini_) return x * x;
    const auto whole = static_cast<std::size_t>(x > 0 ? x : 0);
    return static_cast<double>(whole) == x && whole < table_.size() ? table_[whole] : direct(x);
  }

  bool gini_;
  std::vector<double> table_;
  Side sides_[2];
};

}  // namespace miter
