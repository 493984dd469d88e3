#include "blocks.hpp"

#include <algorithm>
#include <cstddef>

#include "lanes.hpp"

namespace miter {
namespace {

// Calls body(c, C) for classes c to c + C - 1 until all have had their turn, some at a time: their
// sums then fit into registers, and a value is loaded once for all of them.
template <class Body>
MITER_INLINE void for_classes(int n_classes, Body&& body) {
  const int n_turns = (n_classes + 5) / 6;
  for (int turn = 0, c = 0; turn < n_turns; ++turn) {
    const int many = (n_classes - c + n_turns - turn - 1) / (n_turns - turn);
    with_constant<6>(many, [&](auto constant) MITER_LAMBDA { body(c, constant); });
    c += many;
  }
}

template <int C>
MITER_INLINE void score_classes(const float* block, const Outputs& shape, const float* weights,
                                int n_filled, float* scores) {
  const int n = shape.width - 1;
  for (int at = 0; at < n_filled; at += 2 * kLanes) {
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
void score_block(const float* block, const Outputs shape, const float* weights, float* scores,
                 int n_filled) {
  for_classes(shape.n_outputs, [&](int c, auto many) MITER_LAMBDA {
    score_classes<many()>(block, shape, weights + c * shape.width, n_filled, scores + c * kBlock);
  });
}

namespace {

template <int C>
MITER_INLINE void add_gradients(const float* block, const Outputs& shape, const float* pull,
                                int n_filled, float* sums) {
  const int n = shape.width - 1;
  for (int v = 0; v < n; ++v) {
    Lanes g[C];
    for (int c = 0; c < C; ++c) g[c] = load(sums + (c * shape.width + v) * kLanes);
    const float* x = block + shape.variables[v] * kBlock;
    for (int at = 0; at < n_filled; at += kLanes) {
      const Lanes own = load(x + at);
      for (int c = 0; c < C; ++c) g[c] += own * load(pull + c * kBlock + at);
    }
    for (int c = 0; c < C; ++c) store(sums + (c * shape.width + v) * kLanes, g[c]);
  }
  for (int c = 0; c < C; ++c) {
    float* constant = sums + (c * shape.width + n) * kLanes;
    Lanes g = load(constant);
    for (int at = 0; at < n_filled; at += kLanes) g += load(pull + c * kBlock + at);
    store(constant, g);
  }
}

}  // namespace

MITER_DISPATCH
void gradient_of_block(const float* block, const Outputs shape, const float* pull, float* sums,
                       int n_filled) {
  for_classes(shape.n_outputs, [&](int c, auto many) MITER_LAMBDA {
    add_gradients<many()>(block, shape, pull + c * kBlock, n_filled,
                          sums + c * shape.width * kLanes);
  });
}

void take_sums(std::vector<float>& sums, std::vector<double>& gradient) {
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    gradient[i] += sum(load(sums.data() + i * kLanes));
  }
  std::fill(sums.begin(), sums.end(), 0.0f);
}

}  // namespace miter
