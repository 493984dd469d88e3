// Tables and levels: what every call reads, and whether it makes sense.
#include <algorithm>

#include "arrays.hpp"

namespace miter::bind {
namespace {

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

BoundTable::BoundTable(AnyMatrix matrix, In<std::int32_t> labels,
                       std::optional<In2<double>> answer_costs, int n_classes,
                       std::vector<std::int32_t> n_values)
    : X(std::move(matrix)),
      y(std::move(labels)),
      costs(std::move(answer_costs)),
      table{view(X), y.data(), data_of(costs), n_classes, std::move(n_values)} {
  const std::size_t n_rows = X.shape(0);
  require(n_rows < std::size_t{1} << 31, "a table has fewer than 2^31 rows");
  require_length(y, n_rows, "the labels");
  require(X.shape(1) == table.n_columns(), "n_values needs a number for every column");
  require(n_classes > 0, "there must be a class");
  require_shape(costs, n_rows, n_classes, "costs");
  for (const std::int32_t n : table.n_values) require(n >= 0, "n_values cannot be negative");
  const std::int32_t* end = table.y + n_rows;
  const auto wrong = std::find_if(table.y, end, [&](auto c) { return c < 0 || c >= n_classes; });
  require(wrong == end, wrong == end
                            ? ""
                            : "row " + std::to_string(wrong - table.y) + " has the class " +
                                  std::to_string(*wrong) + ", but there are " +
                                  std::to_string(n_classes) + " classes");
}

BoundLevel::BoundLevel(In<std::int32_t> row_numbers, std::optional<In<double>> row_weights,
                       In<std::int64_t> starts, In2<double> class_counts,
                       std::optional<In2<std::uint8_t>> allowed_columns, std::uint64_t seed,
                       int n_threads)
    : rows(std::move(row_numbers)),
      weights(std::move(row_weights)),
      start(std::move(starts)),
      counts(std::move(class_counts)),
      allowed(std::move(allowed_columns)),
      level{rows.data(),     data_of(weights), start.data(), counts.data(),
            counts.shape(0), data_of(allowed), seed,         n_threads} {
  const std::size_t n_entries = rows.shape(0);
  require(n_threads > 0, "n_threads must be 1 or more");
  require_length(start, level.n_nodes + 1, "start");
  require(level.start[0] == 0 && level.n_entries() == static_cast<std::int64_t>(n_entries) &&
              std::is_sorted(level.start, level.start + level.n_nodes + 1),
          "start must ascend from 0 to the number of entries, " + std::to_string(n_entries));
  if (weights) require_length(*weights, n_entries, "the weights");
  require_shape(allowed, level.n_nodes, allowed ? allowed->shape(1) : 0, "allowed");
  std::int32_t least = 0, most = -1;
  for (std::size_t i = 0; i < n_entries; ++i) {
    least = std::min(least, level.rows[i]);
    most = std::max(most, level.rows[i]);
  }
  require(least >= 0, "there is no row " + std::to_string(least));
  largest_row = most;
}

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
      .def(nb::init<AnyMatrix, In<std::int32_t>, std::optional<In2<double>>, int,
                    std::vector<std::int32_t>>(),
           "X"_a, "y"_a, "costs"_a.none(), "n_classes"_a, "n_values"_a);
  nb::class_<BoundLevel>(m, "Level")
      .def(nb::init<In<std::int32_t>, std::optional<In<double>>, In<std::int64_t>, In2<double>,
                    std::optional<In2<std::uint8_t>>, std::uint64_t, int>(),
           "rows"_a, "weights"_a.none(), "start"_a, "counts"_a, "allowed"_a.none(), "seed"_a,
           "n_threads"_a);
}

}  // namespace miter::bind
