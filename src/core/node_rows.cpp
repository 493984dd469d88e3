#include "node_rows.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "interrupt.hpp"
#include "random.hpp"

namespace miter {

void take_rows(const Level& level, std::size_t node, std::int64_t max_rows, NodeRows& to) {
  const std::int64_t first = level.start[node], n = level.size(node);
  const std::int64_t m = std::min(n, max_rows);
  Random random(level.seed + node);
  const double offset = m < n ? random.unit() : 0.0;
  to.rows.clear();
  to.weights.clear();
  to.entries.clear();
  for_rows(m, [&](std::int64_t i) {
    const auto place = static_cast<std::int64_t>((static_cast<double>(i) + offset) *
                                                 static_cast<double>(n) / static_cast<double>(m));
    const std::int64_t at = first + std::min(place, n - 1);
    to.entries.push_back(at);
    to.rows.push_back(level.rows[at]);
    to.weights.push_back(level.weight(at));
  });
}

void drop_weightless(NodeRows& node) {
  std::size_t n_kept = 0;
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    if (!(node.weights[i] > 0)) continue;
    node.rows[n_kept] = node.rows[i];
    node.entries[n_kept] = node.entries[i];
    node.weights[n_kept++] = node.weights[i];
  }
  node.rows.resize(n_kept);
  node.entries.resize(n_kept);
  node.weights.resize(n_kept);
}

std::vector<std::int32_t> columns_of(const Level& level, std::size_t node, std::size_t n_columns) {
  std::vector<std::int32_t> columns;
  for (std::size_t c = 0; c < n_columns; ++c) {
    if (!level.allowed || level.allowed[node * n_columns + c]) {
      columns.push_back(static_cast<std::int32_t>(c));
    }
  }
  return columns;
}

void hash_rows(const Matrix& X, std::uint64_t seed, NodeRows& node) {
  node.hashes.clear();
  for_rows(static_cast<std::int64_t>(node.rows.size()), [&](std::int64_t i) {
    const std::int32_t row = node.rows[i];
    std::uint64_t hash = seed;
    for (std::int64_t c = 0; c < X.n_columns(); ++c) {
      const double x = X.at(row, c);
      hash = Random(hash ^ (x == x ? std::bit_cast<std::uint64_t>(x) : 1)).bits();
    }
    node.hashes.push_back(hash);
  });
}

std::vector<int> draw_folds(const NodeRows& node, const std::vector<std::int32_t>& y, int folds) {
  std::vector<std::int64_t> order(node.rows.size());
  std::iota(order.begin(), order.end(), 0);
  auto key = [&](std::int64_t i) { return std::make_pair(y[i], node.hashes[i]); };
  std::sort(order.begin(), order.end(),
            [&](std::int64_t a, std::int64_t b) { return key(a) < key(b); });
  std::vector<int> fold(order.size());
  for (std::size_t k = 0, n_different = 0; k < order.size(); ++k) {
    n_different += k > 0 && key(order[k]) != key(order[k - 1]);
    fold[order[k]] = static_cast<int>(n_different % folds);
  }
  return fold;
}

}  // namespace miter
