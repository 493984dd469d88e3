// Rows that move to their branches.
#include "../move.hpp"
#include "arrays.hpp"

namespace miter::bind {
namespace {

using MissingOfClass = std::optional<In2<std::int32_t>>;

void check_missing(const MissingOfClass& missing, const Table& table, const Splits& splits) {
  require_shape(missing, splits.size(), table.n_classes, "missing_of_class");
  for (std::size_t i = 0; missing && i < splits.size(); ++i) {
    for (int c = 0; c < table.n_classes; ++c) {
      const std::int32_t branch = missing->data()[i * table.n_classes + c];
      if (branch < kShareOut || branch >= std::max(splits.n_branches(i), 0)) {
        refuse_node(i, "no branch " + std::to_string(branch) + " for missing values");
      }
    }
  }
}

Routing route(const BoundTable& table, const BoundLevel& level, const Splits& splits,
              const MissingOfClass& missing_of_class) {
  level.check_against(table.table);
  require(splits.size() == level.level.n_nodes, "a split for every node");
  require(splits.n_columns() == table.table.n_columns(), "the splits are of another table");
  check_missing(missing_of_class, table.table, splits);
  return released(
      [&] { return route_level(table.table, level.level, splits, data_of(missing_of_class)); });
}

nb::tuple move(const Routing& routing, const BoundLevel& level, In<std::uint8_t> is_open) {
  require(routing.first_branch.size() == level.level.n_nodes + 1 &&
              static_cast<std::int64_t>(routing.branch.size()) == level.level.n_entries(),
          "the rows were routed at another level");
  require_length(is_open, routing.share.size(), "is_open");
  MovedRows moved = released([&] { return move_rows(level.level, routing, is_open.data()); });
  nb::object weights = nb::none();
  if (!moved.weights.empty()) weights = nb::cast(give(std::move(moved.weights)));
  return nb::make_tuple(give(std::move(moved.rows)), weights, give(std::move(moved.start)));
}

// Numbers of every branch and class; none if there are none.
nb::object of_branches(nb::object self, std::vector<double> Routing::* numbers) {
  auto& routing = nb::cast<Routing&>(self);
  const std::size_t n = routing.share.size(), n_classes = routing.n_classes;
  auto& values = routing.*numbers;
  if (values.empty() && n > 0) return nb::none();
  return nb::cast(nb::ndarray<nb::numpy, double>(values.data(), {n, n_classes}, self));
}

}  // namespace

void bind_growing(nb::module_& m) {
  nb::class_<Routing>(m, "Routing")
      .def_prop_ro("counts", [](nb::object self) { return of_branches(self, &Routing::counts); })
      .def_prop_ro("losses", [](nb::object self) { return of_branches(self, &Routing::losses); });
  m.def("route_level", &route, "table"_a, "level"_a, "splits"_a, "missing_of_class"_a.none());
  m.def("move_rows", &move, "routing"_a, "level"_a, "is_open"_a);
}

}  // namespace miter::bind
