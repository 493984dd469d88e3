#include "two_groups.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "blocks.hpp"
#include "encode.hpp"
#include "fold.hpp"
#include "impurity.hpp"
#include "lbfgs.hpp"
#include "random.hpp"

namespace miter {
namespace {

// Units that are only compared are trained on about so many rows of a node, at most twice as many.
constexpr std::int64_t kComparedRows = 2000;

using Groups = std::vector<std::uint8_t>;  // 0 or 1 for each class at the node

constexpr int kFewClasses = 4;           // all partitions of so many are tried
constexpr double kSearchTolerance = 10;  // times the tolerance, while groups are compared
constexpr int kFolds = 5;                // of the cross-validation that chooses a network's penalty
constexpr int kWarmEpochs = 5;           // gradient descent from other weights is so much shorter
constexpr int kMostVariables = 256;      // with more, leaving one row out takes too long

// Trains units on the rows of one node.
class UnitTrainer {
 public:
  UnitTrainer(EncodedNode& node, const UnitOptions& options, std::uint64_t seed)
      : node_(node),
        rows_(node.rows),
        options_(options),
        n_classes_(static_cast<int>(node.classes.size())),
        n_hidden_(options.n_hidden >= 0 ? options.n_hidden
                                        : std::clamp(rows_.n_variables / 2, options.least_hidden,
                                                     options.most_hidden)),
        l2_(options.l2[options.l2.size() / 2]),
        seed_(seed),
        target_(rows_.weight.size(), 0.0f) {}

  int n_hidden() const { return n_hidden_; }
  double l2() const { return l2_; }
  void set_l2(double l2) { l2_ = l2; }

  void aim_at(const Groups& groups) {
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) {
      target_[i] = static_cast<float>(groups[rows_.y[i]]);
    }
  }

  // Weights for the groups that are aimed at, from others or from nothing.
  Vector train(const Vector& start, double tolerance) {
    if (options_.by_gradient) return descended(start);
    Vector weights = start.empty() ? drawn(0) : start;
    minimise_loss(weights, tolerance);
    return weights;
  }

  // Chooses the penalty, and trains to the end.
  Vector finish(const Vector& start) {
    if (options_.by_gradient) return start;
    if (n_hidden_ > 0) {
      if (options_.l2.size() > 1) choose_by_folds();
      return best_of_starts(start);
    }
    if (options_.l2.size() == 1 || rows_.n_variables > kMostVariables) {
      return train(start, options_.tolerance);
    }
    return best_by_leaving_out(start);
  }

  const std::vector<float>& outputs(const Vector& weights) {
    UnitLoss loss(rows_, target_, n_hidden_);
    outputs_ = loss.outputs(weights);
    return outputs_;
  }

  // The weight of all rows times the entropy that is left when the unit has divided them.
  double entropy_after(const Vector& weights) {
    Vector counts(2 * static_cast<std::size_t>(n_classes_), 0.0);
    double total[2] = {0, 0};
    const std::vector<float>& out = outputs(weights);
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) {
      const int branch = out[i] > 0;
      counts[branch * n_classes_ + rows_.y[i]] += rows_.weight[i];
      total[branch] += rows_.weight[i];
    }
    const Entropy entropy;
    return entropy.mixed(counts.data(), n_classes_, total[0]) +
           entropy.mixed(counts.data() + n_classes_, n_classes_, total[1]);
  }

