#include "sparse_tests.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "cholesky.hpp"
#include "encode.hpp"
#include "few_weights.hpp"
#include "fold.hpp"
#include "groupings.hpp"
#include "impurity.hpp"

namespace miter {
namespace {

constexpr int kTried = 3;         // variables that are trained at each step of the selection
constexpr int kStepsOfTrial = 1;  // of Newton's method, to compare them
constexpr int kExchanged = 2;     // weakest terms that others are tried for
constexpr int kGroupings = 3;     // whose tests are searched to the end

// A trained test of some terms, and the information that it gives.
struct Trained {
  FewWeights few;
  std::vector<float> pull;
  double gain = -1;
};

class Search {
 public:
  Search(const EncodedNode& node, const SparseOptions& options)
      : rows_(node.rows), n_classes_(static_cast<int>(node.classes.size())), options_(options) {
    all_.resize(rows_.n_variables);
    std::iota(all_.begin(), all_.end(), 0);
    total_ = std::accumulate(node.weights.begin(), node.weights.end(), 0.0);
    find_squares();
  }

  // The best test of each number of terms, from one on; a gain below 0 where there is none.
  std::vector<Trained> find(const std::vector<Grouping>& proposed) {
    std::vector<Trained> best;
    const int max_terms = terms_that_rows_bear();
    for (const Grouping& grouping : best_groupings(proposed)) {
      set_target(grouping);
      Trained test = constant();
      for (int n = 1; n <= max_terms; ++n) {
        if (!extend(test)) break;
        exchange(test);
        measure(test);
        if (static_cast<int>(best.size()) < n) best.emplace_back();
        if (test.gain > best[n - 1].gain * (1 + 1e-9)) best[n - 1] = test;
      }
    }
    return best;
  }

 private:
  // A weight that too few rows tell is chance.
  int terms_that_rows_bear() const {
    std::vector<double> weight(n_classes_, 0.0);
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) weight[rows_.y[i]] += rows_.weight[i];
    const double events = total_ - *std::max_element(weight.begin(), weight.end());
    return static_cast<int>(std::min<double>(options_.max_terms, events / options_.events));
  }

  void set_target(const Grouping& grouping) {
    target_.resize(rows_.weight.size());
    for (std::size_t i = 0; i < target_.size(); ++i) target_[i] = grouping[rows_.y[i]];
  }

  // The log odds of the groups.
  Trained constant() const {
    double ones = 0;
    for (std::size_t i = 0; i < target_.size(); ++i) ones += rows_.weight[i] * target_[i];
    Trained test;
    test.few.weights = {std::log((ones + 1e-3) / (total_ - ones + 1e-3))};
    train_few(rows_, target_, options_.l2, test.few, test.pull);
    return test;
  }

  // Several groupings may lead to the same one, once each class is on the side of its majority.
  std::vector<Grouping> best_groupings(const std::vector<Grouping>& proposed) {
    if (proposed.size() == 1) return proposed;
    std::vector<std::pair<double, Grouping>> tried;
    for (Grouping grouping : proposed) {
      for (int round = 0; round < 2; ++round) {
        const bool is_known = std::any_of(tried.begin(), tried.end(),
                                          [&](const auto& one) { return one.second == grouping; });
        if (is_known) break;
        set_target(grouping);
        Trained test = constant();
        for (int n = 0; n < std::min(2, options_.max_terms) && extend(test);) ++n;
        measure(test);
        tried.emplace_back(test.gain, grouping);
        Grouping next = normalised(sides_of_majority());
        if (next == grouping || !divides(next)) break;
        grouping = std::move(next);
      }
    }
    std::stable_sort(tried.begin(), tried.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<Grouping> result;
    for (std::size_t k = 0; k < std::min<std::size_t>(tried.size(), kGroupings); ++k) {
      result.push_back(tried[k].second);
    }
    return result;
  }

  Grouping sides_of_majority() const {
    Grouping sides(n_classes_);
    for (int c = 0; c < n_classes_; ++c) sides[c] = counts_[2 * c + 1] > counts_[2 * c];
    return sides;
  }

  // Adds the term that lowers the loss most, of those that look best; false: there is none.
  bool extend(Trained& test, int other_than = -1, int n_tried = kTried) {
    Trained best;
    for (int v : most_promising(test, other_than, n_tried)) {
      Trained trial;
      trial.few.used = test.few.used;
      trial.few.weights = test.few.weights;
      trial.few.used.push_back(v);
      trial.few.weights.insert(trial.few.weights.end() - 1, 0.0);
      train_few(rows_, target_, options_.l2, trial.few, trial.pull, kStepsOfTrial);
      if (best.few.used.empty() || trial.few.loss < best.few.loss) best = std::move(trial);
    }
    if (best.few.used.empty()) return false;
    train_few(rows_, target_, options_.l2, best.few, best.pull);
    test = std::move(best);
    return true;
  }

  // Tries others for the weakest terms, as long as that lowers the loss.
  void exchange(Trained& test) {
    const std::size_t n = test.few.used.size();
    if (n < 2) return;
    for (int k = 0, n_kept = 0; k < std::min<int>(kExchanged, static_cast<int>(n)) && n_kept < 2;) {
      std::vector<std::size_t> order(n);
      std::iota(order.begin(), order.end(), 0);
      auto strength = [&](std::size_t i) {
        return test.few.weights[i] * test.few.weights[i] / test.few.spread[i];
      };
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return strength(a) < strength(b); });
      const auto weakest = static_cast<std::ptrdiff_t>(order[k]);
      const int out = test.few.used[weakest];
      Trained trial;
      trial.few = test.few;
      trial.few.used.erase(trial.few.used.begin() + weakest);
      trial.few.weights.erase(trial.few.weights.begin() + weakest);
      train_few(rows_, target_, options_.l2, trial.few, trial.pull, kStepsOfTrial);
      if (extend(trial, out, 2) && trial.few.loss < test.few.loss * (1 - 1e-4)) {
        test = std::move(trial);
        k = 0;
        ++n_kept;
      } else {
        ++k;
      }
    }
  }

