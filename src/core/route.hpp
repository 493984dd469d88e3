// A split is a function from a row to a branch number; a tree is a list of splits. This file walks.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "matrix.hpp"
#include "parallel.hpp"

namespace miter {

enum class SplitKind : std::uint8_t {
  leaf = 0,
  threshold = 1,
  category = 2,
  linear = 3,
  machine = 4,
  network = 5
};

// Answers of a split that are not a branch.
constexpr std::int32_t share_out = -1;  // the value is missing: a fraction to every branch
constexpr std::int32_t stay = -2;       // no branch fits: the row ends at this node

// In place of the number of values of a machine's term: a number whose weight changes at a centre.
constexpr std::int32_t bent = -1;

// Splits of many nodes, packed: split i has its own slice of whole numbers and of real ones.
//   threshold  ints: column, missing branch            reals: cuts, ascending
//   category   ints: column, missing branch, n_values of the column, then ascending the values that
//              have a branch, each with it; others stay
//   linear     ints: n_terms, then per term column, n_values (0: a number)
//              reals: threshold, then per term its weight (or one a value) and its missing weight
//   machine    ints: n_outputs, n_terms, the class of each output, then per term column, n_values
//              (0: a number; -1: a bent one)
//              reals: the constants, then per term its weights (or those of each value) and its
//              missing weights, each n_outputs of them; a bent number has its centre, the weights
//              of what it is below the centre, those of what it is above, and the missing weights
//   network    ints: n_hidden, n_terms, then per term column, n_values, as a machine's
//              reals: the constants and terms of the hidden units, as a machine's; the weight of
//              each hidden unit, and the threshold
struct SplitArrays {
  const std::uint8_t* kind;
  const std::int64_t* int_start;  // n + 1
  const std::int32_t* ints;
  const std::int64_t* real_start;  // n + 1
  const double* reals;
  std::size_t n_splits, n_ints, n_reals;
};

// A machine over numbers, laid out for vector code that answers for several rows together.
struct FastMachine {
  static constexpr int n_together = 4;
  static constexpr std::size_t most_columns = 128;

  std::vector<std::int32_t> columns;  // none: the machine is not of this kind
  bool takes_all = false;             // the columns are the first, in order
  std::vector<double> centres;        // of the columns, if one is bent
  // For each output its constant and the weights of the inputs. An input is a column; if one is
  // bent, two inputs are a column's part below its centre and its part above.
  std::vector<double> weights;
  std::int32_t n_outputs = 0;

  // Branches of up to n_together rows; share_out where a value is missing.
  template <class T>
  void branches(const MatrixOf<T>& X, const std::int32_t* rows, std::int64_t n,
                std::int32_t* out) const {
    alignas(32) double x[most_columns * n_together];
    const T* of_row[n_together];
    for (std::int64_t r = 0; r < n_together; ++r) {
      of_row[r] = X.data + rows[std::min(r, n - 1)] * X.row_stride;
    }
    if (takes_all && X.column_stride == 1) {
      side_by_side(of_row, columns.size(), x);
    } else {
      for (std::size_t k = 0; k < columns.size(); ++k) {
        for (int r = 0; r < n_together; ++r) {
          x[k * n_together + r] = static_cast<double>(of_row[r][columns[k] * X.column_stride]);
        }
      }
    }
    std::int32_t found[n_together];
    largest_sums(x, found);
    std::copy_n(found, n, out);
  }

  // The branch of one row.
  template <class Value>
  std::int32_t branch(Value&& value) const {
    alignas(32) double x[most_columns * n_together];
    for (std::size_t k = 0; k < columns.size(); ++k) {
      std::fill_n(x + k * n_together, n_together, value(columns[k]));
    }
    std::int32_t found[n_together];
    largest_sums(x, found);
    return found[0];
  }

 private:
  // The first n numbers of n_together rows, as n x n_together.
  static void side_by_side(const float* const* rows, std::size_t n, double* x);
  static void side_by_side(const double* const* rows, std::size_t n, double* x);
  // The first of the largest sums; x is columns x n_together.
  void largest_sums(const double* x, std::int32_t* found) const;
};

// Splits that have been checked against a table's columns and can be asked for branches.
class Splits {
 public:
  // Throws std::invalid_argument with a sentence when the arrays do not make sense: they may come
  // from a file. n_branches[i] is what the tree says of split i; 0 for a leaf.
  Splits(const SplitArrays& arrays, const std::int32_t* n_branches,
         std::vector<std::int32_t> n_values);

  std::size_t size() const { return kind_.size(); }
  const std::vector<std::int32_t>& n_values() const { return n_values_; }
  SplitKind kind(std::size_t i) const { return kind_[i]; }
  const std::int32_t* ints(std::size_t i) const { return ints_.data() + int_start_[i]; }
  const double* reals(std::size_t i) const { return reals_.data() + real_start_[i]; }
  std::size_t n_cuts(std::size_t i) const { return real_start_[i + 1] - real_start_[i]; }

