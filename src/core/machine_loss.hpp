// Training a linear machine by minimising a smooth error while far errors lose their pull.
//
// With p the probability that the machine gives a row's true class, the loss of a row is -log p,
// which is logistic regression, or the expected error 1 - p. Under the second a row's pull on the
// weights has the factor p, so that a row far on the wrong side has none: the smooth form of the
// thermal rule. Where mistakes differ in cost, the second is the expected cost, the sum over the
// classes of their probabilities times what they would cost as the answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "blocks.hpp"
#include "lbfgs.hpp"

namespace miter {

// One part of the annealing.
struct Stage {
  bool expected_error;  // else logistic
  bool emphasise;       // logistic: rows count by what mistakes about them cost
  double temperature;   // scores are divided by it
  double l2;            // l2 / 2 times the squared weights is added to the loss
};

// A machine's loss on rows, as a function of its weights: discriminants x (variables in use + 1),
// the constant last. Of two classes only the difference of their discriminants counts, and where
// the penalty is least they are its halves: there is one discriminant, of the second class.
class MachineLoss {
 public:
  MachineLoss(const BlockedRows& rows, int n_classes, std::vector<int> variables);
  double operator()(const Vector& weights, Vector& gradient);
  std::size_t size() const { return static_cast<std::size_t>(n_outputs_) * width_; }
  // From a discriminant for each class to what is trained, and back.
  Vector trained_from(const Vector& of_classes) const;
  Vector of_classes(const Vector& trained) const;
  // The discriminants of a block of rows: n_classes x 64.
  void scores_of(std::int64_t block, const Vector& weights, std::vector<float>& scores);

  Stage stage{false, false, 1, 1};

 private:
  const BlockedRows& rows_;
  int n_classes_, n_outputs_, width_;
  std::vector<int> variables_;
  std::vector<float> narrow_, scores_, sums_;
};

}  // namespace miter
