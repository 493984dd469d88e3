// Single hyperplanes: searched by coefficient, or across directions of structure.
#include "../combination.hpp"
#include "../ica.hpp"
#include "arrays.hpp"
#include "options.hpp"

namespace miter::bind {
namespace {

nb::tuple combinations(const BoundTable& table, const BoundLevel& level,
                       const CombinationOptions& options) {
  level.check_against(table.table);
  require(options.max_rows > 0, "one row at least");
  return pack(released([&] { return find_combinations(table.table, level.level, options); }));
}

nb::tuple ica(const BoundTable& table, const BoundLevel& level, const IcaOptions& options) {
  level.check_against(table.table);
  require(options.max_rows > 0, "one row at least");
  require(options.must_gain.empty() || options.must_gain.size() >= kMostDirections,
          "must_gain needs a number for every number of principal directions, " +
              std::to_string(kMostDirections));
  return pack(released([&] { return find_ica_splits(table.table, level.level, options); }));
}

}  // namespace

void bind_hyperplanes(nb::module_& m) {
  using C = CombinationOptions;
  bind_options<C>(m, "CombinationOptions", Field{"gini", &C::gini}, Field{"deletion", &C::deletion},
                  Field{"n_init", &C::n_init}, Field{"l2", &C::l2},
                  Field{"max_rounds", &C::max_rounds}, Field{"tolerance", &C::tolerance},
                  Field{"min_leaf", &C::min_leaf}, Field{"max_rows", &C::max_rows});
  using I = IcaOptions;
  bind_options<I>(m, "IcaOptions", Field{"rule", &I::rule}, Field{"cut", &I::cut},
                  Field{"must_gain", &I::must_gain}, Field{"stop", &I::stop},
                  Field{"max_density", &I::max_density}, Field{"n_init", &I::n_init},
                  Field{"max_rows", &I::max_rows}, Field{"min_leaf", &I::min_leaf},
                  Field{"n_labels", &I::n_labels}, Field{"emphasis", &I::emphasis});
  m.def("find_combinations", &combinations, "table"_a, "level"_a, "options"_a);
  m.def("find_ica_splits", &ica, "table"_a, "level"_a, "options"_a);
}

}  // namespace miter::bind
