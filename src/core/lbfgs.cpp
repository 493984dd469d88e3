#include "lbfgs.hpp"

#include "lanes.hpp"

namespace miter {
namespace {

constexpr std::size_t kSums = 16;

// Many sums side by side: one chain of additions would wait for each of them.
MITER_DISPATCH
double dot_of(const double* a, const double* b, std::size_t n) {
  double sums[kSums] = {};
  std::size_t i = 0;
  for (; i + kSums <= n; i += kSums) {
    for (std::size_t k = 0; k < kSums; ++k) sums[k] += a[i + k] * b[i + k];
  }
  for (; i < n; ++i) sums[i % kSums] += a[i] * b[i];
  double total = 0;
  for (double sum : sums) total += sum;
  return total;
}

MITER_DISPATCH
void add_scaled(double* to, const double* from, std::size_t n, double factor) {
  for (std::size_t i = 0; i < n; ++i) to[i] += factor * from[i];
}

}  // namespace

double dot(const Vector& a, const Vector& b) { return dot_of(a.data(), b.data(), a.size()); }

void add_to(Vector& numbers, const Vector& others, double factor) {
  add_scaled(numbers.data(), others.data(), numbers.size(), factor);
}

}  // namespace miter
