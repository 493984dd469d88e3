// Splits as plain numbers: what finders return, files hold and the router reads.
//
//   threshold  ints: column, missing branch            reals: cuts, ascending
//   category   ints: column, missing branch, n_values of the column, then ascending the values that
//              have a branch, each with it; others stay
//   linear     ints: n_terms, the terms                reals: threshold, the terms of one output
//   machine    ints: n_outputs, n_terms, the class of each output, the terms
//              reals: the constants, the terms
//   network    ints: n_hidden, n_terms, the terms
//              reals: the constants and terms of the hidden units, the weight of each hidden unit,
//              and the threshold
//
// What a term is, terms.hpp tells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace miter {

// Files hold these numbers: new kinds come last.
enum class SplitKind : std::uint8_t { leaf, threshold, category, linear, machine, network };

// Answers of a split that are not a branch.
constexpr std::int32_t kShareOut = -1;  // the value is missing: a fraction to every branch
constexpr std::int32_t kStay = -2;      // no branch fits: the row ends at this node

// The split of one node; a leaf where none was found.
struct PackedSplit {
  SplitKind kind = SplitKind::leaf;
  std::int32_t n_branches = 0;
  std::vector<std::int32_t> ints{};
  std::vector<double> reals{};
};

// The splits of many nodes: split i has its own slice of whole numbers and of real ones.
struct PackedSplits {
  std::vector<std::uint8_t> kind{};
  std::vector<std::int64_t> int_start{0};  // n + 1
  std::vector<std::int32_t> ints{};
  std::vector<std::int64_t> real_start{0};  // n + 1
  std::vector<double> reals{};
  std::vector<std::int32_t> n_branches{};

  std::size_t size() const { return kind.size(); }
  void add(const PackedSplit& split) {
    kind.push_back(static_cast<std::uint8_t>(split.kind));
    n_branches.push_back(split.n_branches);
    ints.insert(ints.end(), split.ints.begin(), split.ints.end());
    reals.insert(reals.end(), split.reals.begin(), split.reals.end());
    int_start.push_back(static_cast<std::int64_t>(ints.size()));
    real_start.push_back(static_cast<std::int64_t>(reals.size()));
  }
};

}  // namespace miter
