#include "blocks.hpp"

#include <cstddef>
#include <type_traits>

#include "lanes.hpp"

namespace miter {

void BlockedRows::reset(std::int64_t rows, int variables) {
  n_rows = rows;
  n_blocks = (rows + kBlock - 1) / kBlock;
  n_variables = variables;
  values.resize(n_blocks * n_variables * kBlock);
  y.resize(n_blocks * kBlock);
  weight.resize(n_blocks * kBlock);
  for (std::int64_t row = rows; row < n_blocks * kBlock; ++row) {
    for (int v = 0; v < variables; ++v) at(row, v) = 0;
    y[row] = 0;
    weight[row] = 0;
  }
}

namespace {

// Calls body<C>(c) for classes c to c + C - 1 until all have had their turn, some at a time: their
// sums then fit into registers, and a value is loaded once for all of them.
template <class Body>
MITER_INLINE void for_classes(int n_classes, Body&& body) {
  const int n_turns = (n_classes + 5) / 6;
  for (int turn = 0, c = 0; turn < n_turns; ++turn) {
    const int many = (n_classes - c + n_turns - turn - 1) / (n_turns - turn);
    switch (many) {
      case 1:
        body(c, std::integral_constant<int, 1>());
        break;
      case 2:
        body(c, std::integral_constant<int, 2>());
        break;
      case 3:
        body(c, std::integral_constant<int, 3>());
        break;
      case 4:
        body(c, std::integral_constant<int, 4>());
        break;
      case 5:
        body(c, std::integral_constant<int, 5>());
        break;
      default:
        body(c, std::integral_constant<int, 6>());
        break;
    }
    c += many;
  }
}

template <int C>
MITER_INLINE void score_classes(const float* block, const Outputs& shape, const float* weights,
                                float* scores) {
  const int n = shape.width - 1;
  for (int at = 0; at < kBlock; at += 2 * kLanes) {
    Lanes s[C], t[C];
    for (int c = 0; c < C; ++c) s[c] = t[c] = Lanes{} + weights[c * shape.width + n];
    for (int v = 0; v < n; ++v) {
      const float* from = block + shape.variables[v] * kBlock + at;
      const Lanes x = load(from), z = load(from + kLanes);
      for (int c = 0; c < C; ++c) {
        s[c] += weights[c * shape.width + v] * x;
        t[c] += weights[c * shape.width + v] * z;
      }
    }
    for (int c = 0; c < C; ++c) {
      store(scores + c * kBlock + at, s[c]);
      store(scores + c * kBlock + at + kLanes, t[c]);
    }
  }
}

}  // namespace

MITER_DISPATCH
void score_block(const float* block, const Outputs shape, const float* weights, float* scores) {
  for_classes(shape.n_outputs, [&](int c, auto many) __attribute__((always_inline)) {
    score_classes<many()>(block, shape, weights + c * shape.width, scores + c * kBlock);
  });
}

namespace {

template <int C>
MITER_INLINE void add_gradients(const float* block, const Outputs& shape, const float* pull,
                                float* sums) {
  const int n = shape.width - 1;
  for (int v = 0; v < n; ++v) {
    Lanes g[C];
    for (int c = 0; c < C; ++c) g[c] = load(sums + (c * shape.width + v) * kLanes);
    const float* x = block + shape.variables[v] * kBlock;
    for (int at = 0; at < kBlock; at += kLanes) {
      const Lanes own = load(x + at);
      for (int c = 0; c < C; ++c) g[c] += own * load(pull + c * kBlock + at);
    }
    for (int c = 0; c < C; ++c) store(sums + (c * shape.width + v) * kLanes, g[c]);
  }
  for (int c = 0; c < C; ++c) {
    float* constant = sums + (c * shape.width + n) * kLanes;
    Lanes g = load(constant);
    for (int at = 0; at < kBlock; at += kLanes) g += load(pull + c * kBlock + at);
    store(constant, g);
  }
}

}  // namespace

MITER_DISPATCH
void gradient_of_block(const float* block, const Outputs shape, const float* pull, float* sums) {
  for_classes(shape.n_outputs, [&](int c, auto many) __attribute__((always_inline)) {
    add_gradients<many()>(block, shape, pull + c * kBlock, sums + c * shape.width * kLanes);
  });
}

}  // namespace miter
