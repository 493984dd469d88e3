// Tests of one column whose cut is drawn by lot; of a node's columns the best is taken.
//
// Geurts, Ernst and Wehenkel 2006, Extremely randomized trees: a number is cut at a place drawn
// evenly between the least and the largest of the node's rows. The values of a symbol go to two
// sides, a coin for each. No sorting, and trees that differ more from each other than those of the
// best cuts.
#pragma once

#include <vector>

#include "level.hpp"
#include "packed.hpp"
#include "table.hpp"

namespace miter {

// Both branches hold at least the weight min_leaf. A column that has one value at the node is no
// choice: where a node may test some columns only, another is drawn in its place. Missing values go
// with the larger side. Costs are not looked at.
std::vector<PackedSplit> find_random_cuts(const Table& table, const Level& level, double min_leaf);

}  // namespace miter
