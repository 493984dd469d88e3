// A unit that tells two groups of rows apart: the sigmoid of a linear combination of the variables
// (a perceptron), or of hidden units, which are tanh of such combinations (a network).
//
// Weights of a perceptron: one for each variable, then the constant. Of a network: such a row for
// each hidden unit, then a weight for each hidden unit, then the constant.
#pragma once

#include <cstdint>
#include <vector>

#include "blocks.hpp"
#include "lbfgs.hpp"
#include "random.hpp"

namespace miter {

// How many weights a unit has.
std::size_t n_weights(int n_variables, int n_hidden);

// The logistic loss of a unit on rows, as a function of its weights. l2 / 2 times the squared
// weights is added; constants are free.
class UnitLoss {
 public:
  // target (1 or 0 for every row, as long as the rows' weights) must outlive the loss.
  UnitLoss(const BlockedRows& rows, const std::vector<float>& target, int n_hidden);
  double operator()(const Vector& weights, Vector& gradient);
  // The linear output for every row, also for those that fill up the last block.
  const std::vector<float>& outputs(const Vector& weights);

  double l2 = 1;

 private:
  void score(std::int64_t block, float* out);

  const BlockedRows& rows_;
  const std::vector<float>& target_;
  int n_hidden_;
  std::vector<int> variables_;
  Outputs shape_;
  std::vector<float> narrow_, scores_, pull_, sums_, outputs_;
};

// The mean logistic loss of a perceptron on rows that it would not have been trained on, were each
// left out in turn: one Newton step from the trained weights (Rad and Maleki 2020).
double leave_one_out(const BlockedRows& rows, const std::vector<float>& target,
                     const Vector& weights, double l2);

// Stochastic gradient descent on the squared error of sigmoid units.
struct GradientOptions {
  double rate = 0.1;
  int epochs = 10;
};
void descend(const BlockedRows& rows, const std::vector<float>& target, int n_hidden,
             const GradientOptions& options, Random& random, Vector& weights);

// Between hidden units that are tanh, as in training, and sigmoids, as they are stored.
void to_sigmoids(int n_variables, int n_hidden, Vector& weights);
void from_sigmoids(int n_variables, int n_hidden, Vector& weights);

}  // namespace miter
