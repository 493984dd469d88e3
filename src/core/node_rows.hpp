// The rows that a node trains on, and parts of them for cross-validation at the node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "level.hpp"
#include "matrix.hpp"

namespace miter {

struct NodeRows {
  std::vector<std::int32_t> rows;
  std::vector<double> weights;
  std::vector<std::int64_t> entries;  // their places in the level
  std::vector<std::uint64_t> hashes;  // equal for equal rows; filled where they are needed
};

// Takes the rows of a node; of many a sample, every so-and-so-many-th.
void take_rows(const Level& level, std::size_t node, std::int64_t max_rows, NodeRows& to);

// Takes out rows that do not count.
void drop_weightless(NodeRows& node);

// The columns that a node may test.
std::vector<std::int32_t> columns_of(const Level& level, std::size_t node, std::size_t n_columns);

void hash_rows(const Matrix& X, std::uint64_t seed, NodeRows& node);

// The fold of each row; every class goes round all folds. Equal rows are of one fold, so that a row
// counts the same whether it is there twice or has the weight 2.
std::vector<int> draw_folds(const NodeRows& node, const std::vector<std::int32_t>& y, int folds);

}  // namespace miter
