// A decision node whose weights can be trained together with those of all others.
//
// A machine's branches have the probabilities softmax(outputs); a linear split's second branch has
// the logistic function of its sum. Inputs are scaled by the node's own rows, as when
// the node was trained alone: the same penalty means the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "blocks.hpp"
#include "encode.hpp"
#include "lbfgs.hpp"
#include "splits.hpp"
#include "table.hpp"

namespace miter {

class SoftNode {
 public:
  // Whether the weights of a split can be trained: machines and linear splits.
  static bool is_one(const Splits& splits, std::size_t i) {
    return splits.kind(i) == SplitKind::machine || splits.kind(i) == SplitKind::linear;
  }

  // From split i, scaled by some rows of the table: those that come to the node.
  SoftNode(const Table& table, const Splits& splits, std::size_t i, const std::int32_t* rows,
           std::int64_t n_rows, const double* weights);

  // The scaled inputs of up to 64 rows: inputs x 64.
  void encode(const Table& table, const std::int32_t* rows, std::int64_t n, float* block) const;
  // Probabilities of the branches of the rows of a block that are filled: branches x 64.
  void soften(const float* block, int n_filled, float* probability) const;
  // One step of Adam down a gradient; the penalty has its share of it.
  void step(const Vector& gradient, double l2, double rate);
  // The split with the weights as they are now.
  PackedSplit fold(const Table& table) const;

  int n_inputs() const { return static_cast<int>(own_.variables.size()); }
  int n_branches() const { return kind_ == SplitKind::machine ? n_outputs_ : 2; }
  // Pulls on the branches become those on the outputs: of two branches the first has none.
  int first_output() const { return n_branches() - n_outputs_; }
  Outputs shape() const { return {n_outputs_, n_inputs() + 1, places_.data()}; }
  std::size_t n_weights() const { return weights_.size(); }

 private:
  template <class T>
  void encode_rows(const MatrixOf<T>& X, const std::int32_t* rows, std::int64_t n,
                   float* block) const;

  EncodedNode own_;  // its variables and classes; no rows
  SplitKind kind_;
  int n_outputs_;
  std::vector<int> places_;  // 0, 1, 2, ...
  std::vector<float> weights_, first_moment_, second_moment_;
  int n_steps_ = 0;
};

}  // namespace miter
