// Linear combinations of a node's scaled variables, written as splits in the user's units.
//
// weights: one row an output, with a place for each variable in use (ascending positions) and the
// constant. n_values: of every column of the table.
#pragma once

#include <cstdint>
#include <vector>

#include "encode.hpp"
#include "lbfgs.hpp"
#include "packed.hpp"

namespace miter {

// The weights of some variables, and which they are.
struct UsedWeights {
  std::vector<int> used;
  Vector weights;
};
// Of weights of all variables, those of the columns that have a marked variable: the values of a
// symbol are folded together, those without a weight too.
UsedWeights weights_in_use(const EncodedNode& node, const std::vector<std::uint8_t>& is_marked,
                           const Vector& weights);

// A discriminant for each class of the node.
PackedSplit fold_machine(const EncodedNode& node, const std::vector<int>& used,
                         const Vector& weights, const std::vector<std::int32_t>& n_values);

// One combination, which is above 0 in the second branch.
PackedSplit fold_linear(const EncodedNode& node, const std::vector<int>& used,
                        const Vector& weights, const std::vector<std::int32_t>& n_values);

// The same of a few variables: what is yes or no adds its weight, or nothing.
PackedSplit fold_few(const EncodedNode& node, const std::vector<int>& used, const Vector& weights,
                     const std::vector<std::int32_t>& n_values);

// Hidden sigmoids of all variables; their weights and the constant of the output come last.
PackedSplit fold_network(const EncodedNode& node, int n_hidden, const Vector& weights,
                         const std::vector<std::int32_t>& n_values);

}  // namespace miter
