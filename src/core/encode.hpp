// Rows of a node as scaled numbers, and weights for them back in the user's units.
//
// Utgoff and Brodley 1991, section 2.2: two-valued symbols become +-1, many-valued ones a +-1
// variable for each value; every variable is scaled by the mean and standard deviation of the
// node's own rows; a missing value is 0, the mean. Variables that are constant at the node are left
// out, and a value that no row has there counts as missing.
//
// Differs from the paper: of a symbol with more than 64 values at the node the 64 most frequent get
// a variable; a number may have a second one, its distance from the mean.
#pragma once

#include <cstdint>
#include <vector>

#include "annealed.hpp"
#include "matrix.hpp"
#include "node_rows.hpp"

namespace miter {

struct Variable {
  static constexpr std::int32_t number = -1, distance = -2;

  std::int32_t column;
  std::int32_t value;  // of a symbol; or number, or distance
  double mean = 0, deviation = 0;
  std::int32_t other = -1;  // of a symbol with two values at the node, the one without a variable
};

// Where numbers are scaled by the whole training set: the least number of each column, and how far
// it is to the largest.
struct ColumnScales {
  std::vector<double> low, range;
};

// Rows of one node, ready for training. To be used for one node after the other: memory that is
// given back and asked for again at every node would cost more than the encoding.
class NodeEncoding {
 public:
  // costs (all rows x n_classes) and scales may be null.
  void encode(const Matrix& X, const std::int32_t* y, const double* costs, int n_classes,
              const std::vector<std::int32_t>& n_values, const std::vector<std::int32_t>& columns,
              bool bent, const ColumnScales* scales = nullptr);

  NodeRows node;                      // to be filled before
  std::vector<Variable> variables;    // those of a column are neighbours
  std::vector<std::int32_t> classes;  // those that are there
  BlockedRows rows;

 private:
  void add_column(std::int32_t column, std::int32_t n_values, std::vector<double>& x, bool bent);
  bool add(Variable variable, const std::vector<double>& x);
  void number_classes(const std::int32_t* y, int n_classes);
  void take_costs(const double* costs, int n_classes);

  std::vector<std::vector<double>> values_;  // of some columns
  std::vector<double> raw_;                  // one variable before scaling
  std::vector<float> scaled_;                // all variables, one after the other
  double centre_ = 0;
  const ColumnScales* scales_ = nullptr;
};

// Writes linear combinations of scaled variables in the user's units: appends to ints the column
// and the number of values of each term, and fills reals with the constants and the weights of each
// term as in the packed form of a machine. weights: one row an output with a place for each of
// `used` (ascending positions of variables) and the constant. Returns the number of terms.
std::int32_t fold_terms(const NodeEncoding& encoding, const std::vector<int>& used,
                        const Vector& weights, std::size_t n_outputs,
                        const std::vector<std::int32_t>& n_values, std::vector<std::int32_t>& ints,
                        std::vector<double>& reals);

// Writes a machine over scaled variables in the packed form of route.hpp. weights: one row a class.
void fold(const NodeEncoding& encoding, const std::vector<int>& used, const Vector& weights,
          const std::vector<std::int32_t>& n_values, std::vector<std::int32_t>& ints,
          std::vector<double>& reals);

}  // namespace miter
