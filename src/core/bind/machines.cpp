// Linear machines, annealed and thermal.
#include "../annealed_machines.hpp"
#include "../thermal.hpp"
#include "arrays.hpp"
#include "options.hpp"

namespace miter::bind {
namespace {

nb::tuple annealed(const BoundTable& table, const BoundLevel& level,
                   const MachineOptions& options) {
  level.check_against(table.table);
  require(options.folds > 1 && options.max_rows > 0, "two folds and one row at least");
  return pack(released([&] { return find_machines(table.table, level.level, options); }));
}

nb::tuple thermal(const BoundTable& table, const BoundLevel& level, In<std::uint64_t> seeds,
                  In<double> t_quantiles, const ThermalOptions& options) {
  level.check_against(table.table);
  require_length(seeds, level.level.n_nodes, "seeds");
  require_length(t_quantiles, level.level.n_nodes, "t_quantiles");
  return pack(released([&] {
    return find_thermal_machines(table.table, level.level, seeds.data(), t_quantiles.data(),
                                 options);
  }));
}

}  // namespace

void bind_machines(nb::module_& m) {
  using M = MachineOptions;
  bind_options<M>(m, "MachineOptions", Field{"l2", &M::l2}, Field{"temperatures", &M::temperatures},
                  Field{"bent", &M::bent}, Field{"max_iterations", &M::max_iterations},
                  Field{"tolerance", &M::tolerance}, Field{"max_rows", &M::max_rows},
                  Field{"eliminate", &M::eliminate}, Field{"max_columns", &M::max_columns},
                  Field{"folds", &M::folds});
  using T = ThermalOptions;
  bind_options<T>(m, "ThermalOptions", Field{"in_passes", &T::in_passes}, Field{"a", &T::a},
                  Field{"b", &T::b}, Field{"keep_best", &T::keep_best},
                  Field{"eliminate", &T::eliminate}, Field{"delta", &T::delta},
                  Field{"early_start", &T::early_start});
  m.def("find_machines", &annealed, "table"_a, "level"_a, "options"_a);
  m.def("find_thermal_machines", &thermal, "table"_a, "level"_a, "seeds"_a, "t_quantiles"_a,
        "options"_a);
}

}  // namespace miter::bind
