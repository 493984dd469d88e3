// The only file that knows Python: arrays in, arrays out, the GIL released, Ctrl-C answered.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "combination.hpp"
#include "ica.hpp"
#include "interrupt.hpp"
#include "machines.hpp"
#include "move.hpp"
#include "route.hpp"
#include "thermal.hpp"
#include "two_groups.hpp"
#include "univariate.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using namespace miter;

using AnyMatrix = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using In2 = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Weights = std::optional<In<T>>;

template <class T>
MatrixOf<T> typed_view(const AnyMatrix& X) {
  return {static_cast<const T*>(X.data()), static_cast<std::int64_t>(X.shape(0)),
          static_cast<std::int64_t>(X.shape(1)), X.stride(0), X.stride(1)};
}

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

// Hands a vector to NumPy without copying it.
template <class T>
auto give(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
  auto* owned = new std::vector<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(owned->data(), shape, owner);
}
template <class T>
auto give(std::vector<T>&& values) {
  const std::size_t n = values.size();
  return give(std::move(values), {n});
}

bool signal_waiting() {
  nb::gil_scoped_acquire gil;
  return PyErr_CheckSignals() != 0;
}

void require(bool condition, const char* why) {
  if (!condition) throw nb::value_error(why);
}

using Allowed = std::optional<In2<std::uint8_t>>;

// What each class costs as the answer to each row.
using Costs = std::optional<In2<double>>;

const double* data_of(const Costs& costs, std::size_t n_rows, std::size_t n_classes) {
  if (!costs) return nullptr;
  require(costs->shape(0) == n_rows && costs->shape(1) == n_classes,
          "a cost for every row and class");
  return costs->data();
}

Level level_of(const In<std::int32_t>& rows, const Weights<double>& weights,
               const In<std::int64_t>& start, const In2<double>& counts,
               const Allowed& allowed = {}, std::size_t n_columns = 0) {
  require(start.shape(0) == counts.shape(0) + 1, "start and counts must be of the same nodes");
  require(!weights || weights->shape(0) == rows.shape(0), "a weight for every row");
  require(!allowed || (allowed->shape(0) == counts.shape(0) && allowed->shape(1) == n_columns),
          "allowed needs a place for every node and column");
  return {rows.data(),     weights ? weights->data() : nullptr, start.data(), counts.data(),
          counts.shape(0), allowed ? allowed->data() : nullptr};
}

struct PackedSplits {
  In<std::uint8_t> kind;
  In<std::int64_t> int_start;
  In<std::int32_t> ints;
  In<std::int64_t> real_start;
  In<double> reals;

  SplitArrays view() const {
    const std::size_t n = kind.shape(0);
    require(int_start.shape(0) == n + 1 && real_start.shape(0) == n + 1, "a slice for every node");
    return {kind.data(), int_start.data(), ints.data(),   real_start.data(), reals.data(),
            n,           ints.shape(0),    reals.shape(0)};
  }
};

// The search with the arrays it reads, so that they live as long as it does.
struct BoundSearch {
  AnyMatrix X;
  In<std::int32_t> y;
  UnivariateSearch search;
};

// The splits of a level, packed one after the other.
struct Packing {
  std::vector<std::uint8_t> kind{};
  std::vector<std::int64_t> int_start{0}, real_start{0};
  std::vector<std::int32_t> ints{}, n_branches{};
  std::vector<double> reals{};

  // Ends a split, whose numbers have been added.
  void end(SplitKind split_kind, std::int32_t split_branches) {
    kind.push_back(static_cast<std::uint8_t>(split_kind));
    n_branches.push_back(split_branches);
    int_start.push_back(static_cast<std::int64_t>(ints.size()));
    real_start.push_back(static_cast<std::int64_t>(reals.size()));
  }

  // (kind, int_start, ints, real_start, reals, n_branches)
  nb::tuple give_all() {
    return nb::make_tuple(give(std::move(kind)), give(std::move(int_start)), give(std::move(ints)),
                          give(std::move(real_start)), give(std::move(reals)),
                          give(std::move(n_branches)));
  }
};

