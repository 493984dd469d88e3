#include "influence.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "interrupt.hpp"
#include "parallel.hpp"
#include "sums.hpp"

namespace miter {
namespace {

class NodeInfluence {
 public:
  // Writes the influence of each term of a split to out.
  void find(const Splits& splits, std::size_t i, const Matrix& X, const std::int32_t* rows,
            std::int64_t n_rows, double* out) {
    sums_ = Sums::of(splits, i);
    kind_ = splits.kind(i);
    mean_.assign(static_cast<std::size_t>(sums_.n_terms) * sums_.n_outputs, 0.0);
    const auto find_mean = [&](std::int64_t k) {
      for_terms(X, rows[k], [&](std::int32_t term, const TermValue& added) {
        double* mean = mean_.data() + std::int64_t{term} * sums_.n_outputs;
        for (std::int32_t o = 0; o < sums_.n_outputs; ++o) {
          mean[o] += added.factor * added.row[o] / static_cast<double>(n_rows);
        }
      });
    };
    const auto add_influence = [&](std::int64_t k) {
      find_direction(X, rows[k]);
      for_terms(X, rows[k], [&](std::int32_t term, const TermValue& added) {
        const double* mean = mean_.data() + std::int64_t{term} * sums_.n_outputs;
        double moved = 0;
        for (std::int32_t o = 0; o < sums_.n_outputs; ++o) {
          moved += direction_[o] * (added.factor * added.row[o] - mean[o]);
        }
        out[term] += moved * moved / static_cast<double>(n_rows);
      });
    };
    for_rows(n_rows, find_mean, splits.steps_of_row(i));
    for_rows(n_rows, add_influence, splits.steps_of_row(i));
  }

 private:
  template <class Visit>
  const double* for_terms(const Matrix& X, std::int32_t row, Visit&& visit) const {
    const double* reals = sums_.reals;
    for (std::int32_t term = 0; term < sums_.n_terms; ++term) {
      const std::int32_t n_values = sums_.terms[2 * term + 1];
      visit(term, term_value(n_values, reals, sums_.n_outputs, X.at(row, sums_.terms[2 * term])));
      reals += n_reals_of_term(n_values, sums_.n_outputs);
    }
    return reals;
  }

  // What a little more of each output does to the decision about a row: of a machine, to the margin
  // between the two largest; of a network, to the sum of its hidden units.
  void find_direction(const Matrix& X, std::int32_t row) {
    direction_.assign(sums_.n_outputs, 1.0);
    if (kind_ == SplitKind::linear) return;
    output_.assign(sums_.constants, sums_.constants + sums_.n_outputs);
    const double* weight = for_terms(X, row, [&](std::int32_t, const TermValue& added) {
      for (std::int32_t o = 0; o < sums_.n_outputs; ++o) {
        output_[o] += added.factor * added.row[o];
      }
    });
    if (kind_ == SplitKind::network) {
      for (std::int32_t h = 0; h < sums_.n_outputs; ++h) {
        const double unit = 1 / (1 + std::exp(-output_[h]));
        direction_[h] = weight[h] * unit * (1 - unit);
      }
      return;
    }
    std::fill(direction_.begin(), direction_.end(), 0.0);
    const auto first = std::max_element(output_.begin(), output_.end());
    direction_[first - output_.begin()] = 1;
    *first = -HUGE_VAL;
    direction_[std::max_element(output_.begin(), output_.end()) - output_.begin()] = -1;
  }

  Sums sums_{};
  SplitKind kind_ = SplitKind::leaf;
  std::vector<double> mean_, direction_, output_;
};

}  // namespace

Influences column_influences(const Splits& splits, const Matrix& X, const std::int32_t* rows,
                             const std::int64_t* row_start, int n_threads) {
  Influences all;
  all.start.push_back(0);
  for (std::size_t i = 0; i < splits.size(); ++i) {
    const Sums sums = Sums::of(splits, i);
    for (std::int32_t term = 0; term < sums.n_terms; ++term) {
      all.column.push_back(sums.terms[2 * term]);
    }
    if (sums.n_terms == 0 && splits.kind(i) != SplitKind::leaf) {
      all.column.push_back(splits.ints(i)[0]);
    }
    all.start.push_back(static_cast<std::int64_t>(all.column.size()));
  }
  all.influence.assign(all.column.size(), 0.0);
  std::vector<NodeInfluence> of_thread(std::max(n_threads, 1));
  parallel_for(splits.size(), n_threads, [&](std::size_t i, int thread) {
    double* out = all.influence.data() + all.start[i];
    if (splits.kind(i) == SplitKind::threshold || splits.kind(i) == SplitKind::category) {
      *out = 1;
    } else if (splits.kind(i) != SplitKind::leaf) {
      const std::int64_t n_rows = row_start[i + 1] - row_start[i];
      of_thread[thread].find(splits, i, X, rows + row_start[i], n_rows, out);
    }
  });
  return all;
}

}  // namespace miter
