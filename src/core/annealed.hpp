// Training a linear machine by minimising a smooth error while far errors lose their pull.
//
// With p the probability that the machine gives a row's true class, the loss of a row is -log p,
// which is logistic regression, or the expected error 1 - p. Under the second a row's pull on the
// weights has the factor p, so that a row far on the wrong side has none: the smooth form of the
// thermal rule. Where mistakes differ in cost, the second is the expected cost, the sum over the
// classes of their probabilities times what they would cost as the answer.
#pragma once

#include <cstdint>
#include <vector>

#include "lbfgs.hpp"

namespace miter {

constexpr int kBlock = 64;  // rows

// Encoded rows, 64 at a time, variable by variable; the last block is filled up with weight 0.
struct BlockedRows {
  // Makes room for other rows; memory is kept from those before.
  void reset(std::int64_t n_rows, int n_variables);

  std::int64_t n_rows = 0, n_blocks = 0;
  int n_variables = 0;
  std::vector<float> values;    // n_blocks x n_variables x 64
  std::vector<std::int32_t> y;  // 0 to n_classes - 1
  std::vector<float> weight;
  std::vector<float> cost;  // n_blocks x n_classes x 64, of each answer; none: a mistake costs 1
  std::vector<float> emphasis;  // of each row in logistic regression, if there are costs

  float& at(std::int64_t row, int variable) {
    return values[(row / kBlock * n_variables + variable) * kBlock + row % kBlock];
  }
};

// Several linear combinations of some variables: outputs x (variables in use + 1), the constant
// last.
struct Outputs {
  int n_outputs, width;  // width: variables in use and the constant
  const int* variables;
};

// The outputs of a block of rows: n_outputs x 64.
void score_block(const float* block, const Outputs shape, const float* weights, float* scores);

// Adds to the gradient of every weight, eight sums for each, what the rows of a block pull.
void gradient_of_block(const float* block, const Outputs shape, const float* pull, float* sums);

constexpr int kBlocksInFloat = 16;  // sums of more rows than this are kept as doubles

// One part of the annealing.
struct Stage {
  bool expected_error;  // else logistic
  bool emphasise;       // logistic: rows count by what mistakes about them cost
  double temperature;   // scores are divided by it
  double l2;            // l2 / 2 times the squared weights is added to the loss
};

// A machine's loss on rows, as a function of its weights: n_classes x (variables in use + 1), the
// constant last.
class MachineLoss {
 public:
  MachineLoss(const BlockedRows& rows, int n_classes, std::vector<int> variables);
  double operator()(const Vector& weights, Vector& gradient);
  std::size_t size() const { return static_cast<std::size_t>(n_classes_) * width_; }
  // The discriminants of a block of rows: n_classes x 64.
  void scores_of(std::int64_t block, const Vector& weights, std::vector<float>& scores);

  Stage stage{false, false, 1, 1};

 private:
  const BlockedRows& rows_;
  int n_classes_, width_;
  std::vector<int> variables_;
  std::vector<float> narrow_, scores_, sums_;
};

}  // namespace miter
