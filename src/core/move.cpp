#include "move.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "packed.hpp"
#include "parallel.hpp"

namespace miter {

void find_branches(const Table& table, const Level& level, const Splits& splits,
                   const std::int32_t* missing_of_class, std::int32_t* branch) {
  const std::int64_t n_entries = level.n_entries();
  const std::size_t n_items = (n_entries + kRunEntries - 1) / kRunEntries;
  table.X.visit([&](const auto& typed) {
    parallel_for(n_items, level.n_threads, [&](std::size_t item, int) {
      const auto begin = static_cast<std::int64_t>(item) * kRunEntries;
      const std::int64_t end = std::min(n_entries, begin + kRunEntries);
      const std::int64_t* after = std::upper_bound(level.start, level.start + level.n_nodes, begin);
      for (std::size_t i = after - level.start - 1; i < level.n_nodes; ++i) {
        const std::int64_t first = std::max(begin, level.start[i]);
        const std::int64_t n = std::min(end, level.start[i + 1]) - first;
        if (level.start[i] >= end) break;
        if (splits.kind(i) == SplitKind::leaf) continue;
        splits.branches(i, typed, level.rows + first, n, branch + first);
        if (!missing_of_class) continue;
        for (std::int64_t e = first; e < first + n; ++e) {
          const std::int32_t row = level.rows[e];
          bool missing = false;
          splits.branch(i, [&](std::int32_t column) {
            const double x = typed.at(row, column);
            missing |= x != x;
            return x;
          });
          if (missing) branch[e] = missing_of_class[i * table.n_classes + table.y[row]];
        }
      }
    });
  });
}

namespace {

// Sums over the rows of a node's branches; rows that are shared out are added by the branches'
// shares, which classes are counted to find.
void sum_branches(const RowValues& values, const Level& level, std::size_t i, Routing& routing,
                  std::vector<double>& sums) {
  const std::int64_t first = routing.first_branch[i];
  const auto n_branches = static_cast<std::int32_t>(routing.first_branch[i + 1] - first);
  if (n_branches == 0) return;
  const int n = values.n;
  std::vector<double> unknown(n, 0.0);
  bool any_unknown = false;
  double known = 0;
  level.for_entries(i, [&](std::int64_t e) {
    const double weight = level.weight(e);
    const std::int32_t b = routing.branch[e];
    if (b < 0) {
      values.add(level.rows[e], weight, unknown.data());
      any_unknown = true;
    } else {
      values.add(level.rows[e], weight, sums.data() + (first + b) * n);
      known += weight;
    }
  });
  for (std::int64_t b = first; b < first + n_branches; ++b) {
    double* own = sums.data() + b * n;
    if (!values.costs) {
      routing.share[b] = known > 0 ? std::accumulate(own, own + n, 0.0) / known : 0.0;
    }
    if (!any_unknown) continue;
    for (int k = 0; k < n; ++k) own[k] += routing.share[b] * unknown[k];
  }
}

}  // namespace

Routing route_level(const Table& table, const Level& level, const Splits& splits,
                    const std::int32_t* missing_of_class) {
  const int n = table.n_classes;
  Routing routing;
  routing.n_classes = n;
  routing.first_branch.assign(1, 0);
  for (std::size_t i = 0; i < level.n_nodes; ++i) {
    routing.first_branch.push_back(routing.first_branch.back() + splits.n_branches(i));
  }
  const std::int64_t total = routing.first_branch.back();
  routing.branch.assign(level.n_entries(), kShareOut);
  routing.share.assign(total, 0.0);
  routing.counts.assign(total * n, 0.0);
  if (table.costs) routing.losses.assign(total * n, 0.0);
  find_branches(table, level, splits, missing_of_class, routing.branch.data());
  const auto runs = level.runs(kRunEntries);
  parallel_for(runs.size(), level.n_threads, [&](std::size_t r, int) {
    for (std::size_t i = runs[r].first; i < runs[r].last; ++i) {
      sum_branches({table.y, nullptr, n}, level, i, routing, routing.counts);
      if (table.costs) sum_branches({table.y, table.costs, n}, level, i, routing, routing.losses);
    }
  });
  return routing;
}

MovedRows move_rows(const Level& level, const Routing& routing, const std::uint8_t* is_open) {
  const std::size_t n_branches = routing.share.size();
  const auto runs = level.runs(kRunEntries);
  // A shared-out entry goes to every branch that has known rows.
  auto each_target = [&](std::size_t i, std::int64_t e, auto&& visit) {
    const std::int64_t first = routing.first_branch[i];
    const std::int32_t b = routing.branch[e];
    if (b >= 0) {
      if (is_open[first + b]) visit(first + b, 1.0);
      return;
    }
    if (b == kStay && routing.some_stay) return;
    for (std::int64_t to = first; to < routing.first_branch[i + 1]; ++to) {
      if (is_open[to] && routing.share[to] > 0) visit(to, routing.share[to]);
    }
  };
  std::vector<std::int64_t> sizes(n_branches, 0);
  std::vector<std::uint8_t> shared(runs.size(), 0);
  parallel_for(runs.size(), level.n_threads, [&](std::size_t r, int) {
    for (std::size_t i = runs[r].first; i < runs[r].last; ++i) {
      if (routing.first_branch[i] == routing.first_branch[i + 1]) continue;
      level.for_entries(i, [&](std::int64_t e) {
        shared[r] |= routing.branch[e] < 0;  // a weight for every entry, should some be shared
        each_target(i, e, [&](std::int64_t to, double) { ++sizes[to]; });
      });
    }
  });

  MovedRows moved;
  std::vector<std::int64_t> position(n_branches, 0);
  std::int64_t total = 0;
  moved.start.push_back(0);
  for (std::size_t b = 0; b < n_branches; ++b) {
    position[b] = total;
    if (!is_open[b]) continue;
    total += sizes[b];
    moved.start.push_back(total);
  }
  const bool weighted =
      level.weights || std::any_of(shared.begin(), shared.end(), [](auto any) { return any != 0; });
  moved.rows.resize(total);
  if (weighted) moved.weights.resize(total);
  parallel_for(runs.size(), level.n_threads, [&](std::size_t r, int) {
    for (std::size_t i = runs[r].first; i < runs[r].last; ++i) {
      if (routing.first_branch[i] == routing.first_branch[i + 1]) continue;
      level.for_entries(i, [&](std::int64_t e) {
        each_target(i, e, [&](std::int64_t to, double share) {
          const std::int64_t at = position[to]++;
          moved.rows[at] = level.rows[e];
          if (weighted) moved.weights[at] = share * level.weight(e);
        });
      });
    }
  });
  return moved;
}

}  // namespace miter
