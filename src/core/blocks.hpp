// Rows of a node in blocks of 64, variable by variable, and linear combinations of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace miter {

constexpr int kBlock = 64;  // rows

// Rows of numbers, 64 at a time, variable by variable; the last block is filled up with weight 0.
template <class Number>
struct Blocks {
  // Makes room for other rows; memory is kept from those before.
  void reset(std::int64_t rows, int variables) {
    n_rows = rows;
    n_blocks = (rows + kBlock - 1) / kBlock;
    n_variables = variables;
    values.resize(n_blocks * n_variables * kBlock);
    weight.resize(n_blocks * kBlock);
    for (std::int64_t row = rows; row < n_blocks * kBlock; ++row) {
      for (int v = 0; v < variables; ++v) at(row, v) = 0;
      weight[row] = 0;
    }
  }
  Number* block(std::int64_t b) { return values.data() + b * n_variables * kBlock; }
  const Number* block(std::int64_t b) const { return values.data() + b * n_variables * kBlock; }
  Number& at(std::int64_t row, int variable) { return values[place(row, variable, n_variables)]; }
  Number at(std::int64_t row, int variable) const {
    return values[place(row, variable, n_variables)];
  }

  std::int64_t n_rows = 0, n_blocks = 0;
  int n_variables = 0;
  std::vector<Number> values;  // n_blocks x n_variables x 64
  std::vector<Number> weight;

 protected:
  static std::int64_t place(std::int64_t row, int k, int n) {
    return (row / kBlock * n + k) * kBlock + row % kBlock;
  }
};

// Encoded rows.
struct BlockedRows : Blocks<float> {
  void reset(std::int64_t rows, int variables) {
    Blocks::reset(rows, variables);
    y.resize(n_blocks * kBlock);
    std::fill(y.begin() + rows, y.end(), 0);
  }
  float cost_of(std::int64_t row, int answer, int n_classes) const {
    return cost[place(row, answer, n_classes)];
  }

  std::vector<std::int32_t> y;  // 0 to n_classes - 1
  std::vector<float> cost;  // n_blocks x n_classes x 64, of each answer; none: a mistake costs 1
  std::vector<float> emphasis;  // of each row in logistic regression, if there are costs
};

// Several linear combinations of some variables: outputs x (variables in use + 1), the constant
// last.
struct Outputs {
  int n_outputs, width;  // width: variables in use and the constant
  const int* variables;
};

// The first rows of a block that are worth the work on whole vectors: 16, 32, 48 or 64.
inline int filled_rows(std::int64_t n_rows) { return static_cast<int>((n_rows + 15) / 16 * 16); }

// The outputs of a block of rows, or of its first filled ones: n_outputs x 64.
void score_block(const float* block, const Outputs shape, const float* weights, float* scores,
                 int n_filled = kBlock);

// Adds to the gradient of every weight, eight sums for each, what the rows of a block pull.
void gradient_of_block(const float* block, const Outputs shape, const float* pull, float* sums,
                       int n_filled = kBlock);

// Adds the sums to the gradient, and begins them anew.
void take_sums(std::vector<float>& sums, std::vector<double>& gradient);

constexpr int kBlocksInFloat = 16;  // sums of more rows than this are kept as doubles

}  // namespace miter