nb::tuple pack(const std::vector<FoundSplit>& found) {
  Packing packing;
  for (const FoundSplit& split : found) {
    if (split.column < 0) {
      packing.end(SplitKind::leaf, 0);
      continue;
    }
    packing.ints.insert(packing.ints.end(), {split.column, split.missing});
    packing.reals.insert(packing.reals.end(), split.cuts.begin(), split.cuts.end());
    if (split.n_values == 0) {
      packing.end(SplitKind::threshold, static_cast<std::int32_t>(split.cuts.size()) + 1);
      continue;
    }
    packing.ints.push_back(split.n_values);
    for (std::size_t v = 0; v < split.values.size(); ++v) {
      packing.ints.insert(packing.ints.end(), {split.values[v], split.branches[v]});
    }
    const auto most = std::max_element(split.branches.begin(), split.branches.end());
    packing.end(SplitKind::category, *most + 1);
  }
  return packing.give_all();
}

nb::tuple pack(const std::vector<FoundMachine>& found, SplitKind kind) {
  Packing packing;
  for (const FoundMachine& machine : found) {
    packing.ints.insert(packing.ints.end(), machine.ints.begin(), machine.ints.end());
    packing.reals.insert(packing.reals.end(), machine.reals.begin(), machine.reals.end());
    packing.end(machine.n_branches == 0 ? SplitKind::leaf : kind, machine.n_branches);
  }
  return packing.give_all();
}

// While growing, the branch of a missing value by its class: n_nodes x n_classes.
auto missing_by_class(const std::vector<FoundSplit>& found, std::size_t n_classes) {
  std::vector<std::int32_t> branches;
  for (const FoundSplit& split : found) {
    branches.insert(branches.end(), split.missing_of_class.begin(), split.missing_of_class.end());
    branches.resize(branches.size() - split.missing_of_class.size() + n_classes, -1);
  }
  return give(std::move(branches), {found.size(), n_classes});
}

void bind_search(nb::module_& m) {
  nb::class_<BoundSearch>(m, "UnivariateSearch")
      .def(
          "__init__",
          [](BoundSearch* self, AnyMatrix X, std::vector<std::int32_t> n_values, In<std::int32_t> y,
             int n_classes, int criterion, int missing, bool intervals, bool groups,
             double min_leaf, std::vector<double> column_costs, double cost_weight, int max_codes,
             int n_threads) {
            require(X.shape(1) == n_values.size() && X.shape(1) == column_costs.size(),
                    "n_values and column_costs need a number for every column");
            require(X.shape(0) == y.shape(0), "a class for every row");
            require(n_classes > 0 && n_classes < 65536, "between 1 and 65535 classes");
            require(criterion >= 0 && criterion <= static_cast<int>(Criterion::nunez) &&
                        missing >= 0 && missing <= static_cast<int>(Missing::fractions) &&
                        max_codes >= 0 && max_codes <= 255 && n_threads > 0,
                    "an option is out of range");
            for (std::size_t i = 0; i < y.shape(0); ++i) {
              require(y.data()[i] >= 0 && y.data()[i] < n_classes, "a class is out of range");
            }
            SearchOptions options{static_cast<Criterion>(criterion),
                                  static_cast<Missing>(missing),
                                  intervals,
                                  groups,
                                  min_leaf,
                                  std::move(column_costs),
                                  cost_weight};
            const Matrix matrix = view(X);
            const std::int32_t* classes = y.data();
            auto search = [&] {
              nb::gil_scoped_release release;
              const Interrupt interrupt(signal_waiting);
              return UnivariateSearch(matrix, n_values, classes, n_classes, std::move(options),
                                      max_codes, n_threads);
            }();
            new (self) BoundSearch{std::move(X), std::move(y), std::move(search)};
          },
          "X"_a, "n_values"_a, "y"_a, "n_classes"_a, "criterion"_a, "missing"_a, "intervals"_a,
          "groups"_a, "min_leaf"_a, "column_costs"_a, "cost_weight"_a, "max_codes"_a, "n_threads"_a)
      .def(
          "find",
          [](const BoundSearch& self, In<std::int32_t> rows, Weights<double> weights,
             In<std::int64_t> start, In2<double> counts, Allowed allowed, bool by_class,
             int n_threads) {
            const Level level = level_of(rows, weights, start, counts, allowed, self.X.shape(1));
            std::vector<FoundSplit> found;
            {
              nb::gil_scoped_release release;
              const Interrupt interrupt(signal_waiting);
              found = self.search.find(level, n_threads);
            }
            nb::object by_class_array = nb::none();
            if (by_class) by_class_array = nb::cast(missing_by_class(found, counts.shape(1)));
            return nb::make_tuple(pack(found), by_class_array);
          },
          "rows"_a, "weights"_a.none(), "start"_a, "counts"_a, "allowed"_a.none(), "by_class"_a,
          "n_threads"_a)
      .def(
          "scores",
          [](const BoundSearch& self, In<std::int32_t> rows, Weights<double> weights,
             In<std::int64_t> start, In2<double> counts) {
            const Level level = level_of(rows, weights, start, counts);
            const Interrupt interrupt(signal_waiting);
            return give(self.search.scores(level), {counts.shape(0), self.X.shape(1)});
          },
          "rows"_a, "weights"_a.none(), "start"_a, "counts"_a);
}

