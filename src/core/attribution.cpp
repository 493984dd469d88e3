#include "attribution.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "interrupt.hpp"
#include "parallel.hpp"
#include "random.hpp"
#include "sums.hpp"

namespace miter {
namespace {

// Sums added in another order differ by less than this part of what was added.
constexpr double kRounding = 1e-11;

// Calls within calls; the stack of a thread may be small.
constexpr int kMostNested = 600;

struct Nesting {
  explicit Nesting(int& n) : n(n) { ++n; }
  ~Nesting() { --n; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  int& n;
};

enum Side : std::uint8_t { kUndecided, kOfX, kOfZ };

// The terms of a split by column: a column may have several.
struct ColumnSums {
  struct Part {
    std::int32_t place, n_values;  // place among the columns
    const double* reals;
  };
  Sums sums{};
  std::vector<std::int32_t> columns;
  std::vector<Part> parts;
  const double* after = nullptr;  // what follows the numbers of the terms
  std::size_t start = 0;          // of this split among what columns add at all splits

  std::size_t size() const { return columns.size() * sums.n_outputs; }

  ColumnSums(const Splits& splits, std::size_t i) : sums(Sums::of(splits, i)) {
    for (std::int32_t t = 0; t < sums.n_terms; ++t) columns.push_back(sums.terms[2 * t]);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    after = sums.reals;
    for (std::int32_t t = 0; t < sums.n_terms; ++t) {
      const std::int32_t column = sums.terms[2 * t], n_values = sums.terms[2 * t + 1];
      const auto place = std::lower_bound(columns.begin(), columns.end(), column);
      parts.push_back({static_cast<std::int32_t>(place - columns.begin()), n_values, after});
      after += n_reals_of_term(n_values, sums.n_outputs);
    }
  }

  // What each column adds to each output for a row.
  void add_up(const double* row, double* out) const {
    std::fill_n(out, size(), 0.0);
    for (const Part& part : parts) {
      const TermValue added =
          term_value(part.n_values, part.reals, sums.n_outputs, row[columns[part.place]]);
      double* own = out + std::int64_t{part.place} * sums.n_outputs;
      for (std::int32_t k = 0; k < sums.n_outputs; ++k) own[k] += added.factor * added.row[k];
    }
  }
};

// What all threads read.
struct Task {
  const Router& tree;
  const double* values;
  int width;
  const AttributionOptions& options;
  std::vector<ColumnSums> sums;              // of every node
  std::vector<std::int32_t> columns;         // that any split tests
  std::vector<double> log_factorial, known;  // weights of fewer than n_known columns a side
  std::size_t n_added = 0, depth = 0, n_known = 0;

  Task(const Router& tree, const double* values, int width, const AttributionOptions& options)
      : tree(tree), values(values), width(width), options(options) {
    const Splits& splits = tree.splits();
    std::vector<std::size_t> level(tree.n_nodes(), 0);
    std::vector<char> is_tested(tree.n_columns(), 0);
    sums.reserve(tree.n_nodes());
    for (std::size_t i = 0; i < tree.n_nodes(); ++i) {
      sums.emplace_back(splits, i);
      sums.back().start = n_added;
      n_added += sums.back().size();
      for (std::int32_t column : sums.back().columns) is_tested[column] = 1;
      if (has_one_column(i)) is_tested[splits.ints(i)[0]] = 1;
      for (std::int32_t b = 0; b < splits.n_branches(i); ++b) {
        level[tree.first_child(i) + b] = level[i] + 1;
      }
      depth = std::max(depth, level[i]);
    }
    for (std::size_t c = 0; c < is_tested.size(); ++c) {
      if (is_tested[c]) columns.push_back(static_cast<std::int32_t>(c));
    }
    log_factorial.assign(columns.size() + 2, 0.0);
    for (std::size_t k = 2; k < log_factorial.size(); ++k) {
      log_factorial[k] = log_factorial[k - 1] + std::log(static_cast<double>(k));
    }
    n_known = std::min<std::size_t>(columns.size() + 1, 64);
    for (std::size_t a = 0; a < n_known; ++a) {
      for (std::size_t b = 0; b < n_known; ++b) {
        known.push_back(a + b <= columns.size() ? part_of_orders(a, b) : 0);
      }
    }
  }