  bool divides(const Vector& weights) {
    double size[2] = {0, 0};
    const std::vector<float>& out = outputs(weights);
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) size[out[i] > 0] += rows_.weight[i];
    return size[0] > 0 && size[1] > 0;
  }

  // Gives both groups the same weight, together that of all rows.
  void balance() {
    double size[2] = {0, 0};
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) size[target_[i] > 0] += rows_.weight[i];
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) {
      rows_.weight[i] *= static_cast<float>((size[0] + size[1]) / (2 * size[target_[i] > 0]));
    }
  }

  double loss_without_penalty(const Vector& weights) {
    UnitLoss loss(rows_, target_, n_hidden_);
    loss.l2 = 0;
    Vector gradient(weights.size());
    return loss(weights, gradient);
  }

  struct PartError {
    double wrong, total;
    double squares;  // of the distance between the sigmoid and the target
  };

  // Trains on all rows but those of a part, from some weights, and returns what it says of these.
  PartError error_of_part(const std::vector<Dealt>& parts, int part, int n_parts, Vector& weights) {
    left_out_.clear();
    for (const Dealt& dealt : parts) left_out_.push_back(dealt.share(part, n_parts));
    take_others();
    swap_with_others();
    weights = train(weights, options_.tolerance);
    swap_with_others();
    const std::vector<float>& out = outputs(weights);
    PartError error{0, 0, 0};
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) {
      if (left_out_[i] == 0) continue;
      const double weight = left_out_[i] * rows_.weight[i];
      error.wrong += weight * ((out[i] > 0) != (target_[i] > 0));
      error.total += weight;
      const double off = 1 / (1 + std::exp(-out[i])) - target_[i];
      error.squares += weight * off * off;
    }
    return error;
  }

 private:
  std::size_t size() const { return n_weights(rows_.n_variables, n_hidden_); }

  // Whether a row is not left out as a whole, and one of those that suffice to compare.
  bool is_trained_on(std::int64_t i) const {
    return left_out_[i] < 1 && i % std::max<std::int64_t>(1, rows_.n_rows / kComparedRows) == 0;
  }

  // Copies the rows that are not left out, or not as a whole.
  void take_others() {
    std::int64_t n_others = 0;
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) n_others += is_trained_on(i);
    others_.reset(n_others, rows_.n_variables);
    target_of_others_.assign(others_.weight.size(), 0.0f);
    std::int64_t to = 0;
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) {
      if (!is_trained_on(i)) continue;
      for (int v = 0; v < rows_.n_variables; ++v) others_.at(to, v) = rows_.at(i, v);
      others_.y[to] = rows_.y[i];
      others_.weight[to] = static_cast<float>((1 - left_out_[i]) * rows_.weight[i]);
      target_of_others_[to++] = target_[i];
    }
  }

  // What is trained on now, and what waits.
  void swap_with_others() {
    std::swap(rows_, others_);
    target_.swap(target_of_others_);
  }

  double minimise_loss(Vector& weights, double tolerance) {
    UnitLoss loss(rows_, target_, n_hidden_);
    loss.l2 = l2_;
    return minimise(loss, weights, {options_.max_iterations, 8, tolerance});
  }

  // The perceptron whose penalty does best when one row after the other is left out.
  Vector best_by_leaving_out(Vector weights) {
    Vector best;
    double least = INFINITY, chosen = l2_;
    for (double l2 : options_.l2) {
      l2_ = l2;
      weights = train(weights, options_.tolerance);
      const double left_out = leave_one_out(rows_, target_, weights, l2);
      if (!best.empty() && !(left_out < least)) continue;
      least = left_out;
      best = weights;
      chosen = l2;
    }
    l2_ = chosen;
    return best;
  }

  // The network with the least loss: of that which the search has trained, and some others.
  Vector best_of_starts(Vector best) {
    double least = minimise_loss(best, options_.tolerance);
    for (int k = 0; k < options_.n_init; ++k) {
      Vector weights = drawn(k);
      const double loss = minimise_loss(weights, options_.tolerance);
      if (loss >= least) continue;
      least = loss;
      best = std::move(weights);
    }
    return best;
  }

  // Where training begins; the least loss of a perceptron is found from anywhere.
  Vector drawn(int start) {
    if (n_hidden_ == 0 && !options_.by_gradient) return Vector(size(), 0.0);
    Random random(seed_ + 0x51ed27ull * (start + 1));
    const double reach = options_.by_gradient ? 0.1 : 1 / std::sqrt(rows_.n_variables + 1.0);
    Vector weights(size());
    for (double& weight : weights) weight = reach * (2 * random.unit() - 1);
    return weights;
  }

  Vector descended(const Vector& start) {
    Vector weights = start.empty() ? drawn(0) : start;
    GradientOptions gradient = options_.gradient;
    if (!start.empty()) gradient.epochs = std::max(1, gradient.epochs / kWarmEpochs);
    Random random(seed_);
    descend(rows_, target_, n_hidden_, gradient, random, weights);
    return weights;
  }

  // Chooses the penalty whose networks come closest to rows that they were not trained on, by the
  // squared error: to count mistakes would be too coarse, and a few wild answers must not decide.
  void choose_by_folds() {
    const std::vector<Dealt> folds = node_.draw_folds(kFolds);
    Vector squares(options_.l2.size(), 0.0);
    for (int f = 0; f < kFolds; ++f) {
      Vector weights;
      for (std::size_t k = 0; k < squares.size(); ++k) {
        l2_ = options_.l2[k];
        squares[k] += error_of_part(folds, f, kFolds, weights).squares;
      }
    }
    l2_ = options_.l2[std::min_element(squares.begin(), squares.end()) - squares.begin()];
  }

  EncodedNode& node_;
  BlockedRows& rows_;
  const UnitOptions& options_;
  int n_classes_, n_hidden_;
  double l2_;
  std::uint64_t seed_;
  std::vector<float> target_, outputs_;
  Vector left_out_;     // the share of each row
  BlockedRows others_;  // see take_others
  std::vector<float> target_of_others_;
};

