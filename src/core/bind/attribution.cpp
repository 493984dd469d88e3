// What each column adds to the answers of a tree.
#include "../attribution.hpp"

#include "arrays.hpp"

namespace miter::bind {
namespace {

nb::tuple attribute(const Router& tree, AnyMatrix X, AnyMatrix background, In2<double> values,
                    std::int64_t max_states, std::int64_t n_draws, std::uint64_t seed,
                    int n_threads) {
  const std::size_t n_rows = X.shape(0), n_columns = tree.n_columns(), width = values.shape(1);
  require(X.shape(1) == n_columns && background.shape(1) == n_columns,
          "the matrix has another number of columns than the tree");
  require(background.shape(0) > 0, "the background needs a row");
  require_length(values, tree.n_nodes(), "values");
  require(max_states >= 0, "max_states must not be negative");
  require(n_draws >= 2, "an error is estimated from two draws at least");
  const Matrix rows = view(X), others = view(background);
  const AttributionOptions options{max_states, n_draws, seed, n_threads};
  Attribution found = released([&] {
    return miter::attribute(tree, rows, others, values.data(), static_cast<int>(width), options);
  });
  return nb::make_tuple(give(std::move(found.values), {n_rows, n_columns, width}),
                        give(std::move(found.variance), {n_rows, n_columns, width}),
                        found.n_sampled);
}

}  // namespace

void bind_attribution(nb::module_& m) {
  m.def("attribute", &attribute, "tree"_a, "X"_a, "background"_a, "values"_a, "max_states"_a,
        "n_draws"_a, "seed"_a, "n_threads"_a);
}

}  // namespace miter::bind
