// One direction of most structure for every open node of a level: independent component analysis
// with a single unit.
//
// Pajunen and Girolami 1999: the rows of a node are whitened, and a direction w is found along
// which they look like two components, by the EM step w <- mean(tanh(w.x) x) of length 1. What is
// stored is a linear split whose sum, less the threshold, is the log odds of the upper component.
#pragma once

#include <cstdint>
#include <vector>

#include "level.hpp"
#include "packed.hpp"
#include "table.hpp"

namespace miter {

// How a direction is improved: by EM that also learns how large and how far apart the components
// are, by EM with both as published, or by the gradient of the same likelihood.
enum class IcaRule { mixture, em, gradient };
// Where it is cut: where the fewest rows are, where both components are as likely, or at the mean.
enum class IcaCut { valley, posterior, zero };

constexpr int kMostDirections = 64;  // principal ones that are searched

struct IcaOptions {
  IcaRule rule = IcaRule::mixture;
  IcaCut cut = IcaCut::valley;
  // What the log-likelihood must gain over one Gaussian, by the number of principal directions
  // searched, from 1 on; none: the description length of the two components.
  std::vector<double> must_gain;
  bool stop = true;        // whether the gain decides at all
  double max_density = 1;  // at the cut, as a part of the lower of the two peaks beside it
  int n_init = 8;          // principal directions to start from
  std::int64_t max_rows = 10000;
  double min_leaf = 1;  // weight that each side must have, among the rows looked at
  int n_labels = 0;     // classes below this are labels that count too; others are none
  double emphasis = 1;  // of labels
};

std::vector<PackedSplit> find_ica_splits(const Table& table, const Level& level,
                                         const IcaOptions& options);

}  // namespace miter
