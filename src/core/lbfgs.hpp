// Minimising a smooth function of many numbers: limited-memory BFGS (Nocedal and Wright 2006,
// algorithms 7.4 and 7.5) with a line search that asks for a decrease and a rising slope.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <vector>

namespace miter {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b);
// Adds factor times other numbers.
void add_to(Vector& numbers, const Vector& others, double factor);

struct LbfgsOptions {
  int max_iterations = 100;
  int memory = 8;
  double tolerance = 1e-4;  // stop when a step lowers the value by less than this part of it
};

// The steps taken last, and what they say about the curvature.
class Curvature {
 public:
  explicit Curvature(int memory) : memory_(memory) {}

  void add(Vector&& step, Vector&& change) {
    const double product = dot(step, change);
    if (product <= 1e-10 * dot(change, change)) return;  // not convex there: nothing is learned
    if (static_cast<int>(pairs_.size()) == memory_) pairs_.pop_front();
    pairs_.push_back({std::move(step), std::move(change), 1 / product});
  }

  // The direction of steepest descent in the metric of the curvature.
  Vector direction(const Vector& gradient) const {
    Vector d = gradient;
    Vector alpha(pairs_.size());
    for (std::size_t k = pairs_.size(); k-- > 0;) {
      alpha[k] = pairs_[k].rho * dot(pairs_[k].step, d);
      add_to(d, pairs_[k].change, -alpha[k]);
    }
    if (!pairs_.empty()) {
      const Pair& last = pairs_.back();
      const double scale = 1 / (last.rho * dot(last.change, last.change));
      for (double& value : d) value *= scale;
    }
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      add_to(d, pairs_[k].step, alpha[k] - pairs_[k].rho * dot(pairs_[k].change, d));
    }
    for (double& value : d) value = -value;
    return d;
  }
  bool empty() const { return pairs_.empty(); }
  void forget() { pairs_.clear(); }

 private:
  struct Pair {
    Vector step, change;
    double rho;
  };
  int memory_;
  std::deque<Pair> pairs_;
};

// Moves x to a minimum. value(x, gradient) returns the value and fills the gradient.
template <class Function>
double minimise(Function&& value, Vector& x, const LbfgsOptions& options) {
  Curvature curvature(options.memory);
  Vector gradient(x.size()), next(x.size()), next_gradient(x.size());
  double now = value(x, gradient);
  for (int iteration = 0; iteration < options.max_iterations; ++iteration) {
    Vector d = curvature.direction(gradient);
    double slope = dot(d, gradient);
    if (slope >= 0) {
      curvature.forget();
      d = curvature.direction(gradient);
      slope = dot(d, gradient);
    }
    if (slope == 0) break;
    // Without a curvature the first step is of length 1 at most.
    double step = curvature.empty() ? std::min(1.0, 1 / std::sqrt(-slope)) : 1.0;
    double low = 0, high = 0, then = now;
    bool found = false;
    for (int trial = 0; trial < 20; ++trial) {
      for (std::size_t i = 0; i < x.size(); ++i) next[i] = x[i] + step * d[i];
      then = value(next, next_gradient);
      if (!(then <= now + 1e-4 * step * slope)) {
        high = step;
      } else if (dot(d, next_gradient) < 0.9 * slope) {
        low = step;
        found = true;
        if (high == 0 && trial > 6) break;
      } else {
        found = true;
        break;
      }
      step = high > 0 ? (low + high) / 2 : 2 * step;
    }
    if (!found) break;
    if (!(then <= now)) break;
    Vector moved(x.size()), change(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      moved[i] = next[i] - x[i];
      change[i] = next_gradient[i] - gradient[i];
    }
    curvature.add(std::move(moved), std::move(change));
    x.swap(next);
    gradient.swap(next_gradient);
    const double gained = now - then;
    now = then;
    if (gained <= options.tolerance * std::abs(now)) break;
  }
  return now;
}

}  // namespace miter
