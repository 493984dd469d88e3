// Cutting a short list of value groups: into intervals by description length, into two sets of
// symbols.
#pragma once

#include <cstdint>
#include <vector>

namespace miter {

// The values of one column at one node, ascending by code, with their class counts.
struct Groups {
  int n_classes = 0;
  std::vector<std::uint32_t> codes;
  std::vector<double> counts;  // groups x classes

  std::size_t size() const { return codes.size(); }
  const double* of(std::size_t group) const { return counts.data() + group * n_classes; }
};

// Fayyad and Irani 1993: cuts recursively where the gain of information pays for its description.
// Returns ascending positions: a cut at p puts groups below p to its left.
std::vector<std::size_t> cut_by_description_length(const Groups& groups);

// Two sets of groups with the least impurity, as a branch (0 or 1) for every group. Exact for two
// classes and for up to 10 groups; else the groups are ordered along the first principal component
// of their class proportions (Coppersmith, Hong and Hosking 1999) and cut there.
std::vector<std::int32_t> divide_in_two(const Groups& groups, bool gini, double min_leaf);

}  // namespace miter