  // a! b! / (a + b)!
  double weight(std::size_t a, std::size_t b) const {
    return a < n_known && b < n_known ? known[a * n_known + b] : part_of_orders(a, b);
  }
  double part_of_orders(std::size_t a, std::size_t b) const {
    return std::exp(log_factorial[a] + log_factorial[b] - log_factorial[a + b]);
  }

  bool has_one_column(std::size_t i) const {
    const SplitKind kind = tree.splits().kind(i);
    return kind == SplitKind::threshold || kind == SplitKind::category;
  }
};

// A test of several columns as a pair of rows sees it.
struct PairTest {
  std::int64_t pair = -1;
  std::vector<std::int32_t> places;  // of columns that add one thing for x and another for z: the
                                     // one that can move the test farthest is the first
  std::vector<double> sums;          // what all others add
  double slack = 0;                  // bounds nearer than this settle nothing
};

// A test that is being settled; its free columns are undecided.
struct OpenTest {
  const ColumnSums* node = nullptr;
  SplitKind kind = SplitKind::leaf;
  double slack = 0;
  std::vector<std::int32_t> free;  // places
  std::vector<double> sums;        // with the first i free columns decided: i x outputs
  std::vector<double> low, high;   // what the free columns from i on add at least and at most
};

// Works on one pair of rows after the other.
class PairWalk {
 public:
  explicit PairWalk(const Task& task)
      : task_(task),
        splits_(task.tree.splits()),
        x_(task.tree.n_columns()),
        z_(nullptr),
        side_(task.tree.n_columns(), kUndecided),
        found_(task.tree.n_columns() * task.width),
        gathered_((task.columns.size() + 1) * 2 * task.width),
        added_x_(task.n_added),
        added_z_(task.n_added),
        row_of_(task.tree.n_nodes(), -1),
        tests_(task.tree.n_nodes()),
        open_(task.depth + 1) {}

  // Adds the attributions of a row to values, and their variance; returns how many pairs were
  // sampled. The background is n x columns.
  std::int64_t run(const Matrix& X, std::int64_t row, const std::vector<double>& background,
                   std::int64_t n, double* values, double* variance) {
    std::int64_t n_sampled = 0;
    for (std::size_t c = 0; c < x_.size(); ++c) x_[c] = X.at(row, static_cast<std::int64_t>(c));
    row_ = row;
    for (std::int64_t b = 0; b < n; ++b) {
      z_ = background.data() + b * static_cast<std::int64_t>(x_.size());
      pair_ = row * n + b;
      // Where most pairs take too long, the others are not worth the try.
      const bool is_hopeless = b >= 8 && 2 * n_sampled > b;
      if (is_hopeless || !walk_exactly()) {
        sample();
        ++n_sampled;
        for_found([&](std::size_t k) {
          variance[k] += spread_[k] / (static_cast<double>(n) * static_cast<double>(n));
        });
      }
      for_found([&](std::size_t k) { values[k] += found_[k] / static_cast<double>(n); });
    }
    return n_sampled;
  }

 private:
  template <class Body>
  void for_found(Body&& body) const {
    for (std::int32_t column : task_.columns) {
      const std::size_t first = static_cast<std::size_t>(column) * task_.width;
      for (int k = 0; k < task_.width; ++k) body(first + k);
    }
  }

  // The row that has x's values, but z's where they were chosen.
  double value(std::int32_t column) const {
    return side_[column] == kOfZ ? z_[column] : x_[column];
  }
  std::int32_t branch_of_mixture(std::int32_t node) const {
    return splits_.branch(node, [&](std::int32_t column) { return value(column); });
  }

  // Finds the values of the pair; false where that takes too many decisions.
  bool walk_exactly() {
    for_found([&](std::size_t k) { found_[k] = 0; });
    n_states_ = 0;
    std::fill_n(gathered_.begin(), 2 * task_.width, 0.0);
    return walk(0, 1.0, 0);
  }

