// Rows on their way through a soft tree, down and back: the gradient of its loss.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "soft_node.hpp"
#include "splits.hpp"
#include "table.hpp"

namespace miter {

// A tree whose weights are being trained.
struct SoftTree {
  const Table& table;
  const Splits& splits;
  std::vector<std::int32_t> first_child{}, parent{};  // of each node; -1: none
  std::vector<std::int32_t> soft_place{};             // of each node among the soft ones; -1: hard
  std::vector<SoftNode> soft{};
  std::vector<double> share{};           // of its parent's rows that each node got
  std::vector<float> by_class{};         // probabilities, classes x nodes
  std::vector<double> weight{}, pull{};  // of each row: how often it counts, and in the loss

  bool is_leaf(std::int32_t node) const { return first_child[node] < 0; }
  float probability(std::int32_t label, std::int32_t node) const {
    return by_class[label * splits.size() + node];
  }
};

// Some rows of a batch, which one thread takes through the tree.
class SoftRows {
 public:
  // The rows that come to a node, with what is needed on the way back.
  struct Visit {
    std::vector<std::int32_t> rows;  // places among the rows, ascending
    std::vector<float> reach;        // the probability to come here
    std::vector<float> value;        // the probability of a row's class, once it is here
    // Of soft nodes, block by block: inputs, probabilities of the branches, what each is worth.
    std::vector<float> inputs, branch, worth;
    Vector gradient;
  };
  // A part of a row in a leaf.
  struct Ended {
    std::int32_t node, label;
    double weight;
  };

  // Goes down and comes back with the loss, gradients, and what ended where.
  void run(const SoftTree& tree, const std::int32_t* numbers, std::int64_t n_rows);

  std::vector<Visit> visits;  // of each node
  std::vector<Ended> ended;
  double loss = 0;

 private:
  void enter(std::int32_t node, std::int32_t row, float reach);
  void go_down(std::int32_t node);
  void go_down_soft(std::int32_t node, const SoftNode& soft);
  void come_back(std::int32_t node);
  void come_back_soft(std::int32_t node);
  void end_rows(std::int32_t node);
  void pull(std::int32_t node, const SoftNode& soft);
  void end(std::int32_t leaf, std::int32_t row, float part);
  // The probability of a row's class at a child: of what is below it, or its own.
  float worth_of(std::int32_t child, std::int32_t row, float reach, std::size_t& next) const;
  // Calls visit(child, part of the row) for every branch that a row takes at a hard node.
  template <class Body>
  void for_branches(std::int32_t node, std::int32_t row, Body&& visit) const;
  std::int32_t label(std::int32_t row) const { return tree_->table.y[numbers_[row]]; }

  const SoftTree* tree_ = nullptr;
  const std::int32_t* numbers_ = nullptr;  // of the rows in the table
  std::vector<float> sums_, probability_;
};

}  // namespace miter
