#include "tally.hpp"

#include <cstddef>

#include "parallel.hpp"

namespace miter {
namespace {

void tally_node(const Table& table, const Level& level, const Scales& scales, std::size_t i,
                std::int64_t first, Tally& tally) {
  const int n = table.n_classes;
  const ScaledValues counted{table.y, nullptr, n, scales.weight};
  const ScaledValues lost{table.y, table.costs, n, scales.cost};
  level.for_entries(i, [&](std::int64_t e) {
    const std::int32_t row = level.rows[e], b = tally.branch[e];
    if (b == kStay) return;
    const double weight = level.weight(e);
    const bool is_shared = b == kShareOut;
    const std::int64_t to = is_shared ? static_cast<std::int64_t>(i) : first + b;
    ++(is_shared ? tally.shared_sizes : tally.sizes)[to];
    counted.add(row, weight, (is_shared ? tally.shared : tally.counts).data() + to * n);
    if (!table.costs) return;
    lost.add(row, weight, (is_shared ? tally.shared_losses : tally.losses).data() + to * n);
  });
}

}  // namespace

Tally tally_level(const Table& table, const Level& level, const Splits& splits,
                  const std::int32_t* missing_of_class, const Scales& scales) {
  std::vector<std::int64_t> first{0};
  for (std::size_t i = 0; i < level.n_nodes; ++i) {
    first.push_back(first.back() + splits.n_branches(i));
  }
  const std::size_t n = table.n_classes, n_branches = first.back(), n_nodes = level.n_nodes;
  Tally tally;
  tally.branch.assign(level.n_entries(), kStay);
  tally.sizes.assign(n_branches, 0);
  tally.shared_sizes.assign(n_nodes, 0);
  tally.counts.assign(n_branches * n, 0);
  tally.shared.assign(n_nodes * n, 0);
  if (table.costs) {
    tally.losses.assign(n_branches * n, 0);
    tally.shared_losses.assign(n_nodes * n, 0);
  }
  find_branches(table, level, splits, missing_of_class, tally.branch.data());
  const auto runs = level.runs(kRunEntries);
  parallel_for(runs.size(), level.n_threads, [&](std::size_t r, int) {
    for (std::size_t i = runs[r].first; i < runs[r].last; ++i) {
      tally_node(table, level, scales, i, first[i], tally);
    }
  });
  return tally;
}

}  // namespace miter
