// Perceptrons and networks that tell two groups of classes apart.
#include <algorithm>

#include "../two_groups.hpp"
#include "arrays.hpp"
#include "options.hpp"

namespace miter::bind {
namespace {

using Groups = std::optional<In2<std::uint8_t>>;  // of the classes at every node

void check(const BoundTable& bound, const BoundLevel& level, const Groups& groups,
           const UnitOptions& options) {
  const Table& table = bound.table;
  level.check_against(table);
  require_shape(groups, level.level.n_nodes, table.n_classes, "groups");
  require(!options.l2.empty() && options.max_rows > 0 && options.n_hidden >= -1 &&
              options.least_hidden <= options.most_hidden,
          "units need a penalty, a row and a range of hidden units");
  const ColumnScales& scales = options.scales;
  require(scales.low.size() == scales.range.size() &&
              (scales.low.empty() || scales.low.size() == table.n_columns()),
          "a scale for every column");
}

nb::tuple units(const BoundTable& table, const BoundLevel& level, const Groups& groups,
                bool exchange, const UnitOptions& options) {
  check(table, level, groups, options);
  const std::size_t n_classes = table.table.n_classes;
  auto found = released(
      [&] { return find_units(table.table, level.level, data_of(groups), exchange, options); });
  std::vector<PackedSplit> splits;
  std::vector<std::uint8_t> group;
  std::vector<double> l2, loss, size;
  for (FoundUnit& own : found) {
    splits.push_back(std::move(own.split));
    own.groups.resize(n_classes, 2);
    group.insert(group.end(), own.groups.begin(), own.groups.end());
    l2.push_back(own.l2);
    loss.push_back(own.loss);
    size.push_back(own.n_weights);
  }
  return nb::make_tuple(pack(splits), give(std::move(group), {found.size(), n_classes}),
                        give(std::move(l2)), give(std::move(loss)), give(std::move(size)));
}

auto errors(const BoundTable& table, const BoundLevel& level, In2<std::uint8_t> groups,
            In<double> l2, In2<std::int32_t> first, In<std::int32_t> spread, int n_parts,
            const UnitOptions& options) {
  const std::size_t n = level.level.n_nodes, n_repeats = first.shape(0);
  check(table, level, groups, options);
  require_length(l2, n, "l2");
  require_shape<std::int32_t>(first, n_repeats, level.level.n_entries(), "first");
  require_length(spread, level.level.n_entries(), "spread");
  auto are_from = [](auto& parts, int least, int most) {
    return std::all_of(parts.data(), parts.data() + parts.size(),
                       [&](auto part) { return part >= least && part <= most; });
  };
  require(n_parts > 0 && are_from(first, 0, n_parts - 1) && are_from(spread, 1, n_parts),
          "every part must be one of " + std::to_string(n_parts));
  const Parts drawn{first.data(), spread.data(), static_cast<int>(n_repeats), n_parts};
  return give(released([&] {
                return part_errors(table.table, level.level, groups.data(), l2.data(), drawn,
                                   options);
              }),
              {n, n_repeats, static_cast<std::size_t>(n_parts)});
}

}  // namespace

void bind_units(nb::module_& m) {
  bind_options<GradientOptions>(m, "GradientOptions", Field{"rate", &GradientOptions::rate},
                                Field{"epochs", &GradientOptions::epochs});
  bind_options<ColumnScales>(m, "ColumnScales", Field{"low", &ColumnScales::low},
                             Field{"range", &ColumnScales::range});
  using U = UnitOptions;
  bind_options<U>(m, "UnitOptions", Field{"n_hidden", &U::n_hidden},
                  Field{"least_hidden", &U::least_hidden}, Field{"most_hidden", &U::most_hidden},
                  Field{"l2", &U::l2}, Field{"n_init", &U::n_init},
                  Field{"max_iterations", &U::max_iterations}, Field{"tolerance", &U::tolerance},
                  Field{"by_gradient", &U::by_gradient}, Field{"gradient", &U::gradient},
                  Field{"scales", &U::scales}, Field{"max_rows", &U::max_rows});
  m.def("find_units", &units, "table"_a, "level"_a, "groups"_a.none(), "exchange"_a, "options"_a);
  m.def("part_errors", &errors, "table"_a, "level"_a, "groups"_a, "l2"_a, "first"_a, "spread"_a,
        "n_parts"_a, "options"_a);
}

}  // namespace miter::bind
