#include "encode.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interrupt.hpp"

namespace miter {
namespace {

constexpr std::size_t kMostValues = 64;  // of one symbol

struct Scale {
  double mean = 0, deviation = 0;  // a deviation of 0: constant
};

// Sums of three functions of every row, over four rows at a time: one long chain of additions would
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

// Mean and deviation of numbers; NaN is left out. In units of the largest number squares neither
// overflow nor vanish.
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
    if (value == value && counts[static_cast<std::int32_t>(value)] == 0) value = NAN;
  }
  return seen;
}

double before_scaling(const Variable& variable, double centre, double x) {
  if (variable.value == Variable::number) return x;
  if (variable.value == Variable::distance) return std::abs(x - centre);
  return x != x ? x : x == variable.value ? 1.0 : -1.0;
}

}  // namespace

void NodeEncoding::encode(const Matrix& X, const std::int32_t* y, const double* costs,
                          int n_classes, const std::vector<std::int32_t>& n_values,
                          const std::vector<std::int32_t>& columns, bool bent,
                          const ColumnScales* scales) {
  scales_ = scales;
  const std::size_t n = node.rows.size();
  // Some columns at a time: rows are read once for all of them.
  constexpr std::size_t together = 32;
  values_.resize(std::max(values_.size(), std::min(together, columns.size())));
  raw_.resize(n);
  scaled_.clear();
  variables.clear();
  for (std::size_t first = 0; first < columns.size(); first += together) {
    const std::size_t many = std::min(together, columns.size() - first);
    for (std::size_t k = 0; k < many; ++k) values_[k].resize(n);
    X.visit([&](const auto& typed) {
      for_rows(static_cast<std::int64_t>(n), [&](std::int64_t i) {
        for (std::size_t k = 0; k < many; ++k) {
          values_[k][i] = typed.at(node.rows[i], columns[first + k]);
        }
      });
    });
    for (std::size_t k = 0; k < many; ++k) {
      add_column(columns[first + k], n_values[columns[first + k]], values_[k], bent);
    }
  }
  rows.reset(static_cast<std::int64_t>(n), static_cast<int>(variables.size()));
  for (std::size_t v = 0; v < variables.size(); ++v) {
    Interrupt::check();
    const float* from = scaled_.data() + v * n;
    for (std::size_t i = 0; i < n; i += kBlock) {
      std::copy_n(from + i, std::min<std::size_t>(kBlock, n - i),
                  &rows.at(static_cast<std::int64_t>(i), static_cast<int>(v)));
    }
  }
  number_classes(y, n_classes);
  take_costs(costs, n_classes);
}

// In logistic regression a row counts by what the mistakes that are possible here cost on average.
void NodeEncoding::take_costs(const double* costs, int n_classes) {
  rows.cost.clear();
  if (!costs) return;
  const std::size_t n_here = classes.size();
  rows.cost.assign(rows.n_blocks * n_here * kBlock, 0.0f);
  rows.emphasis.assign(rows.n_blocks * kBlock, 0.0f);
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    const double* own = costs + static_cast<std::int64_t>(node.rows[i]) * n_classes;
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

void NodeEncoding::number_classes(const std::int32_t* y, int n_classes) {
  std::vector<std::int32_t> place(n_classes, -1);
  for (std::int32_t row : node.rows) place[y[row]] = 0;
  classes.clear();
  for (std::int32_t c = 0; c < n_classes; ++c) {
    if (place[c] < 0) continue;
    place[c] = static_cast<std::int32_t>(classes.size());
    classes.push_back(c);
  }
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    rows.y[i] = place[y[node.rows[i]]];
    rows.weight[i] = static_cast<float>(node.weights[i]);
  }
}

void NodeEncoding::add_column(std::int32_t column, std::int32_t n_values, std::vector<double>& x,
                              bool bent) {
  if (n_values > 0) {
    const auto values = values_at_node(x, node.weights.data(), n_values);
    if (values.size() == 2) {
      add({column, values[0], 0, 0, values[1]}, x);
    } else {
      for (std::int32_t value : values) add({column, value}, x);
    }
  } else if (add({column, Variable::number}, x) && bent) {
    centre_ = variables.back().mean;
    add({column, Variable::distance}, x);
  }
}

