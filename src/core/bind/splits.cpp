// Packed splits, and the trees that are made of them.
#include "../splits.hpp"

#include <algorithm>

#include "../influence.hpp"
#include "../router.hpp"
#include "arrays.hpp"

namespace miter::bind {
namespace {

template <class T>
std::vector<T> copy_of(const In<T>& array) {
  return {array.data(), array.data() + array.shape(0)};
}

Matrix checked_view(const AnyMatrix& X, std::size_t n_columns) {
  require(X.shape(1) == n_columns, "the matrix has another number of columns than the tree");
  return view(X);
}

auto end_nodes(const Router& self, AnyMatrix X, bool follow_largest, int n_threads) {
  const Matrix matrix = checked_view(X, self.n_columns());
  std::vector<std::int32_t> nodes(X.shape(0));
  released([&] { self.end_nodes(matrix, follow_largest, nodes.data(), n_threads); });
  return give(std::move(nodes));
}

auto blend(const Router& self, AnyMatrix X, In2<double> values, int n_threads) {
  const Matrix matrix = checked_view(X, self.n_columns());
  require_length(values, self.n_nodes(), "values");
  const std::size_t n = X.shape(0), width = values.shape(1);
  std::vector<double> out(n * width);
  released(
      [&] { self.blend(matrix, values.data(), static_cast<int>(width), out.data(), n_threads); });
  return give(std::move(out), {n, width});
}

auto count(const Router& self, const BoundTable& bound, std::optional<In<double>> weights) {
  const Table& table = bound.table;
  checked_view(bound.X, self.n_columns());
  if (weights) require_length(*weights, bound.X.shape(0), "the weights");
  const std::size_t n = self.n_nodes(), n_classes = table.n_classes;
  std::vector<double> sums(n * n_classes, 0.0);
  released([&] {
    const RowValues values{table.y, table.costs, table.n_classes};
    self.count(table.X, values, data_of(weights), sums.data());
  });
  return give(std::move(sums), {n, n_classes});
}

// The same in whole numbers: weights, or weights times costs, times a scale.
auto tally(const Router& self, const BoundTable& bound, std::optional<In<double>> weights,
           double scale) {
  const Table& table = bound.table;
  checked_view(bound.X, self.n_columns());
  if (weights) require_length(*weights, bound.X.shape(0), "the weights");
  const std::size_t n = self.n_nodes(), n_classes = table.n_classes;
  std::vector<std::int64_t> sums(n * n_classes, 0);
  released([&] {
    const ScaledValues values{table.y, table.costs, table.n_classes, scale};
    self.count(table.X, values, data_of(weights), sums.data());
  });
  return give(std::move(sums), {n, n_classes});
}

auto paths(const Router& self, AnyMatrix X) {
  const Matrix matrix = checked_view(X, self.n_columns());
  std::vector<std::int64_t> start(X.shape(0) + 1);
  std::vector<std::int32_t> nodes = released([&] { return self.paths(matrix, start.data()); });
  return nb::make_tuple(give(std::move(start)), give(std::move(nodes)));
}

nb::tuple influences(const Splits& self, AnyMatrix X, In<std::int32_t> rows, In<std::int64_t> start,
                     int n_threads) {
  const Matrix matrix = checked_view(X, self.n_columns());
  require_length(start, self.size() + 1, "start");
  const std::int64_t* first = start.data();
  require(first[0] == 0 && std::is_sorted(first, first + start.shape(0)) &&
              first[self.size()] == static_cast<std::int64_t>(rows.shape(0)),
          "start must ascend from 0 to the number of rows");
  require(std::all_of(rows.data(), rows.data() + rows.shape(0),
                      [&](auto row) { return row >= 0 && row < matrix.n_rows(); }),
          "there is no such row in the matrix");
  Influences found =
      released([&] { return column_influences(self, matrix, rows.data(), first, n_threads); });
  return nb::make_tuple(give(std::move(found.start)), give(std::move(found.column)),
                        give(std::move(found.influence)));
}

}  // namespace

void bind_splits(nb::module_& m) {
  nb::class_<Splits>(m, "Splits")
      .def(
          "__init__",
          [](Splits* self, In<std::uint8_t> kind, In<std::int64_t> int_start, In<std::int32_t> ints,
             In<std::int64_t> real_start, In<double> reals, In<std::int32_t> n_branches,
             std::vector<std::int32_t> n_values) {
            PackedSplits packed{copy_of(kind),       copy_of(int_start), copy_of(ints),
                                copy_of(real_start), copy_of(reals),     copy_of(n_branches)};
            new (self) Splits(std::move(packed), std::move(n_values));
          },
          "kind"_a, "int_start"_a, "ints"_a, "real_start"_a, "reals"_a, "n_branches"_a,
          "n_values"_a)
      .def("influences", &influences, "X"_a, "rows"_a, "start"_a, "n_threads"_a);
  nb::class_<Router>(m, "Router")
      .def(
          "__init__",
          [](Router* self, const Splits& splits, In<double> share) {
            new (self) Router(splits, copy_of(share));
          },
          "splits"_a, "share"_a, nb::keep_alive<1, 2>())
      .def("end_nodes", &end_nodes, "X"_a, "follow_largest"_a, "n_threads"_a)
      .def("blend", &blend, "X"_a, "values"_a, "n_threads"_a)
      .def("count", &count, "table"_a, "weights"_a.none())
      .def("tally", &tally, "table"_a, "weights"_a.none(), "scale"_a)
      .def("paths", &paths, "X"_a);
}

}  // namespace miter::bind
