#include "fold.hpp"

#include <cstddef>

#include "terms.hpp"

namespace miter {
namespace {

// The weights of one column's variables, one row of n_outputs for each.
struct ColumnWeights {
  std::vector<Variable> variables;
  std::vector<std::vector<double>> weights;
};

// A number with one slope. A missing value stands at the mean: it adds what the constant loses.
std::vector<double> fold_number(const ColumnWeights& own, PackedSplit& split) {
  const Variable& number = own.variables[0];
  split.ints.insert(split.ints.end(), {number.column, 0});
  std::vector<double> missing;
  for (double weight : own.weights[0]) {
    split.reals.push_back(weight / number.deviation);
    missing.push_back(weight / number.deviation * number.mean);
  }
  return missing;
}

// A number with one slope below its mean and another above.
std::vector<double> fold_bent(const ColumnWeights& own, PackedSplit& split) {
  const Variable &number = own.variables[0], &distance = own.variables[1];
  split.ints.insert(split.ints.end(), {number.column, kBent});
  split.reals.push_back(number.mean);
  for (double side : {-1.0, 1.0}) {
    for (std::size_t k = 0; k < own.weights[0].size(); ++k) {
      split.reals.push_back(own.weights[0][k] / number.deviation +
                            side * own.weights[1][k] / distance.deviation);
    }
  }
  std::vector<double> missing;
  for (double bend : own.weights[1]) missing.push_back(bend / distance.deviation * distance.mean);
  return missing;
}

// What each value of a symbol adds; a value not seen at the node is missing there, adding nothing.
std::vector<double> fold_symbol(const ColumnWeights& own, std::int32_t n_values,
                                PackedSplit& split) {
  const std::size_t n_outputs = own.weights[0].size(), first = split.reals.size();
  split.ints.insert(split.ints.end(), {own.variables[0].column, n_values});
  split.reals.resize(first + n_outputs * n_values, 0.0);
  auto add_all = [&](std::int32_t value) {
    for (std::size_t v = 0; v < own.variables.size(); ++v) {
      const Variable& variable = own.variables[v];
      const double z =
          ((variable.value == value ? 1.0 : -1.0) - variable.mean) / variable.deviation;
      for (std::size_t k = 0; k < n_outputs; ++k) {
        split.reals[first + value * n_outputs + k] += z * own.weights[v][k];
      }
    }
  };
  for (const Variable& variable : own.variables) add_all(variable.value);
  if (own.variables[0].other >= 0) add_all(own.variables[0].other);
  return std::vector<double>(n_outputs, 0.0);
}

// Appends the constants of the outputs and the terms, and returns the number of terms.
std::int32_t fold_terms(const EncodedNode& node, const std::vector<int>& used,
                        const Vector& weights, std::size_t n_outputs,
                        const std::vector<std::int32_t>& n_values, PackedSplit& split) {
  const std::size_t width = used.size() + 1;
  std::int32_t n_terms = 0;
  for (std::size_t k = 0; k < n_outputs; ++k) split.reals.push_back(weights[k * width + width - 1]);
  for (std::size_t first = 0; first < used.size(); ++n_terms) {
    ColumnWeights own;
    const std::int32_t column = node.variables[used[first]].column;
    for (; first < used.size() && node.variables[used[first]].column == column; ++first) {
      own.variables.push_back(node.variables[used[first]]);
      own.weights.emplace_back();
      for (std::size_t k = 0; k < n_outputs; ++k) {
        own.weights.back().push_back(weights[k * width + first]);
      }
    }
    const auto missing = n_values[column] > 0        ? fold_symbol(own, n_values[column], split)
                         : own.variables.size() == 2 ? fold_bent(own, split)
                                                     : fold_number(own, split);
    for (std::size_t k = 0; k < n_outputs; ++k) split.reals[k] -= missing[k];
    split.reals.insert(split.reals.end(), missing.begin(), missing.end());
  }
  return n_terms;
}

// Appends the term of a number, a condition, or the values of a symbol that have a weight, and
// returns the constant that goes with it.
double fold_one(const EncodedNode& node, const std::vector<int>& used, const Vector& weights,
                std::size_t& at, std::int32_t n_values, PackedSplit& split) {
  const Variable& first = node.variables[used[at]];
  // Missing is the mean, which a variable of yes or no has in its share of yes.
  auto missing = [](const Variable& own, double weight) {
    return own.is_yes_or_no() ? weight * (1 + own.mean) / 2 : weight / own.deviation * own.mean;
  };
  split.ints.insert(split.ints.end(), {first.column, n_values});
  if (n_values == 0) {
    const double weight = weights[at++], added = missing(first, weight);
    if (first.value == Variable::kCondition) {
      split.ints.back() = kCondition;
      split.reals.insert(split.reals.end(), {first.cut, weight, added});
    } else {
      split.reals.insert(split.reals.end(), {weight / first.deviation, added});
    }
    return -added;
  }
  const std::size_t begin = split.reals.size();
  split.reals.resize(begin + n_values + 1, 0.0);
  for (; at < used.size() && node.variables[used[at]].column == first.column; ++at) {
    const Variable& own = node.variables[used[at]];
    split.reals[begin + own.value] = weights[at];
    split.reals.back() += missing(own, weights[at]);
  }
  return -split.reals.back();
}

}  // namespace

UsedWeights weights_in_use(const EncodedNode& node, const std::vector<std::uint8_t>& is_marked,
                           const Vector& weights) {
  const std::size_t n = node.variables.size();
  UsedWeights result;
  for (std::size_t v = 0; v < n; ++v) {
    bool is_used = false;
    for (std::size_t other = 0; other < n; ++other) {
      is_used |= is_marked[other] && node.variables[other].column == node.variables[v].column;
    }
    if (is_used) result.used.push_back(static_cast<int>(v));
  }
  for (std::size_t row = 0; row < weights.size(); row += n + 1) {
    for (int v : result.used) result.weights.push_back(weights[row + v]);
    result.weights.push_back(weights[row + n]);
  }
  return result;
}

PackedSplit fold_machine(const EncodedNode& node, const std::vector<int>& used,
                         const Vector& weights, const std::vector<std::int32_t>& n_values) {
  const auto n_outputs = static_cast<std::int32_t>(node.classes.size());
  PackedSplit split{SplitKind::machine, n_outputs, {n_outputs, 0}};
  split.ints.insert(split.ints.end(), node.classes.begin(), node.classes.end());
  split.ints[1] = fold_terms(node, used, weights, n_outputs, n_values, split);
  return split;
}

PackedSplit fold_linear(const EncodedNode& node, const std::vector<int>& used,
                        const Vector& weights, const std::vector<std::int32_t>& n_values) {
  PackedSplit split{SplitKind::linear, 2, {0}};
  split.ints[0] = fold_terms(node, used, weights, 1, n_values, split);
  split.reals[0] = -split.reals[0];  // a constant on the other side is a threshold
  return split;
}

PackedSplit fold_few(const EncodedNode& node, const std::vector<int>& used, const Vector& weights,
                     const std::vector<std::int32_t>& n_values) {
  PackedSplit split{SplitKind::linear, 2, {0}, {0.0}};
  double constant = weights.back();
  for (std::size_t at = 0; at < used.size(); ++split.ints[0]) {
    const std::int32_t column = node.variables[used[at]].column;
    constant += fold_one(node, used, weights, at, n_values[column], split);
  }
  split.reals[0] = -constant;
  return split;
}

PackedSplit fold_network(const EncodedNode& node, int n_hidden, const Vector& weights,
                         const std::vector<std::int32_t>& n_values) {
  PackedSplit split{SplitKind::network, 2, {n_hidden, 0}};
  split.ints[1] = fold_terms(node, node.all_variables(), weights, n_hidden, n_values, split);
  split.reals.insert(split.reals.end(), weights.end() - n_hidden - 1, weights.end());
  split.reals.back() = -split.reals.back();
  return split;
}

}  // namespace miter
