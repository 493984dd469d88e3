#include "few_weights.hpp"

#include <algorithm>
#include <cmath>

#include "cholesky.hpp"
#include "interrupt.hpp"
#include "lanes.hpp"

namespace miter {
namespace {

// Loss, gradient and curvature at some weights; curvature is the lower triangle.
struct Slope {
  double loss;
  std::vector<double> gradient, curvature;
};

// Adds what a block of rows adds to loss, gradient and curvature; z has a pointer for each
// variable.
MITER_DISPATCH
double add_block(const float* const* z, int n, const float* weights, const float* target,
                 const float* row_weight, float* pull, double* gradient, double* curvature) {
  alignas(32) float bend[kBlock], bent[kBlock];
  Lanes loss = Lanes{};
  for (int at = 0; at < kBlock; at += kLanes) {
    Lanes o = Lanes{} + weights[n];
    for (int v = 0; v < n; ++v) o += weights[v] * load(z[v] + at);
    const Lanes t = load(target + at), w = load(row_weight + at);
    const Lanes e = exp_of_negative(-larger(o, -o));
    const Lanes p_of_size = 1.0f / (1.0f + e);
    const Lanes p = o < 0.0f ? 1.0f - p_of_size : p_of_size;
    loss += w * (log_of_positive(1.0f + e) + larger(o, Lanes{}) - t * o);
    store(pull + at, w * (p - t));
    store(bend + at, w * (p_of_size * (1.0f - p_of_size)));
  }
  double* entry = curvature;
  for (int a = 0; a <= n; ++a) {
    Lanes g = Lanes{}, own = Lanes{};
    for (int at = 0; at < kBlock; at += kLanes) {
      const Lanes x = a < n ? load(z[a] + at) : Lanes{} + 1.0f;
      const Lanes product = x * load(bend + at);
      g += x * load(pull + at);
      own += product * x;
      store(bent + at, product);
    }
    for (int b = 0; b < a; ++b) {
      Lanes s = Lanes{};
      for (int at = 0; at < kBlock; at += kLanes) s += load(bent + at) * load(z[b] + at);
      *entry++ += sum(s);
    }
    *entry++ += sum(own);
    gradient[a] += sum(g);
  }
  return sum(loss);
}

void find_slope(const BlockedRows& rows, const std::vector<float>& target, double l2,
                const std::vector<int>& used, const std::vector<double>& weights, Slope& slope,
                std::vector<float>& pull) {
  const int n = static_cast<int>(used.size());
  float narrow[kMostInUse + 1];
  std::copy(weights.begin(), weights.end(), narrow);
  slope.gradient.assign(n + 1, 0.0);
  slope.curvature.assign((n + 1) * (n + 2) / 2, 0.0);
  slope.loss = 0;
  pull.resize(rows.weight.size());
  const float* z[kMostInUse];
  for (std::int64_t b = 0; b < rows.n_blocks; ++b) {
    for (int v = 0; v < n; ++v) z[v] = rows.block(b) + used[v] * kBlock;
    slope.loss +=
        add_block(z, n, narrow, target.data() + b * kBlock, rows.weight.data() + b * kBlock,
                  pull.data() + b * kBlock, slope.gradient.data(), slope.curvature.data());
  }
  Interrupt::count_steps(rows.n_rows * (n + 1));
  for (int v = 0; v < n; ++v) {
    slope.loss += 0.5 * l2 * weights[v] * weights[v];
    slope.gradient[v] += l2 * weights[v];
    slope.curvature[v * (v + 1) / 2 + v] += l2;
  }
  // All rows may be sure of their answer: the constant has no curvature left then.
  slope.curvature.back() += 1e-6 * (1 + rows.n_rows);
}

}  // namespace

void train_few(const BlockedRows& rows, const std::vector<float>& target, double l2,
               FewWeights& few, std::vector<float>& pull, int most_steps) {
  const std::size_t n = few.weights.size();
  const auto order = static_cast<int>(n);
  Slope here, there;
  find_slope(rows, target, l2, few.used, few.weights, here, pull);
  std::vector<double> step, trial(n);
  for (int k = 0;; ++k) {
    step = here.gradient;
    factorise(here.curvature, order);
    solve(here.curvature, order, step.data());
    double falls = 0;
    for (std::size_t v = 0; v < n; ++v) falls += step[v] * here.gradient[v];
    if (k == most_steps || (k > 0 && falls < 1e-5 * (1 + here.loss))) break;
    double length = 1;
    auto go = [&] {
      for (std::size_t v = 0; v < n; ++v) trial[v] = few.weights[v] - length * step[v];
      find_slope(rows, target, l2, few.used, trial, there, pull);
      return there.loss <= here.loss * (1 + 1e-7);
    };
    while (!go() && length > 1e-3) length /= 2;
    few.weights = trial;
    std::swap(here, there);
  }
  few.loss = here.loss;
  few.spread = diagonal_of_inverse(here.curvature, static_cast<int>(n));
  few.spread.pop_back();
}

}  // namespace miter