  // The branch of a row at split i, or share_out, or stay. value(column) reads the row.
  template <class Value>
  std::int32_t branch(std::size_t i, Value&& value) const {
    const std::int32_t* own = ints(i);
    const double* real = reals(i);
    switch (kind_[i]) {
      case SplitKind::threshold: {
        const double x = value(own[0]);
        if (x != x) return own[1];
        std::int32_t b = 0;
        for (const double* cut = real; cut != reals(i + 1); ++cut) b += x > *cut;
        return b;
      }
      case SplitKind::category: {
        const double x = value(own[0]);
        if (!(x >= 0 && x < own[2])) return own[1];  // also NaN
        return branch_of_value(own + 3, ints(i + 1), static_cast<std::int32_t>(x));
      }
      case SplitKind::linear:
        return linear_sum(own, real + 1, value) > real[0];
      case SplitKind::machine: {
        const std::int32_t fast = fast_[i].columns.empty() ? share_out : fast_[i].branch(value);
        return fast >= 0 ? fast : largest_output(own, real, value);
      }
      case SplitKind::network:
        return network_output(own, real, value);
      default:
        return stay;
    }
  }

  // The branches of many rows at split i, the same as one by one.
  template <class T>
  void branches(std::size_t i, const MatrixOf<T>& X, const std::int32_t* rows, std::int64_t n,
                std::int32_t* out) const {
    auto value_of = [&](std::int64_t row) {
      return [&X, row](std::int32_t column) { return X.at(row, column); };
    };
    if (kind_[i] != SplitKind::machine || fast_[i].columns.empty()) {
      for (std::int64_t k = 0; k < n; ++k) out[k] = branch(i, value_of(rows[k]));
      return;
    }
    constexpr std::int64_t ahead = 2 * FastMachine::n_together;
    for (std::int64_t k = 0; k < n; k += FastMachine::n_together) {
      const std::int64_t m = std::min<std::int64_t>(n - k, FastMachine::n_together);
      for (std::int64_t r = k + ahead; r < std::min(n, k + ahead + m); ++r) X.prefetch(rows[r]);
      fast_[i].branches(X, rows + k, m, out + k);
      for (std::int64_t r = k; r < k + m; ++r) {
        if (out[r] == share_out) out[r] = largest_output(ints(i), reals(i), value_of(rows[r]));
      }
    }
  }

 private:
  template <class Value>
  static double linear_sum(const std::int32_t* own, const double* weight, Value&& value) {
    double sum = 0;
    for (std::int32_t term = 0; term < own[0]; ++term) {
      const std::int32_t n_values = own[2 + 2 * term];
      const double x = value(own[1 + 2 * term]);
      if (n_values == 0) {
        sum += x == x ? weight[0] * x : weight[1];
        weight += 2;
      } else {
        sum += x >= 0 && x < n_values ? weight[static_cast<std::int32_t>(x)] : weight[n_values];
        weight += n_values + 1;
      }
    }
    return sum;
  }

