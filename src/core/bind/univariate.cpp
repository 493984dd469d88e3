// Tests of one column: searched, and drawn by lot.
#include "../univariate.hpp"

#include "../random_cuts.hpp"
#include "arrays.hpp"
#include "options.hpp"

namespace miter::bind {
namespace {

void check(const Table& table, const UnivariateOptions& options, int n_threads) {
  require(table.n_classes < 65536, "a univariate search tells at most 65535 classes apart, not " +
                                       std::to_string(table.n_classes));
  require(options.column_costs.size() == table.n_columns(), "a cost for every column");
  require(options.criterion >= Criterion::gain && options.criterion <= Criterion::nunez &&
              options.missing >= Missing::node && options.missing <= Missing::fractions,
          "no such criterion, or way to treat missing values");
  require(options.max_codes >= 0 && options.max_codes <= 255 && n_threads > 0,
          "max_codes must be 0 to 255, n_threads 1 or more");
}

nb::tuple find(const UnivariateSearch& self, const BoundLevel& level) {
  level.check_against(self.table());
  auto found = released([&] { return self.find(level.level); });
  std::vector<PackedSplit> splits;
  std::vector<std::int32_t> of_class;  // nodes x classes
  const std::size_t n_classes = self.table().n_classes;
  for (FoundSplit& own : found) {
    splits.push_back(std::move(own.split));
    if (!self.by_class()) continue;
    own.missing_of_class.resize(n_classes, kShareOut);
    of_class.insert(of_class.end(), own.missing_of_class.begin(), own.missing_of_class.end());
  }
  nb::object by_class = nb::none();
  if (self.by_class()) by_class = nb::cast(give(std::move(of_class), {found.size(), n_classes}));
  return nb::make_tuple(pack(splits), by_class);
}

auto scores(const UnivariateSearch& self, const BoundLevel& level) {
  level.check_against(self.table());
  return give(released([&] { return self.scores(level.level); }),
              {level.level.n_nodes, self.table().n_columns()});
}

nb::tuple random_cuts(const BoundTable& table, const BoundLevel& level, double min_leaf) {
  level.check_against(table.table);
  return pack(released([&] { return find_random_cuts(table.table, level.level, min_leaf); }));
}

}  // namespace

void bind_univariate(nb::module_& m) {
  using O = UnivariateOptions;
  bind_options<O>(m, "UnivariateOptions", Field{"criterion", &O::criterion},
                  Field{"missing", &O::missing}, Field{"intervals", &O::intervals},
                  Field{"groups", &O::groups}, Field{"min_leaf", &O::min_leaf},
                  Field{"column_costs", &O::column_costs}, Field{"cost_weight", &O::cost_weight},
                  Field{"max_codes", &O::max_codes});
  nb::class_<UnivariateSearch>(m, "UnivariateSearch")
      .def(
          "__init__",
          [](UnivariateSearch* self, const BoundTable& table, const O& options, int n_threads) {
            check(table.table, options, n_threads);
            released([&] { new (self) UnivariateSearch(table.table, options, n_threads); });
          },
          "table"_a, "options"_a, "n_threads"_a, nb::keep_alive<1, 2>())
      .def("find", &find, "level"_a)
      .def("scores", &scores, "level"_a);
  m.def("find_random_cuts", &random_cuts, "table"_a, "level"_a, "min_leaf"_a);
}

}  // namespace miter::bind
