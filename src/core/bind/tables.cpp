// Tables and levels: what every call reads, and whether it makes sense.
#include <algorithm>
#include <cmath>

#include "arrays.hpp"

namespace miter::bind {
namespace {

// Weights and costs are summed: one that is not finite would be everywhere.
void require_amounts(const double* amounts, std::size_t n, const char* what) {
  for (std::size_t i = 0; i < n; ++i)
    require(amounts[i] >= 0 && std::isfinite(amounts[i]),
            std::string(what) + " must be finite, 0 or more");
}

template <class T>
MatrixOf<T> typed_view(const AnyMatrix& X) {
  return {static_cast<const T*>(X.data()), static_cast<std::int64_t>(X.shape(0)),
          static_cast<std::int64_t>(X.shape(1)), X.stride(0), X.stride(1)};
}

}  // namespace

Matrix view(const AnyMatrix& X) {
  Matrix matrix;
  if (X.dtype() == nb::dtype<float>()) {
    matrix.is_float = true;
    matrix.floats = typed_view<float>(X);
  } else if (X.dtype() == nb::dtype<double>()) {
    matrix.doubles = typed_view<double>(X);
  } else {
    throw nb::type_error("the matrix must be float32 or float64");
  }
  return matrix;
}

namespace {

// Labels are checked here, once for all calls.
void make_table(BoundTable* self, AnyMatrix X, In<std::int32_t> y, std::optional<In2<double>> costs,
                int n_classes, std::vector<std::int32_t> n_values) {
  const std::size_t n_rows = X.shape(0);
  require(n_rows < std::size_t{1} << 31, "a table has fewer than 2^31 rows");
  require_length(y, n_rows, "the labels");
  require(X.shape(1) == n_values.size(), "n_values needs a number for every column");
  require(n_classes > 0, "there must be a class");
  require_shape(costs, n_rows, n_classes, "costs");
  for (const std::int32_t n : n_values) require(n >= 0, "n_values cannot be negative");
  for (std::size_t row = 0; row < n_rows; ++row) {
    const std::int32_t c = y.data()[row];
    if (c >= 0 && c < n_classes) continue;
    throw std::invalid_argument("row " + std::to_string(row) + " has the class " +
                                std::to_string(c) + ", but there are " + std::to_string(n_classes) +
                                " classes");
  }
  if (costs) require_amounts(costs->data(), costs->size(), "costs");
  const Table table{view(X), y.data(), data_of(costs), n_classes, std::move(n_values)};
  new (self) BoundTable{std::move(X), std::move(y), std::move(costs), table};
}

// What can be told of a level alone is checked here, once for all calls.
void make_level(BoundLevel* self, In<std::int32_t> rows, std::optional<In<double>> weights,
                In<std::int64_t> start, In2<double> counts,
                std::optional<In2<std::uint8_t>> allowed, std::uint64_t seed, int n_threads) {
  const std::size_t n_entries = rows.shape(0), n_nodes = counts.shape(0);
  require(n_threads > 0, "n_threads must be 1 or more");
  require_length(start, n_nodes + 1, "start");
  require(start.data()[0] == 0 && start.data()[n_nodes] == static_cast<std::int64_t>(n_entries) &&
              std::is_sorted(start.data(), start.data() + n_nodes + 1),
          "start must ascend from 0 to the number of entries, " + std::to_string(n_entries));
  if (weights) {
    require_length(*weights, n_entries, "the weights");
    require_amounts(weights->data(), n_entries, "the weights");
  }
  if (allowed) require_length(*allowed, n_nodes, "allowed");
  std::int32_t least = 0, largest = -1;
  for (std::size_t i = 0; i < n_entries; ++i) {
    least = std::min(least, rows.data()[i]);
    largest = std::max(largest, rows.data()[i]);
  }
  require(least >= 0, "there is no row " + std::to_string(least));
  const Level level{rows.data(), data_of(weights), start.data(), counts.data(),
                    n_nodes,     data_of(allowed), seed,         n_threads};
  new (self) BoundLevel{std::move(rows),
                        std::move(weights),
                        std::move(start),
                        std::move(counts),
                        std::move(allowed),
                        level,
                        largest};
}

}  // namespace

void BoundLevel::check_against(const Table& table) const {
  require(largest_row < table.X.n_rows(), "there is no row " + std::to_string(largest_row) +
                                              " in a table of " + std::to_string(table.X.n_rows()));
  require(counts.shape(1) == static_cast<std::size_t>(table.n_classes),
          "the counts are of " + std::to_string(counts.shape(1)) + " classes, the table has " +
              std::to_string(table.n_classes));
  require_shape(allowed, level.n_nodes, table.n_columns(), "allowed");
}

nb::tuple pack(const std::vector<PackedSplit>& splits) {
  PackedSplits packed;
  for (const PackedSplit& split : splits) packed.add(split);
  return nb::make_tuple(give(std::move(packed.kind)), give(std::move(packed.int_start)),
                        give(std::move(packed.ints)), give(std::move(packed.real_start)),
                        give(std::move(packed.reals)), give(std::move(packed.n_branches)));
}

void bind_tables(nb::module_& m) {
  nb::class_<BoundTable>(m, "Table")
      .def("__init__", &make_table, "X"_a, "y"_a, "costs"_a.none(), "n_classes"_a, "n_values"_a);
  nb::class_<BoundLevel>(m, "Level")
      .def("__init__", &make_level, "rows"_a, "weights"_a.none(), "start"_a, "counts"_a,
           "allowed"_a.none(), "seed"_a, "n_threads"_a);
}

}  // namespace miter::bind
