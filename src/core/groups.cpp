#include "groups.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

#include "impurity.hpp"
#include "interrupt.hpp"

namespace miter {
namespace {

double sum(const std::vector<double>& counts) {
  return std::accumulate(counts.begin(), counts.end(), 0.0);
}

double mixed(const std::vector<double>& counts, bool gini) {
  const int n_classes = static_cast<int>(counts.size());
  if (gini) return Gini().mixed(counts.data(), n_classes, sum(counts));
  return Entropy().mixed(counts.data(), n_classes, sum(counts));
}

std::vector<double> total(const Groups& groups, std::size_t begin, std::size_t end) {
  std::vector<double> counts(groups.n_classes, 0.0);
  for (std::size_t g = begin; g < end; ++g) {
    for (int c = 0; c < groups.n_classes; ++c) counts[c] += groups.of(g)[c];
  }
  return counts;
}

void move_group(const double* group, std::vector<double>& from, std::vector<double>& to) {
  for (std::size_t c = 0; c < from.size(); ++c) {
    from[c] -= group[c];
    to[c] += group[c];
  }
}

int classes_present(const std::vector<double>& counts) {
  return static_cast<int>(
      std::count_if(counts.begin(), counts.end(), [](double n) { return n > 0; }));
}

// The best single cut of a range of groups by entropy, and whether its gain pays for describing it.
struct Cut {
  std::size_t position = 0;
  bool pays = false;
};

Cut best_cut(const Groups& groups, std::size_t begin, std::size_t end) {
  std::vector<double> right = total(groups, begin, end);
  std::vector<double> left(right.size(), 0.0);
  const std::vector<double> all = right;
  double least = std::numeric_limits<double>::infinity();
  Cut cut;
  for (std::size_t g = begin; g + 1 < end; ++g) {
    if (g % 256 == 0) Interrupt::check();
    move_group(groups.of(g), right, left);
    const double rest = mixed(left, false) + mixed(right, false);
    if (rest < least) {
      least = rest;
      cut.position = g + 1;
    }
  }
  if (cut.position == 0) return cut;
  // Counted anew: what is left of a class after subtracting all of it is not always 0.
  const std::vector<double> best_left = total(groups, begin, cut.position);
  const std::vector<double> best_right = total(groups, cut.position, end);
  const double n = sum(all);
  const double gain = (mixed(all, false) - least) / n;
  const int k = classes_present(all);
  const double entropies = k * mixed(all, false) / n -
                           classes_present(best_left) * mixed(best_left, false) / sum(best_left) -
                           classes_present(best_right) * mixed(best_right, false) / sum(best_right);
  // log2(3^k - 2), without the power that overflows for many classes.
  const double delta = k * std::log2(3.0) + std::log2(1 - 2 * std::pow(3.0, -k)) - entropies;
  cut.pays = n > 1 && gain > (std::log2(n - 1) + delta) / n;
  return cut;
}

// Groups in the order of their projection on the direction in which class proportions vary most.
std::vector<std::size_t> order_by_principal_component(const Groups& groups) {
  const int R = groups.n_classes;
  const std::vector<double> all = total(groups, 0, groups.size());
  const double weight = sum(all);
  std::vector<double> shares(groups.size() * R), covariance(static_cast<std::size_t>(R) * R, 0.0);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Interrupt::check();
    const double n = std::accumulate(groups.of(g), groups.of(g) + R, 0.0);
    for (int c = 0; c < R; ++c) shares[g * R + c] = groups.of(g)[c] / n - all[c] / weight;
    for (int a = 0; a < R; ++a) {
      for (int b = 0; b < R; ++b)
        covariance[a * R + b] += n * shares[g * R + a] * shares[g * R + b];
    }
  }
  // Power iteration from the class that varies most; a hundred steps settle an order of few groups.
  std::vector<double> direction(R, 0.0), next(R);
  int widest = 0;
  for (int c = 1; c < R; ++c) {
    if (covariance[c * R + c] > covariance[widest * R + widest]) widest = c;
  }
  direction[widest] = 1;
  for (int step = 0; step < 100; ++step) {
    double norm = 0;
    for (int a = 0; a < R; ++a) {
      next[a] = std::inner_product(direction.begin(), direction.end(), &covariance[a * R], 0.0);
      norm += next[a] * next[a];
    }
    if (norm <= 0) break;
    for (int a = 0; a < R; ++a) direction[a] = next[a] / std::sqrt(norm);
  }
  std::vector<double> projection(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    projection[g] = std::inner_product(direction.begin(), direction.end(), &shares[g * R], 0.0);
  }
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return projection[a] < projection[b]; });
  return order;
}

std::vector<std::int32_t> cut_in_order(const Groups& groups, const std::vector<std::size_t>& order,
                                       bool gini, double min_leaf) {
  std::vector<double> right = total(groups, 0, groups.size()), left(right.size(), 0.0);
  double least = std::numeric_limits<double>::infinity();
  std::size_t best = 0;
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    if (i % 256 == 0) Interrupt::check();
    move_group(groups.of(order[i]), right, left);
    if (sum(left) < min_leaf || sum(right) < min_leaf) continue;
    const double rest = mixed(left, gini) + mixed(right, gini);
    if (rest < least) {
      least = rest;
      best = i + 1;
    }
  }
  std::vector<std::int32_t> branch(groups.size(), best > 0 ? 1 : 0);
  for (std::size_t i = 0; i < best; ++i) branch[order[i]] = 0;
  return branch;
}

// Every division in two; the first group stays in branch 0. Gray code: one group moves a step.
std::vector<std::int32_t> try_all(const Groups& groups, bool gini, double min_leaf) {
  std::vector<double> left = total(groups, 0, groups.size()), right(left.size(), 0.0);
  double least = std::numeric_limits<double>::infinity();
  std::uint32_t best = 0, now = 0;
  for (std::uint32_t step = 1; step < (1u << (groups.size() - 1)); ++step) {
    const int moved = std::countr_zero(step);
    now ^= 1u << moved;
    const bool to_right = now >> moved & 1;
    move_group(groups.of(moved + 1), to_right ? left : right, to_right ? right : left);
    if (sum(left) < min_leaf || sum(right) < min_leaf) continue;
    const double rest = mixed(left, gini) + mixed(right, gini);
    if (rest < least - 1e-12) {
      least = rest;
      best = now;
    }
  }
  std::vector<std::int32_t> branch(groups.size(), 0);
  for (std::size_t g = 1; g < groups.size(); ++g) branch[g] = best >> (g - 1) & 1;
  return branch;
}

}  // namespace

std::vector<std::size_t> cut_by_description_length(const Groups& groups) {
  std::vector<std::size_t> cuts;
  std::vector<std::pair<std::size_t, std::size_t>> open{{0, groups.size()}};
  while (!open.empty()) {
    const auto [begin, end] = open.back();
    open.pop_back();
    const Cut cut = best_cut(groups, begin, end);
    if (!cut.pays) continue;
    cuts.push_back(cut.position);
    open.emplace_back(begin, cut.position);
    open.emplace_back(cut.position, end);
  }
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

std::vector<std::int32_t> divide_in_two(const Groups& groups, bool gini, double min_leaf) {
  if (classes_present(total(groups, 0, groups.size())) > 2 && groups.size() <= 10) {
    return try_all(groups, gini, min_leaf);
  }
  // With two classes the first principal component orders by the share of one class: exact.
  return cut_in_order(groups, order_by_principal_component(groups), gini, min_leaf);
}

}  // namespace miter
