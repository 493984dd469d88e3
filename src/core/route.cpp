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
void over_rows(std::int64_t n_rows, int n_threads, Body&& body) {
  const std::size_t n_blocks = (n_rows + block_rows - 1) / block_rows;
  parallel_for(n_blocks, n_threads, [&](std::size_t b, int) {
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
    if (a.kind[i] > static_cast<std::uint8_t>(SplitKind::network)) {
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

FastMachine Splits::make_fast(std::size_t i) const {
  FastMachine fast;
  if (kind_[i] != SplitKind::machine) return fast;
  const std::int32_t* own = ints(i);
  const std::int32_t n_outputs = own[0], n_terms = own[1];
  const std::int32_t* terms = own + 2 + n_outputs;
  bool any_bent = false;
  for (std::int32_t term = 0; term < n_terms; ++term) {
    if (terms[2 * term + 1] > 0 || n_terms > static_cast<int>(FastMachine::most_columns)) return {};
    any_bent |= terms[2 * term + 1] == bent;
  }
  const double* real = reals(i);
  std::vector<const double*> rows{real};  // of weights, n_outputs each
  real += n_outputs;
  for (std::int32_t term = 0; term < n_terms; ++term) {
    const bool is_bent = terms[2 * term + 1] == bent;
    fast.columns.push_back(terms[2 * term]);
    if (any_bent) fast.centres.push_back(is_bent ? *real : 0.0);
    real += is_bent;
    rows.push_back(real);
    if (is_bent) real += n_outputs;
    if (any_bent) rows.push_back(real);
    real += 2 * std::int64_t{n_outputs};  // the missing weights are not for here
  }
  fast.takes_all = true;
  for (std::int32_t k = 0; k < n_terms; ++k) fast.takes_all &= fast.columns[k] == k;
  fast.n_outputs = n_outputs;
  for (std::int32_t k = 0; k < n_outputs; ++k) {
    for (const double* row : rows) fast.weights.push_back(row[k]);
  }
  return fast;
}

namespace {

constexpr int together = FastMachine::n_together;
typedef double Doubles __attribute__((vector_size(8 * together), may_alias));
typedef std::int64_t Longs __attribute__((vector_size(8 * together), may_alias));

struct Largest {
  Doubles sum = Doubles{} - std::numeric_limits<double>::infinity();
  Longs output{}, not_a_number{};
};

// Weighted sums for N outputs, of which the largest is kept. They are summed side by side: one
// chain of additions would wait for each of them.
template <int N>
MITER_INLINE void add_outputs(const double* weights, const Doubles* x, std::size_t n_inputs,
                              std::int64_t first_output, Largest& largest) {
  const std::size_t width = n_inputs + 1;
  Doubles sums[N];
  for (int k = 0; k < N; ++k) sums[k] = Doubles{} + weights[k * width];
  for (std::size_t input = 0; input < n_inputs; ++input) {
    for (int k = 0; k < N; ++k) sums[k] += x[input] * weights[k * width + 1 + input];
  }
  for (int k = 0; k < N; ++k) {
    const Longs is_larger = sums[k] > largest.sum;
    largest.sum = is_larger ? sums[k] : largest.sum;
    largest.output = is_larger ? Longs{} + (first_output + k) : largest.output;
    largest.not_a_number |= sums[k] != sums[k];
  }
}

MITER_DISPATCH
void largest_of_sums(const double* weights, const double* x, std::size_t n_inputs,
                     std::int32_t n_outputs, std::int32_t* found) {
  Largest largest;
  const auto* inputs = reinterpret_cast<const Doubles*>(x);
  for (std::int32_t first = 0; first < n_outputs;) {
    const std::int32_t n_left = n_outputs - first;
    const double* own = weights + first * (n_inputs + 1);
    switch (n_left) {
      case 1:
        add_outputs<1>(own, inputs, n_inputs, first, largest);
        break;
      case 2:
        add_outputs<2>(own, inputs, n_inputs, first, largest);
        break;
      case 3:
        add_outputs<3>(own, inputs, n_inputs, first, largest);
        break;
      case 5:
        add_outputs<5>(own, inputs, n_inputs, first, largest);
        break;
      default:
        add_outputs<4>(own, inputs, n_inputs, first, largest);
    }
    first += n_left == 5 ? 5 : std::min(n_left, 4);
  }
  for (int r = 0; r < together; ++r) {
    found[r] = largest.not_a_number[r] ? share_out : static_cast<std::int32_t>(largest.output[r]);
  }
}

template <class T>
MITER_INLINE Doubles four_numbers(const T* from) {
  typedef T Four __attribute__((vector_size(sizeof(T) * together), aligned(sizeof(T)), may_alias));
  return __builtin_convertvector(*reinterpret_cast<const Four*>(from), Doubles);
}

// Squares of four numbers of four rows are turned in registers.
template <class T>
MITER_INLINE void turn(const T* const* rows, std::size_t n, double* x) {
  static_assert(together == 4);
  std::size_t k = 0;
  for (; k + together <= n; k += together) {
    const Doubles a = four_numbers(rows[0] + k), b = four_numbers(rows[1] + k);
    const Doubles c = four_numbers(rows[2] + k), d = four_numbers(rows[3] + k);
    const Doubles ab_even = __builtin_shuffle(a, b, Longs{0, 4, 2, 6});
    const Doubles ab_odd = __builtin_shuffle(a, b, Longs{1, 5, 3, 7});
    const Doubles cd_even = __builtin_shuffle(c, d, Longs{0, 4, 2, 6});
    const Doubles cd_odd = __builtin_shuffle(c, d, Longs{1, 5, 3, 7});
    auto* to = reinterpret_cast<Doubles*>(x) + k;
    to[0] = __builtin_shuffle(ab_even, cd_even, Longs{0, 1, 4, 5});
    to[1] = __builtin_shuffle(ab_odd, cd_odd, Longs{0, 1, 4, 5});
    to[2] = __builtin_shuffle(ab_even, cd_even, Longs{2, 3, 6, 7});
    to[3] = __builtin_shuffle(ab_odd, cd_odd, Longs{2, 3, 6, 7});
  }
  for (; k < n; ++k) {
    for (int r = 0; r < together; ++r) x[k * together + r] = static_cast<double>(rows[r][k]);
  }
}

MITER_DISPATCH
void turn_floats(const float* const* rows, std::size_t n, double* x) { turn(rows, n, x); }
MITER_DISPATCH
void turn_doubles(const double* const* rows, std::size_t n, double* x) { turn(rows, n, x); }

// Each number becomes two: its part below the centre, and its part above; one of them is 0.
MITER_DISPATCH
void bend(const double* x, const double* centres, std::size_t n_columns, double* parts) {
  for (std::size_t k = 0; k < n_columns; ++k) {
    const Doubles d = reinterpret_cast<const Doubles*>(x)[k] - centres[k];
    auto* to = reinterpret_cast<Doubles*>(parts) + 2 * k;
    to[0] = d < 0.0 ? d : Doubles{};
    to[1] = d < 0.0 ? Doubles{} : d;  // also what is not a number
  }
}

}  // namespace

void FastMachine::side_by_side(const float* const* rows, std::size_t n, double* x) {
  turn_floats(rows, n, x);
}

void FastMachine::side_by_side(const double* const* rows, std::size_t n, double* x) {
  turn_doubles(rows, n, x);
}

void FastMachine::largest_sums(const double* x, std::int32_t* found) const {
  const std::size_t n = columns.size();
  if (centres.empty()) {
    largest_of_sums(weights.data(), x, n, n_outputs, found);
    return;
  }
  alignas(32) double parts[2 * most_columns * n_together];
  bend(x, centres.data(), n, parts);
  largest_of_sums(weights.data(), parts, 2 * n, n_outputs, found);
}

void Splits::check(std::size_t i, std::int32_t n_branches) const {
  const std::int32_t* own = ints(i);
  const std::int64_t n_ints = int_start_[i + 1] - int_start_[i];
  const std::int64_t n_reals = real_start_[i + 1] - real_start_[i];
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
      check_column(i, own[0], false);
      check_branch(own[1]);
      if (!std::is_sorted(reals(i), reals(i + 1), std::less_equal<>())) {
        refuse(i, "cuts must ascend");
      }
      return;
    case SplitKind::category:
      if (n_ints < 3 || n_ints % 2 == 0 || n_reals != 0) {
        refuse(i, "a category needs a column and its values");
      }
      check_column(i, own[0], true);
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
        check_column(i, own[1 + 2 * term], n_values != 0);
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
      const std::int64_t expected = check_terms(i, own[0], own[1], own + 2 + own[0]);
      if (n_reals != expected) refuse(i, "terms and weights differ in number");
      return;
    }
    case SplitKind::network: {
      if (n_branches != 2) refuse(i, "a network has two branches");
      if (n_ints < 2 || own[0] < 1 || own[1] < 1 || n_ints != 2 + 2 * std::int64_t{own[1]}) {
        refuse(i, "a network needs a hidden unit and its terms");
      }
      const std::int64_t expected = check_terms(i, own[0], own[1], own + 2) + own[0] + 1;
      if (n_reals != expected) refuse(i, "terms and weights differ in number");
      return;
    }
  }
}

void Splits::check_column(std::size_t i, std::int32_t column, bool symbolic) const {
  const auto n_columns = static_cast<std::int32_t>(n_values_.size());
  if (column < 0 || column >= n_columns) refuse(i, "no column " + std::to_string(column));
  if ((n_values_[column] > 0) != symbolic) refuse(i, "the column is of another kind");
}

std::int64_t Splits::check_terms(std::size_t i, std::int64_t n_outputs, std::int32_t n_terms,
                                 const std::int32_t* terms) const {
  std::int64_t n_weights = n_outputs;
  for (std::int32_t term = 0; term < n_terms; ++term) {
    const std::int32_t n_values = terms[2 * term + 1];
    check_column(i, terms[2 * term], n_values > 0);
    if (n_values != bent && n_values != n_values_[terms[2 * term]]) {
      refuse(i, "a value has no weight");
    }
    n_weights +=
        n_values == bent ? 1 + 3 * n_outputs : n_outputs * (n_values == 0 ? 2 : n_values + 1);
  }
  return n_weights;
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
  MatrixOf<T> block = X;
  block.data += begin * X.row_stride;
  std::vector<std::int32_t> rows(end - begin), sorted(rows.size()), branch(rows.size());
  for (std::int64_t i = 0; i < end - begin; ++i) rows[i] = static_cast<std::int32_t>(i);
  std::vector<Run> open{{0, 0, end - begin}};
  std::vector<std::int64_t> start;
  while (!open.empty()) {
    Interrupt::check();
    const Run run = open.back();
    open.pop_back();
    const std::int32_t n_branches = n_branches_[run.node];
    if (n_branches == 0) {
      for (std::int64_t k = run.first; k < run.last; ++k) node[begin + rows[k]] = run.node;
      continue;
    }
    start.assign(n_branches + 1, 0);
    splits_.branches(run.node, block, rows.data() + run.first, run.last - run.first,
                     branch.data() + run.first);
    for (std::int64_t k = run.first; k < run.last; ++k) {
      if (branch[k] >= 0) {
        ++start[branch[k] + 1];
      } else {
        node[begin + rows[k]] = branch[k] == stay ? run.node : -1;
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
void Router::walk_all(const Matrix& X, std::int32_t* node, int n_threads) const {
  X.visit([&](const auto& typed) {
    over_rows(typed.n_rows, n_threads, [&](std::int64_t begin, std::int64_t end) {
      walk_together(typed, begin, end, node);
      for (std::int64_t row = begin; row < end; ++row) {
        if (node[row] < 0) node[row] = walk<follow_largest>(typed, row);
      }
    });
  });
}

void Router::apply(const Matrix& X, std::int32_t* node, int n_threads) const {
  walk_all<true>(X, node, n_threads);
}

void Router::end_node(const Matrix& X, std::int32_t* node, int n_threads) const {
  walk_all<false>(X, node, n_threads);
}

// Calls visit(node, share, ends) for every node that a part of the row reaches.
template <class T, class Visit>
void Router::visit_parts(const MatrixOf<T>& X, std::int64_t row, std::vector<Part>& open,
                         Visit&& visit) const {
  Interrupt::check();  // a row may visit many nodes
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

void Router::blend(const Matrix& X, const double* values, int width, double* out,
                   int n_threads) const {
  X.visit([&](const auto& typed) {
    over_rows(typed.n_rows, n_threads, [&](std::int64_t begin, std::int64_t end) {
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

void Router::count(const Matrix& X, const RowValues& values, const double* weights,
                   double* sums) const {
  const int n = values.n;
  std::vector<double> ends(n_nodes() * n, 0.0);  // of rows that go one way
  X.visit([&](const auto& typed) {
    std::vector<std::int32_t> node(block_rows);
    std::vector<Part> open;
    for (std::int64_t begin = 0; begin < typed.n_rows; begin += block_rows) {
      Interrupt::check();
      const std::int64_t end = std::min(typed.n_rows, begin + block_rows);
      walk_together(typed, begin, end, node.data() - begin);
      for (std::int64_t row = begin; row < end; ++row) {
        const double weight = weights ? weights[row] : 1.0;
        if (node[row - begin] >= 0) {
          values.add(row, weight, ends.data() + std::int64_t{node[row - begin]} * n);
          continue;
        }
        visit_parts(typed, row, open, [&](std::int32_t at, double share, bool) {
          values.add(row, share * weight, sums + static_cast<std::int64_t>(at) * n);
        });
      }
    }
  });
  // What ends below a node has passed through it.
  for (std::size_t i = n_nodes(); i-- > 0;) {
    double* own = ends.data() + i * n;
    const double* below = ends.data() + std::int64_t{first_child_[i]} * n;
    for (std::int32_t k = 0; k < n_branches_[i] * n; ++k) own[k % n] += below[k];
  }
  for (std::size_t k = 0; k < ends.size(); ++k) sums[k] += ends[k];
}

std::vector<std::int32_t> Router::paths(const Matrix& X, std::int64_t* start) const {
  std::vector<std::int32_t> nodes;
  X.visit([&](const auto& typed) {
    std::vector<Part> open;
    start[0] = 0;
    for (std::int64_t row = 0; row < typed.n_rows; ++row) {
      const std::size_t before = nodes.size();
      visit_parts(typed, row, open, [&](std::int32_t at, double, bool) { nodes.push_back(at); });
      std::sort(nodes.begin() + static_cast<std::ptrdiff_t>(before), nodes.end());
      start[row + 1] = static_cast<std::int64_t>(nodes.size());
    }
  });
  return nodes;
}

}  // namespace miter
