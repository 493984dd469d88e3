#include "thermal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "blocks.hpp"
#include "encode.hpp"
#include "fold.hpp"
#include "interrupt.hpp"
#include "lbfgs.hpp"
#include "random.hpp"

namespace miter {
namespace {

struct TrainedMachine {
  std::vector<double> weights;     // classes x (variables + 1), the constant last
  std::vector<std::uint8_t> kept;  // per variable
  double accuracy = 0;             // with costs: the part of all possible cost that it avoids
};

// One machine in training. Rows are stored with their constant, so that a row is one dot product a
// class.
class Trainer {
 public:
  Trainer(const EncodedNode& node, const ThermalOptions& options, std::uint64_t seed,
          double t_quantile)
      : rows_(node.rows),
        weight_(node.weights),
        options_(options),
        random_(seed),
        t_quantile_(t_quantile),
        n_classes_(static_cast<int>(node.classes.size())),
        width_(rows_.n_variables + 1),
        padded_(rows_.n_rows * width_, 1.0),
        length_(rows_.n_rows),
        weights_(static_cast<std::size_t>(n_classes_) * width_, 0.0),
        scores_(n_classes_),
        kept_(rows_.n_variables, 1),
        order_(rows_.n_rows) {
    for (std::size_t v = 0; v < node.variables.size(); ++v) {
      const bool is_own = options.eliminate != Elimination::columns || v == 0 ||
                          node.variables[v].column != node.variables[v - 1].column;
      n_groups_ += is_own;
      group_.push_back(n_groups_ - 1);
    }
    std::iota(order_.begin(), order_.end(), 0);
    total_ = static_cast<double>(rows_.n_rows);
    is_weighted_ = std::any_of(weight_.begin(), weight_.end(), [](double w) { return w != 1.0; });
    if (is_weighted_) {
      cumulated_.resize(rows_.n_rows);
      std::partial_sum(weight_.begin(), weight_.end(), cumulated_.begin());
      total_ = cumulated_.back();
    }
    if (has_costs()) begin_proportions();
  }

  TrainedMachine run() {
    measure_rows();
    if (options_.eliminate == Elimination::none) {
      train(0);
      return machine();
    }
    // Table 3. The machine that is saved is the smallest that is not significantly worse.
    double best = 0;
    TrainedMachine saved;
    for (;;) {
      train(options_.early_start);
      TrainedMachine now = machine();
      const int n_kept = static_cast<int>(std::count(kept_.begin(), kept_.end(), 1));
      if (now.accuracy >= best || total_ <= 2.0 * n_kept) best = now.accuracy;
      const double error = std::sqrt(best * (1 - best) / total_);
      if (now.accuracy >= best - t_quantile_ * error) saved = now;
      if (now.accuracy < best - options_.delta || n_groups_kept() < 2) break;
      eliminate();
    }
    if (options_.early_start > 0) {
      // What was stopped early is trained to the end.
      weights_ = saved.weights;
      kept_ = saved.kept;
      measure_rows();
      train(0);
      TrainedMachine finished = machine();
      if (finished.accuracy >= saved.accuracy) saved = finished;
    }
    return saved;
  }

 private:
  double* weights_of(int c) { return weights_.data() + static_cast<std::size_t>(c) * width_; }
  const double* row(std::int64_t i) const { return padded_.data() + i * width_; }

  // Y'Y of every row over the variables that are left.
  void measure_rows() {
    for_rows(rows_.n_rows, [&](std::int64_t i) {
      double* y = padded_.data() + i * width_;
      for (int v = 0; v < rows_.n_variables; ++v) y[v] = kept_[v] ? rows_.at(i, v) : 0.0;
      length_[i] = std::inner_product(y, y + width_, y, 0.0);
    });
    for (int c = 0; c < n_classes_; ++c) {
      for (int v = 0; v < rows_.n_variables; ++v) {
        if (!kept_[v]) weights_of(c)[v] = 0;
      }
    }
  }

  // The class that the machine prefers to the true one, or -1 if it is right. A tie is an error.
  int rival(std::int64_t i) {
    const double* y = row(i);
    for (int c = 0; c < n_classes_; ++c) {
      const double* w = weights_of(c);
      double sum = 0;
      for (int v = 0; v < width_; ++v) sum += w[v] * y[v];
      scores_[c] = sum;
    }
    const int truth = rows_.y[i];
    int best = truth == 0 ? 1 : 0;
    for (int c = best + 1; c < n_classes_; ++c) {
      if (c != truth && scores_[c] > scores_[best]) best = c;
    }
    return scores_[best] >= scores_[truth] ? best : -1;
  }

