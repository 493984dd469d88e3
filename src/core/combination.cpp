#include "combination.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "encode.hpp"
#include "fold.hpp"
#include "interrupt.hpp"
#include "lbfgs.hpp"
#include "machine_loss.hpp"
#include "random.hpp"
#include "sorting.hpp"
#include "sweep.hpp"

namespace miter {
namespace {

// A hyperplane of a search, which may fit anything, must gain this part more than a simple one.
constexpr double kClearly = 0.1;
// Sums of the same numbers in another order may differ by less; of equals the first is taken.
constexpr double kRounding = 1e-9;

// A row with the number at which it changes its side.
SortKey moving_at(float at, std::uint32_t row) { return sort_key(in_order(at), row); }
double place_of(SortKey key) { return from_order(number_of(key)); }

// Rows go left where the sum of their variables times the coefficients is at most the threshold.
struct Combination {
  std::vector<double> coefficients;
  double threshold = 0;
  double gain = -1;  // rows times impurity
};

// Searches at one node.
class CombinationSearch {
 public:
  CombinationSearch(EncodedNode& node, const CombinationOptions& options, std::uint64_t seed)
      : node_(node),
        options_(options),
        n_(node.numbers.size()),
        d_(static_cast<int>(node.variables.size())),
        least_(std::max(options.min_leaf, 1e-9)),
        y_(node.rows.y),
        weights_(node.weights),
        columns_(n_ * d_),
        values_(n_),
        may_use_(d_, true),
        indicators_(d_),
        sides_(options.gini, node.classes.size(), n_),
        divided_(sides_),
        random_(seed) {
    for (int m = 0; m < d_; ++m) {
      for (std::size_t i = 0; i < n_; ++i) {
        columns_[m * n_ + i] = node.rows.at(static_cast<std::int64_t>(i), m);
      }
      if (node.variables[m].value >= 0) list_rows(m);
    }
    sides_.clear();
    for (std::size_t i = 0; i < n_; ++i) sides_.put(0, y_[i], weights_[i]);
    sides_.begin();
    together_ = sides_.purity();
  }

  // False: no hyperplane was found that divides the rows.
  bool run() {
    const Combination one = univariate();
    if (options_.l2 > 0) {
      keep_better(logistic(), false);
      keep_better(one, false);
    }
    // Else no search can be better.
    if (worth_of_search(-together_) > worth_) {
      keep_better(searched_from(one), true);
      for (int k = 1; k < options_.n_init; ++k) keep_better(searched_from(anywhere()), true);
    }
    if (!(best.gain > kRounding)) return false;
    if (is_searched_ && options_.deletion > 0) delete_variables();
    return true;
  }

  Combination best;

 private:
  const float* column(int m) const { return columns_.data() + static_cast<std::size_t>(m) * n_; }

  // ---- sweeps ---------------------------------------------------------------------------------

  // A variable that stands for a value of a symbol.
  struct Indicator {
    float low = 0;                    // of rows without the value
    std::vector<std::uint32_t> rows;  // all others
  };

  // Where a sweep over the keys divides best.
  struct Found {
    double at = 0;
    double purity = -std::numeric_limits<double>::infinity();
  };
  Found sweep() {
    Interrupt::check();
    sort_by_number(keys_, other_keys_);
    sides_.begin();
    Found found;
    for (std::size_t k = 0;;) {
      look(k, found);
      if (k == keys_.size()) return found;
      const std::uint32_t here = number_of(keys_[k]);
      for (; k < keys_.size() && number_of(keys_[k]) == here; ++k) {
        const std::uint32_t low = owner_of(keys_[k]);
        const std::uint32_t row = low & ~kFromLeft;
        sides_.move(low & kFromLeft ? 0 : 1, y_[row], weights_[row]);
      }
    }
  }

  // Whether the sides are better now that the first k rows have changed theirs.
  void look(std::size_t k, Found& found) const {
    if (keys_.empty() || sides_.smaller() < least_) return;
    const double purity = sides_.purity();
    if (purity <= found.purity + kRounding) return;
    double low = place_of(k > 0 ? keys_[k - 1] : keys_.front());
    double high = place_of(k < keys_.size() ? keys_[k] : keys_.back());
    if (k == 0) low -= 1 + std::abs(low);
    if (k == keys_.size()) high += 1 + std::abs(high);
    // What rounding alone tells apart is not divided.
    if (high - low > 1e-6 * (std::abs(low) + std::abs(high))) found = {(low + high) / 2, purity};
  }

  // The best threshold of numbers, of which small ones go left.
  Found best_threshold(const float* numbers) {
    keys_.clear();
    sides_.clear();
    for (std::size_t i = 0; i < n_; ++i) {
      keys_.push_back(moving_at(numbers[i], static_cast<std::uint32_t>(i)));
      sides_.put(1, y_[i], weights_[i]);
    }
    return sweep();
  }

  void list_rows(int m) {
    const float* x = column(m);
    indicators_[m].low = *std::min_element(x, x + n_);
    for (std::size_t i = 0; i < n_; ++i) {
      if (x[i] > indicators_[m].low) indicators_[m].rows.push_back(static_cast<std::uint32_t>(i));
    }
  }

