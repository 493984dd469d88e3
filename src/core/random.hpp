// Chance that is the same on every machine: the standard library's distributions are not.
#pragma once

#include <cstdint>

namespace miter {

// SplitMix64 (Steele, Lea and Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }

  // From 0 up to, not including, 1.
  double unit() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

  // A whole number below n, for n up to 2^32.
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(((bits() >> 32) * static_cast<std::uint64_t>(n)) >> 32);
  }

 private:
  std::uint64_t state_;
};

}  // namespace miter