void bind_training(nb::module_& m) {
  m.def(
      "train_thermal",
      [](In2<double> values, In<std::int32_t> y, Weights<double> weights, In<std::int32_t> group,
         int n_classes, int n_groups, Costs costs, nb::dict options) {
        const std::int64_t n_rows = values.shape(0);
        const int n_variables = static_cast<int>(values.shape(1));
        require(static_cast<std::int64_t>(y.shape(0)) == n_rows && n_rows > 0 && n_classes > 1,
                "a class for every row, and two classes at least");
        require(static_cast<int>(group.shape(0)) == n_variables, "a group for every variable");
        require(!weights || weights->shape(0) == y.shape(0), "a weight for every row");
        for (std::int64_t i = 0; i < n_rows; ++i) {
          require(y.data()[i] >= 0 && y.data()[i] < n_classes, "a class is out of range");
        }
        for (int v = 0; v < n_variables; ++v) {
          require(group.data()[v] >= 0 && group.data()[v] < n_groups, "a group is out of range");
        }
        const ThermalOptions thermal{
            .in_passes = nb::cast<bool>(options["in_passes"]),
            .a = nb::cast<double>(options["a"]),
            .b = nb::cast<double>(options["b"]),
            .keep_best = nb::cast<bool>(options["keep_best"]),
            .eliminate = nb::cast<bool>(options["eliminate"]),
            .t_quantile = nb::cast<double>(options["t_quantile"]),
            .delta = nb::cast<double>(options["delta"]),
            .early_start = nb::cast<double>(options["early_start"]),
            .seed = nb::cast<std::uint64_t>(options["seed"]),
        };
        const EncodedRows rows{values.data(),
                               y.data(),
                               weights ? weights->data() : nullptr,
                               data_of(costs, n_rows, n_classes),
                               group.data(),
                               n_rows,
                               n_variables,
                               n_classes,
                               n_groups};
        TrainedMachine machine;
        {
          nb::gil_scoped_release release;
          const Interrupt interrupt(signal_waiting);
          machine = train_thermal(rows, thermal);
        }
        const std::size_t R = n_classes, width = n_variables + 1;
        return nb::make_tuple(give(std::move(machine.weights), {R, width}),
                              give(std::move(machine.kept)), machine.accuracy);
      },
      "values"_a, "y"_a, "weights"_a.none(), "group"_a, "n_classes"_a, "n_groups"_a,
      "costs"_a.none(), "options"_a);
}

