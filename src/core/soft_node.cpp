#include "soft_node.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fold.hpp"
#include "interrupt.hpp"
#include "lanes.hpp"
#include "terms.hpp"

namespace miter {
namespace {

constexpr float kFirstDecay = 0.9f, kSecondDecay = 0.99f, kLeast = 1e-8f;

// Turns outputs of a block of rows into probabilities; of a single output, which is at the second
// place, into those of two branches.
MITER_DISPATCH
void soften_block(int n_branches, bool is_single, int n_filled, float* scores) {
  for (int at = 0; at < n_filled; at += kLanes) {
    if (is_single) store(scores + at, Lanes{});
    Lanes top = load(scores + at);
    for (int b = 1; b < n_branches; ++b) top = larger(top, load(scores + b * kBlock + at));
    Lanes total = Lanes{};
    for (int b = 0; b < n_branches; ++b) {
      float* own = scores + b * kBlock + at;
      const Lanes e = exp_of_negative(load(own) - top);
      store(own, e);
      total += e;
    }
    for (int b = 0; b < n_branches; ++b) {
      float* own = scores + b * kBlock + at;
      store(own, load(own) / total);
    }
  }
}

struct Step {
  float rate, first_part, second_part;  // of the moments that is there already
};

MITER_DISPATCH
void adam(std::size_t n, const float* gradient, Step step, float* first, float* second,
          float* weights) {
  const float speed = step.rate / step.first_part, inverse = 1 / step.second_part;
  for (std::size_t i = 0; i < n; ++i) {
    const float g = gradient[i];
    first[i] = kFirstDecay * first[i] + (1 - kFirstDecay) * g;
    second[i] = kSecondDecay * second[i] + (1 - kSecondDecay) * g * g;
    weights[i] -= speed * first[i] / (std::sqrt(second[i] * inverse) + kLeast);
  }
}

// Terms of a split as scaled inputs.
class TermReader {
 public:
  TermReader(int n_outputs, std::vector<double> constants, std::vector<double> weights)
      : constants(std::move(constants)), n_outputs_(n_outputs), weights_(std::move(weights)) {}

  // x: the column's cells. reals: the numbers of the term.
  void read(std::int32_t column, std::int32_t n_values, const double* reals,
            const std::vector<double>& x) {
    if (n_values == 0) {
      read_number(column, reals, x);
    } else if (n_values == kBent) {
      read_bent(column, reals, x);
    } else {
      for (std::int32_t value = 0; value < n_values; ++value) {
        read_value(column, value, reals + std::int64_t{value} * n_outputs_, x);
      }
    }
  }

  std::vector<double> constants;               // of each output
  std::vector<Variable> variables;             // the inputs
  std::vector<std::vector<double>> of_inputs;  // their weights, one for each output

 private:
  void read_number(std::int32_t column, const double* slopes, const std::vector<double>& x) {
    const Scale scale = scale_by(x, [](double v) { return v; });
    add({column, Variable::kNumber}, scale, [&](int k) {
      constants[k] += slopes[k] * scale.mean;
      return slopes[k] * scale.deviation;
    });
  }

  void read_bent(std::int32_t column, const double* reals, const std::vector<double>& x) {
    const double centre = *reals++;
    const Scale number{centre, scale_by(x, [](double v) { return v; }).deviation};
    const Scale distance = scale_by(x, [&](double v) { return std::abs(v - centre); });
    auto side = [&](int k, int which) { return reals[which * n_outputs_ + k]; };
    add({column, Variable::kNumber}, number,
        [&](int k) { return (side(k, 0) + side(k, 1)) / 2 * number.deviation; });
    add({column, Variable::kDistance}, distance, [&](int k) {
      const double bend = (side(k, 1) - side(k, 0)) / 2;
      constants[k] += bend * distance.mean;
      return bend * distance.deviation;
    });
  }

  // A value that adds nothing, and a missing one, stay at nothing: there is no mean to take away.
  void read_value(std::int32_t column, std::int32_t value, const double* added,
                  const std::vector<double>& x) {
    if (std::all_of(added, added + n_outputs_, [](double w) { return w == 0; })) return;
    const Scale scale = scale_by(x, [&](double v) { return v != v ? v : v == value ? 1.0 : -1.0; });
    add({column, value}, {-1.0, scale.deviation},
        [&](int k) { return added[k] * scale.deviation / 2; });
  }

  // Mean and deviation of a function of the cells; what does not vary keeps its unit.
  template <class Function>
  Scale scale_by(const std::vector<double>& x, Function&& function) const {
    std::vector<double> values(x.size());
    std::transform(x.begin(), x.end(), values.begin(), function);
    const Scale scale = scale_of(values, weights_.data());
    if (scale.deviation > 0) return scale;
    const auto known = std::find_if(values.begin(), values.end(), [](double v) { return v == v; });
    return {known == values.end() ? 0.0 : *known, 1.0};
  }

  template <class Weight>
  void add(Variable variable, const Scale& scale, Weight&& weight) {
    variable.mean = scale.mean;
    variable.deviation = scale.deviation;
    variables.push_back(variable);
    of_inputs.emplace_back();
    for (int k = 0; k < n_outputs_; ++k) of_inputs.back().push_back(weight(k));
  }