  double norm(int c) {
    const double* w = weights_of(c);
    return std::sqrt(std::inner_product(w, w + width_, w, 0.0));
  }

  bool has_costs() const { return !rows_.cost.empty(); }

  double accuracy() {
    double right = 0, all = 0;
    auto count = [&](std::int64_t i) {
      const int j = rival(i);
      const double possible = has_costs() ? dearest(i) : 1.0;
      const double cost = j < 0 ? 0.0 : has_costs() ? cost_of(i, j) : 1.0;
      right += weight_[i] * (possible - cost);
      all += weight_[i] * possible;
    };
    for_rows(rows_.n_rows, count, 64);
    return all > 0 ? right / all : 1.0;
  }

  // ---- training in proportion to costs (1993, Table 2) ----

  double cost_of(std::int64_t i, int answer) const { return rows_.cost_of(i, answer, n_classes_); }
  double dearest(std::int64_t i) const {
    double most = cost_of(i, 0);
    for (int c = 1; c < n_classes_; ++c) most = std::max(most, cost_of(i, c));
    return most;
  }

  // Rows of each class with running sums of their weights; at first all classes are drawn alike.
  void begin_proportions() {
    rows_of_.resize(n_classes_);
    weight_until_.resize(n_classes_);
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) {
      auto& until = weight_until_[rows_.y[i]];
      rows_of_[rows_.y[i]].push_back(i);
      until.push_back((until.empty() ? 0.0 : until.back()) + weight_[i]);
    }
    paid_.assign(n_classes_, 0.0);
    observed_.assign(n_classes_, 0.0);
    proportion_.assign(n_classes_, 1.0);
  }

  // After a round: a class is drawn by its part of the rows times the mean cost of its errors.
  void update_proportions() {
    std::vector<double> next(n_classes_, 0.0);
    for (int c = 0; c < n_classes_; ++c) {
      if (observed_[c] > 0) next[c] = paid_[c] / observed_[c] * weight_until_[c].back();
    }
    if (std::accumulate(next.begin(), next.end(), 0.0) > 0) proportion_ = next;
  }

  std::int64_t draw_in_proportion() {
    const double sum = std::accumulate(proportion_.begin(), proportion_.end(), 0.0);
    double at = random_.unit() * sum;
    int c = 0;
    while (c + 1 < n_classes_ && at >= proportion_[c]) at -= proportion_[c++];
    while (proportion_[c] <= 0) c = (c + 1) % n_classes_;  // rounding led past the last
    const auto& until = weight_until_[c];
    const double place = random_.unit() * until.back();
    return rows_of_[c][std::upper_bound(until.begin(), until.end() - 1, place) - until.begin()];
  }

  TrainedMachine machine() { return {weights_, kept_, accuracy()}; }

  std::int64_t draw(std::int64_t step) {
    const std::int64_t n = rows_.n_rows;
    if (has_costs()) {
      if (step % n == 0) update_proportions();
      return draw_in_proportion();
    }
    if (options_.in_passes) {
      if (step % n == 0) {
        for (std::int64_t i = n - 1; i > 0; --i) std::swap(order_[i], order_[random_.below(i + 1)]);
      }
      return order_[step % n];
    }
    if (!is_weighted_) return random_.below(n);
    const double at = random_.unit() * cumulated_.back();
    const auto place = std::upper_bound(cumulated_.begin(), cumulated_.end() - 1, at);
    return place - cumulated_.begin();
  }

  // Tables 2 (1991) and 1 (1993). early > 0: stop once the magnitude has settled.
  void train(double early) {
    const std::int64_t n = rows_.n_rows;
    double beta = options_.beta;
    std::vector<double> norms(n_classes_);
    for (int c = 0; c < n_classes_; ++c) norms[c] = norm(c);
    double magnitude = std::accumulate(norms.begin(), norms.end(), 0.0);
    double largest = magnitude;
    bool grew = false;
    double right = 0;  // moving average of being right
    const double rate = 1.0 / static_cast<double>(std::max<std::int64_t>(n, 20));
    std::int64_t quiet = 0, settled = 0;  // draws since the last correction, or since it was rough
    std::vector<double> best_weights = weights_;
    double best = options_.keep_best ? accuracy() : 0;
    for (std::int64_t step = 0; beta >= options_.least_beta; ++step) {
      if (step % 64 == 0) Interrupt::check();
      if (step > 0 && step % n == 0 && options_.keep_best) keep_best(best, best_weights);
      const std::int64_t i = draw(step);
      const int j = rival(i);
      if (has_costs()) {
        observed_[rows_.y[i]] += 1;
        if (j >= 0) paid_[rows_.y[i]] += cost_of(i, j);
      }
      right += rate * ((j < 0) - right);
      ++quiet;
      ++settled;
      if (j >= 0 && correct(i, j, beta, norms)) {
        quiet = 0;
        const double now = std::accumulate(norms.begin(), norms.end(), 0.0);
        if (now < magnitude && grew) beta = options_.a * beta - options_.b;
        grew = now > magnitude;
        magnitude = now;
        largest = std::max(largest, now);
        if (largest - magnitude > early * largest) settled = 0;
      }
      // Right about everything; or nothing that the temperature allows is left to correct.
      if (options_.in_passes ? quiet >= n : right > 0.99 || quiet >= 4 * n) break;
      if (early > 0 && step >= n && settled >= 2 * width_) break;
    }
    if (options_.keep_best) {
      keep_best(best, best_weights);
      weights_ = best_weights;
    }
  }