  // Looks a value up among pairs of value and branch.
  static std::int32_t branch_of_value(const std::int32_t* first, const std::int32_t* last,
                                      std::int32_t value) {
    std::int64_t low = 0, high = (last - first) / 2;
    while (low < high) {
      const std::int64_t middle = (low + high) / 2;
      if (first[2 * middle] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const bool is_there = first + 2 * low < last && first[2 * low] == value;
    return is_there ? first[2 * low + 1] : stay;
  }

  // The sums of several outputs; terms: column and n_values of each. Returns what follows their
  // weights.
  template <class Value>
  static const double* output_sums(std::int32_t n_outputs, std::int32_t n_terms,
                                   const std::int32_t* terms, const double* weight, Value&& value,
                                   std::vector<double>& sums) {
    sums.assign(weight, weight + n_outputs);
    weight += n_outputs;
    for (std::int32_t term = 0; term < n_terms; ++term) {
      const TermValue added =
          term_value(terms[2 * term + 1], weight, n_outputs, value(terms[2 * term]));
      for (std::int32_t k = 0; k < n_outputs; ++k) sums[k] += added.factor * added.row[k];
      weight = added.next;
    }
    return weight;
  }

  // Whether the weighted sigmoids of the hidden units are above the threshold.
  template <class Value>
  static std::int32_t network_output(const std::int32_t* own, const double* weight, Value&& value) {
    thread_local std::vector<double> sums;
    weight = output_sums(own[0], own[1], own + 2, weight, value, sums);
    double total = 0;
    for (std::int32_t h = 0; h < own[0]; ++h) total += weight[h] / (1 + std::exp(-sums[h]));
    return total > weight[own[0]];
  }

  // The first of the largest discriminants.
  template <class Value>
  static std::int32_t largest_output(const std::int32_t* own, const double* weight, Value&& value) {
    const std::int32_t n_outputs = own[0];
    thread_local std::vector<double> sums;
    output_sums(n_outputs, own[1], own + 2 + n_outputs, weight, value, sums);
    return static_cast<std::int32_t>(std::max_element(sums.begin(), sums.end()) - sums.begin());
  }

  // What a term of a machine adds: a factor times a row of weights.
  struct TermValue {
    double factor;
    const double *row, *next;
  };
  static TermValue term_value(std::int32_t n_values, const double* weight, std::int64_t n_outputs,
                              double x) {
    if (n_values == 0) {
      if (x != x) return {1.0, weight + n_outputs, weight + 2 * n_outputs};
      return {x, weight, weight + 2 * n_outputs};
    }
    if (n_values == bent) {
      const double centre = *weight++;
      const double* next = weight + 3 * n_outputs;
      if (x != x) return {1.0, weight + 2 * n_outputs, next};
      return {x - centre, x < centre ? weight : weight + n_outputs, next};
    }
    const bool is_known = x >= 0 && x < n_values;
    const std::int64_t row = is_known ? static_cast<std::int64_t>(x) : n_values;
    return {1.0, weight + row * n_outputs, weight + (n_values + std::int64_t{1}) * n_outputs};
  }

  FastMachine make_fast(std::size_t i) const;
  void check(std::size_t i, std::int32_t n_branches) const;
  void check_column(std::size_t i, std::int32_t column, bool symbolic) const;
  // How many weights the terms of several outputs and their constants have.
  std::int64_t check_terms(std::size_t i, std::int64_t n_outputs, std::int32_t n_terms,
                           const std::int32_t* terms) const;

  std::vector<SplitKind> kind_;
  std::vector<std::int64_t> int_start_, real_start_;
  std::vector<std::int32_t> ints_;
  std::vector<double> reals_;
  std::vector<std::int32_t> n_values_;
  std::vector<FastMachine> fast_;  // one for each split, if any is a machine
};

// What every row adds to sums over rows, n numbers: 1 for its class, or what each class would cost
// as an answer.
struct RowValues {
  const std::int32_t* y;
  const double* costs;  // n_rows x n; null: classes are counted
  int n;

  void add(std::int64_t row, double weight, double* sums) const {
    if (!costs) {
      sums[y[row]] += weight;
      return;
    }
    for (int k = 0; k < n; ++k) sums[k] += weight * costs[row * n + k];
  }
};

// A finished tree. Nodes are numbered level by level, so the children of a node are neighbours.
class Router {
 public:
  // share[i]: what part of its parent's rows node i got; where missing values are shared out.
  Router(Splits splits, std::vector<std::int32_t> first_child, std::vector<std::int32_t> n_branches,
         std::vector<double> share);

  std::size_t n_nodes() const { return first_child_.size(); }

  // The node where each row ends; a row that is shared out follows its largest part.
  void apply(const Matrix& X, std::int32_t* node, int n_threads) const;
  // Sums of values (n_nodes x width) over the nodes where parts of a row end.
  void blend(const Matrix& X, const double* values, int width, double* out, int n_threads) const;
  // As apply, but -1 for rows that were shared out: their answer is not one node's.
  void end_node(const Matrix& X, std::int32_t* node, int n_threads) const;
  // Sums over the rows that pass through every node (n_nodes x values.n), added to sums.
  void count(const Matrix& X, const RowValues& values, const double* weights, double* sums) const;
  // All nodes that any part of a row visits, ascending; start has n_rows + 1 places.
  std::vector<std::int32_t> paths(const Matrix& X, std::int64_t* start) const;

 private:
  struct Step {
    double threshold;
    std::int32_t column, first_child;
  };
  struct Part {
    std::int32_t node;
    double share;
  };

  template <bool follow_largest, class T>
  std::int32_t walk(const MatrixOf<T>& X, std::int64_t row) const;
  template <class T>
  void walk_block(const MatrixOf<T>& X, std::int64_t begin, std::int64_t end,
                  std::int32_t* node) const;
  template <class T>
  void walk_by_node(const MatrixOf<T>& X, std::int64_t begin, std::int64_t end,
                    std::int32_t* node) const;
  template <class T>
  void walk_together(const MatrixOf<T>& X, std::int64_t begin, std::int64_t end,
                     std::int32_t* node) const;
  template <bool follow_largest>
  void walk_all(const Matrix& X, std::int32_t* node, int n_threads) const;
  template <class T, class Visit>
  void visit_parts(const MatrixOf<T>& X, std::int64_t row, std::vector<Part>& open,
                   Visit&& visit) const;
  std::int32_t largest_child(std::int32_t node) const;
  void make_steps();

  Splits splits_;
  std::vector<std::int32_t> first_child_, n_branches_;
  std::vector<double> share_;
  std::vector<Step> steps_;  // filled when every split is one threshold: the fast lane
};

}  // namespace miter
