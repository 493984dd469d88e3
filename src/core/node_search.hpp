// The best test of one column for the rows of one node.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "codes.hpp"
#include "column_values.hpp"
#include "groups.hpp"
#include "impurity.hpp"
#include "interrupt.hpp"
#include "packed.hpp"
#include "univariate.hpp"

namespace miter {

// Scores nearer than this are equal; the earlier column then wins, whatever the rounding.
constexpr double kTie = 1e-12;

// What a test of one column at one node is worth.
struct Candidate {
  bool possible = false;
  double gain = 0;        // bits (or Gini) per row
  double split_info = 0;  // bits
  int n_branches = 2;
  std::uint32_t last_left_code = 0;  // of a threshold
};

// One thread's search at one node at a time. Count is int32 for unweighted rows, else double.
class NodeSearch {
 public:
  explicit NodeSearch(const SearchTable& table) : t_(table), R_(table.rows.n_classes) {}

  template <class Count>
  Candidate evaluate(const Node& node, int c, Scratch<Count>& scratch) const {
    if (t_.options.criterion == Criterion::gini) return evaluate(node, c, scratch, Gini());
    return evaluate(node, c, scratch, Entropy(t_.x_log_x));
  }

  double score(const Candidate& candidate, int c) const {
    const double gain = candidate.gain;
    const double cost = t_.options.column_costs[c];
    switch (t_.options.criterion) {
      case Criterion::normalised_gain: {
        const int n_values = t_.rows.n_values[c] > 0 ? t_.rows.n_values[c] : candidate.n_branches;
        return gain / std::log2(std::max(2, n_values));
      }
      case Criterion::gain_ratio:
        return candidate.split_info > 0 ? gain / candidate.split_info : 0.0;
      case Criterion::tan_schlimmer:
        return gain * gain / cost;
      case Criterion::nunez:
        return (std::exp2(gain) - 1) / std::pow(cost + 1, t_.options.cost_weight);
      default:
        return gain;
    }
  }

  // The column of the best candidate, or -1. As in C4.5, a gain ratio must come with at least the
  // average gain: without that, cutting off a single row looks best.
  int choose(const std::vector<Candidate>& candidates) const {
    double least_gain = -kTie;
    if (t_.options.criterion == Criterion::gain_ratio) {
      double sum = 0;
      int n = 0;
      for (const Candidate& candidate : candidates) {
        if (!candidate.possible) continue;
        sum += candidate.gain;
        ++n;
      }
      if (n > 0) least_gain = std::max(least_gain, sum / n - kTie);
    }
    int best = -1;
    double best_score = 0;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      if (!candidates[c].possible || candidates[c].gain < least_gain) continue;
      const double value = score(candidates[c], static_cast<int>(c));
      if (best < 0 || value > best_score + kTie) {
        best = static_cast<int>(c);
        best_score = value;
      }
    }
    return best;
  }

  // The split itself: values in the user's units, and where missing values go.
  template <class Count>
  FoundSplit finish(const Node& node, int c, const Candidate& candidate,
                    Scratch<Count>& scratch) const {
    FoundSplit found;
    found.split.ints = {c, kShareOut};
    if (t_.rows.n_values[c] > 0) {
      finish_symbols(node, c, scratch, found);
    } else if (t_.options.intervals) {
      const Groups groups = gather_groups(node, c, scratch);
      std::vector<std::uint32_t> last_left;
      for (const std::size_t cut : cut_by_description_length(groups)) {
        last_left.push_back(groups.codes[cut - 1]);
      }
      finish_cuts(node, c, last_left, scratch, found);
    } else {
      finish_cuts(node, c, {candidate.last_left_code}, scratch, found);
    }
    return found;
  }

 private:
  template <class Count, class Measure>
  Candidate evaluate(const Node& node, int c, Scratch<Count>& scratch,
                     const Measure& measure) const {
    if (t_.rows.n_values[c] == 0 && !t_.options.intervals) {
      return with_filled_values(
          node, c, scratch, [&](auto values) { return threshold(node, values, scratch, measure); });
    }
    const Groups groups = gather_groups(node, c, scratch);
    return multiway(node, groups, divide(c, groups), measure);
  }

  // ---- missing values that count as another -----------------------------------------------------

  // Tallies a column at a node and calls body with a walk over its values; scratch.fill then says
  // what missing values count as.
  template <class Count, class Body>
  auto with_filled_values(const Node& node, int c, Scratch<Count>& scratch, Body&& body) const {
    return with_values(node, t_.columns[c], R_, scratch, [&](auto values) {
      scratch.fill.clear();
      if (fills() && any_missing(scratch)) most_common(c, values, scratch);
      return body(values);
    });
  }

  template <class Count>
  bool any_missing(const Scratch<Count>& scratch) const {
    return std::any_of(scratch.missing.begin(), scratch.missing.end(),
                       [](Count n) { return n > 0; });
  }

  bool fills() const { return t_.options.missing != Missing::fractions; }

