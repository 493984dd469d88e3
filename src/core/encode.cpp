#include "encode.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "interrupt.hpp"
#include "random.hpp"
#include "sorting.hpp"

namespace miter {
namespace {

constexpr std::size_t kMostValues = 64;  // of one symbol

// Sums of two functions of every row, over four rows at a time: one long chain of additions would
// wait for each of them.
template <class Term>
void sum_rows(std::size_t n_rows, double* result, Term&& term) {
  double sums[4][2] = {};
  std::size_t i = 0;
  for (; i + 4 <= n_rows; i += 4) {
    for (std::size_t k = 0; k < 4; ++k) term(i + k, sums[k]);
  }
  for (; i < n_rows; ++i) term(i, sums[0]);
  for (int t = 0; t < 2; ++t) result[t] = (sums[0][t] + sums[1][t]) + (sums[2][t] + sums[3][t]);
}

}  // namespace

// In units of the largest number squares neither overflow nor vanish.
Scale scale_of(const std::vector<double>& x, const double* weights) {
  double low = INFINITY, high = -INFINITY;
  for (double value : x) {
    low = value < low ? value : low;  // false for NaN
    high = value > high ? value : high;
  }
  if (!(low < high)) return {};
  const double unit = std::max(std::abs(low), std::abs(high));
  double sums[2];
  sum_rows(x.size(), sums, [&](std::size_t i, double* own) {
    const bool known = x[i] == x[i];
    own[0] += known ? weights[i] : 0.0;
    own[1] += known ? weights[i] * (x[i] / unit) : 0.0;
  });
  if (!(sums[0] > 0)) return {};
  const double total = sums[0], mean = sums[1] / total;
  sum_rows(x.size(), sums, [&](std::size_t i, double* own) {
    const double off = x[i] / unit - mean;
    own[0] += off == off ? weights[i] * off * off : 0.0;
  });
  const double deviation = std::sqrt(sums[0] / total);
  // Weights of what differs by less than the least ordinary numbers would overflow.
  if (deviation <= 1e-12 || deviation * unit < 1e-305) return {};
  return {mean * unit, deviation * unit};
}

namespace {

// The values of a symbol at the node, at most the 64 most frequent; the others count as missing.
std::vector<std::int32_t> values_at_node(std::vector<double>& x, const double* weights,
                                         std::int32_t n_values) {
  std::vector<double> counts(n_values, 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] >= 0 && x[i] < n_values) counts[static_cast<std::int32_t>(x[i])] += weights[i];
  }
  std::vector<std::int32_t> seen;
  for (std::int32_t v = 0; v < n_values; ++v) {
    if (counts[v] > 0) seen.push_back(v);
  }
  if (seen.size() <= kMostValues) return seen;
  std::stable_sort(seen.begin(), seen.end(),
                   [&](std::int32_t a, std::int32_t b) { return counts[a] > counts[b]; });
  for (std::size_t k = kMostValues; k < seen.size(); ++k) counts[seen[k]] = 0;
  seen.resize(kMostValues);
  std::sort(seen.begin(), seen.end());
  for (double& value : x) {
    const bool is_known = value >= 0 && value < n_values;
    if (!is_known || counts[static_cast<std::int32_t>(value)] == 0) value = NAN;
  }
  return seen;
}

// The columns that a node may test.
std::vector<std::int32_t> columns_of(const Level& level, std::size_t node, std::size_t n_columns) {
  std::vector<std::int32_t> columns;
  for (std::size_t c = 0; c < n_columns; ++c) {
    if (!level.allowed || level.allowed[node * n_columns + c]) {
      columns.push_back(static_cast<std::int32_t>(c));
    }
  }
  return columns;
}

// The quantiles of numbers, halfway between neighbours; NaN is left out. Fewer where many are
// equal.
std::vector<double> quantiles(const std::vector<double>& x, const std::vector<double>& weights,
                              int n_quantiles) {
  std::vector<std::pair<double, double>> known;
  double total = 0, passed = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] != x[i] || !(weights[i] > 0)) continue;
    known.emplace_back(x[i], weights[i]);
    total += weights[i];
  }
  std::sort(known.begin(), known.end());
  std::vector<double> cuts;
  int next = 1;
  for (std::size_t i = 0; i + 1 < known.size() && next <= n_quantiles; ++i) {
    passed += known[i].second;
    if (known[i].first == known[i + 1].first) continue;
    if (passed * (n_quantiles + 1) < total * next * (1 - 1e-9)) continue;
    cuts.push_back(midpoint(known[i].first, known[i + 1].first));
    while (next <= n_quantiles && passed * (n_quantiles + 1) >= total * next * (1 - 1e-9)) ++next;
  }
  return cuts;
}

