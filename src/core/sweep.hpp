// Rows that change sides one after the other, and how pure the sides are meanwhile.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "impurity.hpp"

namespace miter {

// Beside the row of a key: it leaves the left side.
constexpr std::uint32_t kFromLeft = std::uint32_t{1} << 31;

// How pure two sides are, kept up while rows change sides.
class Sides {
 public:
  Sides(bool gini, std::size_t n_classes, std::size_t n_rows)
      : gini_(gini), x_log_x_(gini ? 0 : n_rows) {
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
  double term(double x) const { return gini_ ? x * x : x_log_x_.of_perhaps_whole(x); }

  bool gini_;
  XLogXTable x_log_x_;
  Side sides_[2];
};

}  // namespace miter
