// Eight floats at a time, in whatever vector registers the machine has (GCC and Clang).
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

// One copy of a hot function for each generation of x86 processors; the loader picks.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && __GNUC__ >= 12 && \
    !defined(__clang__)
#define MITER_DISPATCH __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MITER_DISPATCH
#endif
// What a dispatched function calls must become part of each of its copies.
#define MITER_INLINE inline __attribute__((always_inline))
#define MITER_LAMBDA __attribute__((always_inline))

namespace miter {

// Calls body with n, which is from 1 to Most, as a constant.
template <int Most, class Body>
MITER_INLINE void with_constant(int n, Body&& body) {
  if constexpr (Most > 1) {
    if (n < Most) return with_constant<Most - 1>(n, body);
  }
  body(std::integral_constant<int, Most>());
}

constexpr int kLanes = 8;
typedef float Lanes __attribute__((vector_size(4 * kLanes), aligned(4), may_alias));
typedef std::int32_t IntLanes __attribute__((vector_size(4 * kLanes), aligned(4), may_alias));

MITER_INLINE Lanes load(const float* from) { return *reinterpret_cast<const Lanes*>(from); }
MITER_INLINE IntLanes load(const std::int32_t* from) {
  return *reinterpret_cast<const IntLanes*>(from);
}
MITER_INLINE void store(float* to, const Lanes& values) { *reinterpret_cast<Lanes*>(to) = values; }
MITER_INLINE float sum(const Lanes& v) {
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}
MITER_INLINE Lanes larger(const Lanes& a, const Lanes& b) { return a > b ? a : b; }

// e^x for x <= 0, right to two units in the last place; 0 below -87.
MITER_INLINE Lanes exp_of_negative(Lanes x) {
  x = larger(x, Lanes{} - 87.0f);
  // e^x = 2^n e^r with n whole and |r| <= ln 2 / 2. Adding 1.5 * 2^23 rounds to a whole number.
  const Lanes rounded = x * 1.442695041f + 12582912.0f;
  const Lanes n = rounded - 12582912.0f;
  const Lanes r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  Lanes p = r * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  const IntLanes scale = (__builtin_convertvector(n, IntLanes) + 127) << 23;
  Lanes power;
  std::memcpy(&power, &scale, sizeof power);
  return p * power;
}

// The natural logarithm of a normal positive number, right to a few units in the last place.
MITER_INLINE Lanes log_of_positive(const Lanes& x) {
  IntLanes bits;
  std::memcpy(&bits, &x, sizeof bits);
  // x = 2^n m with m between sqrt(1/2) and sqrt(2).
  const IntLanes shifted = bits - 0x3f3504f3;
  const Lanes n = __builtin_convertvector(shifted >> 23, Lanes);
  const IntLanes of_m = (shifted & 0x007fffff) + 0x3f3504f3;
  Lanes m;
  std::memcpy(&m, &of_m, sizeof m);
  const Lanes r = m - 1.0f, square = r * r;
  Lanes p = r * 7.0376836292e-2f - 1.1514610310e-1f;
  p = p * r + 1.1676998740e-1f;
  p = p * r - 1.2420140846e-1f;
  p = p * r + 1.4249322787e-1f;
  p = p * r - 1.6668057665e-1f;
  p = p * r + 2.0000714765e-1f;
  p = p * r - 2.4999993993e-1f;
  p = p * r + 3.3333331174e-1f;
  return (r - 0.5f * square) + (p * r * square) + n * 0.693147181f;
}

}  // namespace miter