// Finds the two groups of classes that a unit tells apart best.
class GroupSearch {
 public:
  GroupSearch(const BlockedRows& rows, int n_classes, UnitTrainer& trainer, double tolerance)
      : rows_(rows), n_classes_(n_classes), trainer_(trainer), tolerance_(tolerance) {}

  struct Found {
    Groups groups;
    Vector weights;
    double entropy;
  };

  Found run(const Groups& given, bool exchange) {
    if (!exchange || n_classes_ == 2) return tried(given.empty() ? Groups{0, 1} : given, {});
    if (n_classes_ <= kFewClasses) return best_of_all();
    Found now = tried(given.empty() ? distant_start() : given, {});
    for (bool better = true; better;) {
      better = false;
      Found best = now;
      for (int k = 0; k < n_classes_; ++k) {
        Groups groups = now.groups;
        groups[k] = 1 - groups[k];
        if (is_one(groups)) continue;
        Found other = tried(std::move(groups), now.weights);
        // Less by more than rounding, so that ties and cycles end.
        if (other.entropy < best.entropy - 1e-6 * (1 + now.entropy)) {
          best = std::move(other);
          better = true;
        }
      }
      now = std::move(best);
    }
    return now;
  }

 private:
  Found tried(Groups groups, const Vector& start) {
    trainer_.aim_at(groups);
    Vector weights = trainer_.train(start, tolerance_);
    const double entropy = trainer_.entropy_after(weights);
    return {std::move(groups), std::move(weights), entropy};
  }

  static bool is_one(const Groups& groups) {
    return std::all_of(groups.begin(), groups.end(), [&](auto g) { return g == groups[0]; });
  }

  Found best_of_all() {
    Found best{{}, {}, INFINITY};
    for (unsigned pattern = 1; pattern < 1u << (n_classes_ - 1); ++pattern) {
      Groups groups(n_classes_, 0);
      for (int k = 1; k < n_classes_; ++k) groups[k] = (pattern >> (k - 1)) & 1;
      Found other = tried(std::move(groups), {});
      if (other.entropy < best.entropy - 1e-6) best = std::move(other);
    }
    return best;
  }

  // The two classes whose means are farthest apart begin; then the class that is nearest to one of
  // the groups joins it, and so on.
  Groups distant_start() {
    const int n = rows_.n_variables;
    std::vector<Vector> sums(n_classes_, Vector(n, 0.0));
    Vector weight(n_classes_, 0.0);
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) {
      weight[rows_.y[i]] += rows_.weight[i];
      for (int v = 0; v < n; ++v) {
        sums[rows_.y[i]][v] += rows_.weight[i] * rows_.at(i, v);
      }
    }
    auto distance = [&](const Vector& a, double of_a, const Vector& b, double of_b) {
      double total = 0;
      for (int v = 0; v < n; ++v) {
        const double d = a[v] / of_a - b[v] / of_b;
        total += d * d;
      }
      return total;
    };
    int first = 0, second = 1;
    double farthest = -1;
    for (int a = 0; a < n_classes_; ++a) {
      for (int b = a + 1; b < n_classes_; ++b) {
        const double d = distance(sums[a], weight[a], sums[b], weight[b]);
        if (d <= farthest) continue;
        farthest = d;
        first = a;
        second = b;
      }
    }
    Vector of_group[2] = {sums[first], sums[second]};
    double size[2] = {weight[first], weight[second]};
    constexpr std::uint8_t kNowhere = 2;
    Groups groups(n_classes_, kNowhere);
    groups[first] = 0;
    groups[second] = 1;
    for (int left = n_classes_ - 2; left > 0; --left) {
      int nearest = -1, to = 0;
      double least = INFINITY;
      for (int k = 0; k < n_classes_; ++k) {
        for (int g = 0; g < 2 && groups[k] == kNowhere; ++g) {
          const double d = distance(sums[k], weight[k], of_group[g], size[g]);
          if (nearest >= 0 && d >= least) continue;
          least = d;
          nearest = k;
          to = g;
        }
      }
      groups[nearest] = static_cast<std::uint8_t>(to);
      size[to] += weight[nearest];
      for (int v = 0; v < n; ++v) of_group[to][v] += sums[nearest][v];
    }
    return groups;
  }

  const BlockedRows& rows_;
  int n_classes_;
  UnitTrainer& trainer_;
  double tolerance_;
};

