// One radix sort, of numbers with what they belong to.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "interrupt.hpp"

namespace miter {

// A number in the upper half; in the lower half what it belongs to, as a row.
using SortKey = std::uint64_t;

inline SortKey sort_key(std::uint32_t number, std::uint32_t owner) {
  return SortKey{number} << 32 | owner;
}
inline std::uint32_t number_of(SortKey key) { return static_cast<std::uint32_t>(key >> 32); }
inline std::uint32_t owner_of(SortKey key) { return static_cast<std::uint32_t>(key); }

// A float as an unsigned number of the same order; -0 and 0 are one.
inline std::uint32_t in_order(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value + 0.0f);
  return bits >> 31 ? ~bits : bits | std::uint32_t{1} << 31;
}
inline float from_order(std::uint32_t number) {
  return std::bit_cast<float>(number >> 31 ? number ^ std::uint32_t{1} << 31 : ~number);
}

// Sorts by the numbers, of which the largest is known. Equal ones stay in their order; few keys,
// for which comparing is faster than counting digits, are ordered by their owners too.
inline void sort_by_number(std::vector<SortKey>& keys, std::vector<SortKey>& spare,
                           std::uint32_t largest = ~std::uint32_t{0}) {
  constexpr std::size_t kFew = 300;
  constexpr int kMostPasses = 3, kMostBits = 11;
  if (keys.size() < kFew) {
    std::sort(keys.begin(), keys.end());
    return;
  }
  const int n_bits = std::max(1, static_cast<int>(std::bit_width(largest)));
  const int n_passes = (n_bits + kMostBits - 1) / kMostBits;
  const int digit_bits = (n_bits + n_passes - 1) / n_passes;
  const std::size_t n_digits = std::size_t{1} << digit_bits;
  auto digit = [&](SortKey key, int pass) {
    return key >> (32 + pass * digit_bits) & (n_digits - 1);
  };
  std::uint32_t places[kMostPasses][std::size_t{1} << kMostBits];
  for (int pass = 0; pass < n_passes; ++pass) std::fill_n(places[pass], n_digits, 0);
  const auto n = static_cast<std::int64_t>(keys.size());
  for_rows(n, [&](std::int64_t i) {
    for (int pass = 0; pass < n_passes; ++pass) ++places[pass][digit(keys[i], pass)];
  });
  spare.resize(keys.size());
  for (int pass = 0; pass < n_passes; ++pass) {
    std::uint32_t* place = places[pass];
    if (*std::max_element(place, place + n_digits) == keys.size()) continue;  // all alike here
    std::uint32_t next = 0;
    for (std::size_t d = 0; d < n_digits; ++d) next += std::exchange(place[d], next);
    for_rows(n, [&](std::int64_t i) { spare[place[digit(keys[i], pass)]++] = keys[i]; });
    keys.swap(spare);
  }
}

}  // namespace miter
