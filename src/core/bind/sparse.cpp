// Tests of a few columns.
#include "../few_weights.hpp"
#include "../sparse_tests.hpp"
#include "arrays.hpp"
#include "options.hpp"

namespace miter::bind {
namespace {

// Packed splits, and of each its node, number of terms and gain.
nb::tuple sparse_tests(const BoundTable& table, const BoundLevel& level,
                       const SparseOptions& options) {
  level.check_against(table.table);
  require(options.max_rows > 0, "one row at least");
  require(options.max_terms > 0 && options.max_terms <= kMostInUse,
          "max_terms must be 1 to " + std::to_string(kMostInUse));
  require(options.n_conditions >= 0 && options.l2 > 0, "conditions from 0 on, l2 above 0");
  auto found = released([&] { return find_sparse_tests(table.table, level.level, options); });
  std::vector<PackedSplit> splits;
  std::vector<std::int64_t> nodes, n_terms;
  std::vector<double> gains;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (SparseTest& test : found[i]) {
      splits.push_back(std::move(test.split));
      nodes.push_back(static_cast<std::int64_t>(i));
      n_terms.push_back(test.n_terms);
      gains.push_back(test.gain);
    }
  }
  return nb::make_tuple(pack(splits), give(std::move(nodes)), give(std::move(n_terms)),
                        give(std::move(gains)));
}

}  // namespace

void bind_sparse(nb::module_& m) {
  using O = SparseOptions;
  bind_options<O>(m, "SparseOptions", Field{"max_terms", &O::max_terms},
                  Field{"n_conditions", &O::n_conditions}, Field{"events", &O::events},
                  Field{"l2", &O::l2}, Field{"min_leaf", &O::min_leaf},
                  Field{"max_rows", &O::max_rows});
  m.def("find_sparse_tests", &sparse_tests, "table"_a, "level"_a, "options"_a);
}

}  // namespace miter::bind
