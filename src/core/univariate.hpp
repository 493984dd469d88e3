// The best test of one column for every open node of a level.
#pragma once

#include <cstdint>
#include <vector>

#include "codes.hpp"
#include "impurity.hpp"
#include "level.hpp"
#include "packed.hpp"
#include "table.hpp"

namespace miter {

enum class Criterion { gain, normalised_gain, gain_ratio, gini, tan_schlimmer, nunez };

// What a row with a missing value counts as at a node: the most common value of the node's rows,
// the most common value of the node's rows of its class, or a fraction of a row in every branch.
enum class Missing { node, in_class, fractions };

struct UnivariateOptions {
  Criterion criterion = Criterion::gain;
  Missing missing = Missing::fractions;
  bool intervals = false;            // numbers: several cuts by description length, not one
  bool groups = false;               // symbols: two groups of values, not a branch per value
  double min_leaf = 1;               // two branches at least must hold this weight
  std::vector<double> column_costs;  // of every column
  double cost_weight = 1;            // the exponent w of Nunez
  int max_codes = 0;                 // 0: every threshold is searched; up to 255: so many quantiles
};

struct FoundSplit {
  PackedSplit split;                           // a leaf: no column divides these rows
  std::vector<std::int32_t> missing_of_class;  // while growing with Missing::in_class
};

// What the search at a node reads.
struct SearchTable {
  const Table& rows;
  UnivariateOptions options;
  std::vector<CodedColumn> columns;
  XLogXTable x_log_x;
};

class UnivariateSearch {
 public:
  // The table must outlive the search.
  UnivariateSearch(const Table& table, const UnivariateOptions& options, int n_threads);

  const Table& table() const { return table_.rows; }
  bool by_class() const { return table_.options.missing == Missing::in_class; }

  std::vector<FoundSplit> find(const Level& level) const;
  // What each column is worth at each node by the criterion; NaN where it cannot divide the rows.
  std::vector<double> scores(const Level& level) const;

 private:
  SearchTable table_;
};

}  // namespace miter
