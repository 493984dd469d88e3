// The numbers of splits that sum terms.
#pragma once

#include <cstddef>
#include <cstdint>

#include "splits.hpp"

namespace miter {

// Where a split that sums terms has its numbers; others have no terms.
struct Sums {
  std::int32_t n_outputs, n_terms;
  const std::int32_t* terms;
  const double *constants, *reals;

  static Sums of(const Splits& splits, std::size_t i) {
    const std::int32_t* own = splits.ints(i);
    const double* real = splits.reals(i);
    switch (splits.kind(i)) {
      case SplitKind::linear:
        return {1, own[0], own + 1, nullptr, real + 1};
      case SplitKind::machine:
        return {own[0], own[1], own + 2 + own[0], real, real + own[0]};
      case SplitKind::network:
        return {own[0], own[1], own + 2, real, real + own[0]};
      default:
        return {0, 0, nullptr, nullptr, nullptr};
    }
  }
};

}  // namespace miter
