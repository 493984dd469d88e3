// Logistic regression on a few of a node's variables, by Newton's method.
#pragma once

#include <vector>

#include "blocks.hpp"

namespace miter {

constexpr int kMostInUse = 32;  // variables

// Weights of a few variables. The loss has l2 / 2 times the squared weights in it.
struct FewWeights {
  std::vector<int> used;
  std::vector<double> weights;  // the constant last
  std::vector<double> spread;   // of each weight but the constant: its variance
  double loss = 0;
};

// Trains from the weights that it is given, one for each variable in use and the constant.
// pull, as long as the rows' weights, is left with what every row pulls its output by. A few steps
// are enough to compare variables.
void train_few(const BlockedRows& rows, const std::vector<float>& target, double l2,
               FewWeights& few, std::vector<float>& pull, int most_steps = 12);

}  // namespace miter
