#include "unit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lanes.hpp"

namespace miter {
namespace {

// Turns outputs into the pull of every row, and returns the loss.
MITER_DISPATCH
double pull_of_outputs(const float* target, const float* weight, float* outputs) {
  Lanes loss = Lanes{};
  for (int at = 0; at < kBlock; at += kLanes) {
    const Lanes o = load(outputs + at), t = load(target + at), w = load(weight + at);
    const Lanes size = larger(o, -o);
    const Lanes e = exp_of_negative(-size);
    const Lanes p_of_size = 1.0f / (1.0f + e);
    const Lanes p = o < 0.0f ? 1.0f - p_of_size : p_of_size;
    loss += w * (log_of_positive(1.0f + e) + larger(o, Lanes{}) - t * o);
    store(outputs + at, w * (p - t));
  }
  return sum(loss);
}

MITER_DISPATCH
void squash(float* scores, int n_hidden) {
  for (int at = 0; at < n_hidden * kBlock; at += kLanes) {
    const Lanes x = load(scores + at);
    const Lanes e = exp_of_negative(-2.0f * larger(x, -x));
    const Lanes size = (1.0f - e) / (1.0f + e);
    store(scores + at, x < 0.0f ? -size : size);
  }
}

MITER_DISPATCH
void combine(const float* hidden, const float* weights, int n_hidden, float* outputs) {
  for (int at = 0; at < kBlock; at += kLanes) {
    Lanes total = Lanes{} + weights[n_hidden];
    for (int h = 0; h < n_hidden; ++h) total += weights[h] * load(hidden + h * kBlock + at);
    store(outputs + at, total);
  }
}

// Adds to the gradient of the output weights, and turns hidden units into the pull on their scores.
MITER_DISPATCH
void pull_back(const float* pull, const float* weights, int n_hidden, float* hidden, float* sums) {
  for (int h = 0; h < n_hidden; ++h) {
    Lanes g = load(sums + h * kLanes);
    for (int at = 0; at < kBlock; at += kLanes) {
      const Lanes a = load(hidden + h * kBlock + at), p = load(pull + at);
      g += p * a;
      store(hidden + h * kBlock + at, p * weights[h] * (1.0f - a * a));
    }
    store(sums + h * kLanes, g);
  }
  Lanes g = load(sums + n_hidden * kLanes);
  for (int at = 0; at < kBlock; at += kLanes) g += load(pull + at);
  store(sums + n_hidden * kLanes, g);
}

}  // namespace

std::size_t n_weights(int n_variables, int n_hidden) {
  const std::size_t width = n_variables + 1;
  return n_hidden == 0 ? width : n_hidden * width + n_hidden + 1;
}

UnitLoss::UnitLoss(const BlockedRows& rows, const std::vector<float>& target, int n_hidden)
    : rows_(rows),
      target_(target),
      n_hidden_(n_hidden),
      variables_(rows.n_variables),
      shape_{std::max(n_hidden, 1), rows.n_variables + 1, nullptr},
      narrow_(n_weights(rows.n_variables, n_hidden)),
      scores_(static_cast<std::size_t>(shape_.n_outputs) * kBlock),
      pull_(kBlock),
      sums_(narrow_.size() * kLanes) {
  std::iota(variables_.begin(), variables_.end(), 0);
  shape_.variables = variables_.data();
}

// Leaves the hidden units of the block in scores_.
void UnitLoss::score(std::int64_t block, float* out) {
  const std::size_t block_size = static_cast<std::size_t>(rows_.n_variables) * kBlock;
  const float* values = rows_.values.data() + block * block_size;
  if (n_hidden_ == 0) {
    score_block(values, shape_, narrow_.data(), out);
    return;
  }
  score_block(values, shape_, narrow_.data(), scores_.data());
  squash(scores_.data(), n_hidden_);
  combine(scores_.data(), narrow_.data() + n_hidden_ * shape_.width, n_hidden_, out);
}

const std::vector<float>& UnitLoss::outputs(const Vector& weights) {
  std::copy(weights.begin(), weights.end(), narrow_.begin());
  outputs_.resize(rows_.n_blocks * kBlock);
  for (std::int64_t b = 0; b < rows_.n_blocks; ++b) score(b, outputs_.data() + b * kBlock);
  return outputs_;
}

double UnitLoss::operator()(const Vector& weights, Vector& gradient) {
  std::copy(weights.begin(), weights.end(), narrow_.begin());
  std::fill(gradient.begin(), gradient.end(), 0.0);
  std::fill(sums_.begin(), sums_.end(), 0.0f);
  const std::size_t block_size = static_cast<std::size_t>(rows_.n_variables) * kBlock;
  const std::size_t of_hidden = static_cast<std::size_t>(n_hidden_) * shape_.width;
  double loss = 0;
  for (std::int64_t b = 0; b < rows_.n_blocks; ++b) {
    const float* block = rows_.values.data() + b * block_size;
    score(b, pull_.data());
    loss += pull_of_outputs(target_.data() + b * kBlock, rows_.weight.data() + b * kBlock,
                            pull_.data());
    if (n_hidden_ > 0) {
      pull_back(pull_.data(), narrow_.data() + of_hidden, n_hidden_, scores_.data(),
                sums_.data() + of_hidden * kLanes);
    }
    gradient_of_block(block, shape_, n_hidden_ > 0 ? scores_.data() : pull_.data(), sums_.data());
    if ((b + 1) % kBlocksInFloat == 0 || b + 1 == rows_.n_blocks) {
      for (std::size_t i = 0; i < gradient.size(); ++i) {
        gradient[i] += sum(load(sums_.data() + i * kLanes));
      }
      std::fill(sums_.begin(), sums_.end(), 0.0f);
    }
  }
  double squares = 0;
  for (std::size_t i = 0; i + 1 < gradient.size(); ++i) {
    if (i < of_hidden && (i + 1) % shape_.width == 0) continue;  // constants are free
    squares += weights[i] * weights[i];
    gradient[i] += l2 * weights[i];
  }
  return loss + 0.5 * l2 * squares;
}

namespace {

// Adds the weighted products of all pairs of variables in a block: the lower triangle.
MITER_DISPATCH
void add_products(const float* block, const float* weight, int n, double* products) {
  alignas(32) float scaled[kBlock];
  for (int v = 0; v <= n; ++v) {  // the constant last
    for (int at = 0; at < kBlock; at += kLanes) {
      const Lanes w = load(weight + at);
      store(scaled + at, v < n ? w * load(block + v * kBlock + at) : w);
    }
    double* row = products + static_cast<std::size_t>(v) * (n + 1);
    for (int u = 0; u <= v; ++u) {
      Lanes g = Lanes{};
      for (int at = 0; at < kBlock; at += kLanes) {
        g += u < n ? load(scaled + at) * load(block + u * kBlock + at) : load(scaled + at);
      }
      row[u] += sum(g);
    }
  }
}

// Cholesky's factor of a symmetric matrix, in place in its lower triangle.
void factor(int n, Vector& a) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      double total = a[i * n + j];
      for (int k = 0; k < j; ++k) total -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = i == j ? std::sqrt(std::max(total, 1e-12)) : total / a[j * n + j];
    }
  }
}