void bind_machines(nb::module_& m) {
  m.def(
      "find_machines",
      [](AnyMatrix X, In<std::int32_t> y, Costs costs, int n_classes,
         std::vector<std::int32_t> n_values, In<std::int32_t> rows, Weights<double> weights,
         In<std::int64_t> start, In2<double> counts, Allowed allowed, nb::dict options,
         int n_threads) {
        require(X.shape(0) == y.shape(0) && X.shape(1) == n_values.size(),
                "a class for every row, and n_values of every column");
        const Level level = level_of(rows, weights, start, counts, allowed, X.shape(1));
        const MachineOptions machine{
            .l2 = nb::cast<double>(options["l2"]),
            .temperatures = nb::cast<std::vector<double>>(options["temperatures"]),
            .bent = nb::cast<bool>(options["bent"]),
            .max_iterations = nb::cast<int>(options["max_iterations"]),
            .tolerance = nb::cast<double>(options["tolerance"]),
            .max_rows = nb::cast<std::int64_t>(options["max_rows"]),
            .eliminate = nb::cast<bool>(options["eliminate"]),
            .max_columns = nb::cast<int>(options["max_columns"]),
            .folds = nb::cast<int>(options["folds"]),
            .seed = nb::cast<std::uint64_t>(options["seed"]),
        };
        const MachineTable table{view(X), y.data(), data_of(costs, X.shape(0), n_classes),
                                 n_classes, std::move(n_values)};
        std::vector<FoundMachine> found;
        {
          nb::gil_scoped_release release;
          const Interrupt interrupt(signal_waiting);
          found = find_machines(table, level, machine, n_threads);
        }
        return pack(found, SplitKind::machine);
      },
      "X"_a, "y"_a, "costs"_a.none(), "n_classes"_a, "n_values"_a, "rows"_a, "weights"_a.none(),
      "start"_a, "counts"_a, "allowed"_a.none(), "options"_a, "n_threads"_a);
}

void bind_combinations(nb::module_& m) {
  m.def(
      "find_combinations",
      [](AnyMatrix X, In<std::int32_t> y, int n_classes, std::vector<std::int32_t> n_values,
         In<std::int32_t> rows, Weights<double> weights, In<std::int64_t> start, In2<double> counts,
         Allowed allowed, nb::dict options, int n_threads) {
        require(X.shape(0) == y.shape(0) && X.shape(1) == n_values.size(),
                "a class for every row, and n_values of every column");
        const Level level = level_of(rows, weights, start, counts, allowed, X.shape(1));
        const CombinationOptions combination{
            .gini = nb::cast<bool>(options["gini"]),
            .deletion = nb::cast<double>(options["deletion"]),
            .restarts = nb::cast<int>(options["restarts"]),
            .l2 = nb::cast<double>(options["l2"]),
            .max_rounds = nb::cast<int>(options["max_rounds"]),
            .tolerance = nb::cast<double>(options["tolerance"]),
            .min_leaf = nb::cast<double>(options["min_leaf"]),
            .max_rows = nb::cast<std::int64_t>(options["max_rows"]),
            .seed = nb::cast<std::uint64_t>(options["seed"]),
        };
        const MachineTable table{view(X), y.data(), nullptr, n_classes, std::move(n_values)};
        std::vector<FoundMachine> found;
        {
          nb::gil_scoped_release release;
          const Interrupt interrupt(signal_waiting);
          found = find_combinations(table, level, combination, n_threads);
        }
        return pack(found, SplitKind::linear);
      },
      "X"_a, "y"_a, "n_classes"_a, "n_values"_a, "rows"_a, "weights"_a.none(), "start"_a,
      "counts"_a, "allowed"_a.none(), "options"_a, "n_threads"_a);
}

