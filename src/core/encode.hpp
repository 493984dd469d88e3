// Rows of a node as scaled numbers.
//
// Utgoff and Brodley 1991, section 2.2: two-valued symbols become +-1, many-valued ones a +-1
// variable for each value; every variable is scaled by the mean and standard deviation of the
// node's own rows; a missing value is 0, the mean. Variables that are constant at the node are left
// out, and a value that no row has there counts as missing.
//
// Differs from the paper: of a symbol with more than 64 values at the node the 64 most frequent get
// a variable; a number may have others, its distance from the mean, or whether it is above a cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "blocks.hpp"
#include "level.hpp"
#include "matrix.hpp"
#include "parallel.hpp"
#include "table.hpp"

namespace miter {

struct Variable {
  static constexpr std::int32_t kNumber = -1, kDistance = -2, kCondition = -3;

  std::int32_t column;
  std::int32_t value;  // of a symbol; or kNumber, kDistance, kCondition
  double mean = 0, deviation = 0;
  std::int32_t other = -1;  // of a symbol with two values at the node, the one without a variable
  double cut = 0;           // of a condition: whether the number is above it

  bool is_yes_or_no() const { return value >= 0 || value == kCondition; }
};

// Mean and deviation of numbers; NaN is left out. A deviation of 0: they are constant.
struct Scale {
  double mean = 0, deviation = 0;
};
Scale scale_of(const std::vector<double>& x, const double* weights);

// Where numbers are scaled by the whole training set: the least number of each column, and how far
// it is to the largest.
struct ColumnScales {
  std::vector<double> low, range;
};

// What the rows of a node become before a split is searched.
struct Encoding {
  std::int64_t max_rows;                 // of a larger node a sample of so many
  int n_conditions = 0;                  // for each number, whether it is above so many quantiles
  bool plain_indicators = false;         // what is yes or no becomes 0 or 1 less the mean
  bool bent = false;                     // numbers also count by their distance from the mean
  bool with_costs = false;               // if the table has any
  bool without_weightless = false;       // rows that do not count are left out
  bool hashed = false;                   // for folds
  const ColumnScales* scales = nullptr;  // null: a node's own
  std::size_t least_classes = 2;         // with fewer there is nothing to find
};

// How a row is dealt over the folds of a cross-validation: of each of `spread` folds, from `first`
// on, an equal share of it is left out.
struct Dealt {
  std::int32_t first, spread;

  double share(int fold, int n_folds) const {
    return (fold - first + n_folds) % n_folds < spread ? 1.0 / spread : 0.0;
  }
};

// Rows of one node, ready for training. To be used for one node after the other: memory that is
// given back and asked for again at every node would cost more than the encoding.
class EncodedNode {
 public:
  // False: nothing varies that could be told apart.
  bool encode(const Table& table, const Level& level, std::size_t node, const Encoding& how);
  // All variables, by their positions.
  std::vector<int> all_variables() const;
  // The folds of each row; every class goes round all folds. Equal rows are dealt together, in
  // units of weight, so that a row counts the same whether it is there twice or has the weight 2,
  // and the folds look alike. Rows must be hashed.
  std::vector<Dealt> draw_folds(int n_folds) const;

  std::vector<std::int32_t> numbers;  // of the rows in the table
  std::vector<std::int64_t> entries;  // their places in the level
  std::vector<double> weights;
  std::vector<Variable> variables;    // those of a column are neighbours
  std::vector<std::int32_t> classes;  // those that are there
  BlockedRows rows;

 private:
  void take_rows(const Level& level, std::size_t node, const Encoding& how);
  void hash_rows(const Matrix& X, std::uint64_t seed);
  void read_columns(const Table& table, const std::vector<std::int32_t>& columns,
                    const Encoding& how);
  void add_column(std::int32_t column, std::int32_t n_values, std::vector<double>& x,
                  const Encoding& how);
  void add_conditions(std::int32_t column, const std::vector<double>& x, int n_conditions);
  bool add(Variable variable, const std::vector<double>& x);
  void number_classes(const Table& table);
  void take_costs(const Table& table);

  std::vector<std::uint64_t> hashes_;        // equal for equal rows
  std::vector<std::vector<double>> values_;  // of some columns
  std::vector<double> raw_;                  // one variable before scaling
  std::vector<float> scaled_;                // all variables, one after the other
  double centre_ = 0;
  const ColumnScales* scales_ = nullptr;
  bool plain_indicators_ = false;
};

// The loop over the nodes of a level that all splitters of encoded rows share: calls work(node, its
// rows) where there is something to find, a node a thread.
template <class Work>
void at_every_node(const Table& table, const Level& level, const Encoding& how, Work&& work) {
  std::vector<EncodedNode> of_thread(level.n_threads);
  parallel_for(level.n_nodes, level.n_threads, [&](std::size_t node, int thread) {
    if (of_thread[thread].encode(table, level, node, how)) work(node, of_thread[thread]);
  });
}

}  // namespace miter
