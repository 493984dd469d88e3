#include "thermal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "random.hpp"

namespace miter {
namespace {

// One machine in training. Rows are stored with their constant, so that a row is one dot product a
// class.
class Trainer {
 public:
  Trainer(const EncodedRows& rows, const ThermalOptions& options)
      : rows_(rows),
        options_(options),
        random_(options.seed),
        width_(rows.n_variables + 1),
        padded_(rows.n_rows * width_),
        length_(rows.n_rows),
        weights_(static_cast<std::size_t>(rows.n_classes) * width_, 0.0),
        scores_(rows.n_classes),
        kept_(rows.n_variables, 1),
        order_(rows.n_rows) {
    for (std::int64_t i = 0; i < rows.n_rows; ++i) {
      double* row = padded_.data() + i * width_;
      std::copy_n(rows.values + i * rows.n_variables, rows.n_variables, row);
      row[rows.n_variables] = 1;
    }
    std::iota(order_.begin(), order_.end(), 0);
    total_ = static_cast<double>(rows.n_rows);
    if (rows.weights) {
      cumulated_.resize(rows.n_rows);
      std::partial_sum(rows.weights, rows.weights + rows.n_rows, cumulated_.begin());
      total_ = cumulated_.back();
    }
    if (rows.costs) begin_proportions();
  }

  TrainedMachine run() {
    measure_rows();
    if (!options_.eliminate) {
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
      if (now.accuracy >= best - options_.t_quantile * error) saved = now;
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
      for (int v = 0; v < rows_.n_variables; ++v) {
        if (!kept_[v])
          y[v] = 0;
        else
          y[v] = rows_.values[i * rows_.n_variables + v];
      }
      length_[i] = std::inner_product(y, y + width_, y, 0.0);
    });
    for (int c = 0; c < rows_.n_classes; ++c) {
      for (int v = 0; v < rows_.n_variables; ++v) {
        if (!kept_[v]) weights_of(c)[v] = 0;
      }
    }
  }

  // The class that the machine prefers to the true one, or -1 if it is right. A tie is an error.
  int rival(std::int64_t i) {
    const double* y = row(i);
    for (int c = 0; c < rows_.n_classes; ++c) {
      const double* w = weights_of(c);
      double sum = 0;
      for (int v = 0; v < width_; ++v) sum += w[v] * y[v];
      scores_[c] = sum;
    }
    const int truth = rows_.y[i];
    int best = truth == 0 ? 1 : 0;
    for (int c = best + 1; c < rows_.n_classes; ++c) {
      if (c != truth && scores_[c] > scores_[best]) best = c;
    }
    return scores_[best] >= scores_[truth] ? best : -1;
  }

  double norm(int c) {
    const double* w = weights_of(c);
    return std::sqrt(std::inner_product(w, w + width_, w, 0.0));
  }

  double weight_of(std::int64_t i) const { return rows_.weights ? rows_.weights[i] : 1.0; }

  double accuracy() {
    double right = 0, all = 0;
    auto count = [&](std::int64_t i) {
      const int j = rival(i);
      const double possible = rows_.costs ? dearest(i) : 1.0;
      const double cost = j < 0 ? 0.0 : rows_.costs ? cost_of(i, j) : 1.0;
      right += weight_of(i) * (possible - cost);
      all += weight_of(i) * possible;
    };
    for_rows(rows_.n_rows, count, 64);
    return all > 0 ? right / all : 1.0;
  }

  // ---- training in proportion to costs (1993, Table 2) ----

  double cost_of(std::int64_t i, int answer) const {
    return rows_.costs[i * rows_.n_classes + answer];
  }
  double dearest(std::int64_t i) const {
    const double* own = rows_.costs + i * rows_.n_classes;
    return *std::max_element(own, own + rows_.n_classes);
  }

  // Rows of each class with running sums of their weights; at first all classes are drawn alike.
  void begin_proportions() {
    rows_of_.resize(rows_.n_classes);
    weight_until_.resize(rows_.n_classes);
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) {
      auto& until = weight_until_[rows_.y[i]];
      rows_of_[rows_.y[i]].push_back(i);
      until.push_back((until.empty() ? 0.0 : until.back()) + weight_of(i));
    }
    paid_.assign(rows_.n_classes, 0.0);
    observed_.assign(rows_.n_classes, 0.0);
    proportion_.assign(rows_.n_classes, 1.0);
  }