UnitOptions unit_options(const nb::dict& options) {
  return {
      .n_hidden = nb::cast<int>(options["n_hidden"]),
      .least_hidden = nb::cast<int>(options["least_hidden"]),
      .most_hidden = nb::cast<int>(options["most_hidden"]),
      .l2 = nb::cast<std::vector<double>>(options["l2"]),
      .n_starts = nb::cast<int>(options["n_starts"]),
      .max_iterations = nb::cast<int>(options["max_iterations"]),
      .tolerance = nb::cast<double>(options["tolerance"]),
      .by_gradient = nb::cast<bool>(options["by_gradient"]),
      .gradient = {nb::cast<double>(options["rate"]), nb::cast<int>(options["epochs"])},
      .scales = {nb::cast<std::vector<double>>(options["low"]),
                 nb::cast<std::vector<double>>(options["range"])},
      .exchange = nb::cast<bool>(options["exchange"]),
      .max_rows = nb::cast<std::int64_t>(options["max_rows"]),
      .seed = nb::cast<std::uint64_t>(options["seed"]),
  };
}

// The groups of the classes at every node.
using GroupsIn = std::optional<In2<std::uint8_t>>;

void bind_units(nb::module_& m) {
  m.def(
      "find_units",
      [](AnyMatrix X, In<std::int32_t> y, int n_classes, std::vector<std::int32_t> n_values,
         In<std::int32_t> rows, Weights<double> weights, In<std::int64_t> start, In2<double> counts,
         Allowed allowed, GroupsIn groups, nb::dict options, int n_threads) {
        const Level level = level_of(rows, weights, start, counts, allowed, X.shape(1));
        require(X.shape(0) == y.shape(0) && X.shape(1) == n_values.size(),
                "a class for every row, and n_values of every column");
        const std::size_t n = level.n_nodes, R = n_classes;
        require(!groups || (groups->shape(0) == n && groups->shape(1) == R),
                "a group for every node and class");
        const UnitOptions unit = unit_options(options);
        const MachineTable table{view(X), y.data(), nullptr, n_classes, std::move(n_values)};
        std::vector<FoundUnit> found;
        {
          nb::gil_scoped_release release;
          const Interrupt interrupt(signal_waiting);
          found = find_units(table, level, groups ? groups->data() : nullptr, unit, n_threads);
        }
        std::vector<FoundMachine> splits;
        std::vector<std::uint8_t> group;
        std::vector<double> l2, loss, size;
        for (FoundUnit& own : found) {
          splits.push_back(std::move(own.split));
          own.groups.resize(R, 2);
          group.insert(group.end(), own.groups.begin(), own.groups.end());
          l2.push_back(own.l2);
          loss.push_back(own.loss);
          size.push_back(own.n_weights);
        }
        const SplitKind kind = unit.n_hidden == 0 ? SplitKind::linear : SplitKind::network;
        return nb::make_tuple(pack(splits, kind), give(std::move(group), {n, R}),
                              give(std::move(l2)), give(std::move(loss)), give(std::move(size)));
      },
      "X"_a, "y"_a, "n_classes"_a, "n_values"_a, "rows"_a, "weights"_a.none(), "start"_a,
      "counts"_a, "allowed"_a.none(), "groups"_a.none(), "options"_a, "n_threads"_a);
  m.def(
      "part_errors",
      [](AnyMatrix X, In<std::int32_t> y, int n_classes, std::vector<std::int32_t> n_values,
         In<std::int32_t> rows, Weights<double> weights, In<std::int64_t> start, In2<double> counts,
         Allowed allowed, In2<std::uint8_t> groups, In<double> l2, In2<std::int32_t> parts,
         int n_parts, nb::dict options, int n_threads) {
        const Level level = level_of(rows, weights, start, counts, allowed, X.shape(1));
        require(X.shape(0) == y.shape(0) && X.shape(1) == n_values.size(),
                "a class for every row, and n_values of every column");
        const std::size_t n = level.n_nodes, n_repeats = parts.shape(0);
        require(groups.shape(0) == n && groups.shape(1) == static_cast<std::size_t>(n_classes) &&
                    l2.shape(0) == n && parts.shape(1) == rows.shape(0),
                "a group for every node and class, a penalty for every node, a part for every row");
        const UnitOptions unit = unit_options(options);
        const MachineTable table{view(X), y.data(), nullptr, n_classes, std::move(n_values)};
        const Parts drawn{parts.data(), static_cast<int>(n_repeats), n_parts,
                          static_cast<std::int64_t>(rows.shape(0))};
        std::vector<double> errors;
        {
          nb::gil_scoped_release release;
          const Interrupt interrupt(signal_waiting);
          errors = part_errors(table, level, groups.data(), l2.data(), unit, drawn, n_threads);
        }
        return give(std::move(errors), {n, n_repeats, static_cast<std::size_t>(n_parts)});
      },
      "X"_a, "y"_a, "n_classes"_a, "n_values"_a, "rows"_a, "weights"_a.none(), "start"_a,
      "counts"_a, "allowed"_a.none(), "groups"_a, "l2"_a, "parts"_a, "n_parts"_a, "options"_a,
      "n_threads"_a);
}

