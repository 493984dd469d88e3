// A tree is a list of splits; rows walk down it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "matrix.hpp"
#include "splits.hpp"
#include "table.hpp"

namespace miter {

// A finished tree. Nodes are numbered level by level, so the children of a node are neighbours.
class Router {
 public:
  // The splits of all nodes, which must outlive the router; share[i]: what part of its parent's
  // rows node i got, where missing values are shared out.
  Router(const Splits& splits, std::vector<double> share);

  std::size_t n_nodes() const { return splits_.size(); }
  std::size_t n_columns() const { return splits_.n_columns(); }
  const Splits& splits() const { return splits_; }
  std::int32_t first_child(std::size_t node) const { return first_child_[node]; }
  double share(std::size_t node) const { return share_[node]; }

  // The node where each row ends. A row that is shared out follows its largest part, or gets -1:
  // its answer is not one node's.
  void end_nodes(const Matrix& X, bool follow_largest, std::int32_t* node, int n_threads) const;
  // Sums of values (n_nodes x width) over the nodes where parts of a row end.
  void blend(const Matrix& X, const double* values, int width, double* out, int n_threads) const;
  // Sums over the rows that pass through every node (n_nodes x values.n), added to sums: of
  // RowValues in doubles, of ScaledValues in whole numbers.
  template <class Values, class Sum>
  void count(const Matrix& X, const Values& values, const double* weights, Sum* sums) const;
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

  template <class T>
  std::int32_t walk(const MatrixOf<T>& X, std::int64_t row, bool follow_largest) const;
  template <class T>
  void walk_block(const MatrixOf<T>& X, std::int64_t begin, std::int64_t end,
                  std::int32_t* node) const;
  template <class T>
  void walk_by_node(const MatrixOf<T>& X, std::int64_t begin, std::int64_t end,
                    std::int32_t* node) const;
  template <class T>
  void walk_together(const MatrixOf<T>& X, std::int64_t begin, std::int64_t end,
                     std::int32_t* node) const;
  template <class T, class Visit>
  void visit_parts(const MatrixOf<T>& X, std::int64_t row, std::vector<Part>& open,
                   Visit&& visit) const;
  std::int32_t largest_child(std::int32_t node) const;
  void make_steps();

  const Splits& splits_;
  std::vector<std::int32_t> first_child_;  // of each node
  std::vector<double> share_;
  std::vector<Step> steps_;  // filled when every split is one threshold: the fast lane
};

}  // namespace miter