double before_scaling(const Variable& variable, double centre, double x) {
  if (variable.value == Variable::kNumber) return x;
  if (variable.value == Variable::kCondition) return x != x ? x : x > variable.cut ? 1.0 : -1.0;
  if (variable.value == Variable::kDistance) return std::abs(x - centre);
  return x != x ? x : x == variable.value ? 1.0 : -1.0;
}

}  // namespace

bool EncodedNode::encode(const Table& table, const Level& level, std::size_t at,
                         const Encoding& how) {
  take_rows(level, at, how);
  if (how.hashed) hash_rows(table.X, level.seed);
  scales_ = how.scales;
  plain_indicators_ = how.plain_indicators;
  read_columns(table, columns_of(level, at, table.n_columns()), how);
  const std::size_t n = numbers.size();
  rows.reset(static_cast<std::int64_t>(n), static_cast<int>(variables.size()));
  for (std::size_t v = 0; v < variables.size(); ++v) {
    Interrupt::check();
    const float* from = scaled_.data() + v * n;
    for (std::size_t i = 0; i < n; i += kBlock) {
      std::copy_n(from + i, std::min<std::size_t>(kBlock, n - i),
                  &rows.at(static_cast<std::int64_t>(i), static_cast<int>(v)));
    }
  }
  number_classes(table);
  rows.cost.clear();
  if (how.with_costs && table.costs) take_costs(table);
  return !variables.empty() && classes.size() >= how.least_classes;
}

