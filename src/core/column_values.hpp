// The values of one column at one node, in ascending order, with the classes of their rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "codes.hpp"
#include "interrupt.hpp"
#include "sorting.hpp"

namespace miter {

// Class counts of all codes are kept at once while they fit into this many cells (fast cache).
constexpr std::size_t kMostCells = std::size_t{1} << 16;

// The entries of one node.
struct Node {
  const std::int32_t* rows;
  const std::uint16_t* y;
  const double* weights;
  std::size_t size;
  const double* counts;  // per class

  // What an entry counts: 1 where rows are counted as whole numbers.
  template <class Count>
  Count amount(std::size_t entry) const {
    if constexpr (std::is_same_v<Count, double>) return weights[entry];
    return 1;
  }
};

// Working arrays of one thread, kept between nodes.
template <class Count>
struct Scratch {
  std::vector<SortKey> keys, spare;
  std::vector<Count> cells;
  std::vector<Count> missing, left, right;
  std::vector<std::uint32_t> fill;  // per class: the code that a missing value counts as
};

// A walk over the values of a column at a node in ascending order, when all codes were counted.
template <class Count>
class CountedValues {
 public:
  using count_type = Count;

  CountedValues(const Count* cells, std::uint32_t n_codes, int n_classes)
      : cells_(cells), n_classes_(n_classes), end_(n_codes) {
    while (end_ > 0 && is_empty(end_ - 1)) --end_;
  }

  bool more() const { return code_ < end_; }

  // Moves the rows of the next value from right to left, and returns its code.
  std::uint32_t next(Count* left, Count* right) {
    while (is_empty(code_)) ++code_;
    const Count* counts = cells_ + static_cast<std::size_t>(code_) * n_classes_;
    for (int c = 0; c < n_classes_; ++c) {
      left[c] += counts[c];
      right[c] -= counts[c];
    }
    return code_++;
  }

 private:
  bool is_empty(std::uint32_t code) const {
    const Count* counts = cells_ + static_cast<std::size_t>(code) * n_classes_;
    for (int c = 0; c < n_classes_; ++c) {
      if (counts[c] != 0) return false;
    }
    return true;
  }

  const Count* cells_;
  int n_classes_;
  std::uint32_t code_ = 0, end_;
};

// The same walk over (code, entry) pairs that have been sorted.
template <class Count>
class SortedValues {
 public:
  using count_type = Count;

  SortedValues(const SortKey* keys, std::size_t n, const Node& node)
      : key_(keys), end_(keys + n), node_(node) {}

  bool more() const { return key_ != end_; }

  std::uint32_t next(Count* left, Count* right) {
    const std::uint32_t code = number_of(*key_);
    do {
      const std::uint32_t entry = owner_of(*key_);
      const std::uint16_t c = node_.y[entry];
      const Count amount = node_.template amount<Count>(entry);
      left[c] += amount;
      right[c] -= amount;
    } while (++key_ != end_ && number_of(*key_) == code);
    return code;
  }

 private:
  const SortKey* key_;
  const SortKey* end_;
  const Node& node_;
};

// One pass without branches: a missing value is a code like any other, the last.
template <class Count>
void count_codes(const Node& node, const CodedColumn& column, std::size_t n_classes,
                 Scratch<Count>& scratch) {
  scratch.cells.assign((column.n_codes + std::size_t{1}) * n_classes, 0);
  Count* cells = scratch.cells.data();
  column.visit([&](const auto* codes) {
    for_rows(static_cast<std::int64_t>(node.size), [&](std::int64_t i) {
      cells[codes[node.rows[i]] * n_classes + node.y[i]] += node.amount<Count>(i);
    });
  });
  std::copy_n(cells + column.n_codes * n_classes, n_classes, scratch.missing.data());
}

template <class Count>
void sort_codes(const Node& node, const CodedColumn& column, Scratch<Count>& scratch) {
  scratch.keys.resize(node.size);
  SortKey* key = scratch.keys.data();
  column.visit([&](const auto* codes) {
    for_rows(static_cast<std::int64_t>(node.size), [&](std::int64_t i) {
      const std::uint32_t code = codes[node.rows[i]];
      *key = sort_key(code, static_cast<std::uint32_t>(i));
      key += code != column.n_codes;
    });
    if (column.has_missing) {
      for (std::size_t i = 0; i < node.size; ++i) {
        if (codes[node.rows[i]] != column.n_codes) continue;
        scratch.missing[node.y[i]] += node.amount<Count>(i);
      }
    }
  });
  scratch.keys.resize(key - scratch.keys.data());
  sort_by_number(scratch.keys, scratch.spare, column.n_codes);
}

// Calls body with a walk over the column's values at the node. scratch.missing then holds the class
// counts of the rows where the value is missing.
template <class Count, class Body>
auto with_values(const Node& node, const CodedColumn& column, int n_classes,
                 Scratch<Count>& scratch, Body&& body) {
  const std::size_t n_cells = (column.n_codes + std::size_t{1}) * n_classes;
  scratch.missing.assign(n_classes, 0);
  if (n_cells <= kMostCells && n_cells <= 4 * node.size) {
    count_codes(node, column, n_classes, scratch);
    return body(CountedValues<Count>(scratch.cells.data(), column.n_codes, n_classes));
  }
  sort_codes(node, column, scratch);
  return body(SortedValues<Count>(scratch.keys.data(), scratch.keys.size(), node));
}

}  // namespace miter
