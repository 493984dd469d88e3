// Ways to divide the classes of a node in two.
#pragma once

#include <cstdint>
#include <vector>

#include "encode.hpp"

namespace miter {

// For each class of a node, whether it is in the second group. The first class is in the first.
using Grouping = std::vector<std::uint8_t>;

Grouping normalised(Grouping grouping);
// Whether both groups have a class.
bool divides(const Grouping& grouping);

// Each of the largest classes against the rest; and of the variables whose class means lie furthest
// apart, the classes on one side of a cut and those on the other.
std::vector<Grouping> propose_groupings(const EncodedNode& node);

}  // namespace miter