  // The information about all classes; below 0 if a branch is too small.
  void measure(Trained& test) {
    counts_.assign(2 * n_classes_, 0.0);
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) {
      double output = test.few.weights.back();
      for (std::size_t v = 0; v < test.few.used.size(); ++v) {
        output += test.few.weights[v] * rows_.at(i, test.few.used[v]);
      }
      counts_[2 * rows_.y[i] + (output > 0)] += rows_.weight[i];
    }
    std::vector<double> side[3];
    double weight[3] = {};
    for (int c = 0; c < n_classes_; ++c) {
      for (int s = 0; s < 2; ++s) {
        side[s].push_back(counts_[2 * c + s]);
        weight[s] += counts_[2 * c + s];
      }
      side[2].push_back(counts_[2 * c] + counts_[2 * c + 1]);
    }
    weight[2] = weight[0] + weight[1];
    const Entropy entropy;
    auto mixed = [&](int s) { return entropy.mixed(side[s].data(), n_classes_, weight[s]); };
    const bool is_good = std::min(weight[0], weight[1]) >= std::max(options_.min_leaf, 1e-6) - 1e-6;
    test.gain = is_good ? mixed(2) - mixed(0) - mixed(1) : -1;
  }

  // ---- the score test -----------------------------------------------------------------------

  // Sums of every variable times a number of each row.
  std::vector<double> sums_with(const std::vector<float>& factor) {
    const Outputs shape{1, rows_.n_variables + 1, all_.data()};
    std::vector<float> narrow((rows_.n_variables + 1) * kLanesInSum, 0.0f);
    std::vector<double> wide(rows_.n_variables + 1, 0.0);
    for (std::int64_t b = 0; b < rows_.n_blocks; ++b) {
      gradient_of_block(rows_.block(b), shape, factor.data() + b * kBlock, narrow.data());
      if ((b + 1) % kBlocksInFloat == 0 || b + 1 == rows_.n_blocks) {
        Interrupt::count_steps(kBlocksInFloat * rows_.n_variables);
        take_sums(narrow, wide);
      }
    }
    return wide;
  }

  void find_squares() {
    squares_.assign(rows_.n_variables, 0.0);
    for (std::int64_t b = 0; b < rows_.n_blocks; ++b) {
      for (int v = 0; v < rows_.n_variables; ++v) {
        const float* z = rows_.block(b) + v * kBlock;
        const float* w = rows_.weight.data() + b * kBlock;
        float sum = 0;
        for (int i = 0; i < kBlock; ++i) sum += w[i] * z[i] * z[i];
        squares_[v] += sum;
      }
    }
  }

  // Weighted products of a variable with every other; made once.
  const std::vector<double>& products(int v) {
    auto [place, is_new] = products_.try_emplace(v);
    if (is_new) {
      std::vector<float> factor(rows_.weight.size());
      for (std::int64_t i = 0; i < rows_.n_rows; ++i) factor[i] = rows_.weight[i] * rows_.at(i, v);
      place->second = sums_with(factor);
    }
    return place->second;
  }

  // Of each variable, what is left of its squares when those in use have explained theirs.
  std::vector<double> unexplained(const std::vector<int>& used, double ridge) {
    std::vector<double> left = squares_;
    const int n = static_cast<int>(used.size());
    if (n == 0) return left;
    std::vector<const double*> rows;
    for (int v : used) rows.push_back(products(v).data());
    std::vector<double> factor, b(n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) factor.push_back(rows[i][used[j]] + (i == j) * ridge);
    }
    factorise(factor, n);
    for (int v = 0; v < rows_.n_variables; ++v) {
      for (int i = 0; i < n; ++i) b[i] = rows[i][v];
      solve_half(factor, n, b.data());
      for (double x : b) left[v] -= x * x;
    }
    return left;
  }

  // The variables that a score test expects most of, best first.
  std::vector<int> most_promising(const Trained& test, int other_than, int n) {
    double bend = 0;  // mean curvature of the loss
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) {
      const double w = rows_.weight[i];
      if (!(w > 0)) continue;
      const double off = std::abs(test.pull[i]) / w;
      bend += w * off * (1 - off);
    }
    bend = std::max(bend / std::max(total_, 1e-300), 1e-3);
    const std::vector<double> pulls = sums_with(test.pull);
    const std::vector<double> left = unexplained(test.few.used, options_.l2 / bend);
    std::vector<std::pair<double, int>> scores;
    for (int v = 0; v < rows_.n_variables; ++v) {
      if (v == other_than || left[v] < 1e-4 * squares_[v]) continue;
      if (std::find(test.few.used.begin(), test.few.used.end(), v) != test.few.used.end()) continue;
      scores.emplace_back(-pulls[v] * pulls[v] / (bend * left[v] + options_.l2), v);
    }
    const auto many = std::min<std::size_t>(n, scores.size());
    std::partial_sort(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(many),
                      scores.end());
    std::vector<int> result;
    for (std::size_t k = 0; k < many; ++k) result.push_back(scores[k].second);
    return result;
  }

  static constexpr std::size_t kLanesInSum = 8;  // of gradient_of_block

  const BlockedRows& rows_;
  int n_classes_;
  const SparseOptions& options_;
  double total_;
  std::vector<int> all_;
  std::vector<double> squares_;
  std::unordered_map<int, std::vector<double>> products_;
  std::vector<float> target_;
  std::vector<double> counts_;  // classes x sides
};