  // The most common value of the node, and of each class there: the mode of symbols, the median of
  // numbers (which lies on the larger side of any threshold).
  template <class Count, class Values>
  void most_common(int c, Values values, Scratch<Count>& scratch) const {
    const bool symbols = t_.rows.n_values[c] > 0;
    std::vector<Count> known = known_counts(values);
    std::vector<Count> passed(R_, 0), ignore(R_, 0), before(R_, 0);
    std::vector<double> most(R_ + 1, 0);
    std::vector<std::uint32_t> code_of(R_ + 1, 0);
    std::vector<bool> done(R_ + 1, false);
    const double all_known = std::accumulate(known.begin(), known.end(), 0.0);
    while (values.more()) {
      before = passed;
      const std::uint32_t code = values.next(passed.data(), ignore.data());
      double all_here = 0, all_passed = 0;
      for (int k = 0; k <= R_; ++k) {
        const double here = k < R_ ? passed[k] - before[k] : all_here;
        const double up_to = k < R_ ? static_cast<double>(passed[k]) : all_passed;
        const double of = k < R_ ? static_cast<double>(known[k]) : all_known;
        if (symbols ? here > most[k] : !done[k] && here > 0 && up_to >= of / 2) {
          most[k] = here;
          code_of[k] = code;
          done[k] = true;
        }
        all_here += here;
        all_passed += up_to;
      }
    }
    const bool by_class = t_.options.missing == Missing::in_class;
    scratch.fill.resize(R_ + 1);
    for (int k = 0; k <= R_; ++k) scratch.fill[k] = by_class && done[k] ? code_of[k] : code_of[R_];
  }

  template <class Values>
  auto known_counts(Values values) const {
    using Count = typename Values::count_type;
    std::vector<Count> known(R_, 0), ignore(R_, 0);
    while (values.more()) values.next(known.data(), ignore.data());
    return known;
  }

  // ---- one threshold --------------------------------------------------------------------------

  template <class Count, class Values, class Measure>
  Candidate threshold(const Node& node, Values values, Scratch<Count>& scratch,
                      const Measure& measure) const {
    const bool filled = !scratch.fill.empty();
    scratch.left.assign(R_, 0);
    scratch.right.resize(R_);
    double all = 0;
    for (int k = 0; k < R_; ++k) {
      all += node.counts[k];
      scratch.right[k] = static_cast<Count>(node.counts[k]) - (filled ? 0 : scratch.missing[k]);
    }
    Count* left = scratch.left.data();
    Count* right = scratch.right.data();
    Candidate best;
    Count used = std::accumulate(right, right + R_, Count{0});
    const double mixed_before = measure.mixed(right, R_, used);
    double least = std::numeric_limits<double>::infinity();
    double best_left = 0;
    const double min_leaf = t_.options.min_leaf;
    std::int64_t n_steps = 0;
    while (values.more()) {
      const std::uint32_t code = values.next(left, right);
      if ((n_steps += R_) >= kPatience) {
        n_steps = 0;
        Interrupt::check();
      }
      if (filled) move_filled(code, scratch);
      if (!values.more()) break;
      Count n_left = 0, n_right = 0;
      for (int k = 0; k < R_; ++k) {
        n_left += left[k];
        n_right += right[k];
      }
      if (n_left < min_leaf || n_right < min_leaf) continue;
      const double rest = measure.mixed(left, R_, n_left) + measure.mixed(right, R_, n_right);
      if (rest < least) {
        least = rest;
        best.last_left_code = code;
        best.possible = true;
        best_left = n_left;
      }
    }
    if (!best.possible) return best;
    const double n = used;
    best.gain = (mixed_before - least) / n * (n / all);
    best.split_info = split_info({best_left, n - best_left}, all);
    return best;
  }

  template <class Count>
  void move_filled(std::uint32_t code, Scratch<Count>& scratch) const {
    for (int k = 0; k < R_; ++k) {
      if (scratch.fill[k] != code) continue;
      scratch.left[k] += scratch.missing[k];
      scratch.right[k] -= scratch.missing[k];
    }
  }

  // Entropy of the branch sizes; rows without a value are a branch of their own, as in C4.5.
  static double split_info(const std::vector<double>& branches, double all) {
    double known = 0, bits = 0;
    auto add = [&](double n) {
      if (n > 1e-9 * all) bits -= x_log_x(n / all);
    };
    for (const double n : branches) {
      add(n);
      known += n;
    }
    add(all - known);
    return bits;
  }

  // ---- many branches --------------------------------------------------------------------------

  template <class Count>
  Groups gather_groups(const Node& node, int c, Scratch<Count>& scratch) const {
    return with_filled_values(node, c, scratch, [&](auto values) {
      Groups groups;
      groups.n_classes = R_;
      std::vector<Count> ignore(R_, 0), counts(R_);
      while (values.more()) {
        std::fill(counts.begin(), counts.end(), Count{0});
        const std::uint32_t code = values.next(counts.data(), ignore.data());
        if (!scratch.fill.empty()) {
          for (int k = 0; k < R_; ++k) {
            if (scratch.fill[k] == code) counts[k] += scratch.missing[k];
          }
        }
        groups.codes.push_back(code);
        groups.counts.insert(groups.counts.end(), counts.begin(), counts.end());
      }
      return groups;
    });
  }