  // After a round: a class is drawn by its part of the rows times the mean cost of its errors.
  void update_proportions() {
    std::vector<double> next(rows_.n_classes, 0.0);
    for (int c = 0; c < rows_.n_classes; ++c) {
      if (observed_[c] > 0) next[c] = paid_[c] / observed_[c] * weight_until_[c].back();
    }
    if (std::accumulate(next.begin(), next.end(), 0.0) > 0) proportion_ = next;
  }

  std::int64_t draw_in_proportion() {
    const double sum = std::accumulate(proportion_.begin(), proportion_.end(), 0.0);
    double at = random_.unit() * sum;
    int c = 0;
    while (c + 1 < rows_.n_classes && at >= proportion_[c]) at -= proportion_[c++];
    while (proportion_[c] <= 0) c = (c + 1) % rows_.n_classes;  // rounding led past the last
    const auto& until = weight_until_[c];
    const double place = random_.unit() * until.back();
    return rows_of_[c][std::upper_bound(until.begin(), until.end() - 1, place) - until.begin()];
  }

  TrainedMachine machine() { return {weights_, kept_, accuracy()}; }

  std::int64_t draw(std::int64_t step) {
    const std::int64_t n = rows_.n_rows;
    if (rows_.costs) {
      if (step % n == 0) update_proportions();
      return draw_in_proportion();
    }
    if (options_.in_passes) {
      if (step % n == 0) {
        for (std::int64_t i = n - 1; i > 0; --i) std::swap(order_[i], order_[random_.below(i + 1)]);
      }
      return order_[step % n];
    }
    if (!rows_.weights) return random_.below(n);
    const double at = random_.unit() * cumulated_.back();
    const auto place = std::upper_bound(cumulated_.begin(), cumulated_.end() - 1, at);
    return place - cumulated_.begin();
  }

  // Tables 2 (1991) and 1 (1993). early > 0: stop once the magnitude has settled.
  void train(double early) {
    const std::int64_t n = rows_.n_rows;
    double beta = options_.beta;
    std::vector<double> norms(rows_.n_classes);
    for (int c = 0; c < rows_.n_classes; ++c) norms[c] = norm(c);
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
      if (rows_.costs) {
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
    std::vector<std::uint8_t> any(rows_.n_groups, 0);
    for (int v = 0; v < rows_.n_variables; ++v) any[rows_.group[v]] |= kept_[v];
    return static_cast<int>(std::count(any.begin(), any.end(), 1));
  }

  // Takes out the group whose weights differ least between the classes.
  void eliminate() {
    std::vector<double> dispersion(rows_.n_groups, 0.0);
    std::vector<std::uint8_t> any(rows_.n_groups, 0);
    for (int v = 0; v < rows_.n_variables; ++v) {
      if (!kept_[v]) continue;
      any[rows_.group[v]] = 1;
      for (int i = 0; i < rows_.n_classes; ++i) {
        for (int j = 0; j < i; ++j) {
          const double difference = weights_of(i)[v] - weights_of(j)[v];
          dispersion[rows_.group[v]] += difference * difference;
        }
      }
    }
    int least = -1;
    for (int g = 0; g < rows_.n_groups; ++g) {
      if (any[g] && (least < 0 || dispersion[g] < dispersion[least])) least = g;
    }
    for (int v = 0; v < rows_.n_variables; ++v) kept_[v] &= rows_.group[v] != least;
    measure_rows();
  }

  const EncodedRows& rows_;
  const ThermalOptions& options_;
  Random random_;
  int width_;
  std::vector<double> padded_, length_, weights_, scores_;
  std::vector<std::uint8_t> kept_;
  std::vector<std::int64_t> order_;
  std::vector<double> cumulated_;  // of the weights
  // With costs, of each class: its rows, running sums of their weights, what its errors cost so
  // far, how often it was seen, how often it is drawn.
  std::vector<std::vector<std::int64_t>> rows_of_;
  std::vector<std::vector<double>> weight_until_;
  std::vector<double> paid_, observed_, proportion_;
  double total_;  // weight of all rows
};

}  // namespace

TrainedMachine train_thermal(const EncodedRows& rows, const ThermalOptions& options) {
  return Trainer(rows, options).run();
}

}  // namespace miter
