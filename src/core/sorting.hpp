// One radix sort, of numbers with what they belong to; and what lies between neighbours.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "interrupt.hpp"
#include "lanes.hpp"

namespace miter {

// A number in the upper half; in the lower half what it belongs to, as a row.
using SortKey = std::uint64_t;

inline SortKey sort_key(std::uint32_t number, std::uint32_t owner) {
  return SortKey{number} << 32 | owner;
}
inline std::uint32_t number_of(SortKey key) { return static_cast<std::uint32_t>(key >> 32); }
inline std::uint32_t owner_of(SortKey key) { return static_cast<std::uint32_t>(key); }

constexpr int kMostDigitBits = 11;  // of the numbers, counted at a time

// The first 32 bits of a floating number as an unsigned one of the same order. Without a branch:
// nothing foretells a sign.
inline std::uint32_t bits_in_order(std::int32_t bits) {
  return static_cast<std::uint32_t>(bits ^ (bits >> 31 | std::numeric_limits<std::int32_t>::min()));
}
// A float as an unsigned number of the same order; -0 and 0 are one.
inline std::uint32_t in_order(float value) {
  return bits_in_order(std::bit_cast<std::int32_t>(value + 0.0f));
}
inline float from_order(std::uint32_t number) {
  return std::bit_cast<float>(number >> 31 ? number ^ std::uint32_t{1} << 31 : ~number);
}

// Halfway between two neighbours, but always below the upper one.
inline double midpoint(double low, double high) {
  const double middle = low / 2 + high / 2;
  return middle < high && middle >= low ? middle : low;
}

// Sorts by so many digits of the numbers, counting all of them in one go.
template <int n_passes>
void sort_by_digits(std::vector<SortKey>& keys, std::vector<SortKey>& spare, int digit_bits) {
  const auto n = static_cast<std::int64_t>(keys.size());
  const std::size_t n_digits = std::size_t{1} << digit_bits;
  std::uint32_t places[n_passes][std::size_t{1} << kMostDigitBits];
  for (auto& of_pass : places) std::fill_n(of_pass, n_digits, 0);
  spare.resize(keys.size());
  // Loops get all that they read by value: they cannot have written it then.
  auto place_of = [=, &places](SortKey key, int pass) -> std::uint32_t& {
    return places[pass][key >> (32 + pass * digit_bits) & (n_digits - 1)];
  };
  for_rows(n, [=, from = keys.data()](std::int64_t i) {
    for (int pass = 0; pass < n_passes; ++pass) ++place_of(from[i], pass);
  });
  for (int pass = 0; pass < n_passes; ++pass) {
    if (place_of(keys[0], pass) == keys.size()) continue;  // all alike here
    std::uint32_t next = 0;
    for (std::size_t d = 0; d < n_digits; ++d) next += std::exchange(places[pass][d], next);
    for_rows(n, [=, from = keys.data(), to = spare.data()](std::int64_t i) {
      to[place_of(from[i], pass)++] = from[i];
    });
    keys.swap(spare);
  }
}

// Sorts by the numbers, of which the largest is known. Equal ones stay in their order; few keys,
// for which comparing is faster than counting digits, are ordered by their owners too.
inline void sort_by_number(std::vector<SortKey>& keys, std::vector<SortKey>& spare,
                           std::uint32_t largest = ~std::uint32_t{0}) {
  constexpr std::size_t kFewInPass = 100;
  const int n_bits = std::max(1, static_cast<int>(std::bit_width(largest)));
  const int n_passes = (n_bits + kMostDigitBits - 1) / kMostDigitBits;
  if (keys.size() < kFewInPass * n_passes) {
    std::sort(keys.begin(), keys.end());
    return;
  }
  with_constant<3>(n_passes, [&](auto constant) {
    sort_by_digits<constant()>(keys, spare, (n_bits + n_passes - 1) / n_passes);
  });
}

}  // namespace miter