  // Puts every row on the side where the combination has it.
  void divide(Sides& sides, double threshold) const {
    sides.clear();
    for (std::size_t i = 0; i < n_; ++i) {
      sides.put(values_[i] <= static_cast<float>(threshold) ? 0 : 1, y_[i], weights_[i]);
    }
  }

  // The best d for which v - d (x + g) <= c, with c the threshold.
  Found best_change(double c, const float* x, float g) {
    constexpr float kLeast = 1e-4f;  // a row that near hardly moves
    keys_.clear();
    sides_.clear();
    for (std::size_t i = 0; i < n_; ++i) {
      const float pull = x[i] + g, above = values_[i] - static_cast<float>(c);
      const auto row = static_cast<std::uint32_t>(i);
      if (std::abs(pull) < kLeast) {
        sides_.put(above <= 0 ? 0 : 1, y_[i], weights_[i]);
        continue;
      }
      sides_.put(pull > 0 ? 1 : 0, y_[i], weights_[i]);
      keys_.push_back(moving_at(above / pull, pull > 0 ? row : row | kFromLeft));
    }
    return sweep();
  }

  // The same for an indicator: rows without the value stay where they are, which saves most of the
  // work where a symbol has many values.
  Found best_change(double c, const float* x, const Indicator& indicator) {
    keys_.clear();
    sides_.copy(divided_);
    for (const std::uint32_t i : indicator.rows) {
      const float above = values_[i] - static_cast<float>(c);
      if (above <= 0) {
        sides_.put(0, y_[i], -weights_[i]);
        sides_.put(1, y_[i], weights_[i]);
      }
      keys_.push_back(moving_at(above / (x[i] - indicator.low), i));
    }
    return sweep();
  }

  // ---- where a search begins ------------------------------------------------------------------

  Combination univariate() {
    Combination split{std::vector<double>(d_, 0.0)};
    int first = 0;
    double purest = -std::numeric_limits<double>::infinity();
    for (int m = 0; m < d_; ++m) {
      const double purity = best_threshold(column(m)).purity;
      if (!(purity > purest + kRounding)) continue;
      purest = purity;
      first = m;
    }
    split.coefficients[first] = 1;
    settle(split);
    return split;
  }

  Combination anywhere() {
    Combination split{std::vector<double>(d_)};
    for (double& a : split.coefficients) a = random_.unit() + random_.unit() - 1;
    return split;
  }

  // Of the directions in which logistic regression tells a class from the others the best.
  Combination logistic() {
    const auto n_classes = static_cast<int>(node_.classes.size());
    MachineLoss loss(node_.rows, n_classes, node_.all_variables());
    loss.stage.l2 = options_.l2;
    Vector weights(loss.size(), 0.0);
    minimise(loss, weights, {50, 8, 1e-4});
    weights = loss.of_classes(weights);
    Combination found{std::vector<double>(d_, 0.0)};
    for (int c = 0; c < (n_classes == 2 ? 1 : n_classes); ++c) {
      Combination split{std::vector<double>(d_)};
      for (int m = 0; m < d_; ++m) {
        double sum = 0;
        for (int k = 0; k < n_classes; ++k) sum += weights[k * (d_ + 1) + m];
        split.coefficients[m] = weights[c * (d_ + 1) + m] - sum / n_classes;
      }
      settle(split);
      if (split.gain > found.gain + kRounding) found = std::move(split);
    }
    return found;
  }

  // ---- the search -----------------------------------------------------------------------------

  // Sets the length of the coefficients to 1, their values, and the best threshold. False: the
  // rows cannot be divided so.
  bool settle(Combination& split) {
    double squares = 0;
    for (double a : split.coefficients) squares += a * a;
    if (!(squares > 0 && std::isfinite(squares))) return false;
    std::fill(values_.begin(), values_.end(), 0.0f);
    for (int m = 0; m < d_; ++m) {
      double& a = split.coefficients[m];
      a /= std::sqrt(squares);
      if (a == 0) continue;
      const float* x = column(m);
      for (std::size_t i = 0; i < n_; ++i) values_[i] += static_cast<float>(a) * x[i];
    }
    const Found found = best_threshold(values_.data());
    split.threshold = found.at;
    split.gain = found.purity - together_;
    return std::isfinite(split.gain);
  }

  // Pure sides gain all that there is.
  bool is_pure(const Combination& split) const { return split.gain >= -together_ - kRounding; }

  // What a search is worth that gains.
  double worth_of_search(double gain) const {
    return options_.l2 > 0 ? (1 - kClearly) * gain : gain;
  }

  void keep_better(Combination split, bool is_searched) {
    const double worth = is_searched ? worth_of_search(split.gain) : split.gain;
    if (!best.coefficients.empty() && worth <= worth_ + kRounding) return;
    best = std::move(split);
    worth_ = worth;
    is_searched_ = is_searched;
  }