  // These return false as soon as there have been too many decisions.
  bool walk(std::int32_t node, double share, std::size_t depth) {
    const Nesting nesting(n_nested_);
    if (n_nested_ > kMostNested) return false;
    while (splits_.n_branches(node) > 0) {
      Interrupt::count_steps(1);
      std::int32_t branch;
      if (task_.has_one_column(node)) {
        const std::int32_t column = splits_.ints(node)[0];
        const double x = value(column);  // x's where it is undecided
        branch = splits_.branch(node, [&](std::int32_t) { return x; });
        if (side_[column] == kUndecided) {
          const double z = z_[column];
          const std::int32_t of_z = splits_.branch(node, [&](std::int32_t) { return z; });
          if (branch != of_z) {
            return decide(column, [&](Side side) {
              return go(node, side == kOfX ? branch : of_z, share, depth);
            });
          }
        }
      } else {
        open_test(node, depth);
        branch = branch_by_now(node, depth, 0);
        if (branch == kStay) return settle(node, share, depth, 0);
      }
      if (branch < 0) return go(node, branch, share, depth);
      node = task_.tree.first_child(node) + branch;
      ++depth;
    }
    return end(node, share);
  }

  bool go(std::int32_t node, std::int32_t branch, double share, std::size_t depth) {
    if (branch == kStay) return end(node, share);
    const std::int32_t first = task_.tree.first_child(node);
    if (branch != kShareOut) return walk(first + branch, share, depth + 1);
    for (std::int32_t child = first; child < first + splits_.n_branches(node); ++child) {
      const double part = task_.tree.share(child);
      if (part > 0 && !walk(child, share * part, depth + 1)) return false;
    }
    return true;
  }

  // Calls follow(side) for both sides of a column, and credits it with what is found there.
  template <class Follow>
  bool decide(std::int32_t column, Follow&& follow) {
    Interrupt::count_steps(1);
    const Nesting nesting(n_nested_);
    if (++n_states_ > task_.options.max_states || n_nested_ > kMostNested) return false;
    const int width = task_.width;
    const std::size_t above = 2 * width * static_cast<std::size_t>(n_of_x_ + n_of_z_);
    double *own = found_.data() + std::int64_t{column} * width, *gains = gathered_.data() + above,
           *below = gains + 2 * width;
    bool is_done = true;
    for (const Side side : {kOfX, kOfZ}) {
      std::int64_t& n = side == kOfX ? n_of_x_ : n_of_z_;
      side_[column] = side;
      ++n;
      std::fill_n(below, 2 * width, 0.0);
      is_done = is_done && follow(side);
      --n;
      for (int k = 0; k < width; ++k) own[k] += side == kOfX ? below[k] : -below[width + k];
      for (int k = 0; k < 2 * width; ++k) gains[k] += below[k];
    }
    side_[column] = kUndecided;
    return is_done;
  }

  // What a node says, as each column of x gains it and each column of z loses it.
  bool end(std::int32_t node, double share) {
    const int width = task_.width;
    const double* said = task_.values + std::int64_t{node} * width;
    const std::int64_t n = n_of_x_ + n_of_z_;
    double* gains = gathered_.data() + 2 * width * n;
    const double all = task_.weight(n_of_x_, n_of_z_);
    const double gain = n_of_x_ ? share * all / static_cast<double>(n_of_x_) : 0;
    const double loss = n_of_z_ ? share * all / static_cast<double>(n_of_z_) : 0;
    for (int k = 0; k < width; ++k) {
      gains[k] += gain * said[k];
      gains[width + k] += loss * said[k];
    }
    return true;
  }

