// The best test of one column for every open node of a level.
#pragma once

#include <cstdint>
#include <vector>

#include "codes.hpp"
#include "matrix.hpp"
#include "parallel.hpp"

namespace miter {

enum class Criterion { gain, normalised_gain, gain_ratio, gini, tan_schlimmer, nunez };

// What a row with a missing value counts as at a node: the most common value of the node's rows,
// the most common value of the node's rows of its class, or a fraction of a row in every branch.
enum class Missing { node, in_class, fractions };

struct SearchOptions {
  Criterion criterion = Criterion::gain;
  Missing missing = Missing::fractions;
  bool intervals = false;  // numbers: several cuts by description length, not one threshold
  bool groups = false;     // symbols: two groups of values, not a branch per value
  double min_leaf = 1;     // two branches at least must hold this weight
  std::vector<double> column_costs;
  double cost_weight = 1;  // the exponent w of Nunez
};

// The rows of the open nodes: node i owns the entries start[i] to start[i + 1]. A row may stand in
// several nodes, each time with a part of its weight. No weights: every entry counts 1.
struct Level {
  const std::int32_t* rows;
  const double* weights;
  const std::int64_t* start;
  const double* counts;  // n_nodes x n_classes
  std::size_t n_nodes;
  const std::uint8_t* allowed = nullptr;  // n_nodes x n_columns; null: every column may be tested
};

struct FoundSplit {
  std::int32_t column = -1;            // -1: no column divides these rows
  std::int32_t missing = -1;           // the branch of a missing value; -1: a fraction to each
  std::vector<double> cuts;            // ascending, for numbers
  std::vector<std::int32_t> values;    // for symbols: those seen at this node, ascending,
  std::vector<std::int32_t> branches;  // and the branch of each
  std::int32_t n_values = 0;           // of the whole column
  std::vector<std::int32_t> missing_of_class;  // while growing with Missing::in_class
};

// What the search at a node reads.
struct SearchTable {
  Matrix X;
  std::vector<CodedColumn> columns;
  std::vector<std::int32_t> n_values;
  int n_classes;
  SearchOptions options;
  std::vector<double> log_table;
};

class UnivariateSearch {
 public:
  // max_codes = 0 searches every threshold; up to 255 that many quantiles. The arrays behind X and
  // y must outlive the search.
  UnivariateSearch(const Matrix& X, const std::vector<std::int32_t>& n_values,
                   const std::int32_t* y, int n_classes, SearchOptions options, int max_codes,
                   int n_threads);

  std::vector<FoundSplit> find(const Level& level, int n_threads) const;
  // What each column is worth at each node by the criterion; NaN where it cannot divide the rows.
  std::vector<double> scores(const Level& level) const;

 private:
  const std::int32_t* y_;
  SearchTable table_;
};

}  // namespace miter