// Scales a variable; false if it is constant.
bool NodeEncoding::add(Variable variable, const std::vector<double>& x) {
  Interrupt::check();
  for (std::size_t i = 0; i < x.size(); ++i) raw_[i] = before_scaling(variable, centre_, x[i]);
  Scale scale = scale_of(raw_, node.weights.data());
  if (scale.deviation == 0) return false;
  if (scales_) {
    const bool is_number = variable.value == Variable::number;
    scale = is_number ? Scale{scales_->low[variable.column], scales_->range[variable.column]}
                      : Scale{-1.0, 2.0};  // indicators become 0 and 1
  }
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

namespace {

// The weights of one column's variables, one row of n_outputs for each.
struct ColumnWeights {
  std::vector<Variable> variables;
  std::vector<std::vector<double>> weights;
};

// A number with one slope. A missing value stands at the mean: it adds what the constant loses.
std::vector<double> fold_number(const ColumnWeights& own, std::vector<std::int32_t>& ints,
                                std::vector<double>& reals) {
  const Variable& number = own.variables[0];
  ints.insert(ints.end(), {number.column, 0});
  std::vector<double> missing;
  for (double weight : own.weights[0]) {
    reals.push_back(weight / number.deviation);
    missing.push_back(weight / number.deviation * number.mean);
  }
  return missing;
}

// A number with one slope below its mean and another above.
std::vector<double> fold_bent(const ColumnWeights& own, std::vector<std::int32_t>& ints,
                              std::vector<double>& reals) {
  const Variable &number = own.variables[0], &distance = own.variables[1];
  ints.insert(ints.end(), {number.column, -1});
  reals.push_back(number.mean);
  for (double side : {-1.0, 1.0}) {
    for (std::size_t k = 0; k < own.weights[0].size(); ++k) {
      reals.push_back(own.weights[0][k] / number.deviation +
                      side * own.weights[1][k] / distance.deviation);
    }
  }
  std::vector<double> missing;
  for (double bend : own.weights[1]) missing.push_back(bend / distance.deviation * distance.mean);
  return missing;
}

// What each value of a symbol adds; a value not seen at the node is missing there, adding nothing.
std::vector<double> fold_symbol(const ColumnWeights& own, std::int32_t n_values,
                                std::vector<std::int32_t>& ints, std::vector<double>& reals) {
  const std::size_t n_outputs = own.weights[0].size(), first = reals.size();
  ints.insert(ints.end(), {own.variables[0].column, n_values});
  reals.resize(first + n_outputs * n_values, 0.0);
  auto add_all = [&](std::int32_t value) {
    for (std::size_t v = 0; v < own.variables.size(); ++v) {
      const Variable& variable = own.variables[v];
      const double z =
          ((variable.value == value ? 1.0 : -1.0) - variable.mean) / variable.deviation;
      for (std::size_t k = 0; k < n_outputs; ++k) {
        reals[first + value * n_outputs + k] += z * own.weights[v][k];
      }
    }
  };
  for (const Variable& variable : own.variables) add_all(variable.value);
  if (own.variables[0].other >= 0) add_all(own.variables[0].other);
  return std::vector<double>(n_outputs, 0.0);
}

}  // namespace

std::int32_t fold_terms(const NodeEncoding& encoding, const std::vector<int>& used,
                        const Vector& weights, std::size_t n_outputs,
                        const std::vector<std::int32_t>& n_values, std::vector<std::int32_t>& ints,
                        std::vector<double>& reals) {
  const std::size_t width = used.size() + 1;
  std::int32_t n_terms = 0;
  reals.clear();
  for (std::size_t k = 0; k < n_outputs; ++k) reals.push_back(weights[k * width + width - 1]);
  for (std::size_t first = 0; first < used.size();) {
    ColumnWeights own;
    const std::int32_t column = encoding.variables[used[first]].column;
    for (; first < used.size() && encoding.variables[used[first]].column == column; ++first) {
      own.variables.push_back(encoding.variables[used[first]]);
      own.weights.emplace_back();
      for (std::size_t k = 0; k < n_outputs; ++k) {
        own.weights.back().push_back(weights[k * width + first]);
      }
    }
    const auto missing = n_values[column] > 0 ? fold_symbol(own, n_values[column], ints, reals)
                         : own.variables.size() == 2 ? fold_bent(own, ints, reals)
                                                     : fold_number(own, ints, reals);
    for (std::size_t k = 0; k < n_outputs; ++k) reals[k] -= missing[k];
    reals.insert(reals.end(), missing.begin(), missing.end());
    ++n_terms;
  }
  return n_terms;
}

void fold(const NodeEncoding& encoding, const std::vector<int>& used, const Vector& weights,
          const std::vector<std::int32_t>& n_values, std::vector<std::int32_t>& ints,
          std::vector<double>& reals) {
  const std::size_t n_outputs = encoding.classes.size();
  ints = {static_cast<std::int32_t>(n_outputs), 0};
  ints.insert(ints.end(), encoding.classes.begin(), encoding.classes.end());
  ints[1] = fold_terms(encoding, used, weights, n_outputs, n_values, ints, reals);
}

}  // namespace miter
