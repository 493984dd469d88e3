#include "route.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "lanes.hpp"

namespace miter {
namespace {

constexpr std::int64_t block_rows = 8192;

[[noreturn]] void refuse(std::size_t i, const std::string& why) {
  throw std::invalid_argument("node " + std::to_string(i) + ": " + why);
}

// Runs body(begin, end) over blocks of rows.
template <class Body>
void over_rows(std::int64_t n_rows, int n_threads, const Interrupted& interrupted, Body&& body) {
  const std::size_t n_blocks = (n_rows + block_rows - 1) / block_rows;
  parallel_for(n_blocks, n_threads, interrupted, [&](std::size_t b, int) {
    const std::int64_t begin = static_cast<std::int64_t>(b) * block_rows;
    body(begin, std::min(n_rows, begin + block_rows));
  });
}

}  // namespace

Splits::Splits(const SplitArrays& a, const std::int32_t* n_branches,
               std::vector<std::int32_t> n_values)
    : n_values_(std::move(n_values)) {
  auto check_starts = [&](const std::int64_t* start, std::size_t n_stored, const char* what) {
    bool good = start[0] == 0 && start[a.n_splits] == static_cast<std::int64_t>(n_stored);
    for (std::size_t i = 0; good && i < a.n_splits; ++i) good = start[i] <= start[i + 1];
    if (!good) throw std::invalid_argument(std::string("the slices of ") + what + " do not fit");
  };
  check_starts(a.int_start, a.n_ints, "whole numbers");
  check_starts(a.real_start, a.n_reals, "real numbers");
  kind_.reserve(a.n_splits);
  for (std::size_t i = 0; i < a.n_splits; ++i) {
    if (a.kind[i] > static_cast<std::uint8_t>(SplitKind::machine)) {
      refuse(i, "unknown kind of split " + std::to_string(a.kind[i]));
    }
    kind_.push_back(static_cast<SplitKind>(a.kind[i]));
  }
  int_start_.assign(a.int_start, a.int_start + a.n_splits + 1);
  real_start_.assign(a.real_start, a.real_start + a.n_splits + 1);
  ints_.assign(a.ints, a.ints + a.n_ints);
  reals_.assign(a.reals, a.reals + a.n_reals);
  for (std::size_t i = 0; i < a.n_splits; ++i) check(i, n_branches[i]);
  if (std::find(kind_.begin(), kind_.end(), SplitKind::machine) == kind_.end()) return;
  for (std::size_t i = 0; i < a.n_splits; ++i) fast_.push_back(make_fast(i));
}

Splits::FastMachine Splits::make_fast(std::size_t i) const {
  FastMachine fast;
  if (kind_[i] != SplitKind::machine) return fast;
  const std::int32_t* own = ints(i);
  const std::int32_t n_outputs = own[0], n_terms = own[1];
  const std::int32_t* terms = own + 2 + n_outputs;
  fast.n_outputs = n_outputs;
  fast.n_padded = (n_outputs + 3) / 4 * 4;
  const double* real = reals(i);
  auto add_row = [&](const double* row) {
    fast.weights.insert(fast.weights.end(), row, row + n_outputs);
    fast.weights.resize(fast.weights.size() + fast.n_padded - n_outputs, 0.0);
  };
  add_row(real);
  real += n_outputs;
  bool any_bent = false;
  for (std::int32_t term = 0; term < n_terms; ++term) any_bent |= terms[2 * term + 1] == bent;
  for (std::int32_t term = 0; term < n_terms; ++term) {
    const std::int32_t column = terms[2 * term], n_values = terms[2 * term + 1];
    if (n_values > 0 || fast.columns.size() == most_inputs) return {};
    fast.columns.push_back(column);
    const bool is_bent = n_values == bent;
    if (any_bent) fast.centres.push_back(is_bent ? *real : 0.0);
    real += is_bent;
    add_row(real);
    if (is_bent) real += n_outputs;
    if (any_bent) add_row(real);
    real += 2 * std::int64_t{n_outputs};
  }
  return fast;
}

namespace {

MITER_INLINE FourDoubles four(const double* from) {
  return *reinterpret_cast<const FourDoubles*>(from);
}

// Weighted sums for 4 F outputs; row(k) is where the weights of input k are. Even and odd inputs
// have sums of their own: one chain of additions would wait for each of them.
template <int F, class Row>
MITER_INLINE void add_inputs(const double* constants, Row&& row, const double* x,
                             std::size_t n_inputs, double* out) {
  FourDoubles even[F], odd[F];
  for (int f = 0; f < F; ++f) {
    even[f] = four(constants + 4 * f);
    odd[f] = FourDoubles{};
  }
  std::size_t k = 0;
  for (; k + 2 <= n_inputs; k += 2) {
    const double *one = row(k), *two = row(k + 1);
    for (int f = 0; f < F; ++f) {
      even[f] += x[k] * four(one + 4 * f);
      odd[f] += x[k + 1] * four(two + 4 * f);
    }
  }
  if (k < n_inputs) {
    for (int f = 0; f < F; ++f) even[f] += x[k] * four(row(k) + 4 * f);
  }
  for (int f = 0; f < F; ++f) {
    *reinterpret_cast<FourDoubles*>(out + 4 * f) = even[f] + odd[f];
  }
}

// The first of the largest among n_outputs weighted sums; share_out if one is not a number.
template <class Row>
MITER_INLINE std::int32_t first_largest(const double* constants, Row&& row, const double* x,
                                        std::size_t n_inputs, std::int32_t n_outputs,
                                        std::int32_t n_padded) {
  double best = -std::numeric_limits<double>::infinity();
  std::int32_t top = 0;
  bool is_number = true;
  for (std::int32_t first = 0; first < n_padded; first += 8) {
    double sums[8];
    auto own_row = [&](std::size_t k) __attribute__((always_inline)) { return row(k) + first; };
    if (n_padded - first >= 8) {
      add_inputs<2>(constants + first, own_row, x, n_inputs, sums);
    } else {
      add_inputs<1>(constants + first, own_row, x, n_inputs, sums);
    }
    const std::int32_t n = std::min(n_outputs - first, 8);
    for (std::int32_t k = 0; k < n; ++k) {
      const bool is_larger = sums[k] > best;  // without a jump, which could not be foreseen
      top = is_larger ? first + k : top;
      best = is_larger ? sums[k] : best;
      is_number &= sums[k] == sums[k];
    }
  }
  return is_number ? top : share_out;
}

MITER_DISPATCH
std::int32_t largest_straight(const double* weights, const double* x, std::size_t n_inputs,
                              std::int32_t n_outputs, std::int32_t n_padded) {
  auto row = [&](std::size_t k)
                 __attribute__((always_inline)) { return weights + (k + 1) * n_padded; };
  return first_largest(weights, row, x, n_inputs, n_outputs, n_padded);
}

MITER_DISPATCH
std::int32_t largest_bent(const double* weights, const double* centres, double* x,
                          std::size_t n_inputs, std::int32_t n_outputs, std::int32_t n_padded) {
  for (std::size_t k = 0; k < n_inputs; ++k) x[k] -= centres[k];
  auto row = [&](std::size_t k) __attribute__((always_inline)) {
    return weights + (2 * k + 1 + !(x[k] < 0)) * n_padded;
  };
  return first_largest(weights, row, x, n_inputs, n_outputs, n_padded);
}

}  // namespace

std::int32_t Splits::largest_sum(const FastMachine& machine, double* x) {
  const double* weights = machine.weights.data();
  const std::size_t n = machine.columns.size();
  if (machine.centres.empty()) {
    return largest_straight(weights, x, n, machine.n_outputs, machine.n_padded);
  }
  return largest_bent(weights, machine.centres.data(), x, n, machine.n_outputs, machine.n_padded);
}

void Splits::check(std::size_t i, std::int32_t n_branches) const {
  const std::int32_t* own = ints(i);
  const std::int64_t n_ints = int_start_[i + 1] - int_start_[i];
  const std::int64_t n_reals = real_start_[i + 1] - real_start_[i];
  const auto n_columns = static_cast<std::int32_t>(n_values_.size());
  auto check_column = [&](std::int32_t column, bool symbolic) {
    if (column < 0 || column >= n_columns) refuse(i, "no column " + std::to_string(column));
    if ((n_values_[column] > 0) != symbolic) refuse(i, "the column is of another kind");
  };
  auto check_branch = [&](std::int32_t branch) {
    if (branch < -1 || branch >= n_branches) refuse(i, "no branch " + std::to_string(branch));
  };
  for (const double* real = reals(i); real != reals(i + 1); ++real) {
    if (!std::isfinite(*real)) refuse(i, "a number is not finite");
  }
  switch (kind_[i]) {
    case SplitKind::leaf:
      if (n_branches != 0 || n_ints + n_reals != 0) refuse(i, "a leaf has no branches");
      return;
    case SplitKind::threshold:
      if (n_ints != 2 || n_reals < 1) refuse(i, "a threshold needs a column and a cut");
      if (n_branches != n_reals + 1) refuse(i, "cuts and branches differ in number");
      check_column(own[0], false);
      check_branch(own[1]);
      if (!std::is_sorted(reals(i), reals(i + 1), std::less_equal<>())) {
        refuse(i, "cuts must ascend");
      }
      return;
    case SplitKind::category:
      if (n_ints < 3 || n_ints % 2 == 0 || n_reals != 0) {
        refuse(i, "a category needs a column and its values");
      }
      check_column(own[0], true);
      check_branch(own[1]);
      if (own[2] != n_values_[own[0]]) refuse(i, "a value has no branch");
      for (std::int64_t k = 3; k < n_ints; k += 2) {
        const std::int32_t previous = k > 3 ? own[k - 2] : -1;
        if (own[k] <= previous || own[k] >= own[2]) refuse(i, "values must ascend");
        if (own[k + 1] < 0) refuse(i, "no branch " + std::to_string(own[k + 1]));
        check_branch(own[k + 1]);
      }
      return;
    case SplitKind::linear: {
      if (n_branches != 2) refuse(i, "a linear split has two branches");
      if (n_ints < 3 || own[0] < 1 || n_ints != 1 + 2 * std::int64_t{own[0]}) {
        refuse(i, "a linear split needs its terms");
      }
      std::int64_t expected = 1;
      for (std::int32_t term = 0; term < own[0]; ++term) {
        const std::int32_t n_values = own[2 + 2 * term];
        check_column(own[1 + 2 * term], n_values != 0);
        if (n_values != n_values_[own[1 + 2 * term]]) refuse(i, "a value has no weight");
        expected += n_values == 0 ? 2 : n_values + 1;
      }
      if (n_reals != expected) refuse(i, "terms and weights differ in number");
      return;
    }
    case SplitKind::machine: {
      if (n_ints < 2 || own[0] < 2 || own[1] < 1 ||
          n_ints != 2 + std::int64_t{own[0]} + 2 * std::int64_t{own[1]}) {
        refuse(i, "a machine needs two outputs and its terms");
      }
      if (n_branches != own[0]) refuse(i, "outputs and branches differ in number");
      for (std::int32_t k = 0; k < own[0]; ++k) {
        if (own[2 + k] < 0) refuse(i, "no class " + std::to_string(own[2 + k]));
      }
      std::int64_t expected = own[0];
      const std::int32_t* terms = own + 2 + own[0];
      for (std::int32_t term = 0; term < own[1]; ++term) {
        const std::int32_t n_values = terms[2 * term + 1];
        check_column(terms[2 * term], n_values > 0);
        if (n_values != bent && n_values != n_values_[terms[2 * term]]) {
          refuse(i, "a value has no weight");
        }
        expected += n_values == bent ? 1 + 3 * std::int64_t{own[0]}
                                     : std::int64_t{own[0]} * (n_values == 0 ? 2 : n_values + 1);
      }
      if (n_reals != expected) refuse(i, "terms and weights differ in number");
      return;
    }
  }
}

Router::Router(Splits splits, std::vector<std::int32_t> first_child,
               std::vector<std::int32_t> n_branches, std::vector<double> share)
    : splits_(std::move(splits)),
      first_child_(std::move(first_child)),
      n_branches_(std::move(n_branches)),
      share_(std::move(share)) {
  // Level by level each node's children follow the children of the node before it; anything else
  // (cycles, nodes that nobody reaches, children outside) is refused here.
  std::int64_t next = 1;
  for (std::size_t i = 0; i < n_nodes(); ++i) {
    if (static_cast<std::int64_t>(i) >= next) refuse(i, "no branch leads here");
    if (n_branches_[i] == 0) continue;
    if (n_branches_[i] < 2) refuse(i, "a split needs two branches");
    if (first_child_[i] != next) refuse(i, "its children are not where they should be");
    next += n_branches_[i];
  }
  if (next != static_cast<std::int64_t>(n_nodes())) {
    throw std::invalid_argument("the tree has " + std::to_string(n_nodes()) +
                                " nodes, but branches for " + std::to_string(next));
  }
  make_steps();
}

// A leaf is a step that leads back to itself, so that rows can be walked in lockstep.
void Router::make_steps() {
  steps_.reserve(n_nodes());
  for (std::size_t i = 0; i < n_nodes(); ++i) {
    if (n_branches_[i] == 0) {
      steps_.push_back({std::numeric_limits<double>::infinity(), 0, static_cast<std::int32_t>(i)});
    } else if (splits_.kind(i) == SplitKind::threshold && splits_.n_cuts(i) == 1) {
      steps_.push_back({splits_.reals(i)[0], splits_.ints(i)[0], first_child_[i]});
    } else {
      steps_ = {};
      return;
    }
  }
}

std::int32_t Router::largest_child(std::int32_t node) const {
  const auto first = share_.begin() + first_child_[node];
  return first_child_[node] +
         static_cast<std::int32_t>(std::max_element(first, first + n_branches_[node]) - first);
}

template <bool follow_largest, class T>
std::int32_t Router::walk(const MatrixOf<T>& X, std::int64_t row) const {
  std::int32_t node = 0;
  while (n_branches_[node] > 0) {
    const std::int32_t b =
        splits_.branch(node, [&](std::int32_t column) { return X.at(row, column); });
    if (b == stay) return node;
    if (b == share_out) {
      if (!follow_largest) return -1;
      node = largest_child(node);
    } else {
      node = first_child_[node] + b;
    }
  }
  return node;
}

// Several rows take their steps in turn: while one waits for memory the others go on. A row that
// has arrived makes room for the next; lanes without a row go round the first one. A row that meets
// a missing value gets -1, to be walked alone.
template <class T>
void Router::walk_block(const MatrixOf<T>& X, std::int64_t begin, std::int64_t end,
                        std::int32_t* node) const {
  constexpr int n_lanes = 8, steps_between_looks = 8;
  const Step* steps = steps_.data();
  const std::int64_t stride = X.column_stride;
  const T* x_of[n_lanes];
  std::int64_t row_of[n_lanes];
  std::int32_t at[n_lanes];
  bool missing[n_lanes];
  std::int64_t next_row = begin;
  int n_active = 0;
  auto start = [&](int lane) {
    const bool is_left = next_row < end;
    row_of[lane] = is_left ? next_row++ : -1;
    x_of[lane] = X.data + (is_left ? row_of[lane] : begin) * X.row_stride;
    at[lane] = 0;
    missing[lane] = false;
    n_active += is_left;
  };
  for (int lane = 0; lane < n_lanes; ++lane) start(lane);
  while (n_active > 0) {
    for (int i = 0; i < steps_between_looks; ++i) {
      for (int lane = 0; lane < n_lanes; ++lane) {
        const Step& step = steps[at[lane]];
        const auto x = static_cast<double>(x_of[lane][step.column * stride]);
        missing[lane] |= x != x;
        at[lane] = step.first_child + (x > step.threshold);
      }
    }
    for (int lane = 0; lane < n_lanes; ++lane) {
      if (row_of[lane] < 0 || steps[at[lane]].first_child != at[lane]) continue;
      node[row_of[lane]] = missing[lane] ? -1 : at[lane];
      --n_active;
      start(lane);
    }
  }
}

// All rows of a block take one step after the other, node by node: the many weights of a machine
// are then read once for all its rows. A row that is shared out gets -1, to be walked alone.
template <class T>
void Router::walk_by_node(const MatrixOf<T>& X, std::int64_t begin, std::int64_t end,
                          std::int32_t* node) const {
  struct Run {
    std::int32_t node;
    std::int64_t first, last;
  };
  std::vector<std::int32_t> rows(end - begin), sorted(rows.size()), branch(rows.size());
  for (std::int64_t i = 0; i < end - begin; ++i) rows[i] = static_cast<std::int32_t>(i);
  std::vector<Run> open{{0, 0, end - begin}};
  std::vector<std::int64_t> start;
  while (!open.empty()) {
    const Run run = open.back();
    open.pop_back();
    const std::int32_t n_branches = n_branches_[run.node];
    if (n_branches == 0) {
      for (std::int64_t k = run.first; k < run.last; ++k) node[begin + rows[k]] = run.node;
      continue;
    }
    start.assign(n_branches + 1, 0);
    for (std::int64_t k = run.first; k < run.last; ++k) {
      const std::int64_t row = begin + rows[k];
      const std::int32_t b =
          splits_.branch(run.node, [&](std::int32_t column) { return X.at(row, column); });
      branch[k] = b;
      if (b >= 0) {
        ++start[b + 1];
      } else {
        node[row] = b == stay ? run.node : -1;
      }
    }
    for (std::int32_t b = 0; b < n_branches; ++b) start[b + 1] += start[b];
    for (std::int32_t b = 0; b < n_branches; ++b) {
      if (start[b] == start[b + 1]) continue;
      open.push_back({first_child_[run.node] + b, run.first + start[b], run.first + start[b + 1]});
    }
    for (std::int64_t k = run.first; k < run.last; ++k) {
      if (branch[k] >= 0) sorted[run.first + start[branch[k]]++] = rows[k];
    }
    std::copy(sorted.begin() + run.first, sorted.begin() + run.last, rows.begin() + run.first);
  }
}

// The end of every row of a block; -1 for rows that are shared out.
template <class T>
void Router::walk_together(const MatrixOf<T>& X, std::int64_t begin, std::int64_t end,
                           std::int32_t* node) const {
  if (!steps_.empty()) {
    walk_block(X, begin, end, node);
  } else {
    walk_by_node(X, begin, end, node);
  }
}

template <bool follow_largest>
void Router::walk_all(const Matrix& X, std::int32_t* node, int n_threads,
                      const Interrupted& interrupted) const {
  X.visit([&](const auto& typed) {
    over_rows(typed.n_rows, n_threads, interrupted, [&](std::int64_t begin, std::int64_t end) {
      walk_together(typed, begin, end, node);
      for (std::int64_t row = begin; row < end; ++row) {
        if (node[row] < 0) node[row] = walk<follow_largest>(typed, row);
      }
    });
  });
}

void Router::apply(const Matrix& X, std::int32_t* node, int n_threads,
                   const Interrupted& interrupted) const {
  walk_all<true>(X, node, n_threads, interrupted);
}

void Router::end_node(const Matrix& X, std::int32_t* node, int n_threads,
                      const Interrupted& interrupted) const {
  walk_all<false>(X, node, n_threads, interrupted);
}

// Calls visit(node, share, ends) for every node that a part of the row reaches.
template <class T, class Visit>
void Router::visit_parts(const MatrixOf<T>& X, std::int64_t row, std::vector<Part>& open,
                         Visit&& visit) const {
  open.assign(1, {0, 1.0});
  while (!open.empty()) {
    const Part part = open.back();
    open.pop_back();
    const bool is_leaf = n_branches_[part.node] == 0;
    const std::int32_t b =
        is_leaf ? stay
                : splits_.branch(part.node, [&](std::int32_t column) { return X.at(row, column); });
    visit(part.node, part.share, b == stay);
    if (b == stay) continue;
    const std::int32_t first = first_child_[part.node];
    if (b != share_out) {
      open.push_back({first + b, part.share});
      continue;
    }
    for (std::int32_t child = first + n_branches_[part.node] - 1; child >= first; --child) {
      if (share_[child] > 0) open.push_back({child, part.share * share_[child]});
    }
  }
}

void Router::blend(const Matrix& X, const double* values, int width, double* out, int n_threads,
                   const Interrupted& interrupted) const {
  X.visit([&](const auto& typed) {
    over_rows(typed.n_rows, n_threads, interrupted, [&](std::int64_t begin, std::int64_t end) {
      std::vector<std::int32_t> ends(end - begin, -1);
      std::vector<Part> open;
      walk_together(typed, begin, end, ends.data() - begin);
      for (std::int64_t row = begin; row < end; ++row) {
        std::int32_t node = ends[row - begin];
        if (node < 0) node = walk<false>(typed, row);
        double* sums = out + row * width;
        if (node >= 0) {
          std::copy_n(values + static_cast<std::int64_t>(node) * width, width, sums);
          continue;
        }
        std::fill_n(sums, width, 0.0);
        visit_parts(typed, row, open, [&](std::int32_t at, double share, bool is_end) {
          if (!is_end) return;
          for (int k = 0; k < width; ++k) {
            sums[k] += share * values[static_cast<std::int64_t>(at) * width + k];
          }
        });
      }
    });
  });
}

void Router::count(const Matrix& X, const std::int32_t* y, const double* weights, int n_classes,
                   double* counts, const Interrupted& interrupted) const {
  X.visit([&](const auto& typed) {
    std::vector<Part> open;
    InterruptClock clock(interrupted);
    for (std::int64_t row = 0; row < typed.n_rows; ++row) {
      if (row % block_rows == 0 && clock.stop()) throw Stopped();
      const double weight = weights ? weights[row] : 1.0;
      visit_parts(typed, row, open, [&](std::int32_t at, double share, bool) {
        counts[static_cast<std::int64_t>(at) * n_classes + y[row]] += share * weight;
      });
    }
  });
}

std::vector<std::int32_t> Router::paths(const Matrix& X, std::int64_t* start,
                                        const Interrupted& interrupted) const {
  std::vector<std::int32_t> nodes;
  X.visit([&](const auto& typed) {
    std::vector<Part> open;
    InterruptClock clock(interrupted);
    start[0] = 0;
    for (std::int64_t row = 0; row < typed.n_rows; ++row) {
      if (row % block_rows == 0 && clock.stop()) throw Stopped();
      const std::size_t before = nodes.size();
      visit_parts(typed, row, open, [&](std::int32_t at, double, bool) { nodes.push_back(at); });
      std::sort(nodes.begin() + static_cast<std::ptrdiff_t>(before), nodes.end());
      start[row + 1] = static_cast<std::int64_t>(nodes.size());
    }
  });
  return nodes;
}

}  // namespace miter
