#include "unit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interrupt.hpp"
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
  const float* values = rows_.block(block);
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
  const std::size_t of_hidden = static_cast<std::size_t>(n_hidden_) * shape_.width;
  double loss = 0;
  for (std::int64_t b = 0; b < rows_.n_blocks; ++b) {
    const float* block = rows_.block(b);
    score(b, pull_.data());
    loss += pull_of_outputs(target_.data() + b * kBlock, rows_.weight.data() + b * kBlock,
                            pull_.data());
    if (n_hidden_ > 0) {
      pull_back(pull_.data(), narrow_.data() + of_hidden, n_hidden_, scores_.data(),
                sums_.data() + of_hidden * kLanes);
    }
    gradient_of_block(block, shape_, n_hidden_ > 0 ? scores_.data() : pull_.data(), sums_.data());
    if ((b + 1) % kBlocksInFloat == 0 || b + 1 == rows_.n_blocks) {
      Interrupt::check();
      take_sums(sums_, gradient);
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
    Interrupt::check();
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

template <class T>
MITER_INLINE T sigmoid(T x) {
  return 1 / (1 + std::exp(-x));
}

}  // namespace

double leave_one_out(const BlockedRows& rows, const std::vector<float>& target,
                     const Vector& weights, double l2) {
  const int n = rows.n_variables;
  UnitLoss loss(rows, target, 0);
  const std::vector<float>& outputs = loss.outputs(weights);
  std::vector<float> curve(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const double p = sigmoid<double>(outputs[i]);
    curve[i] = static_cast<float>(p * (1 - p));
  }
  Vector products(static_cast<std::size_t>(n + 1) * (n + 1), 0.0);
  std::vector<float> weighted(kBlock), solved((n + 1) * kBlock), of_rows(kBlock);
  for (std::int64_t b = 0; b < rows.n_blocks; ++b) {
    Interrupt::check();
    for (int i = 0; i < kBlock; ++i) {
      weighted[i] = rows.weight[b * kBlock + i] * curve[b * kBlock + i];
    }
    add_products(rows.block(b), weighted.data(), n, products.data());
  }
  for (int v = 0; v <= n; ++v) products[v * (n + 1) + v] += v < n ? l2 : 1e-6;
  factor(n + 1, products);
  const std::vector<float> lower(products.begin(), products.end());
  double total = 0, weight = 0;
  for (std::int64_t b = 0; b < rows.n_blocks; ++b) {
    Interrupt::check();
    leverage(rows.block(b), n, lower.data(), solved.data(), of_rows.data());
    for (std::int64_t i = b * kBlock; i < std::min((b + 1) * kBlock, rows.n_rows); ++i) {
      const double q = of_rows[i - b * kBlock];
      const double pull = sigmoid<double>(outputs[i]) - target[i];
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

// Numbers with a constant 1 behind them, filled up with 0 to whole vectors.
int padded(int n) { return (n + 1 + kLanes - 1) / kLanes * kLanes; }

MITER_INLINE float weighted(const float* weights, const float* x, int width) {
  Lanes total = Lanes{};
  for (int at = 0; at < width; at += kLanes) total += load(weights + at) * load(x + at);
  return sum(total);
}

MITER_INLINE void move(float* weights, const float* x, int width, float by) {
  for (int at = 0; at < width; at += kLanes) {
    store(weights + at, load(weights + at) + by * load(x + at));
  }
}

// One step of a perceptron down the squared error of one row x.
MITER_DISPATCH
void step_perceptron(const float* x, int width, float target, float rate, float* weights) {
  const float y = sigmoid(weighted(weights, x, width));
  move(weights, x, width, rate * (target - y) * y * (1 - y));
}

// A network while it descends. weights: for every input, the constant last, a row of those to the
// hidden units; then those of the output. Rows are padded, so that hidden units lie side by side.
struct Descent {
  Descent(int n_inputs, int n_hidden)
      : n_inputs(n_inputs),
        n_hidden(n_hidden),
        width(padded(n_hidden)),
        weights((n_inputs + 1) * static_cast<std::size_t>(width), 0.0f),
        hidden(width, 0.0f),
        used(n_inputs) {}

  // Calls copy(weight of UnitLoss, own weight) for every weight.
  template <class Copy>
  void over_weights(Vector& theirs, Copy&& copy) {
    for (int h = 0; h < n_hidden; ++h) {
      for (int v = 0; v < n_inputs; ++v) copy(theirs[h * n_inputs + v], weights[v * width + h]);
    }
    for (int h = 0; h <= n_hidden; ++h) {
      copy(theirs[n_hidden * n_inputs + h], weights[n_inputs * width + h]);
    }
  }

  int n_inputs, n_hidden, width;
  std::vector<float> weights, hidden;
  std::vector<int> used;  // the inputs of a row that are not 0: symbols make most of them 0
};

// The sums of N vectors of hidden units side by side: one would wait for each of its additions.
template <int N>
MITER_INLINE void fire_some(const Descent& network, const float* x, int n_used, int at,
                            float* hidden) {
  Lanes sums[N] = {};
  for (int k = 0; k < n_used; ++k) {
    const float* weights = network.weights.data() + network.used[k] * network.width + at;
    for (int i = 0; i < N; ++i) sums[i] += x[network.used[k]] * load(weights + i * kLanes);
  }
  for (int i = 0; i < N; ++i) {
    const Lanes e = exp_of_negative(-larger(sums[i], -sums[i]));
    store(hidden + at + i * kLanes, (sums[i] < 0.0f ? e : Lanes{} + 1.0f) / (1.0f + e));
  }
}

// Fills in the hidden units, a constant 1 behind them, from n_used inputs.
MITER_INLINE void fire(Descent& network, const float* x, int n_used) {
  float* hidden = network.hidden.data();
  int at = 0;
  for (; at + 4 * kLanes <= network.width; at += 4 * kLanes) {
    fire_some<4>(network, x, n_used, at, hidden);
  }
  for (; at < network.width; at += kLanes) fire_some<1>(network, x, n_used, at, hidden);
  hidden[network.n_hidden] = 1;
  for (int h = network.n_hidden + 1; h < network.width; ++h) hidden[h] = 0;
}

// One step of a network down the squared error of one row x.
MITER_DISPATCH
void step_network(Descent& network, const float* x, float target, float rate) {
  const int width = network.width;
  int* used = network.used.data();
  int n_used = 0;
  for (int v = 0; v < network.n_inputs; ++v) {
    used[n_used] = v;
    n_used += x[v] != 0;
  }
  fire(network, x, n_used);
  float* top = network.weights.data() + network.n_inputs * width;
  const float y = sigmoid(weighted(top, network.hidden.data(), width));
  const float pull = rate * (target - y) * y * (1 - y);
  for (int at = 0; at < width; at += kLanes) {
    const Lanes h = load(network.hidden.data() + at), t = load(top + at);
    store(network.hidden.data() + at, pull * t * h * (1.0f - h));
    store(top + at, t + pull * h);
  }
  for (int k = 0; k < n_used; ++k) {
    move(network.weights.data() + used[k] * width, network.hidden.data(), width, x[used[k]]);
  }
}

// Calls step(row, its weight) for every row in a drawn order, many times over.
template <class Step>
void over_epochs(const BlockedRows& rows, int epochs, Random& random, Step&& step) {
  std::vector<std::int64_t> order(rows.n_rows);
  std::iota(order.begin(), order.end(), 0);
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (std::int64_t i = rows.n_rows - 1; i > 0; --i) {
      std::swap(order[i], order[random.below(i + 1)]);
    }
    for_rows(rows.n_rows, [&](std::int64_t k) { step(order[k], rows.weight[order[k]]); }, 64);
  }
}

}  // namespace

void descend(const BlockedRows& rows, const std::vector<float>& target, int n_hidden,
             const GradientOptions& options, Random& random, Vector& weights) {
  const int n = rows.n_variables, width = padded(n);
  const float rate = static_cast<float>(options.rate);
  std::vector<float> by_row(rows.n_rows * width, 0.0f);
  for (std::int64_t i = 0; i < rows.n_rows; ++i) {
    for (int v = 0; v < n; ++v) {
      by_row[i * width + v] = rows.at(i, v);
    }
    by_row[i * width + n] = 1;
  }
  if (n_hidden == 0) {
    std::vector<float> narrow(width, 0.0f);
    std::copy(weights.begin(), weights.end(), narrow.begin());
    over_epochs(rows, options.epochs, random, [&](std::int64_t i, float weight) {
      step_perceptron(by_row.data() + i * width, width, target[i], rate * weight, narrow.data());
    });
    std::copy_n(narrow.begin(), weights.size(), weights.begin());
    return;
  }
  Descent network(n + 1, n_hidden);
  to_sigmoids(n, n_hidden, weights);
  network.over_weights(weights, [](double& from, float& to) { to = static_cast<float>(from); });
  over_epochs(rows, options.epochs, random, [&](std::int64_t i, float weight) {
    step_network(network, by_row.data() + i * width, target[i], rate * weight);
  });
  network.over_weights(weights, [](double& to, float& from) { to = from; });
  from_sigmoids(n, n_hidden, weights);
}

}  // namespace miter
