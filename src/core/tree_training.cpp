#include "tree_training.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "interrupt.hpp"
#include "parallel.hpp"
#include "random.hpp"

namespace miter {
namespace {

constexpr std::int64_t kPart = 512;  // rows that one thread takes through the tree

}  // namespace

TreeTraining::TreeTraining(const Table& table, const Splits& splits, GrownNodes nodes,
                           const RowWeights& weights, const TreeTrainingOptions& options)
    : tree_{table, splits}, options_(options), probability_(std::move(nodes.probability)) {
  tree_.share = std::move(nodes.share);
  tree_.parent.assign(splits.size(), -1);
  std::int32_t next = 1;
  for (std::size_t i = 0; i < splits.size(); ++i) {
    tree_.first_child.push_back(splits.n_branches(i) > 0 ? next : -1);
    for (std::int32_t b = 0; b < splits.n_branches(i); ++b) {
      tree_.parent[next++] = static_cast<std::int32_t>(i);
    }
    tree_.soft_place.push_back(-1);
    if (!SoftNode::is_one(splits, i)) continue;
    const std::int64_t first = nodes.start[i], n = nodes.start[i + 1] - first;
    SoftNode node(table, splits, i, nodes.rows + first, n, weights.weight);
    if (node.n_inputs() == 0) continue;
    tree_.soft_place.back() = static_cast<std::int32_t>(tree_.soft.size());
    tree_.soft.push_back(std::move(node));
  }
  n_taken_.assign(tree_.soft.size(), 0.0);
  for (std::int64_t row = 0; row < table.X.n_rows(); ++row) {
    tree_.weight.push_back(weights.weight ? weights.weight[row] : 1.0);
    tree_.pull.push_back(tree_.weight.back() * (weights.importance ? weights.importance[row] : 1));
    if (tree_.pull.back() > 0) order_.push_back(static_cast<std::int32_t>(row));
  }
  for (std::int32_t row : order_) {
    total_ += tree_.weight[row];
    total_pull_ += tree_.pull[row];
  }
  hash_rows();
  tree_.by_class.resize(probability_.size());
  counts_.assign(probability_.size(), 0.0);
  count_leaves();
}

void TreeTraining::hash_rows() {
  const Matrix& X = tree_.table.X;
  for_rows(X.n_rows(), [&](std::int64_t row) {
    std::uint64_t hash = options_.seed;
    for (std::int64_t c = 0; c < X.n_columns(); ++c) {
      const double x = X.at(row, c);
      hash = Random(hash ^ (x == x ? std::bit_cast<std::uint64_t>(x + 0.0) : 1)).bits();
    }
    hashes_.push_back(hash ^ static_cast<std::uint64_t>(tree_.table.y[row]));
  });
}

// Puts rows into an order of chance in which equal rows are neighbours, and in one batch: it is the
// same whether a row is there twice or has the weight 2, and in whatever order rows were given.
void TreeTraining::draw_batches() {
  const std::uint64_t salt = Random(options_.seed + ++n_passes_).bits();
  std::vector<std::pair<std::uint64_t, std::int32_t>> keys;
  for (std::int32_t row : order_) keys.push_back({Random(hashes_[row] ^ salt).bits(), row});
  std::sort(keys.begin(), keys.end());
  const double of_batch = total_ / options_.n_batches * (1 - 1e-9);
  batch_start_.assign(1, 0);
  double weight = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    order_[i] = keys[i].second;
    const bool is_other = i > 0 && keys[i].first != keys[i - 1].first;
    if (is_other && weight >= of_batch) {
      batch_start_.push_back(static_cast<std::int64_t>(i));
      weight = 0;
    }
    weight += tree_.weight[order_[i]];
  }
  batch_start_.push_back(static_cast<std::int64_t>(keys.size()));
}

double TreeTraining::run_pass(double rate) {
  draw_batches();
  std::fill(counts_.begin(), counts_.end(), 0.0);
  double loss = 0;
  for (std::size_t b = 0; b + 1 < batch_start_.size(); ++b) {
    const std::int64_t first = batch_start_[b], n = batch_start_[b + 1] - first;
    const auto n_parts = static_cast<std::size_t>((n + kPart - 1) / kPart);
    parts_.resize(std::max(parts_.size(), n_parts));
    parallel_for(n_parts, options_.n_threads, [&](std::size_t part, int) {
      const std::int64_t begin = static_cast<std::int64_t>(part) * kPart;
      parts_[part].run(tree_, order_.data() + first + begin, std::min(kPart, n - begin));
    });
    double pull = 0;
    for (std::int64_t i = 0; i < n; ++i) pull += tree_.pull[order_[first + i]];
    for (std::size_t part = 0; part < n_parts; ++part) loss += parts_[part].loss;
    finish_batch(n_parts, pull / total_pull_, rate);
  }
  count_leaves();
  return loss / total_pull_;
}

// Adds up what the parts of a batch found, in their order, and takes a step at every node that they
// came to.
void TreeTraining::finish_batch(std::size_t n_parts, double share, double rate) {
  n_done_ += share;
  for (std::size_t part = 0; part < n_parts; ++part) {
    for (const SoftRows::Ended& own : parts_[part].ended) {
      counts_[own.node * static_cast<std::int64_t>(tree_.table.n_classes) + own.label] +=
          own.weight;
    }
  }
  Vector gradient;
  for (std::size_t node = 0; node < tree_.splits.size(); ++node) {
    const std::int32_t place = tree_.soft_place[node];
    if (place < 0) continue;
    gradient.clear();
    for (std::size_t part = 0; part < n_parts; ++part) {
      const SoftRows::Visit& visit = parts_[part].visits[node];
      if (visit.rows.empty()) continue;
      gradient.resize(visit.gradient.size(), 0.0);
      for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += visit.gradient[i];
    }
    if (gradient.empty()) continue;
    // What the penalty would have done in batches whose rows did not come here is made up for.
    tree_.soft[place].step(gradient, options_.l2 * (n_done_ - n_taken_[place]), rate);
    n_taken_[place] = n_done_;
  }
}

// Leaves get the probabilities of the rows that ended there in this pass.
void TreeTraining::count_leaves() {
  const std::size_t n_nodes = tree_.splits.size(), n_classes = tree_.table.n_classes;
  for (std::size_t node = 0; node < n_nodes; ++node) {
    double* own = probability_.data() + node * n_classes;
    const double* counts = counts_.data() + node * n_classes;
    const double total = std::accumulate(counts, counts + n_classes, 0.0);
    if (total > 0) {
      const double* above = probability_.data() + tree_.parent[node] * n_classes;
      for (std::size_t c = 0; c < n_classes; ++c) {
        own[c] = (counts[c] + options_.smoothing * above[c]) / (total + options_.smoothing);
      }
    }
    for (std::size_t c = 0; c < n_classes; ++c) {
      tree_.by_class[c * n_nodes + node] = static_cast<float>(own[c]);
    }
  }
}

std::vector<PackedSplit> TreeTraining::splits() const {
  const Splits& before = tree_.splits;
  std::vector<PackedSplit> result;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::int32_t place = tree_.soft_place[i];
    if (place >= 0) {
      result.push_back(tree_.soft[place].fold(tree_.table));
    } else {
      result.push_back({before.kind(i),
                        before.n_branches(i),
                        {before.ints(i), before.ints(i + 1)},
                        {before.reals(i), before.reals(i + 1)}});
    }
  }
  return result;
}

}  // namespace miter