  int n_outputs_;
  std::vector<double> weights_;  // of the rows
};

}  // namespace

SoftNode::SoftNode(const Table& table, const Splits& splits, std::size_t i,
                   const std::int32_t* rows, std::int64_t n_rows, const double* weights)
    : kind_(splits.kind(i)) {
  const std::int32_t* ints = splits.ints(i);
  const double* reals = splits.reals(i);
  const bool is_machine = kind_ == SplitKind::machine;
  n_outputs_ = is_machine ? ints[0] : 1;
  const std::int32_t n_terms = is_machine ? ints[1] : ints[0];
  const std::int32_t* terms = is_machine ? ints + 2 + n_outputs_ : ints + 1;
  if (is_machine) own_.classes.assign(ints + 2, terms);
  std::vector<double> constants(reals, reals + n_outputs_);
  if (!is_machine) constants[0] = -constants[0];  // a threshold is a constant on the other side
  reals += n_outputs_;

  std::vector<double> x(n_rows), weight(n_rows, 1.0);
  for (std::int64_t k = 0; weights && k < n_rows; ++k) weight[k] = weights[rows[k]];
  TermReader reader(n_outputs_, std::move(constants), std::move(weight));
  for (std::int32_t term = 0; term < n_terms; ++term) {
    const std::int32_t column = terms[2 * term], n_values = terms[2 * term + 1];
    for_rows(n_rows, [&](std::int64_t k) { x[k] = table.X.at(rows[k], column); });
    reader.read(column, n_values, reals, x);
    reals += n_reals_of_term(n_values, n_outputs_);
  }
  for (int k = 0; k < n_outputs_; ++k) {
    for (const auto& input : reader.of_inputs) weights_.push_back(static_cast<float>(input[k]));
    weights_.push_back(static_cast<float>(reader.constants[k]));
  }
  own_.variables = std::move(reader.variables);
  first_moment_.assign(weights_.size(), 0.0f);
  second_moment_.assign(weights_.size(), 0.0f);
  places_ = own_.all_variables();
}

namespace {

// A number, or how far it is from the centre; a missing one is at the mean.
void encode_number(const Variable& variable, double centre, const double* x, std::int64_t n,
                   float* to) {
  const double inverse = 1 / variable.deviation;
  const bool is_distance = variable.value == Variable::kDistance;
  for (std::int64_t i = 0; i < n; ++i) {
    const double own = is_distance ? std::abs(x[i] - centre) : x[i];
    const double z = (own - variable.mean) * inverse;
    to[i] = z == z ? static_cast<float>(z) : 0.0f;
  }
}

// One value of a symbol.
void encode_value(const Variable& variable, const double* x, std::int64_t n, float* to) {
  const auto z = static_cast<float>(2 / variable.deviation);
  for (std::int64_t i = 0; i < n; ++i) to[i] = x[i] == variable.value ? z : 0.0f;
}

}  // namespace

template <class T>
void SoftNode::encode_rows(const MatrixOf<T>& X, const std::int32_t* rows, std::int64_t n,
                           float* block) const {
  const std::vector<Variable>& variables = own_.variables;
  double x[kBlock];
  for (std::size_t first = 0, last; first < variables.size(); first = last) {
    const std::int32_t column = variables[first].column;
    for (std::int64_t i = 0; i < n; ++i) x[i] = X.at(rows[i], column);
    for (last = first; last < variables.size() && variables[last].column == column; ++last) {
      if (variables[last].value >= 0) {
        encode_value(variables[last], x, n, block + last * kBlock);
      } else {
        encode_number(variables[last], variables[first].mean, x, n, block + last * kBlock);
      }
    }
  }
}

void SoftNode::encode(const Table& table, const std::int32_t* rows, std::int64_t n,
                      float* block) const {
  const int filled = filled_rows(n);
  for (std::size_t v = 0; n < filled && v < own_.variables.size(); ++v) {
    std::fill(block + v * kBlock + n, block + v * kBlock + filled, 0.0f);
  }
  table.X.visit([&](const auto& X) { encode_rows(X, rows, n, block); });
}

void SoftNode::soften(const float* block, int n_filled, float* probability) const {
  score_block(block, shape(), weights_.data(), probability + first_output() * kBlock, n_filled);
  soften_block(n_branches(), first_output() == 1, n_filled, probability);
}

void SoftNode::step(const Vector& gradient, double l2, double rate) {
  std::vector<float> narrow(gradient.size());
  const std::size_t width = own_.variables.size() + 1;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const bool is_constant = i % width == width - 1;
    narrow[i] = static_cast<float>(gradient[i] + (is_constant ? 0.0 : l2 * weights_[i]));
  }
  ++n_steps_;
  adam(weights_.size(), narrow.data(),
       {static_cast<float>(rate), 1 - std::pow(kFirstDecay, static_cast<float>(n_steps_)),
        1 - std::pow(kSecondDecay, static_cast<float>(n_steps_))},
       first_moment_.data(), second_moment_.data(), weights_.data());
}

PackedSplit SoftNode::fold(const Table& table) const {
  const Vector weights(weights_.begin(), weights_.end());
  return kind_ == SplitKind::machine
             ? fold_machine(own_, own_.all_variables(), weights, table.n_values)
             : fold_linear(own_, own_.all_variables(), weights, table.n_values);
}

}  // namespace miter
