// Rows move to their branches: one step of growing a tree.
#pragma once

#include <cstdint>
#include <vector>

#include "level.hpp"
#include "splits.hpp"
#include "table.hpp"

namespace miter {

// About this many entries are one item of work.
constexpr std::int64_t kRunEntries = 1 << 15;

// Where the rows of a level go. Branches of all nodes are numbered through: those of node i are
// first_branch[i] to first_branch[i + 1].
struct Routing {
  int n_classes;
  std::vector<std::int32_t> branch;  // of every entry within its node; kShareOut, kStay
  std::vector<std::int64_t> first_branch;
  std::vector<double> share;   // of every branch in the known weight of its node
  std::vector<double> counts;  // branches x classes
  std::vector<double> losses;  // branches x classes: what each class costs as the answer
  bool some_stay = false;      // whether rows with kStay end at their node, or are shared out too
};

// The branch of every entry at the splits of a level; entries of leaves are left as they are.
void find_branches(const Table& table, const Level& level, const Splits& splits,
                   const std::int32_t* missing_of_class, std::int32_t* branch);

// missing_of_class (n_nodes x n_classes) overrides the branch of missing values; may be null.
// Losses are summed if the table has costs.
Routing route_level(const Table& table, const Level& level, const Splits& splits,
                    const std::int32_t* missing_of_class);

// The entries of the branches that stay open, in order: the next level.
struct MovedRows {
  std::vector<std::int32_t> rows;
  std::vector<double> weights;  // empty while every entry counts 1
  std::vector<std::int64_t> start;
};

MovedRows move_rows(const Level& level, const Routing& routing, const std::uint8_t* is_open);

}  // namespace miter
