#include "univariate.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "node_search.hpp"
#include "parallel.hpp"

namespace miter {
namespace {

// Nodes of at least this many rows are shared out column by column.
constexpr std::int64_t kLargeNode = 4096;

// A piece of work: some nodes with all columns, or one large node with one column.
struct Item {
  Level::Run nodes;
  int column;  // -1: all
};

std::vector<Item> make_items(const Level& level, int n_columns) {
  std::vector<Item> items;
  for (const Level::Run& run : level.runs(kLargeNode)) {
    const bool is_large = level.size(run.first) >= kLargeNode;
    for (int c = is_large ? 0 : -1; c < (is_large ? n_columns : 0); ++c) items.push_back({run, c});
  }
  return items;
}

// The classes of all entries, gathered once for all columns.
std::vector<std::uint16_t> gather_classes(const Level& level, const std::int32_t* y,
                                          int n_threads) {
  const std::int64_t n = level.n_entries();
  constexpr std::int64_t kBlockEntries = 1 << 16;
  std::vector<std::uint16_t> classes(n);
  parallel_for((n + kBlockEntries - 1) / kBlockEntries, n_threads, [&](std::size_t b, int) {
    const std::int64_t begin = static_cast<std::int64_t>(b) * kBlockEntries;
    for (std::int64_t i = begin; i < std::min(n, begin + kBlockEntries); ++i) {
      classes[i] = static_cast<std::uint16_t>(y[level.rows[i]]);
    }
  });
  return classes;
}

Node node_of(const Level& level, const std::vector<std::uint16_t>& classes, std::size_t i,
             int n_classes) {
  const std::int64_t begin = level.start[i];
  return {level.rows + begin, classes.data() + begin,
          level.weights ? level.weights + begin : nullptr, static_cast<std::size_t>(level.size(i)),
          level.counts + i * n_classes};
}

template <class Count>
std::vector<FoundSplit> find_typed(const SearchTable& table, const Level& level,
                                   const std::vector<std::uint16_t>& classes) {
  const NodeSearch search(table);
  const int n_columns = static_cast<int>(table.columns.size()), n_classes = table.rows.n_classes;
  std::vector<FoundSplit> found(level.n_nodes);
  std::vector<std::vector<Candidate>> candidates(level.n_nodes);  // of the large nodes
  const std::vector<Item> items = make_items(level, n_columns);
  std::vector<Scratch<Count>> scratch(level.n_threads);
  std::vector<std::size_t> large;
  for (const Item& item : items) {
    if (item.column != 0) continue;
    large.push_back(item.nodes.first);
    candidates[item.nodes.first].resize(n_columns);
  }
  auto finish = [&](std::size_t i, std::vector<Candidate>& of_columns, int thread) {
    const Node node = node_of(level, classes, i, n_classes);
    int best = search.choose(of_columns);
    if (best < 0 && level.allowed) {
      // None of the node's columns divides its rows; rather than give up, look at the others.
      for (int c = 0; c < n_columns; ++c) {
        if (level.allowed[i * n_columns + c]) continue;
        of_columns[c] = search.evaluate(node, c, scratch[thread]);
      }
      best = search.choose(of_columns);
    }
    if (best < 0) return;
    found[i] = search.finish(node, best, of_columns[best], scratch[thread]);
  };
  auto evaluate = [&](std::size_t i, int c, int thread) {
    if (level.allowed && !level.allowed[i * n_columns + c]) return Candidate{};
    return search.evaluate(node_of(level, classes, i, n_classes), c, scratch[thread]);
  };
  parallel_for(items.size(), level.n_threads, [&](std::size_t k, int thread) {
    const Item& item = items[k];
    if (item.column >= 0) {
      candidates[item.nodes.first][item.column] = evaluate(item.nodes.first, item.column, thread);
      return;
    }
    std::vector<Candidate> of_columns(n_columns);
    for (std::size_t i = item.nodes.first; i < item.nodes.last; ++i) {
      for (int c = 0; c < n_columns; ++c) of_columns[c] = evaluate(i, c, thread);
      finish(i, of_columns, thread);
    }
  });
  parallel_for(large.size(), level.n_threads,
               [&](std::size_t k, int thread) { finish(large[k], candidates[large[k]], thread); });
  return found;
}

}  // namespace

UnivariateSearch::UnivariateSearch(const Table& table, const UnivariateOptions& options,
                                   int n_threads)
    : table_{table, options, code_columns(table.X, table.n_values, options.max_codes, n_threads),
             XLogXTable(table.X.n_rows())} {
  // Fractions of rows do not add up exactly: two halves must count as one row.
  table_.options.min_leaf -= 1e-9;
}

std::vector<FoundSplit> UnivariateSearch::find(const Level& level) const {
  const auto classes = gather_classes(level, table_.rows.y, level.n_threads);
  if (level.weights) return find_typed<double>(table_, level, classes);
  return find_typed<std::int32_t>(table_, level, classes);
}

std::vector<double> UnivariateSearch::scores(const Level& level) const {
  const auto classes = gather_classes(level, table_.rows.y, 1);
  const NodeSearch search(table_);
  std::vector<double> scores;
  Scratch<double> scratch;
  const std::vector<double> ones(level.n_entries(), 1.0);
  for (std::size_t i = 0; i < level.n_nodes; ++i) {
    Node node = node_of(level, classes, i, table_.rows.n_classes);
    if (!node.weights) node.weights = ones.data();
    for (int c = 0; c < static_cast<int>(table_.columns.size()); ++c) {
      const Candidate candidate = search.evaluate(node, c, scratch);
      scores.push_back(candidate.possible ? search.score(candidate, c)
                                          : std::numeric_limits<double>::quiet_NaN());
    }
  }
  return scores;
}

}  // namespace miter