void bind_ica(nb::module_& m) {
  m.def(
      "find_ica_splits",
      [](AnyMatrix X, In<std::int32_t> y, int n_classes, std::vector<std::int32_t> n_values,
         In<std::int32_t> rows, Weights<double> weights, In<std::int64_t> start, In2<double> counts,
         Allowed allowed, nb::dict options, int n_threads) {
        require(X.shape(0) == y.shape(0) && X.shape(1) == n_values.size(),
                "a class for every row, and n_values of every column");
        const Level level = level_of(rows, weights, start, counts, allowed, X.shape(1));
        const IcaOptions ica{
            .rule = static_cast<IcaRule>(nb::cast<int>(options["rule"])),
            .cut = static_cast<IcaCut>(nb::cast<int>(options["cut"])),
            .must_gain = nb::cast<std::vector<double>>(options["must_gain"]),
            .stop = nb::cast<bool>(options["stop"]),
            .max_density = nb::cast<double>(options["max_density"]),
            .n_starts = nb::cast<int>(options["n_starts"]),
            .max_rows = nb::cast<std::int64_t>(options["max_rows"]),
            .min_leaf = nb::cast<double>(options["min_leaf"]),
            .n_labels = nb::cast<int>(options["n_labels"]),
            .emphasis = nb::cast<double>(options["emphasis"]),
            .seed = nb::cast<std::uint64_t>(options["seed"]),
        };
        const MachineTable table{view(X), y.data(), nullptr, n_classes, std::move(n_values)};
        std::vector<FoundMachine> found;
        {
          nb::gil_scoped_release release;
          const Interrupt interrupt(signal_waiting);
          found = find_ica_splits(table, level, ica, n_threads);
        }
        return pack(found, SplitKind::linear);
      },
      "X"_a, "y"_a, "n_classes"_a, "n_values"_a, "rows"_a, "weights"_a.none(), "start"_a,
      "counts"_a, "allowed"_a.none(), "options"_a, "n_threads"_a);
}