  // Rounds over the coefficients and the threshold.
  Combination searched_from(Combination split) {
    if (!settle(split)) return split;
    for (int round = 0; round < options_.max_rounds && !is_pure(split); ++round) {
      Combination next = split;
      divide(divided_, split.threshold);
      for (int m = 0; m < d_; ++m) {
        if (may_use_[m]) improve(next, m);
      }
      if (!settle(next)) break;
      const double gained = next.gain - split.gain;
      if (gained <= kRounding) break;
      split = std::move(next);
      if (gained < options_.tolerance * split.gain) break;
    }
    return split;
  }

  // Changes one coefficient, and the threshold with it, where that divides better.
  void improve(Combination& split, int m) {
    const float* x = column(m);
    Found found;
    double shift = -indicators_[m].low;
    if (!indicators_[m].rows.empty()) {
      found = best_change(split.threshold, x, indicators_[m]);
    } else {
      for (const float g : {-0.25f, 0.0f, 0.25f}) {
        const Found here = best_change(split.threshold, x, g);
        if (here.purity <= found.purity + kRounding) continue;
        found = here;
        shift = g;
      }
    }
    const double gain = found.purity - together_;
    if (!(gain > split.gain + kRounding)) return;
    split.gain = gain;
    split.coefficients[m] -= found.at;
    split.threshold += found.at * shift;
    const auto change = static_cast<float>(found.at);
    for (std::size_t i = 0; i < n_; ++i) values_[i] -= change * x[i];
    divide(divided_, split.threshold);
  }

  // Takes out variables, those with small coefficients first, while that costs little; then looks
  // for better coefficients of those that are left.
  void delete_variables() {
    std::vector<int> order;
    for (int m = 0; m < d_; ++m) {
      may_use_[m] = best.coefficients[m] != 0;
      if (may_use_[m]) order.push_back(m);
    }
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return std::abs(best.coefficients[a]) < std::abs(best.coefficients[b]);
    });
    const double least = (1 - options_.deletion) * best.gain;
    std::size_t n_left = order.size();
    for (int m : order) {
      if (n_left == 1) break;
      Combination fewer = best;
      fewer.coefficients[m] = 0;
      if (!settle(fewer) || fewer.gain < least - kRounding) continue;
      best = std::move(fewer);
      may_use_[m] = false;
      --n_left;
    }
    if (n_left < order.size() && n_left > 1) best = searched_from(best);
  }

  EncodedNode& node_;
  const CombinationOptions& options_;
  std::size_t n_;
  int d_;
  double least_;  // weight of a side
  const std::vector<std::int32_t>& y_;
  const std::vector<double>& weights_;
  std::vector<float> columns_;  // the scaled variables, one after the other
  std::vector<float> values_;   // of the combination that was settled last
  std::vector<bool> may_use_;
  std::vector<Indicator> indicators_;  // of every variable; numbers have no rows there
  Sides sides_, divided_;              // of a sweep; of the combination before a change
  Random random_;
  double together_ = 0, worth_ = 0;
  bool is_searched_ = false;
  std::vector<SortKey> keys_, other_keys_;
};

// Takes what most values of a symbol add off all of them, and off the threshold: values that do not
// matter then add nothing.
void shift_symbols(PackedSplit& split) {
  double* own = split.reals.data() + 1;
  for (std::size_t term = 0; 2 * term + 1 < split.ints.size(); ++term) {
    const std::int32_t n_values = split.ints[2 * term + 2];
    if (n_values == 0) {
      own += 2;
      continue;
    }
    std::map<double, int> times;
    for (std::int32_t v = 0; v < n_values; ++v) ++times[own[v]];
    const auto most =
        std::max_element(times.begin(), times.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    const double shift = most->second > 1 ? most->first : 0.0;
    for (std::int32_t v = 0; v <= n_values; ++v) own[v] -= shift;  // the missing weight is the last
    split.reals[0] -= shift;
    own += n_values + 1;
  }
}

// Writes a combination of scaled variables as a linear split in the user's units.
PackedSplit fold_split(const EncodedNode& node, const Combination& split,
                       const std::vector<std::int32_t>& n_values) {
  std::vector<std::uint8_t> is_marked;
  for (const double a : split.coefficients) is_marked.push_back(a != 0);
  Vector weights = split.coefficients;
  weights.push_back(-split.threshold);
  const UsedWeights part = weights_in_use(node, is_marked, weights);
  PackedSplit found = fold_linear(node, part.used, part.weights, n_values);
  shift_symbols(found);
  return found;
}

}  // namespace

std::vector<PackedSplit> find_combinations(const Table& table, const Level& level,
                                           const CombinationOptions& options) {
  std::vector<PackedSplit> found(level.n_nodes);
  // A threshold must not lie next to a row that does not count.
  const Encoding how{.max_rows = options.max_rows, .without_weightless = true};
  at_every_node(table, level, how, [&](std::size_t i, EncodedNode& node) {
    CombinationOptions own = options;
    own.min_leaf *= static_cast<double>(node.numbers.size()) / static_cast<double>(level.size(i));
    CombinationSearch search(node, own, level.seed + i);
    if (search.run()) found[i] = fold_split(node, search.best, table.n_values);
  });
  return found;
}

}  // namespace miter
