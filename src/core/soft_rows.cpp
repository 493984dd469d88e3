#include "soft_rows.hpp"

#include <algorithm>
#include <cmath>

#include "lanes.hpp"

namespace miter {
namespace {

constexpr float kNegligible = 1e-2f;   // a row less probable at a node ends there
constexpr float kLeastLikely = 1e-6f;  // no row pulls more than if it had this probability

}  // namespace

void SoftRows::run(const SoftTree& tree, const std::int32_t* numbers, std::int64_t n_rows) {
  tree_ = &tree;
  numbers_ = numbers;
  const auto n_nodes = static_cast<std::int32_t>(tree.splits.size());
  visits.resize(n_nodes);
  for (Visit& visit : visits) {
    visit.rows.clear();
    visit.reach.clear();
  }
  ended.clear();
  for (std::int32_t row = 0; row < n_rows; ++row) enter(0, row, 1.0f);
  // Children have larger numbers than their parents.
  for (std::int32_t node = 0; node < n_nodes; ++node) {
    if (!visits[node].rows.empty()) go_down(node);
  }
  for (std::int32_t node = n_nodes; node-- > 0;) {
    if (!visits[node].rows.empty()) come_back(node);
  }
  loss = 0;
  probability_.resize(n_rows);
  for (std::int32_t row = 0; row < n_rows; ++row) {
    probability_[row] = std::max(visits[0].value[row], kLeastLikely);
    loss -= tree.pull[numbers[row]] * std::log(probability_[row]);
  }
  for (std::int32_t node = 0; node < n_nodes; ++node) {
    if (visits[node].rows.empty()) continue;
    const std::int32_t place = tree.soft_place[node];
    if (place < 0) {
      end_rows(node);
    } else {
      pull(node, tree.soft[place]);
    }
  }
}

// Rows stop at leaves, and where they hardly are: what is below would not matter.
void SoftRows::enter(std::int32_t node, std::int32_t row, float reach) {
  if (tree_->is_leaf(node) || reach < kNegligible) return;
  visits[node].rows.push_back(row);
  visits[node].reach.push_back(reach);
}

template <class Body>
void SoftRows::for_branches(std::int32_t node, std::int32_t row, Body&& visit) const {
  const std::int32_t number = numbers_[row], first = tree_->first_child[node];
  const std::int32_t b =
      tree_->splits.branch(node, [&](std::int32_t c) { return tree_->table.X.at(number, c); });
  if (b >= 0) return visit(first + b, 1.0f);
  if (b == kStay) return;
  for (std::int32_t k = 0; k < tree_->splits.n_branches(node); ++k) {
    visit(first + k, static_cast<float>(tree_->share[first + k]));
  }
}

void SoftRows::go_down(std::int32_t node) {
  const std::int32_t place = tree_->soft_place[node];
  if (place >= 0) return go_down_soft(node, tree_->soft[place]);
  const Visit& here = visits[node];
  for (std::size_t i = 0; i < here.rows.size(); ++i) {
    for_branches(node, here.rows[i], [&](std::int32_t child, float part) {
      enter(child, here.rows[i], part * here.reach[i]);
    });
  }
}

void SoftRows::go_down_soft(std::int32_t node, const SoftNode& soft) {
  Visit& here = visits[node];
  const std::size_t n = here.rows.size(), n_blocks = (n + kBlock - 1) / kBlock;
  const std::size_t n_inputs = soft.n_inputs(), n_branches = soft.n_branches();
  here.inputs.resize(n_blocks * n_inputs * kBlock);
  here.branch.resize(n_blocks * n_branches * kBlock);
  for (std::size_t b = 0; b < n_blocks; ++b) {
    const std::size_t first = b * kBlock, m = std::min<std::size_t>(kBlock, n - first);
    std::int32_t own[kBlock];
    for (std::size_t i = 0; i < m; ++i) own[i] = numbers_[here.rows[first + i]];
    float* block = here.inputs.data() + b * n_inputs * kBlock;
    float* p = here.branch.data() + b * n_branches * kBlock;
    soft.encode(tree_->table, own, static_cast<std::int64_t>(m), block);
    soft.soften(block, filled_rows(static_cast<std::int64_t>(m)), p);
    for (std::size_t k = 0; k < n_branches; ++k) {
      const std::int32_t child = tree_->first_child[node] + static_cast<std::int32_t>(k);
      if (tree_->is_leaf(child)) continue;
      for (std::size_t i = 0; i < m; ++i) {
        enter(child, here.rows[first + i], here.reach[first + i] * p[k * kBlock + i]);
      }
    }
  }
}

float SoftRows::worth_of(std::int32_t child, std::int32_t row, float reach,
                         std::size_t& next) const {
  if (!tree_->is_leaf(child) && reach >= kNegligible) return visits[child].value[next++];
  return tree_->probability(label(row), child);
}

void SoftRows::come_back(std::int32_t node) {
  if (tree_->soft_place[node] >= 0) return come_back_soft(node);
  Visit& here = visits[node];
  here.value.assign(here.rows.size(), 0.0f);
  const std::int32_t first = tree_->first_child[node];
  std::vector<std::size_t> next(tree_->splits.n_branches(node), 0);
  for (std::size_t i = 0; i < here.rows.size(); ++i) {
    const std::int32_t row = here.rows[i];
    bool goes_on = false;
    for_branches(node, row, [&](std::int32_t child, float part) {
      goes_on = true;
      here.value[i] += part * worth_of(child, row, part * here.reach[i], next[child - first]);
    });
    if (!goes_on) here.value[i] = tree_->probability(label(row), node);
  }
}

void SoftRows::come_back_soft(std::int32_t node) {
  Visit& here = visits[node];
  const std::size_t n = here.rows.size(), n_branches = tree_->splits.n_branches(node);
  here.value.assign(n, 0.0f);
  here.worth.resize(here.branch.size());
  for (std::size_t k = 0; k < n_branches; ++k) {
    const std::int32_t child = tree_->first_child[node] + static_cast<std::int32_t>(k);
    std::size_t next = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t at = (i / kBlock * n_branches + k) * kBlock + i % kBlock;
      const float p = here.branch[at];
      here.worth[at] = worth_of(child, here.rows[i], here.reach[i] * p, next);
      here.value[i] += p * here.worth[at];
    }
  }
}