void bind_growing(nb::module_& m) {
  nb::class_<Routing>(m, "Routing")
      .def_prop_ro("counts",
                   [](nb::object self) {
                     auto& routing = nb::cast<Routing&>(self);
                     const std::size_t n = routing.share.size(), R = routing.n_classes;
                     return nb::ndarray<nb::numpy, double>(routing.counts.data(), {n, R}, self);
                   })
      .def_prop_ro(
          "losses",
          [](nb::object self) -> nb::object {
            auto& routing = nb::cast<Routing&>(self);
            if (routing.losses.empty()) return nb::none();
            const std::size_t n = routing.share.size(), R = routing.n_classes;
            return nb::cast(nb::ndarray<nb::numpy, double>(routing.losses.data(), {n, R}, self));
          })
      .def_prop_ro("share", [](nb::object self) {
        auto& routing = nb::cast<Routing&>(self);
        return nb::ndarray<nb::numpy, double>(routing.share.data(), {routing.share.size()}, self);
      });
  m.def(
      "route_level",
      [](AnyMatrix X, In<std::int32_t> y, Costs costs, In<std::int32_t> rows,
         Weights<double> weights, In<std::int64_t> start, In2<double> counts, In<std::uint8_t> kind,
         In<std::int64_t> int_start, In<std::int32_t> ints, In<std::int64_t> real_start,
         In<double> reals, In<std::int32_t> n_branches, std::vector<std::int32_t> n_values,
         std::optional<In2<std::int32_t>> missing_of_class, int n_threads) {
        const Level level = level_of(rows, weights, start, counts);
        const PackedSplits packed{kind, int_start, ints, real_start, reals};
        require(n_branches.shape(0) == level.n_nodes && kind.shape(0) == level.n_nodes,
                "a split for every node");
        const Splits splits(packed.view(), n_branches.data(), std::move(n_values));
        const Matrix matrix = view(X);
        const RowValues values{y.data(), data_of(costs, X.shape(0), counts.shape(1)),
                               static_cast<int>(counts.shape(1))};
        nb::gil_scoped_release release;
        const Interrupt interrupt(signal_waiting);
        return route_level(matrix, values, level, splits, n_branches.data(),
                           missing_of_class ? missing_of_class->data() : nullptr, n_threads);
      },
      "X"_a, "y"_a, "costs"_a.none(), "rows"_a, "weights"_a.none(), "start"_a, "counts"_a, "kind"_a,
      "int_start"_a, "ints"_a, "real_start"_a, "reals"_a, "n_branches"_a, "n_values"_a,
      "missing_of_class"_a.none(), "n_threads"_a);
  m.def(
      "move_rows",
      [](const Routing& routing, In<std::int32_t> rows, Weights<double> weights,
         In<std::int64_t> start, In2<double> counts, In<std::uint8_t> is_open, int n_threads) {
        const Level level = level_of(rows, weights, start, counts);
        require(is_open.shape(0) == routing.share.size(), "is_open needs a place for every branch");
        MovedRows moved;
        {
          nb::gil_scoped_release release;
          const Interrupt interrupt(signal_waiting);
          moved = move_rows(level, routing, is_open.data(), n_threads);
        }
        nb::object moved_weights = nb::none();
        if (!moved.weights.empty()) moved_weights = nb::cast(give(std::move(moved.weights)));
        return nb::make_tuple(give(std::move(moved.rows)), moved_weights,
                              give(std::move(moved.start)));
      },
      "routing"_a, "rows"_a, "weights"_a.none(), "start"_a, "counts"_a, "is_open"_a, "n_threads"_a);
}

Matrix checked_view(const AnyMatrix& X, std::size_t n_columns) {
  require(X.shape(1) == n_columns, "the matrix has another number of columns than the tree");
  return view(X);
}

struct BoundRouter {
  Router router;
  std::size_t n_columns;
};

template <void (Router::*walk)(const Matrix&, std::int32_t*, int) const>
auto walk_rows(const BoundRouter& self, AnyMatrix X, int n_threads) {
  const Matrix matrix = checked_view(X, self.n_columns);
  std::vector<std::int32_t> nodes(X.shape(0));
  {
    nb::gil_scoped_release release;
    const Interrupt interrupt(signal_waiting);
    (self.router.*walk)(matrix, nodes.data(), n_threads);
  }
  return give(std::move(nodes));
}

