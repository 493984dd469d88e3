#include "groupings.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace miter {
namespace {

constexpr std::size_t kOfEachKind = 6;

struct Classes {
  std::vector<double> weight;
  double total = 0;
};

// How far apart the classes of a variable can be divided, and how.
std::pair<double, Grouping> best_cut(const Classes& classes, const std::vector<double>& sums,
                                     double squares) {
  const std::size_t n = classes.weight.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  auto mean = [&](std::size_t c) { return sums[c] / classes.weight[c]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return mean(a) < mean(b); });
  const double all = std::accumulate(sums.begin(), sums.end(), 0.0);
  double below = 0, weight = 0, best = -1;
  std::size_t n_below = 0;
  for (std::size_t k = 0; k + 1 < n; ++k) {
    below += sums[order[k]];
    weight += classes.weight[order[k]];
    const double rest = classes.total - weight;
    const double apart = below / weight - (all - below) / rest;
    const double between = weight * rest / classes.total * apart * apart;
    if (between > best) {
      best = between;
      n_below = k + 1;
    }
  }
  Grouping grouping(n, 1);
  for (std::size_t k = 0; k < n_below; ++k) grouping[order[k]] = 0;
  return {squares > 0 ? best / squares : 0.0, normalised(std::move(grouping))};
}

}  // namespace

Grouping normalised(Grouping grouping) {
  if (grouping[0]) {
    for (auto& side : grouping) side = !side;
  }
  return grouping;
}

bool divides(const Grouping& grouping) {
  return std::find(grouping.begin(), grouping.end(), 1) != grouping.end();
}

std::vector<Grouping> propose_groupings(const EncodedNode& node) {
  const std::size_t n = node.classes.size();
  if (n == 2) return {{0, 1}};
  const BlockedRows& rows = node.rows;
  Classes classes{std::vector<double>(n, 0.0)};
  for (std::int64_t i = 0; i < rows.n_rows; ++i) {
    classes.weight[rows.y[i]] += rows.weight[i];
    classes.total += rows.weight[i];
  }
  std::vector<std::pair<double, Grouping>> cuts;
  std::vector<double> sums(n);
  for (int v = 0; v < rows.n_variables; ++v) {
    if (node.variables[v].value == Variable::kCondition) continue;
    std::fill(sums.begin(), sums.end(), 0.0);
    double squares = 0;
    for_rows(rows.n_rows, [&](std::int64_t i) {
      const double x = rows.at(i, v), w = rows.weight[i];
      sums[rows.y[i]] += w * x;
      squares += w * x * x;
    });
    cuts.push_back(best_cut(classes, sums, squares));
  }
  std::stable_sort(cuts.begin(), cuts.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Grouping> result;
  auto add = [&](Grouping grouping) {
    if (std::find(result.begin(), result.end(), grouping) == result.end()) {
      result.push_back(std::move(grouping));
    }
  };
  for (std::size_t k = 0; k < cuts.size() && result.size() < kOfEachKind; ++k) add(cuts[k].second);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return classes.weight[a] > classes.weight[b];
  });
  for (std::size_t k = 0; k < std::min(n, kOfEachKind); ++k) {
    Grouping one(n, 0);
    one[order[k]] = 1;
    add(normalised(std::move(one)));
  }
  return result;
}

}  // namespace miter