// Of a part of a row that comes to a leaf so much belongs to it as the leaf explains the row.
void SoftRows::end(std::int32_t leaf, std::int32_t row, float part) {
  const std::int32_t own = label(row);
  const double share = part * tree_->probability(own, leaf) / probability_[row];
  if (share < kNegligible) return;
  ended.push_back({leaf, own, share * tree_->weight[numbers_[row]]});
}

void SoftRows::end_rows(std::int32_t node) {
  const Visit& here = visits[node];
  for (std::size_t i = 0; i < here.rows.size(); ++i) {
    for_branches(node, here.rows[i], [&](std::int32_t child, float part) {
      if (tree_->is_leaf(child)) end(child, here.rows[i], part * here.reach[i]);
    });
  }
}

// A branch is pulled at by what it is worth more than its node.
void SoftRows::pull(std::int32_t node, const SoftNode& soft) {
  Visit& here = visits[node];
  const std::size_t n = here.rows.size(), n_branches = soft.n_branches();
  sums_.assign(soft.n_weights() * kLanes, 0.0f);
  here.gradient.assign(soft.n_weights(), 0.0);
  for (std::size_t b = 0; b * kBlock < n; ++b) {
    const std::size_t first = b * kBlock, m = std::min<std::size_t>(kBlock, n - first);
    float* p = here.branch.data() + b * n_branches * kBlock;
    const float* worth = here.worth.data() + b * n_branches * kBlock;
    const int filled = filled_rows(static_cast<std::int64_t>(m));
    float strength[kBlock];
    for (std::size_t i = 0; i < m; ++i) {
      const std::int32_t row = here.rows[first + i];
      strength[i] = static_cast<float>(tree_->pull[numbers_[row]] * here.reach[first + i] /
                                       probability_[row]);
    }
    for (std::size_t k = 0; k < n_branches; ++k) {
      const std::int32_t child = tree_->first_child[node] + static_cast<std::int32_t>(k);
      float* own = p + k * kBlock;
      for (std::size_t i = 0; i < m && tree_->is_leaf(child); ++i) {
        end(child, here.rows[first + i], here.reach[first + i] * own[i]);
      }
      for (std::size_t i = 0; i < m; ++i) {
        own[i] *= strength[i] * (here.value[first + i] - worth[k * kBlock + i]);
      }
      std::fill(own + m, own + filled, 0.0f);
    }
    gradient_of_block(here.inputs.data() + b * soft.n_inputs() * kBlock, soft.shape(),
                      p + soft.first_output() * kBlock, sums_.data(), filled);
    if ((b + 1) % kBlocksInFloat == 0 || (b + 1) * kBlock >= n) take_sums(sums_, here.gradient);
  }
}

}  // namespace miter