  // Finds out what the columns of a test add, for x and for z, once for each pair.
  const PairTest& pair_test(std::int32_t node) {
    PairTest& test = tests_[node];
    if (test.pair == pair_) return test;
    const ColumnSums& columns = task_.sums[node];
    const std::size_t n_outputs = columns.sums.n_outputs;
    double *of_x = added_x_.data() + columns.start, *of_z = added_z_.data() + columns.start;
    if (row_of_[node] != row_) columns.add_up(x_.data(), of_x);
    row_of_[node] = row_;
    columns.add_up(z_, of_z);
    test.pair = pair_;
    test.sums.assign(n_outputs, 0.0);
    if (columns.sums.constants) std::copy_n(columns.sums.constants, n_outputs, test.sums.begin());
    double size = 0;
    for (double constant : test.sums) size = std::max(size, std::abs(constant));
    by_reach_.clear();
    for (std::size_t place = 0; place < columns.columns.size(); ++place) {
      const double *x = of_x + place * n_outputs, *z = of_z + place * n_outputs;
      double most = 0;
      for (std::size_t k = 0; k < n_outputs; ++k) {
        most = std::max({most, std::abs(x[k]), std::abs(z[k])});
      }
      size += most;
      if (!std::equal(x, x + n_outputs, z)) {
        by_reach_.emplace_back(-reach(columns, splits_.kind(node), x, z),
                               static_cast<std::int32_t>(place));
      } else {
        for (std::size_t k = 0; k < n_outputs; ++k) test.sums[k] += x[k];
      }
    }
    std::sort(by_reach_.begin(), by_reach_.end());
    test.places.clear();
    for (const auto& entry : by_reach_) test.places.push_back(entry.second);
    test.slack = kRounding * size;
    return test;
  }

  void open_test(std::int32_t node, std::size_t depth) {
    const PairTest& pair = pair_test(node);
    const ColumnSums& columns = task_.sums[node];
    const std::size_t n_outputs = columns.sums.n_outputs;
    const double *of_x = added_x_.data() + columns.start, *of_z = added_z_.data() + columns.start;
    OpenTest& test = open_[depth];
    test.node = &columns;
    test.kind = splits_.kind(node);
    test.slack = pair.slack;
    test.free.clear();
    test.sums.assign(pair.sums.begin(), pair.sums.end());
    for (const std::int32_t place : pair.places) {
      const auto side = side_[columns.columns[place]];
      if (side == kUndecided) {
        test.free.push_back(place);
        continue;
      }
      const double* own = (side == kOfZ ? of_z : of_x) + place * n_outputs;
      for (std::size_t k = 0; k < n_outputs; ++k) test.sums[k] += own[k];
    }
    bound_rest(test, of_x, of_z);
  }

  // How far a column can move a test.
  static double reach(const ColumnSums& columns, SplitKind kind, const double* of_x,
                      const double* of_z) {
    const std::int32_t n = columns.sums.n_outputs;
    double least = HUGE_VAL, most = -HUGE_VAL, sum = 0;
    for (std::int32_t k = 0; k < n; ++k) {
      const double moved = of_x[k] - of_z[k];
      least = std::min(least, moved);
      most = std::max(most, moved);
      sum += std::abs(moved) * (kind == SplitKind::network ? std::abs(columns.after[k]) : 1);
    }
    return kind == SplitKind::machine ? most - least : sum;
  }

  static void bound_rest(OpenTest& test, const double* of_x, const double* of_z) {
    const std::size_t n_outputs = test.node->sums.n_outputs, n_free = test.free.size();
    test.sums.resize((n_free + 1) * n_outputs);
    test.low.assign((n_free + 1) * n_outputs, 0.0);
    test.high.assign((n_free + 1) * n_outputs, 0.0);
    for (std::size_t i = n_free; i-- > 0;) {
      const std::size_t first = test.free[i] * n_outputs;
      for (std::size_t k = 0; k < n_outputs; ++k) {
        const auto [low, high] = std::minmax({of_x[first + k], of_z[first + k]});
        test.low[i * n_outputs + k] = test.low[(i + 1) * n_outputs + k] + low;
        test.high[i * n_outputs + k] = test.high[(i + 1) * n_outputs + k] + high;
      }
    }
  }

  // The branch of a test whose free columns are decided up to i; kStay if it is not known yet.
  std::int32_t branch_by_now(std::int32_t node, std::size_t depth, std::size_t i) const {
    const OpenTest& test = open_[depth];
    return i == test.free.size() ? branch_of_mixture(node) : known_branch(node, test, i);
  }

  // Decides the free columns of a test from i on until the branch is known.
  bool settle(std::int32_t node, double share, std::size_t depth, std::size_t i) {
    OpenTest& test = open_[depth];
    const std::int32_t place = test.free[i], n_outputs = test.node->sums.n_outputs;
    return decide(test.node->columns[place], [&](Side side) {
      const double* added = (side == kOfX ? added_x_ : added_z_).data() + test.node->start +
                            std::int64_t{place} * n_outputs;
      double* sums = test.sums.data() + i * n_outputs;
      for (std::int32_t k = 0; k < n_outputs; ++k) sums[n_outputs + k] = sums[k] + added[k];
      const std::int32_t branch = branch_by_now(node, depth, i + 1);
      if (branch == kStay) return settle(node, share, depth, i + 1);
      return walk(task_.tree.first_child(node) + branch, share, depth + 1);
    });
  }

