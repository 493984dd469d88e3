// All weights of a tree trained together.
//
// The probability of a leaf is the product of those of the branches on its path; minimised is the
// cross-entropy of the mixture of all leaves, by Adam in batches. The shape of the tree stays.
// Tests of one column and networks route as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "soft_rows.hpp"
#include "splits.hpp"
#include "table.hpp"

namespace miter {

struct TreeTrainingOptions {
  double l2 = 0.3;       // on the weights of scaled inputs; constants are free
  double smoothing = 1;  // so many rows of its parent are added to those of a leaf
  int n_batches = 1;     // of a pass
  std::uint64_t seed = 0;
  int n_threads = 1;
};

// What is known of a tree besides its splits.
struct GrownNodes {
  std::vector<double> share;        // of its parent's rows that each node got
  std::vector<double> probability;  // nodes x classes
  const std::int32_t* rows;         // that came to each node
  const std::int64_t* start;        // of the rows of each node, and at the end their number
};

// How much rows count; null: all alike.
struct RowWeights {
  const double* weight;
  const double* importance;  // times this in the loss
};

class TreeTraining {
 public:
  // The table and the splits must outlive this.
  TreeTraining(const Table& table, const Splits& splits, GrownNodes nodes,
               const RowWeights& weights, const TreeTrainingOptions& options);

  // Goes once through all rows, and returns their mean loss.
  double run_pass(double rate);
  std::vector<PackedSplit> splits() const;

 private:
  void hash_rows();
  void draw_batches();
  void finish_batch(std::size_t n_parts, double share, double rate);
  void count_leaves();

  SoftTree tree_;
  TreeTrainingOptions options_;
  std::vector<double> probability_;    // nodes x classes
  std::vector<double> counts_;         // of the rows of each class in each leaf, in this pass
  double total_ = 0, total_pull_ = 0;  // of all rows
  std::vector<std::uint64_t> hashes_;  // equal for equal rows
  std::vector<std::int32_t> order_;    // of the rows in this pass
  std::vector<std::int64_t> batch_start_;
  std::vector<SoftRows> parts_;  // of a batch
  double n_done_ = 0;            // passes, and shares of one
  std::vector<double> n_taken_;  // of each soft node, at its last step
  std::uint64_t n_passes_ = 0;
};

}  // namespace miter
