#include "annealed_machines.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "encode.hpp"
#include "fold.hpp"
#include "lbfgs.hpp"
#include "machine_loss.hpp"

namespace miter {
namespace {

// So many rows of a node, at most, tell which columns help.
constexpr std::int64_t kEliminationRows = 1000;
// Times the tolerance: for machines that are only compared.
constexpr double kRoughly = 10;

// Trains machines on the rows of one node.
class NodeTrainer {
 public:
  NodeTrainer(EncodedNode& node, const MachineOptions& options)
      : node_(node),
        rows_(node.rows),
        options_(options),
        n_classes_(static_cast<int>(node.classes.size())),
        l2_(options.l2),
        tolerance_(options.tolerance),
        weight_(rows_.weight) {
    for (const Variable& variable : node.variables) {
      if (groups_.empty() || variable.column != last_column_) ++n_groups_;
      last_column_ = variable.column;
      groups_.push_back(n_groups_ - 1);
    }
  }

  // A machine of these columns; false: it would send all rows one way.
  bool run(const std::vector<std::int32_t>& columns) {
    std::vector<int> used;
    for (int v : node_.all_variables()) {
      if (std::binary_search(columns.begin(), columns.end(), node_.variables[v].column)) {
        used.push_back(v);
      }
    }
    Machine machine = trained(used, {});
    if (!divides(machine)) {
      balance();
      machine = trained(used, {});
    }
    if (!divides(machine)) return false;
    best = std::move(machine);
    return true;
  }

  // All columns, in ascending order; fewer where options ask for that.
  std::vector<std::int32_t> columns() {
    const bool fewer = n_groups_ > 1 && (options_.eliminate || is_limited());
    std::vector<std::int32_t> result;
    for (int v : fewer ? eliminate() : node_.all_variables()) {
      result.push_back(node_.variables[v].column);
    }
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  struct Machine {
    std::vector<int> used;  // variables
    Vector weights;
  };
  Machine best;

 private:
  bool is_limited() const { return options_.max_columns > 0 && options_.max_columns < n_groups_; }

  // A machine of these variables, from nothing or from a machine, which is cold already.
  Machine trained(std::vector<int> used, const Vector& start) {
    MachineLoss loss(rows_, n_classes_, used);
    Vector weights = start.empty() ? Vector(loss.size(), 0.0) : loss.trained_from(start);
    // Annealing weighs costs itself, and starts better from all rows alike.
    std::vector<Stage> stages{{false, options_.temperatures.empty(), 1, l2_}};
    for (double temperature : options_.temperatures) {
      stages.push_back({true, false, temperature, l2_});
    }
    if (!start.empty()) stages.erase(stages.begin(), stages.end() - 1);
    LbfgsOptions search{options_.max_iterations, 8, 0.0};
    for (std::size_t s = 0; s < stages.size(); ++s) {
      loss.stage = stages[s];
      // What is only the start of the next stage need not be exact.
      search.tolerance = (s + 1 < stages.size() ? 100 : 1) * tolerance_;
      minimise(loss, weights, search);
    }
    return {std::move(used), loss.of_classes(weights)};
  }

  // Calls visit(row, class that the machine prefers) for every row.
  template <class Visit>
  void answers(const Machine& machine, Visit&& visit) {
    MachineLoss loss(rows_, n_classes_, machine.used);
    std::vector<float> scores;
    for (std::int64_t b = 0; b < rows_.n_blocks; ++b) {
      loss.scores_of(b, machine.weights, scores);
      const std::int64_t n = std::min<std::int64_t>(kBlock, rows_.n_rows - b * kBlock);
      for (std::int64_t i = 0; i < n; ++i) {
        int top = 0;
        for (int c = 1; c < n_classes_; ++c) {
          if (scores[c * kBlock + i] > scores[top * kBlock + i]) top = c;
        }
        visit(b * kBlock + i, top);
      }
    }
  }

  bool divides(const Machine& machine) {
    std::vector<double> size(n_classes_, 0.0);
    answers(machine, [&](std::int64_t i, int c) { size[c] += weight_[i]; });
    return std::count_if(size.begin(), size.end(), [](double s) { return s > 0; }) > 1;
  }

  // Gives all classes the same weight, together that of all rows.
  void balance() {
    std::vector<double> of_class(n_classes_, 0.0);
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) of_class[rows_.y[i]] += weight_[i];
    const double total = std::accumulate(of_class.begin(), of_class.end(), 0.0);
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) {
      const double own = of_class[rows_.y[i]];
      if (own > 0) rows_.weight[i] = static_cast<float>(weight_[i] * total / (n_classes_ * own));
    }
  }

  // Numbers of columns to try: all, then a quarter fewer at a time; the last ones one by one. If
  // only the most is given, that is the number.
  std::vector<int> sizes() const {
    const int least = options_.eliminate ? 1 : options_.max_columns;
    std::vector<int> result{n_groups_};
    while (result.back() > least) {
      int next = result.back() - std::max(1, result.back() / 4);
      if (is_limited() && result.back() > options_.max_columns) {
        next = std::max(next, std::min(options_.max_columns, result.back() - 1));
      }
      result.push_back(next);
    }
    return result;
  }