// Turns a sum so that its strongest term adds: which branch is which does not matter.
void point_up(const EncodedNode& node, FewWeights& few) {
  double strongest = 0;
  for (std::size_t i = 0; i < few.used.size(); ++i) {
    const Variable& own = node.variables[few.used[i]];
    const double spread = own.is_yes_or_no() ? std::sqrt(1 - own.mean * own.mean) / 2 : 1.0;
    const double strength = few.weights[i] * spread;
    if (std::abs(strength) > std::abs(strongest) * (1 + 1e-6)) strongest = strength;
  }
  if (strongest >= 0) return;
  for (double& weight : few.weights) weight = -weight;
}

// Variables in the order of their places, as folding wants them.
void sort_terms(FewWeights& few) {
  std::vector<std::pair<int, double>> terms;
  for (std::size_t i = 0; i < few.used.size(); ++i) {
    terms.emplace_back(few.used[i], few.weights[i]);
  }
  std::sort(terms.begin(), terms.end());
  for (std::size_t i = 0; i < terms.size(); ++i) {
    std::tie(few.used[i], few.weights[i]) = terms[i];
  }
}

}  // namespace

std::vector<std::vector<SparseTest>> find_sparse_tests(const Table& table, const Level& level,
                                                       const SparseOptions& options) {
  std::vector<std::vector<SparseTest>> found(level.n_nodes);
  Encoding how{options.max_rows};
  how.n_conditions = options.n_conditions;
  how.plain_indicators = true;
  how.without_weightless = true;
  at_every_node(table, level, how, [&](std::size_t i, EncodedNode& node) {
    Search search(node, options);
    const double scale = static_cast<double>(level.size(i)) /
                         static_cast<double>(std::max<std::size_t>(node.numbers.size(), 1));
    const double part = scale > 1.5 ? scale : 1.0;
    int n_terms = 0;
    for (Trained& test : search.find(propose_groupings(node))) {
      ++n_terms;
      if (test.gain < 0 || (n_terms == 1 && options.n_conditions == 0)) continue;
      point_up(node, test.few);
      sort_terms(test.few);
      found[i].push_back({n_terms, test.gain * part,
                          fold_few(node, test.few.used, test.few.weights, table.n_values)});
    }
  });
  return found;
}

}  // namespace miter
