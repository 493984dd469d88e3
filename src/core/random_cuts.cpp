#include "random_cuts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "impurity.hpp"
#include "parallel.hpp"
#include "random.hpp"

namespace miter {
namespace {

// Nodes of fewer rows together are one piece of work.
constexpr std::int64_t kRowsOfRun = 4096;

// A test of one column that was drawn, and what it leaves mixed.
struct Cut {
  int column = -1;
  double at = 0;           // of a number: up to here is the first branch
  std::uint64_t coin = 0;  // of a symbol
  std::int32_t missing = 0;
  double mixed = std::numeric_limits<double>::infinity();

  // The side of a symbol's value.
  std::int32_t side(double value) const {
    return static_cast<std::int32_t>(Random(coin + static_cast<std::uint64_t>(value)).bits() >> 63);
  }
};

// One thread's work at one node at a time.
class Drawer {
 public:
  Drawer(const Table& table, const Level& level, double min_leaf)
      // Fractions of rows do not add up exactly: two halves must count as one row.
      : table_(table),
        level_(level),
        min_leaf_(min_leaf - 1e-9),
        sides_(3 * static_cast<std::size_t>(table.n_classes)) {}

  PackedSplit find(std::size_t node) {
    Random random(level_.seed ^ (0x9e3779b97f4a7c15ull * (node + 1)));
    const int n_columns = static_cast<int>(table_.n_columns());
    const int n_wanted = put_allowed_first(node);
    Cut best;
    for (int n_seen = 0, n_tried = 0; n_seen < n_columns && n_tried < n_wanted; ++n_seen) {
      if (n_seen >= n_wanted) {  // beyond the node's own columns: one of those that are left
        std::swap(order_[n_seen], order_[n_seen + random.below(n_columns - n_seen)]);
      }
      const int column = order_[n_seen];
      Cut cut;
      if (!draw(node, column, random, cut)) continue;
      ++n_tried;
      if (measure(node, cut) && cut.mixed < best.mixed) best = cut;
    }
    return best.column < 0 ? PackedSplit{} : packed(node, best);
  }

 private:
  // Puts the columns that the node may test before the others, and returns their number.
  int put_allowed_first(std::size_t node) {
    const std::size_t n_columns = table_.n_columns();
    order_.resize(n_columns);
    std::iota(order_.begin(), order_.end(), 0);
    if (!level_.allowed) return static_cast<int>(n_columns);
    const std::uint8_t* allowed = level_.allowed + node * n_columns;
    const auto end = std::stable_partition(order_.begin(), order_.end(),
                                           [&](int column) { return allowed[column] != 0; });
    return static_cast<int>(end - order_.begin());
  }

  // A value, or NaN: what is no code of a symbol counts as missing.
  double known(double value, int column) const {
    const std::int32_t n_values = table_.n_values[column];
    if (n_values == 0 || (value >= 0 && value < n_values)) return value;
    return std::numeric_limits<double>::quiet_NaN();
  }

  // Reads the column at the node and draws a cut; false: it has one value there.
  bool draw(std::size_t node, int column, Random& random, Cut& cut) {
    values_.resize(static_cast<std::size_t>(level_.size(node)));
    double low = std::numeric_limits<double>::infinity(), high = -low;
    table_.X.visit([&](const auto& X) {
      const std::int32_t* rows = level_.rows + level_.start[node];
      for_rows(level_.size(node), [&](std::int64_t i) {
        const double value = known(X.at(rows[i], column), column);
        values_[i] = value;
        low = value < low ? value : low;  // comparisons with missing values are false
        high = value > high ? value : high;
      });
    });
    if (!(low < high)) return false;
    cut.column = column;
    if (table_.n_values[column] > 0) {
      draw_sides(low, random, cut);
      return true;
    }
    const double part = random.unit();
    cut.at = low * (1 - part) + high * part;
    if (!(cut.at >= low && cut.at < high)) cut.at = low;
    return true;
  }

  // Tosses coins for the values of a symbol until they do not all fall on the side of one.
  void draw_sides(double one, Random& random, Cut& cut) const {
    auto divided = [&] {
      const std::int32_t side = cut.side(one);
      return std::any_of(values_.begin(), values_.end(),
                         [&](double value) { return value == value && cut.side(value) != side; });
    };
    do {
      cut.coin = random.bits();
    } while (!divided());
  }

  // How mixed the sides are; false: one of them is too small.
  bool measure(std::size_t node, Cut& cut) {
    const int R = table_.n_classes;
    std::fill(sides_.begin(), sides_.end(), 0.0);  // two branches, and the missing
    const bool is_symbol = table_.n_values[cut.column] > 0;
    const std::int64_t first = level_.start[node];
    for_rows(level_.size(node), [&](std::int64_t i) {
      const double value = values_[i];
      int side = is_symbol ? 0 : static_cast<int>(value > cut.at);
      if (value != value) {
        side = 2;
      } else if (is_symbol) {
        side = cut.side(value);
      }
      sides_[side * R + table_.y[level_.rows[first + i]]] += level_.weight(first + i);
    });
    double weight[3];
    for (int side = 0; side < 3; ++side) {
      weight[side] = std::accumulate(&sides_[side * R], &sides_[side * R] + R, 0.0);
    }
    cut.missing = weight[1] > weight[0];
    weight[cut.missing] += weight[2];
    for (int k = 0; k < R; ++k) sides_[cut.missing * R + k] += sides_[2 * R + k];
    if (std::min(weight[0], weight[1]) < std::max(min_leaf_, 1e-9)) return false;
    cut.mixed = Gini().mixed(&sides_[0], R, weight[0]) + Gini().mixed(&sides_[R], R, weight[1]);
    return true;
  }

  PackedSplit packed(std::size_t node, const Cut& cut) {
    PackedSplit split;
    split.n_branches = 2;
    split.ints = {cut.column, cut.missing};
    const std::int32_t n_values = table_.n_values[cut.column];
    if (n_values == 0) {
      split.kind = SplitKind::threshold;
      split.reals = {cut.at};
      return split;
    }
    split.kind = SplitKind::category;
    split.ints.push_back(n_values);
    values_.clear();
    level_.for_entries(node, [&](std::int64_t entry) {
      const double value = known(table_.X.at(level_.rows[entry], cut.column), cut.column);
      if (value == value) values_.push_back(value);
    });
    std::sort(values_.begin(), values_.end());
    values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
    for (const double value : values_) {
      split.ints.insert(split.ints.end(), {static_cast<std::int32_t>(value), cut.side(value)});
    }
    return split;
  }

  const Table& table_;
  const Level& level_;
  double min_leaf_;
  std::vector<int> order_;
  std::vector<double> values_;  // of one column
  std::vector<double> sides_;   // class weights
};

}  // namespace

std::vector<PackedSplit> find_random_cuts(const Table& table, const Level& level, double min_leaf) {
  std::vector<PackedSplit> found(level.n_nodes);
  const std::vector<Level::Run> runs = level.runs(kRowsOfRun);
  std::vector<Drawer> drawers(level.n_threads, Drawer(table, level, min_leaf));
  parallel_for(runs.size(), level.n_threads, [&](std::size_t k, int thread) {
    for (std::size_t node = runs[k].first; node < runs[k].last; ++node) {
      found[node] = drawers[thread].find(node);
    }
  });
  return found;
}

}  // namespace miter