void bind_router(nb::module_& m) {
  nb::class_<BoundRouter>(m, "Router")
      .def(
          "__init__",
          [](BoundRouter* self, In<std::uint8_t> kind, In<std::int64_t> int_start,
             In<std::int32_t> ints, In<std::int64_t> real_start, In<double> reals,
             In<std::int32_t> first_child, In<std::int32_t> n_branches, In<double> share,
             std::vector<std::int32_t> n_values) {
            const std::size_t n = kind.shape(0);
            require(n > 0 && n < (std::size_t{1} << 31), "a tree has at least one node");
            require(!n_values.empty(), "a tree needs a column");
            require(first_child.shape(0) == n && n_branches.shape(0) == n && share.shape(0) == n,
                    "arrays of different lengths");
            const PackedSplits packed{kind, int_start, ints, real_start, reals};
            const std::size_t n_columns = n_values.size();
            Splits splits(packed.view(), n_branches.data(), std::move(n_values));
            new (self)
                BoundRouter{Router(std::move(splits), {first_child.data(), first_child.data() + n},
                                   {n_branches.data(), n_branches.data() + n},
                                   {share.data(), share.data() + n}),
                            n_columns};
          },
          "kind"_a, "int_start"_a, "ints"_a, "real_start"_a, "reals"_a, "first_child"_a,
          "n_branches"_a, "share"_a, "n_values"_a)
      .def("apply", &walk_rows<&Router::apply>, "X"_a, "n_threads"_a)
      .def("end_node", &walk_rows<&Router::end_node>, "X"_a, "n_threads"_a)
      .def(
          "blend",
          [](const BoundRouter& self, AnyMatrix X, In2<double> values, int n_threads) {
            const Matrix matrix = checked_view(X, self.n_columns);
            require(values.shape(0) == self.router.n_nodes(), "a row of values for every node");
            const std::size_t n = X.shape(0), width = values.shape(1);
            std::vector<double> out(n * width);
            {
              nb::gil_scoped_release release;
              const Interrupt interrupt(signal_waiting);
              self.router.blend(matrix, values.data(), static_cast<int>(width), out.data(),
                                n_threads);
            }
            return give(std::move(out), {n, width});
          },
          "X"_a, "values"_a, "n_threads"_a)
      .def(
          "count",
          [](const BoundRouter& self, AnyMatrix X, In<std::int32_t> y, Costs costs,
             Weights<double> weights, int n_classes) {
            const Matrix matrix = checked_view(X, self.n_columns);
            const std::size_t n = self.router.n_nodes(), R = n_classes;
            require(y.shape(0) == X.shape(0), "a class for every row");
            require(!weights || weights->shape(0) == X.shape(0), "a weight for every row");
            for (std::size_t i = 0; i < y.shape(0); ++i) {
              require(y.data()[i] >= 0 && y.data()[i] < n_classes, "a class is out of range");
            }
            const RowValues values{y.data(), data_of(costs, X.shape(0), R), n_classes};
            std::vector<double> sums(n * R, 0.0);
            {
              nb::gil_scoped_release release;
              const Interrupt interrupt(signal_waiting);
              self.router.count(matrix, values, weights ? weights->data() : nullptr, sums.data());
            }
            return give(std::move(sums), {n, R});
          },
          "X"_a, "y"_a, "costs"_a.none(), "weights"_a.none(), "n_classes"_a)
      .def(
          "paths",
          [](const BoundRouter& self, AnyMatrix X) {
            const Matrix matrix = checked_view(X, self.n_columns);
            std::vector<std::int64_t> start(X.shape(0) + 1);
            std::vector<std::int32_t> nodes;
            {
              nb::gil_scoped_release release;
              const Interrupt interrupt(signal_waiting);
              nodes = self.router.paths(matrix, start.data());
            }
            return nb::make_tuple(give(std::move(start)), give(std::move(nodes)));
          },
          "X"_a);
}

}  // namespace

NB_MODULE(core, m) {
  // A model that is still alive when Python ends is no leak that its owner could mend.
  nb::set_leak_warnings(false);
  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const Stopped&) {
      // The signal handler has set its own error, usually KeyboardInterrupt.
      if (!PyErr_Occurred()) PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
  bind_search(m);
  bind_growing(m);
  bind_training(m);
  bind_machines(m);
  bind_combinations(m);
  bind_units(m);
  bind_ica(m);
  bind_router(m);
}