  // The branch that all choices of the free columns from i on lead to; kStay if there is none.
  std::int32_t known_branch(std::int32_t node, const OpenTest& test, std::size_t i) const {
    const std::int32_t n_outputs = test.node->sums.n_outputs;
    const double *sums = test.sums.data() + i * n_outputs, *low = test.low.data() + i * n_outputs,
                 *high = test.high.data() + i * n_outputs;
    if (test.kind == SplitKind::machine) return known_largest(test, i, sums, low, high);
    double least = sums[0] + low[0], most = sums[0] + high[0], slack = test.slack;
    double threshold = splits_.reals(node)[0];
    if (test.kind == SplitKind::network) {
      const double* weight = test.node->after;
      double size = 0;
      least = most = 0;
      for (std::int32_t h = 0; h < n_outputs; ++h) {
        const double below = weight[h] / (1 + std::exp(-(sums[h] + low[h])));
        const double above = weight[h] / (1 + std::exp(-(sums[h] + high[h])));
        least += std::min(below, above);
        most += std::max(below, above);
        size += std::abs(weight[h]);
      }
      threshold = weight[n_outputs];
      slack = size * (test.slack + kRounding);
    } else {
      slack += kRounding * std::abs(threshold);
    }
    if (least > threshold + slack) return 1;
    return most < threshold - slack ? 0 : kStay;
  }

  // Of a machine the output that is the largest whatever the free columns are.
  std::int32_t known_largest(const OpenTest& test, std::size_t i, const double* sums,
                             const double* low, const double* high) const {
    const std::int32_t n_outputs = test.node->sums.n_outputs;
    auto middle = [&](std::int32_t k) { return 2 * sums[k] + low[k] + high[k]; };
    std::int32_t best = 0;
    for (std::int32_t k = 1; k < n_outputs; ++k) {
      if (middle(k) > middle(best)) best = k;
    }
    const double *of_x = added_x_.data() + test.node->start,
                 *of_z = added_z_.data() + test.node->start;
    for (std::int32_t k = 0; k < n_outputs; ++k) {
      if (k == best || sums[best] + low[best] > sums[k] + high[k] + test.slack) continue;
      double margin = sums[best] - sums[k];
      for (std::size_t f = i; f < test.free.size(); ++f) {
        const std::int64_t first = std::int64_t{test.free[f]} * n_outputs;
        margin +=
            std::min(of_x[first + best] - of_x[first + k], of_z[first + best] - of_z[first + k]);
      }
      if (!(margin > test.slack)) return kStay;
    }
    return best;
  }

  // Estimates the values of the pair, and the variance of the estimate, from random orders in
  // which the columns change from z's values to x's; each order is also taken backwards.
  void sample() {
    std::vector<std::int32_t> order;
    for (std::int32_t column : task_.columns) {
      const double x = x_[column], z = z_[column];
      if (x != z && (x == x || z == z)) order.push_back(column);
    }
    Random random(Random(Random(task_.options.seed).bits() + pair_).bits());
    const std::int64_t n = std::max<std::int64_t>(task_.options.n_draws, 2);
    spread_.resize(found_.size());
    drawn_.resize(found_.size());
    for_found([&](std::size_t k) { found_[k] = spread_[k] = 0; });
    for (std::int64_t draw = 1; draw <= n; ++draw) {
      for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[random.below(static_cast<std::int64_t>(i))]);
      }
      for_found([&](std::size_t k) { drawn_[k] = 0; });
      add_order(order);
      std::reverse(order.begin(), order.end());
      add_order(order);
      for_found([&](std::size_t k) {  // the mean so far, and the squares about it (Welford 1962)
        const double beyond = drawn_[k] - found_[k];
        found_[k] += beyond / static_cast<double>(draw);
        spread_[k] += beyond * (drawn_[k] - found_[k]);
      });
    }
    const double squares_to_variance = 1 / (static_cast<double>(n) * static_cast<double>(n - 1));
    for_found([&](std::size_t k) { spread_[k] *= squares_to_variance; });
  }