// The groups of the classes that are at the node; none where they are all in one.
Groups groups_here(const EncodedNode& node, const std::uint8_t* groups) {
  Groups here;
  if (!groups) return here;
  for (std::int32_t c : node.classes) here.push_back(groups[c] > 0);
  const auto n = std::count(here.begin(), here.end(), 1);
  return n == 0 || n == static_cast<std::int64_t>(here.size()) ? Groups{} : here;
}

PackedSplit fold_unit(const EncodedNode& node, int n_hidden, Vector weights,
                      const std::vector<std::int32_t>& n_values) {
  if (n_hidden == 0) return fold_linear(node, node.all_variables(), weights, n_values);
  to_sigmoids(static_cast<int>(node.variables.size()), n_hidden, weights);
  return fold_network(node, n_hidden, weights, n_values);
}

Encoding encoding_for(const UnitOptions& options) {
  return {.max_rows = options.max_rows,
          .hashed = options.n_hidden != 0 && options.l2.size() > 1,
          .scales = options.scales.low.empty() ? nullptr : &options.scales};
}

// Finds groups and a unit for one node.
void find_unit(EncodedNode& node, const Groups& given, bool exchange, const Table& table,
               const UnitOptions& options, std::uint64_t seed, FoundUnit& found) {
  UnitTrainer trainer(node, options, seed);
  GroupSearch search(node.rows, static_cast<int>(node.classes.size()), trainer,
                     kSearchTolerance * options.tolerance);
  auto best = search.run(given, exchange || given.empty());
  trainer.aim_at(best.groups);
  Vector weights = trainer.finish(best.weights);
  found.groups.assign(table.n_classes, 2);
  for (std::size_t k = 0; k < node.classes.size(); ++k) {
    found.groups[node.classes[k]] = best.groups[k];
  }
  found.l2 = trainer.l2();
  found.loss = trainer.loss_without_penalty(weights);
  found.n_weights = static_cast<std::int32_t>(weights.size());
  if (!trainer.divides(weights)) {
    if (options.by_gradient) return;
    trainer.balance();
    weights = trainer.train({}, options.tolerance);
    if (!trainer.divides(weights)) return;
  }
  found.split = fold_unit(node, trainer.n_hidden(), std::move(weights), table.n_values);
}

}  // namespace

std::vector<FoundUnit> find_units(const Table& table, const Level& level,
                                  const std::uint8_t* groups, bool exchange,
                                  const UnitOptions& options) {
  std::vector<FoundUnit> found(level.n_nodes);
  at_every_node(table, level, encoding_for(options), [&](std::size_t i, EncodedNode& node) {
    const Groups given = groups_here(node, groups ? groups + i * table.n_classes : nullptr);
    find_unit(node, given, exchange, table, options, level.seed + i, found[i]);
  });
  return found;
}

std::vector<double> part_errors(const Table& table, const Level& level, const std::uint8_t* groups,
                                const double* l2, const Parts& parts, const UnitOptions& options) {
  const std::size_t n_all = static_cast<std::size_t>(parts.n_repeats) * parts.n_parts;
  std::vector<double> errors(level.n_nodes * n_all, 0.0);
  at_every_node(table, level, encoding_for(options), [&](std::size_t i, EncodedNode& node) {
    const Groups here = groups_here(node, groups + i * table.n_classes);
    if (here.empty()) return;
    UnitTrainer trainer(node, options, level.seed + i);
    trainer.aim_at(here);
    trainer.set_l2(l2[i]);
    std::vector<Dealt> dealt(node.numbers.size());
    for (int r = 0; r < parts.n_repeats; ++r) {
      const std::int32_t* first = parts.first + r * level.n_entries();
      for (std::size_t k = 0; k < dealt.size(); ++k) {
        dealt[k] = {first[node.entries[k]], parts.spread[node.entries[k]]};
      }
      for (int p = 0; p < parts.n_parts; ++p) {
        Vector weights;
        const auto error = trainer.error_of_part(dealt, p, parts.n_parts, weights);
        errors[i * n_all + r * parts.n_parts + p] = error.total > 0 ? error.wrong / error.total : 0;
      }
    }
  });
  return errors;
}

}  // namespace miter
