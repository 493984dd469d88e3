// The open nodes of one level of a tree, or of many trees.
#pragma once

#include <cstddef>
#include <cstdint>

namespace miter {

// Node i owns the entries start[i] to start[i + 1]. A row may stand in several nodes, each time
// with a part of its weight. No weights: every entry counts 1.
struct Level {
  const std::int32_t* rows;
  const double* weights;
  const std::int64_t* start;
  const double* counts;  // n_nodes x n_classes
  std::size_t n_nodes;
  const std::uint8_t* allowed = nullptr;  // n_nodes x n_columns; null: every column may be tested
  std::uint64_t seed = 0;
  int n_threads = 1;

  std::int64_t size(std::size_t node) const { return start[node + 1] - start[node]; }
  std::int64_t n_entries() const { return start[n_nodes]; }
  double weight(std::int64_t entry) const { return weights ? weights[entry] : 1.0; }
};

}  // namespace miter