  // Adds half of what every column changes, one after the other.
  void add_order(const std::vector<std::int32_t>& order) {
    for (std::int32_t column : order) side_[column] = kOfZ;
    was_.assign(task_.width, 0.0);
    answer(was_);
    for (std::int32_t column : order) {
      side_[column] = kUndecided;
      is_.assign(task_.width, 0.0);
      answer(is_);
      double* own = drawn_.data() + std::int64_t{column} * task_.width;
      for (int k = 0; k < task_.width; ++k) own[k] += 0.5 * (is_[k] - was_[k]);
      was_.swap(is_);
    }
  }

  // Adds what the tree answers to the mixture of the rows.
  void answer(std::vector<double>& sums) {
    parts_.assign(1, {0, 1.0});
    while (!parts_.empty()) {
      Interrupt::count_steps(16);
      auto [node, share] = parts_.back();
      parts_.pop_back();
      const std::int32_t b = splits_.n_branches(node) > 0 ? branch_of_mixture(node) : kStay;
      const std::int32_t first = task_.tree.first_child(node);
      if (b >= 0) {
        parts_.emplace_back(first + b, share);
      } else if (b == kShareOut) {
        for (std::int32_t child = first; child < first + splits_.n_branches(node); ++child) {
          const double part = task_.tree.share(child);
          if (part > 0) parts_.emplace_back(child, share * part);
        }
      } else {
        const double* said = task_.values + std::int64_t{node} * task_.width;
        for (int k = 0; k < task_.width; ++k) sums[k] += share * said[k];
      }
    }
  }

  const Task& task_;
  const Splits& splits_;
  std::vector<double> x_;
  const double* z_;
  std::vector<std::uint8_t> side_;  // of every column
  std::vector<double> found_, spread_, drawn_, was_, is_;
  std::vector<std::pair<std::int32_t, double>> parts_;  // nodes to visit, with their shares
  std::vector<double> gathered_;  // for each number of columns decided: what x's gain, z's lose
  std::vector<double> added_x_, added_z_;
  std::vector<std::int64_t> row_of_;  // the row that a node's part of added_x_ is of
  std::vector<PairTest> tests_;       // of every node
  std::vector<std::pair<double, std::int32_t>> by_reach_;
  std::vector<OpenTest> open_;  // one for each level of the tree
  std::int64_t row_ = 0, pair_ = 0, n_states_ = 0, n_of_x_ = 0, n_of_z_ = 0;
  int n_nested_ = 0;
};

}  // namespace

Attribution attribute(const Router& tree, const Matrix& X, const Matrix& background,
                      const double* values_of_nodes, int width, const AttributionOptions& options) {
  const Task task(tree, values_of_nodes, width, options);
  const std::size_t n_rows = X.n_rows(), n_columns = tree.n_columns();
  const std::int64_t n = background.n_rows();
  std::vector<double> others(n * n_columns);
  for_rows(n, [&](std::int64_t row) {
    for (std::size_t c = 0; c < n_columns; ++c) {
      others[row * n_columns + c] = background.at(row, static_cast<std::int64_t>(c));
    }
  });
  const std::size_t size = n_columns * width;
  Attribution all{std::vector<double>(n_rows * size, 0.0), std::vector<double>(n_rows * size, 0.0)};
  std::vector<std::int64_t> n_sampled(n_rows, 0);
  const int n_threads = std::max(options.n_threads, 1);
  std::vector<PairWalk> walks(std::min<std::size_t>(n_threads, std::max<std::size_t>(n_rows, 1)),
                              PairWalk(task));
  parallel_for(n_rows, n_threads, [&](std::size_t row, int thread) {
    n_sampled[row] =
        walks[thread].run(X, static_cast<std::int64_t>(row), others, n,
                          all.values.data() + row * size, all.variance.data() + row * size);
  });
  all.n_sampled = std::accumulate(n_sampled.begin(), n_sampled.end(), std::int64_t{0});
  return all;
}

}  // namespace miter
