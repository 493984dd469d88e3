// Rows that move to their branches.
#include "../move.hpp"
#include "../tally.hpp"
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

void check_splits(const BoundTable& table, const BoundLevel& level, const Splits& splits,
                  const MissingOfClass& missing_of_class) {
  level.check_against(table.table);
  require(splits.size() == level.level.n_nodes, "a split for every node");
  require(splits.n_columns() == table.table.n_columns(), "the splits are of another table");
  check_missing(missing_of_class, table.table, splits);
}

Routing route(const BoundTable& table, const BoundLevel& level, const Splits& splits,
              const MissingOfClass& missing_of_class) {
  check_splits(table, level, splits, missing_of_class);
  return released(
      [&] { return route_level(table.table, level.level, splits, data_of(missing_of_class)); });
}

nb::tuple give_moved(MovedRows&& moved) {
  nb::object weights = nb::none();
  if (!moved.weights.empty()) weights = nb::cast(give(std::move(moved.weights)));
  return nb::make_tuple(give(std::move(moved.rows)), weights, give(std::move(moved.start)));
}

nb::tuple move(const Routing& routing, const BoundLevel& level, In<std::uint8_t> is_open) {
  require(routing.first_branch.size() == level.level.n_nodes + 1 &&
              static_cast<std::int64_t>(routing.branch.size()) == level.level.n_entries(),
          "the rows were routed at another level");
  require_length(is_open, routing.share.size(), "is_open");
  return give_moved(released([&] { return move_rows(level.level, routing, is_open.data()); }));
}

// (branch, sizes, shared_sizes, counts, shared, losses, shared_losses); the last two are none
// without costs.
nb::tuple tally(const BoundTable& table, const BoundLevel& level, const Splits& splits,
                const MissingOfClass& missing_of_class, double weight_scale, double cost_scale) {
  check_splits(table, level, splits, missing_of_class);
  const Scales scales{weight_scale, cost_scale};
  Tally found = released([&] {
    return tally_level(table.table, level.level, splits, data_of(missing_of_class), scales);
  });
  const std::size_t n_branches = found.sizes.size(), n_nodes = level.level.n_nodes,
                    n_classes = table.table.n_classes;
  nb::object losses = nb::none(), shared_losses = nb::none();
  if (table.table.costs) {
    losses = nb::cast(give(std::move(found.losses), {n_branches, n_classes}));
    shared_losses = nb::cast(give(std::move(found.shared_losses), {n_nodes, n_classes}));
  }
  return nb::make_tuple(give(std::move(found.branch)), give(std::move(found.sizes)),
                        give(std::move(found.shared_sizes)),
                        give(std::move(found.counts), {n_branches, n_classes}),
                        give(std::move(found.shared), {n_nodes, n_classes}), losses, shared_losses);
}

// Moves rows by the branches of a tally, and the shares that all parts of the table gave together.
nb::tuple move_tallied(const BoundLevel& level, In<std::int32_t> branch,
                       In<std::int32_t> n_branches, In<double> share, In<std::uint8_t> is_open) {
  require_length(branch, level.level.n_entries(), "branch");
  require_length(n_branches, level.level.n_nodes, "n_branches");
  Routing routing;
  routing.some_stay = true;
  routing.first_branch.assign(1, 0);
  for (std::size_t i = 0; i < level.level.n_nodes; ++i) {
    require(n_branches.data()[i] >= 0, "n_branches cannot be negative");
    routing.first_branch.push_back(routing.first_branch.back() + n_branches.data()[i]);
    for (std::int64_t e = level.level.start[i]; e < level.level.start[i + 1]; ++e) {
      const std::int32_t b = branch.data()[e];
      if (b < kStay || b >= n_branches.data()[i]) {
        refuse_node(i, "no branch " + std::to_string(b));
      }
    }
  }
  require_length(share, routing.first_branch.back(), "share");
  require_length(is_open, routing.first_branch.back(), "is_open");
  routing.branch.assign(branch.data(), branch.data() + branch.shape(0));
  routing.share.assign(share.data(), share.data() + share.shape(0));
  return give_moved(released([&] { return move_rows(level.level, routing, is_open.data()); }));
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
  m.def("tally_level", &tally, "table"_a, "level"_a, "splits"_a, "missing_of_class"_a.none(),
        "weight_scale"_a, "cost_scale"_a);
  m.def("move_tallied", &move_tallied, "level"_a, "branch"_a, "n_branches"_a, "share"_a,
        "is_open"_a);
}

}  // namespace miter::bind