// x' A^-1 x for every row x of a block, A given by its factor; solved: (n + 1) x 64.
MITER_DISPATCH
void leverage(const float* block, int n, const float* lower, float* solved, float* out) {
  for (int at = 0; at < kBlock; at += kLanes) {
    Lanes total = Lanes{};
    for (int v = 0; v <= n; ++v) {
      Lanes x = v < n ? load(block + v * kBlock + at) : Lanes{} + 1.0f;
      const float* row = lower + static_cast<std::size_t>(v) * (n + 1);
      for (int u = 0; u < v; ++u) x -= row[u] * load(solved + u * kBlock + at);
      x /= row[v];
      store(solved + v * kBlock + at, x);
      total += x * x;
    }
    store(out + at, total);
  }
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

double leave_one_out(const BlockedRows& rows, const std::vector<float>& target,
                     const Vector& weights, double l2) {
  const int n = rows.n_variables;
  const std::size_t block_size = static_cast<std::size_t>(n) * kBlock;
  UnitLoss loss(rows, target, 0);
  const std::vector<float>& outputs = loss.outputs(weights);
  std::vector<float> curve(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const double p = sigmoid(outputs[i]);
    curve[i] = static_cast<float>(p * (1 - p));
  }
  Vector products(static_cast<std::size_t>(n + 1) * (n + 1), 0.0);
  std::vector<float> weighted(kBlock), solved((n + 1) * kBlock), of_rows(kBlock);
  for (std::int64_t b = 0; b < rows.n_blocks; ++b) {
    for (int i = 0; i < kBlock; ++i) {
      weighted[i] = rows.weight[b * kBlock + i] * curve[b * kBlock + i];
    }
    add_products(rows.values.data() + b * block_size, weighted.data(), n, products.data());
  }
  for (int v = 0; v <= n; ++v) products[v * (n + 1) + v] += v < n ? l2 : 1e-6;
  factor(n + 1, products);
  const std::vector<float> lower(products.begin(), products.end());
  double total = 0, weight = 0;
  for (std::int64_t b = 0; b < rows.n_blocks; ++b) {
    leverage(rows.values.data() + b * block_size, n, lower.data(), solved.data(), of_rows.data());
    for (std::int64_t i = b * kBlock; i < std::min((b + 1) * kBlock, rows.n_rows); ++i) {
      const double q = of_rows[i - b * kBlock];
      const double pull = sigmoid(outputs[i]) - target[i];
      const double room = std::max(1 - curve[i] * q, 1e-3);
      const double left_out = outputs[i] + q * pull / room;
      const double margin = target[i] > 0 ? left_out : -left_out;
      total += rows.weight[i] *
               (margin > 0 ? std::log1p(std::exp(-margin)) : std::log1p(std::exp(margin)) - margin);
      weight += rows.weight[i];
    }
  }
  return total / weight;
}

void to_sigmoids(int n_variables, int n_hidden, Vector& weights) {
  const std::size_t first = static_cast<std::size_t>(n_hidden) * (n_variables + 1);
  for (std::size_t i = 0; i < first; ++i) weights[i] *= 2;
  for (int h = 0; h < n_hidden; ++h) {
    weights.back() -= weights[first + h];
    weights[first + h] *= 2;
  }
}

void from_sigmoids(int n_variables, int n_hidden, Vector& weights) {
  const std::size_t first = static_cast<std::size_t>(n_hidden) * (n_variables + 1);
  for (std::size_t i = 0; i < first; ++i) weights[i] /= 2;
  for (int h = 0; h < n_hidden; ++h) {
    weights[first + h] /= 2;
    weights.back() += weights[first + h];
  }
}

namespace {

// One step down the squared error of one row x; hidden has a place for each hidden unit.
void step_down(const float* x, int n, int n_hidden, double target, double rate, Vector& hidden,
               Vector& weights) {
  const std::size_t width = n + 1;
  double* top = weights.data() + n_hidden * width;
  auto sum_of = [&](const double* own) {
    double sum = own[n];
    for (int v = 0; v < n; ++v) sum += own[v] * x[v];
    return sum;
  };
  auto move = [&](double* own, double by) {
    for (int v = 0; v < n; ++v) own[v] += by * x[v];
    own[n] += by;
  };
  if (n_hidden == 0) {
    const double y = sigmoid(sum_of(top));
    move(top, rate * (target - y) * y * (1 - y));
    return;
  }
  double output = top[n_hidden];
  for (int h = 0; h < n_hidden; ++h) {
    hidden[h] = sigmoid(sum_of(weights.data() + h * width));
    output += top[h] * hidden[h];
  }
  const double y = sigmoid(output), pull = rate * (target - y) * y * (1 - y);
  for (int h = 0; h < n_hidden; ++h) {
    move(weights.data() + h * width, pull * top[h] * hidden[h] * (1 - hidden[h]));
    top[h] += pull * hidden[h];
  }
  top[n_hidden] += pull;
}

}  // namespace

void descend(const BlockedRows& rows, const std::vector<float>& target, int n_hidden,
             const GradientOptions& options, Random& random, Vector& weights) {
  const int n = rows.n_variables;
  std::vector<float> by_row(rows.n_rows * n);
  for (std::int64_t i = 0; i < rows.n_rows; ++i) {
    for (int v = 0; v < n; ++v) {
      by_row[i * n + v] = rows.values[(i / kBlock * n + v) * kBlock + i % kBlock];
    }
  }
  std::vector<std::int64_t> order(rows.n_rows);
  std::iota(order.begin(), order.end(), 0);
  Vector hidden(n_hidden);
  to_sigmoids(n, n_hidden, weights);
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    for (std::int64_t i = rows.n_rows - 1; i > 0; --i) {
      std::swap(order[i], order[random.below(i + 1)]);
    }
    for (std::int64_t i : order) {
      step_down(by_row.data() + i * n, n, n_hidden, target[i], options.rate * rows.weight[i],
                hidden, weights);
    }
  }
  from_sigmoids(n, n_hidden, weights);
}

}  // namespace miter
