// Trees whose weights are trained together.
#include <algorithm>
#include <cmath>

#include "../tree_training.hpp"
#include "arrays.hpp"
#include "options.hpp"

namespace miter::bind {
namespace {

void check_rows(const In<std::int32_t>& rows, const In<std::int64_t>& start, std::size_t n_nodes,
                std::int64_t n_rows) {
  require_length(start, n_nodes + 1, "start");
  require(start.data()[0] == 0 && std::is_sorted(start.data(), start.data() + n_nodes + 1) &&
              start.data()[n_nodes] == static_cast<std::int64_t>(rows.shape(0)),
          "start must ascend from 0 to the number of rows");
  require(std::all_of(rows.data(), rows.data() + rows.shape(0),
                      [&](auto row) { return row >= 0 && row < n_rows; }),
          "there is no such row in the table");
}

void check_tree(const Splits& splits) {
  std::int64_t n_below = 0;
  for (std::size_t i = 0; i < splits.size(); ++i) {
    require(n_below >= static_cast<std::int64_t>(i), "nodes must be numbered level by level");
    n_below += splits.n_branches(i);
  }
  require(n_below + 1 == static_cast<std::int64_t>(splits.size()),
          "a tree has as many branches as it has nodes but the root");
}

void check_amounts(const std::optional<In<double>>& amounts, std::size_t n, const char* what) {
  if (!amounts) return;
  require_length(*amounts, n, what);
  require(std::all_of(amounts->data(), amounts->data() + n,
                      [](double x) { return std::isfinite(x) && x >= 0; }),
          std::string(what) + " must be finite, 0 or more");
}

void make(TreeTraining* self, const BoundTable& bound, const Splits& splits, In<double> share,
          In2<double> probability, In<std::int32_t> rows, In<std::int64_t> start,
          std::optional<In<double>> weights, std::optional<In<double>> importance,
          const TreeTrainingOptions& options) {
  const Table& table = bound.table;
  const std::size_t n_rows = bound.X.shape(0), n_classes = table.n_classes;
  require(splits.n_columns() == table.n_columns(), "the splits are of another table");
  check_tree(splits);
  require_length(share, splits.size(), "share");
  require(probability.shape(0) == splits.size() && probability.shape(1) == n_classes,
          "a probability for every node and class");
  check_rows(rows, start, splits.size(), table.X.n_rows());
  check_amounts(weights, n_rows, "the weights");
  check_amounts(importance, n_rows, "the importance of rows");
  require(
      options.l2 >= 0 && options.smoothing >= 0 && options.n_batches > 0 && options.n_threads > 0,
      "training needs a penalty and a smoothing, 0 or more, a batch and a thread");
  GrownNodes nodes{{share.data(), share.data() + share.size()},
                   {probability.data(), probability.data() + probability.size()},
                   rows.data(),
                   start.data()};
  released([&] {
    new (self) TreeTraining(table, splits, std::move(nodes),
                            {data_of(weights), data_of(importance)}, options);
  });
}

double run_pass(TreeTraining& self, double rate) {
  require(rate >= 0 && std::isfinite(rate), "the rate must be finite, 0 or more");
  return released([&] { return self.run_pass(rate); });
}

}  // namespace

void bind_whole_trees(nb::module_& m) {
  using O = TreeTrainingOptions;
  bind_options<O>(m, "TreeTrainingOptions", Field{"l2", &O::l2}, Field{"smoothing", &O::smoothing},
                  Field{"n_batches", &O::n_batches}, Field{"seed", &O::seed},
                  Field{"n_threads", &O::n_threads});
  nb::class_<TreeTraining>(m, "TreeTraining")
      .def("__init__", &make, "table"_a, "splits"_a, "share"_a, "probability"_a, "rows"_a,
           "start"_a, "weights"_a.none(), "importance"_a.none(), "options"_a,
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("run_pass", &run_pass, "rate"_a)
      .def("splits", [](const TreeTraining& self) { return pack(self.splits()); });
}

}  // namespace miter::bind