  // The machine without the columns whose weights differ least between the classes.
  Machine smaller(const Machine& machine, int n_left) {
    const std::size_t width = machine.used.size() + 1;
    std::vector<double> dispersion(n_groups_, -1.0);
    for (std::size_t v = 0; v < machine.used.size(); ++v) {
      double sum = 0, squares = 0;
      for (int c = 0; c < n_classes_; ++c) {
        const double w = machine.weights[c * width + v];
        sum += w;
        squares += w * w;
      }
      double& own = dispersion[groups_[machine.used[v]]];
      own = std::max(own, 0.0) + squares - sum * sum / n_classes_;
    }
    std::vector<int> order(n_groups_);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return dispersion[a] > dispersion[b]; });
    std::vector<bool> stays(n_groups_, false);
    for (int k = 0; k < n_left; ++k) stays[order[k]] = true;
    std::vector<int> used;
    std::vector<std::size_t> places;
    for (std::size_t v = 0; v < machine.used.size(); ++v) {
      if (!stays[groups_[machine.used[v]]]) continue;
      used.push_back(machine.used[v]);
      places.push_back(v);
    }
    places.push_back(width - 1);
    Vector start;
    for (int c = 0; c < n_classes_; ++c) {
      for (std::size_t place : places) start.push_back(machine.weights[c * width + place]);
    }
    return trained(std::move(used), start);
  }

  // Machines of fewer and fewer columns.
  std::vector<Machine> path(const std::vector<int>& sizes) {
    std::vector<Machine> machines{trained(node_.all_variables(), {})};
    for (std::size_t k = 1; k < sizes.size(); ++k) {
      machines.push_back(smaller(machines.back(), sizes[k]));
    }
    return machines;
  }

  // A number of columns, and what answers of so many cost to rows that they were not trained on.
  struct Trial {
    int n_columns;
    std::vector<float> cost;
  };

  float cost_of(std::int64_t row, int answer) const {
    if (rows_.cost.empty()) return static_cast<float>(answer != rows_.y[row]);
    return rows_.cost_of(row, answer, n_classes_);
  }

  // The variables of the smallest machine that is not worse than the best by more than a standard
  // error of the difference.
  std::vector<int> eliminate() {
    tolerance_ = kRoughly * options_.tolerance;  // enough to compare
    std::vector<int> tried = sizes();
    if (options_.eliminate) {
      const auto end = std::find(tried.begin(), tried.end(), choose(trials(tried)).n_columns);
      tried.erase(end + 1, tried.end());
    }
    std::vector<int> used = path(tried).back().used;
    tolerance_ = options_.tolerance;
    return used;
  }

  std::vector<Trial> trials(const std::vector<int>& tried) {
    const std::vector<Dealt> folds = node_.draw_folds(options_.folds);
    std::vector<Trial> result;
    for (int size : tried) result.push_back({size, std::vector<float>(rows_.n_rows, 0.0f)});
    for (int f = 0; f < options_.folds; ++f) {
      for (std::int64_t i = 0; i < rows_.n_rows; ++i) {
        const double kept = 1 - folds[i].share(f, options_.folds);
        rows_.weight[i] = static_cast<float>(kept * weight_[i]);
      }
      const std::vector<Machine> machines = path(tried);
      for (std::size_t k = 0; k < machines.size(); ++k) {
        answers(machines[k], [&](std::int64_t i, int c) {
          const double share = folds[i].share(f, options_.folds);
          if (share > 0) result[k].cost[i] += static_cast<float>(share * cost_of(i, c));
        });
      }
    }
    rows_.weight = weight_;
    return result;
  }

  double total(const Trial& trial) const {
    double sum = 0;
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) sum += weight_[i] * trial.cost[i];
    return sum;
  }

  // Whether a trial costs no more than another but for a standard error of the difference.
  bool is_as_good(const Trial& trial, const Trial& than) const {
    double sum = 0, squares = 0;
    for (std::int64_t i = 0; i < rows_.n_rows; ++i) {
      const double d = trial.cost[i] - than.cost[i];
      sum += weight_[i] * d;
      squares += weight_[i] * d * d;
    }
    return sum <= std::sqrt(squares);
  }

  // The fewest columns that are as good as the best.
  Trial choose(const std::vector<Trial>& trials) const {
    const Trial* best = nullptr;
    for (const Trial& trial : trials) {
      if (is_limited() && trial.n_columns > options_.max_columns) continue;
      if (!best || total(trial) <= total(*best)) best = &trial;
    }
    const Trial* chosen = best;
    for (const Trial& trial : trials) {
      if (trial.n_columns < chosen->n_columns && is_as_good(trial, *best)) chosen = &trial;
    }
    return *chosen;
  }

  EncodedNode& node_;
  BlockedRows& rows_;
  const MachineOptions& options_;
  int n_classes_;
  double l2_, tolerance_;
  std::vector<float> weight_;  // of each row, as it was given
  std::vector<int> groups_;    // of each variable: variables of one column belong together
  int n_groups_ = 0;
  std::int32_t last_column_ = -1;
};

}  // namespace

std::vector<PackedSplit> find_machines(const Table& table, const Level& level,
                                       const MachineOptions& options) {
  std::vector<PackedSplit> found(level.n_nodes);
  const Encoding how{.max_rows = options.max_rows,
                     .bent = options.bent,
                     .with_costs = true,
                     .hashed = options.eliminate || options.max_columns > 0};
  at_every_node(table, level, how, [&](std::size_t i, EncodedNode& node) {
    NodeTrainer trainer(node, options);
    std::vector<std::int32_t> columns;
    if (how.hashed && node.rows.n_rows > kEliminationRows) {
      // Which columns help, a sample tells.
      Encoding fewer = how;
      fewer.max_rows = kEliminationRows;
      EncodedNode sample;
      if (sample.encode(table, level, i, fewer)) columns = NodeTrainer(sample, options).columns();
    }
    if (columns.empty()) columns = trainer.columns();
    if (!trainer.run(columns)) return;
    found[i] = fold_machine(node, trainer.best.used, trainer.best.weights, table.n_values);
  });
  return found;
}

}  // namespace miter