std::vector<int> EncodedNode::all_variables() const {
  std::vector<int> all(variables.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// Of many rows a sample, every so-and-so-many-th.
void EncodedNode::take_rows(const Level& level, std::size_t node, const Encoding& how) {
  const std::int64_t first = level.start[node], n = level.size(node);
  const std::int64_t m = std::min(n, how.max_rows);
  const double offset = m < n ? Random(level.seed + node).unit() : 0.0;
  numbers.clear();
  entries.clear();
  weights.clear();
  for_rows(m, [&](std::int64_t i) {
    const auto place = static_cast<std::int64_t>((static_cast<double>(i) + offset) *
                                                 static_cast<double>(n) / static_cast<double>(m));
    const std::int64_t at = first + std::min(place, n - 1);
    if (how.without_weightless && !(level.weight(at) > 0)) return;
    numbers.push_back(level.rows[at]);
    entries.push_back(at);
    weights.push_back(level.weight(at));
  });
}

void EncodedNode::hash_rows(const Matrix& X, std::uint64_t seed) {
  hashes_.clear();
  for_rows(static_cast<std::int64_t>(numbers.size()), [&](std::int64_t i) {
    std::uint64_t hash = seed;
    for (std::int64_t c = 0; c < X.n_columns(); ++c) {
      const double x = X.at(numbers[i], c);
      hash = Random(hash ^ (x == x ? std::bit_cast<std::uint64_t>(x) : 1)).bits();
    }
    hashes_.push_back(hash);
  });
}

std::vector<Dealt> EncodedNode::draw_folds(int n_folds) const {
  std::vector<std::int64_t> order(numbers.size());
  std::iota(order.begin(), order.end(), 0);
  auto key = [&](std::int64_t i) { return std::make_pair(rows.y[i], hashes_[i]); };
  std::sort(order.begin(), order.end(),
            [&](std::int64_t a, std::int64_t b) { return key(a) < key(b); });
  std::vector<Dealt> folds(order.size());
  std::int64_t n_dealt = 0;
  for (std::size_t first = 0, last; first < order.size(); first = last) {
    double weight = 0;
    for (last = first; last < order.size() && key(order[last]) == key(order[first]); ++last) {
      weight += weights[order[last]];
    }
    const auto n_units = static_cast<std::int32_t>(std::min(std::ceil(weight - 1e-9), 1e9));
    const Dealt dealt{static_cast<std::int32_t>(n_dealt % n_folds),
                      std::clamp<std::int32_t>(n_units, 1, n_folds)};
    n_dealt += dealt.spread;
    for (std::size_t k = first; k < last; ++k) folds[order[k]] = dealt;
  }
  return folds;
}

void EncodedNode::read_columns(const Table& table, const std::vector<std::int32_t>& columns,
                               const Encoding& how) {
  // Some columns at a time: rows are read once for all of them.
  constexpr std::size_t kColumnsTogether = 32;
  const std::size_t n = numbers.size();
  values_.resize(std::max(values_.size(), std::min(kColumnsTogether, columns.size())));
  raw_.resize(n);
  scaled_.clear();
  variables.clear();
  for (std::size_t first = 0; first < columns.size(); first += kColumnsTogether) {
    const std::size_t many = std::min(kColumnsTogether, columns.size() - first);
    for (std::size_t k = 0; k < many; ++k) values_[k].resize(n);
    table.X.visit([&](const auto& typed) {
      for_rows(static_cast<std::int64_t>(n), [&](std::int64_t i) {
        for (std::size_t k = 0; k < many; ++k) {
          values_[k][i] = typed.at(numbers[i], columns[first + k]);
        }
      });
    });
    for (std::size_t k = 0; k < many; ++k) {
      const std::int32_t column = columns[first + k];
      add_column(column, table.n_values[column], values_[k], how);
    }
  }
}

// In logistic regression a row counts by what the mistakes that are possible here cost on average.
void EncodedNode::take_costs(const Table& table) {
  const std::size_t n_here = classes.size();
  rows.cost.assign(rows.n_blocks * n_here * kBlock, 0.0f);
  rows.emphasis.assign(rows.n_blocks * kBlock, 0.0f);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double* own = table.costs + static_cast<std::int64_t>(numbers[i]) * table.n_classes;
    float* block = rows.cost.data() + i / kBlock * n_here * kBlock;
    double sum = 0;
    for (std::size_t k = 0; k < n_here; ++k) {
      block[k * kBlock + i % kBlock] = static_cast<float>(own[classes[k]]);
      sum += own[classes[k]];
    }
    rows.emphasis[i] =
        static_cast<float>(sum / static_cast<double>(std::max<std::size_t>(n_here, 2) - 1));
  }
}

void EncodedNode::number_classes(const Table& table) {
  std::vector<std::int32_t> place(table.n_classes, -1);
  for (std::int32_t row : numbers) place[table.y[row]] = 0;
  classes.clear();
  for (std::int32_t c = 0; c < table.n_classes; ++c) {
    if (place[c] < 0) continue;
    place[c] = static_cast<std::int32_t>(classes.size());
    classes.push_back(c);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    rows.y[i] = place[table.y[numbers[i]]];
    rows.weight[i] = static_cast<float>(weights[i]);
  }
}

void EncodedNode::add_column(std::int32_t column, std::int32_t n_values, std::vector<double>& x,
                             const Encoding& how) {
  if (n_values > 0) {
    const auto values = values_at_node(x, weights.data(), n_values);
    if (values.size() == 2) {
      add({column, values[0], 0, 0, values[1]}, x);
    } else {
      for (std::int32_t value : values) add({column, value}, x);
    }
  } else if (add({column, Variable::kNumber}, x)) {
    centre_ = variables.back().mean;
    if (how.bent) add({column, Variable::kDistance}, x);
    if (how.n_conditions > 0) add_conditions(column, x, how.n_conditions);
  }
}

void EncodedNode::add_conditions(std::int32_t column, const std::vector<double>& x,
                                 int n_conditions) {
  for (double cut : quantiles(x, weights, n_conditions)) {
    add({column, Variable::kCondition, 0, 0, -1, cut}, x);
  }
}

// Scales a variable; false if it is constant.
bool EncodedNode::add(Variable variable, const std::vector<double>& x) {
  Interrupt::check();
  for (std::size_t i = 0; i < x.size(); ++i) raw_[i] = before_scaling(variable, centre_, x[i]);
  Scale scale = scale_of(raw_, weights.data());
  if (scale.deviation == 0) return false;
  if (scales_) {
    const bool is_number = variable.value == Variable::kNumber;
    scale = is_number ? Scale{scales_->low[variable.column], scales_->range[variable.column]}
                      : Scale{-1.0, 2.0};  // indicators become 0 and 1
  }
  if (plain_indicators_ && variable.is_yes_or_no()) scale.deviation = 2.0;
  variable.mean = scale.mean;
  variable.deviation = scale.deviation;
  const std::size_t first = scaled_.size();
  scaled_.resize(first + x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double z = (raw_[i] - scale.mean) / scale.deviation;
    scaled_[first + i] = z == z ? static_cast<float>(z) : 0.0f;
  }
  variables.push_back(variable);
  return true;
}

}  // namespace miter
