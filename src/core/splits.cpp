#include "splits.hpp"

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

namespace miter {

void refuse_node(std::size_t i, const std::string& why) {
  throw std::invalid_argument("node " + std::to_string(i) + ": " + why);
}

namespace {

void check_slices(const std::vector<std::int64_t>& start, std::size_t n_splits, std::size_t n,
                  const char* what) {
  const bool good = start.size() == n_splits + 1 && start.front() == 0 &&
                    start.back() == static_cast<std::int64_t>(n) &&
                    std::is_sorted(start.begin(), start.end());
  if (!good) throw std::invalid_argument(std::string("the slices of ") + what + " do not fit");
}

void check_branch(std::size_t i, std::int32_t branch, std::int32_t least, std::int32_t n_branches) {
  if (branch < least || branch >= n_branches) refuse_node(i, "no branch " + std::to_string(branch));
}

}  // namespace

Splits::Splits(PackedSplits packed, std::vector<std::int32_t> n_values)
    : packed_(std::move(packed)), n_values_(std::move(n_values)) {
  check_slices(packed_.int_start, size(), packed_.ints.size(), "whole numbers");
  check_slices(packed_.real_start, size(), packed_.reals.size(), "real numbers");
  if (packed_.n_branches.size() != size()) {
    throw std::invalid_argument("every split needs its number of branches");
  }
  bool any_machine = false;
  for (std::size_t i = 0; i < size(); ++i) {
    check(i);
    any_machine |= kind(i) == SplitKind::machine;
  }
  if (!any_machine) return;
  fast_.resize(size());
  for (std::size_t i = 0; i < size(); ++i) {
    if (kind(i) == SplitKind::machine) fast_[i] = FastMachine(ints(i), reals(i));
  }
}

void Splits::check(std::size_t i) const {
  const std::int32_t* own = ints(i);
  const std::int64_t n_ints = ints(i + 1) - own, n_reals = reals(i + 1) - reals(i);
  const std::int32_t n = n_branches(i);
  if (!std::all_of(reals(i), reals(i + 1), [](double real) { return std::isfinite(real); })) {
    refuse_node(i, "a number is not finite");
  }
  switch (kind(i)) {
    case SplitKind::leaf:
      if (n != 0 || n_ints + n_reals != 0) refuse_node(i, "a leaf has no branches");
      return;
    case SplitKind::threshold:
      if (n_ints != 2 || n_reals < 1) refuse_node(i, "a threshold needs a column and a cut");
      if (n != n_reals + 1) refuse_node(i, "cuts and branches differ in number");
      check_column(i, own[0], false);
      check_branch(i, own[1], kShareOut, n);
      if (!std::is_sorted(reals(i), reals(i + 1), std::less_equal<>())) {
        refuse_node(i, "cuts must ascend");
      }
      return;
    case SplitKind::category:
      if (n_ints < 3 || n_ints % 2 == 0 || n_reals != 0) {
        refuse_node(i, "a category needs a column and its values");
      }
      check_category(i);
      return;
    case SplitKind::linear:
      if (n != 2) refuse_node(i, "a linear split has two branches");
      if (n_ints < 3 || n_ints != 1 + 2 * std::int64_t{own[0]}) {
        refuse_node(i, "a linear split needs its terms");
      }
      check_terms(i, 1, own[0], own + 1, 1);
      return;
    case SplitKind::machine:
      if (n_ints < 2 || own[0] < 2 || own[1] < 1 ||
          n_ints != 2 + std::int64_t{own[0]} + 2 * std::int64_t{own[1]}) {
        refuse_node(i, "a machine needs two outputs and its terms");
      }
      if (n != own[0]) refuse_node(i, "outputs and branches differ in number");
      for (std::int32_t k = 0; k < own[0]; ++k) {
        if (own[2 + k] < 0) refuse_node(i, "no class " + std::to_string(own[2 + k]));
      }
      check_terms(i, own[0], own[1], own + 2 + own[0], own[0]);
      return;
    case SplitKind::network:
      if (n != 2) refuse_node(i, "a network has two branches");
      if (n_ints < 2 || own[0] < 1 || own[1] < 1 || n_ints != 2 + 2 * std::int64_t{own[1]}) {
        refuse_node(i, "a network needs a hidden unit and its terms");
      }
      check_terms(i, own[0], own[1], own + 2, 2 * std::int64_t{own[0]} + 1);
      return;
  }
  refuse_node(i, "unknown kind of split " + std::to_string(packed_.kind[i]));
}

void Splits::check_category(std::size_t i) const {
  const std::int32_t *own = ints(i), *end = ints(i + 1);
  check_column(i, own[0], true);
  check_branch(i, own[1], kShareOut, n_branches(i));
  if (own[2] != n_values_[own[0]]) refuse_node(i, "a value has no branch");
  std::int32_t previous = -1;
  for (const std::int32_t* pair = own + 3; pair != end; pair += 2) {
    if (pair[0] <= previous || pair[0] >= own[2]) refuse_node(i, "values must ascend");
    check_branch(i, pair[1], 0, n_branches(i));
    previous = pair[0];
  }
}

void Splits::check_column(std::size_t i, std::int32_t column, bool symbolic) const {
  const auto n_columns = static_cast<std::int32_t>(n_values_.size());
  if (column < 0 || column >= n_columns) refuse_node(i, "no column " + std::to_string(column));
  if ((n_values_[column] > 0) != symbolic) refuse_node(i, "the column is of another kind");
}

void Splits::check_terms(std::size_t i, std::int64_t n_outputs, std::int32_t n_terms,
                         const std::int32_t* terms, std::int64_t n_others) const {
  std::int64_t n_reals = n_others;
  for (std::int32_t term = 0; term < n_terms; ++term) {
    const std::int32_t column = terms[2 * term], n_values = terms[2 * term + 1];
    check_column(i, column, n_values > 0);
    const bool is_number = n_values == kBent || n_values == kCondition;
    if (!is_number && n_values != n_values_[column]) refuse_node(i, "a value has no weight");
    n_reals += n_reals_of_term(n_values, n_outputs);
  }
  if (reals(i + 1) - reals(i) != n_reals) refuse_node(i, "terms and weights differ in number");
}

}  // namespace miter
