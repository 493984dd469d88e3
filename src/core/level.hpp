// The open nodes of one level of a tree, or of many trees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "interrupt.hpp"

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

  // Calls body(entry) for every entry of a node.
  template <class Body>
  void for_entries(std::size_t node, Body&& body) const {
    for_rows(size(node), [&](std::int64_t k) { body(start[node] + k); });
  }

  // Runs of whole nodes, from first to before last, of about so many entries: fewer are not worth a
  // thread.
  struct Run {
    std::size_t first, last;
  };
  std::vector<Run> runs(std::int64_t n_entries) const {
    std::vector<Run> result;
    for (std::size_t first = 0, last; first < n_nodes; first = last) {
      last = first + 1;
      while (last < n_nodes && start[last + 1] - start[first] <= n_entries) ++last;
      result.push_back({first, last});
    }
    return result;
  }
};

}  // namespace miter