  void keep_best(double& best, std::vector<double>& best_weights) {
    const double now = accuracy();
    if (now < best) return;
    best = now;
    best_weights = weights_;
  }

  // Moves the true class's weights towards the row and the rival's away from it.
  bool correct(std::int64_t i, int j, double beta, std::vector<double>& norms) {
    const int truth = rows_.y[i];
    const double k = (scores_[j] - scores_[truth]) / (2 * length_[i]);
    if (k >= beta) return false;
    const double c = beta * beta / (beta + k);
    const double* y = row(i);
    double* up = weights_of(truth);
    double* down = weights_of(j);
    for (int v = 0; v < width_; ++v) {
      up[v] += c * y[v];
      down[v] -= c * y[v];
    }
    norms[truth] = norm(truth);
    norms[j] = norm(j);
    return true;
  }

  int n_groups_kept() const {
    std::vector<std::uint8_t> any(n_groups_, 0);
    for (int v = 0; v < rows_.n_variables; ++v) any[group_[v]] |= kept_[v];
    return static_cast<int>(std::count(any.begin(), any.end(), 1));
  }

  // Takes out the group whose weights differ least between the classes.
  void eliminate() {
    std::vector<double> dispersion(n_groups_, 0.0);
    std::vector<std::uint8_t> any(n_groups_, 0);
    for (int v = 0; v < rows_.n_variables; ++v) {
      if (!kept_[v]) continue;
      any[group_[v]] = 1;
      for (int i = 0; i < n_classes_; ++i) {
        for (int j = 0; j < i; ++j) {
          const double difference = weights_of(i)[v] - weights_of(j)[v];
          dispersion[group_[v]] += difference * difference;
        }
      }
    }
    int least = -1;
    for (int g = 0; g < n_groups_; ++g) {
      if (any[g] && (least < 0 || dispersion[g] < dispersion[least])) least = g;
    }
    for (int v = 0; v < rows_.n_variables; ++v) kept_[v] &= group_[v] != least;
    measure_rows();
  }

  const BlockedRows& rows_;
  const std::vector<double>& weight_;  // how often each row is drawn
  const ThermalOptions& options_;
  Random random_;
  double t_quantile_;
  int n_classes_, width_;
  std::vector<double> padded_, length_, weights_, scores_;
  std::vector<std::uint8_t> kept_;
  std::vector<std::int64_t> order_;
  std::vector<int> group_;  // of each variable: those of a group are eliminated together
  int n_groups_ = 0;
  bool is_weighted_;
  std::vector<double> cumulated_;  // of the weights
  // With costs, of each class: its rows, running sums of their weights, what its errors cost so
  // far, how often it was seen, how often it is drawn.
  std::vector<std::vector<std::int64_t>> rows_of_;
  std::vector<std::vector<double>> weight_until_;
  std::vector<double> paid_, observed_, proportion_;
  double total_;  // weight of all rows
};

}  // namespace

std::vector<PackedSplit> find_thermal_machines(const Table& table, const Level& level,
                                               const std::uint64_t* seeds,
                                               const double* t_quantiles,
                                               const ThermalOptions& options) {
  std::vector<PackedSplit> found(level.n_nodes);
  const Encoding how{.max_rows = std::numeric_limits<std::int64_t>::max(), .with_costs = true};
  at_every_node(table, level, how, [&](std::size_t i, EncodedNode& node) {
    const TrainedMachine machine = Trainer(node, options, seeds[i], t_quantiles[i]).run();
    const UsedWeights part = weights_in_use(node, machine.kept, machine.weights);
    found[i] = fold_machine(node, part.used, part.weights, table.n_values);
  });
  return found;
}

}  // namespace miter
