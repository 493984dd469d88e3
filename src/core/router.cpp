#include "router.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "interrupt.hpp"
#include "parallel.hpp"

namespace miter {
namespace {

constexpr std::int64_t kBlockRows = 8192;

// Runs body(begin, end) over blocks of rows.
template <class Body>
void over_rows(std::int64_t n_rows, int n_threads, Body&& body) {
  const std::size_t n_blocks = (n_rows + kBlockRows - 1) / kBlockRows;
  parallel_for(n_blocks, n_threads, [&](std::size_t b, int) {
    const std::int64_t begin = static_cast<std::int64_t>(b) * kBlockRows;
    body(begin, std::min(n_rows, begin + kBlockRows));
  });
}

}  // namespace

Router::Router(const Splits& splits, std::vector<double> share)
    : splits_(splits), share_(std::move(share)) {
  // Level by level each node's children follow the children of the node before it; nodes that
  // nobody reaches and children outside are refused here.
  if (n_nodes() == 0) throw std::invalid_argument("a tree has at least one node");
  if (n_columns() == 0) throw std::invalid_argument("a tree needs a column");
  if (share_.size() != n_nodes()) throw std::invalid_argument("a share for every node");
  std::int64_t next = 1;
  for (std::size_t i = 0; i < n_nodes(); ++i) {
    const std::int32_t n_branches = splits_.n_branches(i);
    if (static_cast<std::int64_t>(i) >= next) refuse_node(i, "no branch leads here");
    if (n_branches != 0 && n_branches < 2) refuse_node(i, "a split needs two branches");
    first_child_.push_back(static_cast<std::int32_t>(next));
    next += n_branches;
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
    if (splits_.n_branches(i) == 0) {
      steps_.push_back({std::numeric_limits<double>::infinity(), 0, static_cast<std::int32_t>(i)});
    } else if (splits_.kind(i) == SplitKind::threshold && splits_.n_branches(i) == 2) {
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
         static_cast<std::int32_t>(std::max_element(first, first + splits_.n_branches(node)) -
                                   first);
}

template <class T>
std::int32_t Router::walk(const MatrixOf<T>& X, std::int64_t row, bool follow_largest) const {
  std::int32_t node = 0;
  while (splits_.n_branches(node) > 0) {
    Interrupt::count_steps(splits_.steps_of_row(node));
    const std::int32_t b =
        splits_.branch(node, [&](std::int32_t column) { return X.at(row, column); });
    if (b == kStay) return node;
    if (b == kShareOut) {
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
  constexpr int kRowsInTurn = 8, kStepsBetweenLooks = 8;
  const Step* steps = steps_.data();
  const std::int64_t stride = X.column_stride;
  const T* x_of[kRowsInTurn];
  std::int64_t row_of[kRowsInTurn];
  std::int32_t at[kRowsInTurn];
  bool missing[kRowsInTurn];
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
  for (int lane = 0; lane < kRowsInTurn; ++lane) start(lane);
  while (n_active > 0) {
    for (int i = 0; i < kStepsBetweenLooks; ++i) {
      for (int lane = 0; lane < kRowsInTurn; ++lane) {
        const Step& step = steps[at[lane]];
        const auto x = static_cast<double>(x_of[lane][step.column * stride]);
        missing[lane] |= x != x;
        at[lane] = step.first_child + (x > step.threshold);
      }
    }
    for (int lane = 0; lane < kRowsInTurn; ++lane) {
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
    const std::int32_t n_branches = splits_.n_branches(run.node);
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
        node[begin + rows[k]] = branch[k] == kStay ? run.node : -1;
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

void Router::end_nodes(const Matrix& X, bool follow_largest, std::int32_t* node,
                       int n_threads) const {
  X.visit([&](const auto& typed) {
    over_rows(typed.n_rows, n_threads, [&](std::int64_t begin, std::int64_t end) {
      walk_together(typed, begin, end, node);
      for (std::int64_t row = begin; row < end; ++row) {
        if (node[row] < 0) node[row] = walk(typed, row, follow_largest);
      }
    });
  });
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
    const bool is_leaf = splits_.n_branches(part.node) == 0;
    const std::int32_t b =
        is_leaf ? kStay
                : splits_.branch(part.node, [&](std::int32_t column) { return X.at(row, column); });
    visit(part.node, part.share, b == kStay);
    if (b == kStay) continue;
    const std::int32_t first = first_child_[part.node];
    if (b != kShareOut) {
      open.push_back({first + b, part.share});
      continue;
    }
    for (std::int32_t child = first + splits_.n_branches(part.node) - 1; child >= first; --child) {
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
        if (node < 0) node = walk(typed, row, false);
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

template <class Values, class Sum>
void Router::count(const Matrix& X, const Values& values, const double* weights, Sum* sums) const {
  const int n = values.n;
  std::vector<Sum> ends(n_nodes() * n, 0);  // of rows that go one way
  X.visit([&](const auto& typed) {
    std::vector<std::int32_t> node(kBlockRows);
    std::vector<Part> open;
    for (std::int64_t begin = 0; begin < typed.n_rows; begin += kBlockRows) {
      Interrupt::check();
      const std::int64_t end = std::min(typed.n_rows, begin + kBlockRows);
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
    Sum* own = ends.data() + i * n;
    const Sum* below = ends.data() + std::int64_t{first_child_[i]} * n;
    for (std::int32_t k = 0; k < splits_.n_branches(i) * n; ++k) own[k % n] += below[k];
  }
  for (std::size_t k = 0; k < ends.size(); ++k) sums[k] += ends[k];
}

template void Router::count(const Matrix&, const RowValues&, const double*, double*) const;
template void Router::count(const Matrix&, const ScaledValues&, const double*, std::int64_t*) const;

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
