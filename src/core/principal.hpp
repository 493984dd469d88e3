// The directions in which numbers vary most.
#pragma once

#include <vector>

namespace miter {

// Directions are of unit length and at right angles to each other, the one of the largest variance
// first; direction i begins at i * n_variables.
struct Principal {
  std::vector<double> variances;
  std::vector<double> directions;
};

// The leading principal directions of a covariance matrix (n x n), at most so many. Of a larger
// matrix they are approximate: together they span nearly all that so many directions can.
Principal principal_directions(const std::vector<double>& covariance, int n, int most);

}  // namespace miter