  // The branch of every group.
  std::vector<std::int32_t> divide(int c, const Groups& groups) const {
    std::vector<std::int32_t> branch(groups.size(), 0);
    if (t_.rows.n_values[c] == 0) {
      const std::vector<std::size_t> cuts = cut_by_description_length(groups);
      for (std::size_t g = 0; g < groups.size(); ++g) {
        branch[g] =
            static_cast<std::int32_t>(std::upper_bound(cuts.begin(), cuts.end(), g) - cuts.begin());
      }
    } else if (t_.options.groups && groups.size() > 1) {
      const bool gini = t_.options.criterion == Criterion::gini;
      branch = divide_in_two(groups, gini, t_.options.min_leaf);
    } else {
      std::iota(branch.begin(), branch.end(), 0);
    }
    return branch;
  }

  template <class Measure>
  Candidate multiway(const Node& node, const Groups& groups,
                     const std::vector<std::int32_t>& branch, const Measure& measure) const {
    Candidate candidate;
    if (groups.size() < 2) return candidate;
    candidate.n_branches = *std::max_element(branch.begin(), branch.end()) + 1;
    std::vector<double> counts(static_cast<std::size_t>(candidate.n_branches) * R_, 0.0);
    std::vector<double> sizes(candidate.n_branches, 0.0), all_counts(R_, 0.0);
    double used = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (int k = 0; k < R_; ++k) {
        const double n = groups.of(g)[k];
        counts[branch[g] * R_ + k] += n;
        all_counts[k] += n;
        sizes[branch[g]] += n;
        used += n;
      }
    }
    double rest = 0;
    int n_large = 0;
    for (int b = 0; b < candidate.n_branches; ++b) {
      rest += measure.mixed(&counts[static_cast<std::size_t>(b) * R_], R_, sizes[b]);
      n_large += sizes[b] >= t_.options.min_leaf;
    }
    candidate.possible = n_large >= 2;
    const double all = std::accumulate(node.counts, node.counts + R_, 0.0);
    candidate.gain = (measure.mixed(all_counts.data(), R_, used) - rest) / all;
    candidate.split_info = split_info(sizes, all);
    return candidate;
  }

  // ---- the finished split ---------------------------------------------------------------------

  template <class Count>
  void finish_symbols(const Node& node, int c, Scratch<Count>& scratch, FoundSplit& found) const {
    const Groups groups = gather_groups(node, c, scratch);
    const std::vector<std::int32_t> branch = divide(c, groups);
    found.split.kind = SplitKind::category;
    found.split.n_branches = *std::max_element(branch.begin(), branch.end()) + 1;
    found.split.ints.push_back(t_.rows.n_values[c]);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      found.split.ints.insert(found.split.ints.end(),
                              {static_cast<std::int32_t>(groups.codes[g]), branch[g]});
    }
    finish_missing(node, c, scratch, found, [&](std::uint32_t code) {
      return branch[std::lower_bound(groups.codes.begin(), groups.codes.end(), code) -
                    groups.codes.begin()];
    });
  }

  template <class Count>
  void finish_cuts(const Node& node, int c, const std::vector<std::uint32_t>& last_left,
                   Scratch<Count>& scratch, FoundSplit& found) const {
    auto branch_of = [&](std::uint32_t code) {
      return static_cast<std::int32_t>(std::lower_bound(last_left.begin(), last_left.end(), code) -
                                       last_left.begin());
    };
    // The node's own values on both sides of each cut.
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    std::vector<double> highest(last_left.size() + 1, -kInfinity),
        lowest(last_left.size() + 1, kInfinity);
    const CodedColumn& column = t_.columns[c];
    column.visit([&](const auto* codes) {
      for_rows(static_cast<std::int64_t>(node.size), [&](std::int64_t i) {
        const std::uint32_t code = codes[node.rows[i]];
        if (code == column.n_codes) return;
        const double value = t_.rows.X.at(node.rows[i], c);
        const std::int32_t b = branch_of(code);
        highest[b] = std::max(highest[b], value);
        lowest[b] = std::min(lowest[b], value);
      });
    });
    for (std::size_t i = 0; i < last_left.size(); ++i) {
      found.split.reals.push_back(midpoint(highest[i], lowest[i + 1]));
    }
    found.split.kind = SplitKind::threshold;
    found.split.n_branches = static_cast<std::int32_t>(last_left.size()) + 1;
    finish_missing(node, c, scratch, found, branch_of);
  }

  template <class Count, class BranchOf>
  void finish_missing(const Node& node, int c, Scratch<Count>& scratch, FoundSplit& found,
                      BranchOf&& branch_of) const {
    if (!fills()) return;
    with_filled_values(node, c, scratch, [&](auto values) {
      most_common(c, values, scratch);
      return 0;
    });
    found.split.ints[1] = branch_of(scratch.fill[R_]);
    if (t_.options.missing != Missing::in_class) return;
    for (int k = 0; k < R_; ++k) found.missing_of_class.push_back(branch_of(scratch.fill[k]));
  }

  const SearchTable& t_;
  int R_;
};

}  // namespace miter
