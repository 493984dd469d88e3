#include "fast_machine.hpp"

#include <limits>

#include "lanes.hpp"
#include "packed.hpp"
#include "terms.hpp"

namespace miter {

FastMachine::FastMachine(const std::int32_t* ints, const double* reals) {
  const std::int32_t n_terms = ints[1];
  const std::int32_t* terms = ints + 2 + ints[0];
  bool any_bent = false;
  for (std::int32_t term = 0; term < n_terms; ++term) {
    const std::int32_t n_values = terms[2 * term + 1];
    if (n_values > 0 || n_values == kCondition || n_terms > static_cast<int>(kMostColumns)) return;
    any_bent |= n_values == kBent;
  }
  n_outputs = ints[0];
  takes_all = true;
  std::vector<const double*> rows{reals};  // of weights, n_outputs each
  reals += n_outputs;
  for (std::int32_t term = 0; term < n_terms; ++term) {
    const bool is_bent = terms[2 * term + 1] == kBent;
    columns.push_back(terms[2 * term]);
    takes_all &= columns[term] == term;
    if (any_bent) centres.push_back(is_bent ? *reals : 0.0);
    // A number that is not bent has the same weights below and above; the missing ones are not for
    // here.
    rows.push_back(reals + is_bent);
    if (any_bent) rows.push_back(reals + is_bent + (is_bent ? n_outputs : 0));
    reals += n_reals_of_term(terms[2 * term + 1], n_outputs);
  }
  for (std::int32_t k = 0; k < n_outputs; ++k) {
    for (const double* row : rows) weights.push_back(row[k]);
  }
}

namespace {

constexpr int kTogether = FastMachine::kTogether;
typedef double Doubles __attribute__((vector_size(8 * kTogether), may_alias));
typedef std::int64_t Longs __attribute__((vector_size(8 * kTogether), may_alias));

struct Largest {
  Doubles sum = Doubles{} - std::numeric_limits<double>::infinity();
  Longs output{}, not_a_number{};
};

// Weighted sums for N outputs, of which the largest is kept. They are summed side by side: one
// chain of additions would wait for each of them.
template <int N>
MITER_INLINE void add_outputs(const double* weights, const Doubles* x, std::size_t n_inputs,
                              std::int64_t first_output, Largest& largest) {
  const std::size_t width = n_inputs + 1;
  Doubles sums[N];
  for (int k = 0; k < N; ++k) sums[k] = Doubles{} + weights[k * width];
  for (std::size_t input = 0; input < n_inputs; ++input) {
    for (int k = 0; k < N; ++k) sums[k] += x[input] * weights[k * width + 1 + input];
  }
  for (int k = 0; k < N; ++k) {
    const Longs is_larger = sums[k] > largest.sum;
    largest.sum = is_larger ? sums[k] : largest.sum;
    largest.output = is_larger ? Longs{} + (first_output + k) : largest.output;
    largest.not_a_number |= sums[k] != sums[k];
  }
}

MITER_DISPATCH
void largest_of_sums(const double* weights, const double* x, std::size_t n_inputs,
                     std::int32_t n_outputs, std::int32_t* found) {
  Largest largest;
  const auto* inputs = reinterpret_cast<const Doubles*>(x);
  for (std::int32_t first = 0; first < n_outputs;) {
    const std::int32_t n_left = n_outputs - first, many = n_left == 5 ? 5 : std::min(n_left, 4);
    const double* own = weights + first * (n_inputs + 1);
    with_constant<5>(many, [&](auto constant) MITER_LAMBDA {
      add_outputs<constant()>(own, inputs, n_inputs, first, largest);
    });
    first += many;
  }
  for (int r = 0; r < kTogether; ++r) {
    found[r] = largest.not_a_number[r] ? kShareOut : static_cast<std::int32_t>(largest.output[r]);
  }
}

template <class T>
MITER_INLINE Doubles four_numbers(const T* from) {
  typedef T Four __attribute__((vector_size(sizeof(T) * kTogether), aligned(sizeof(T)), may_alias));
  return __builtin_convertvector(*reinterpret_cast<const Four*>(from), Doubles);
}

// Squares of four numbers of four rows are turned in registers.
template <class T>
MITER_INLINE void turn(const T* const* rows, std::size_t n, double* x) {
  static_assert(kTogether == 4);
  std::size_t k = 0;
  for (; k + kTogether <= n; k += kTogether) {
    const Doubles a = four_numbers(rows[0] + k), b = four_numbers(rows[1] + k);
    const Doubles c = four_numbers(rows[2] + k), d = four_numbers(rows[3] + k);
    const Doubles ab_even = __builtin_shuffle(a, b, Longs{0, 4, 2, 6});
    const Doubles ab_odd = __builtin_shuffle(a, b, Longs{1, 5, 3, 7});
    const Doubles cd_even = __builtin_shuffle(c, d, Longs{0, 4, 2, 6});
    const Doubles cd_odd = __builtin_shuffle(c, d, Longs{1, 5, 3, 7});
    auto* to = reinterpret_cast<Doubles*>(x) + k;
    to[0] = __builtin_shuffle(ab_even, cd_even, Longs{0, 1, 4, 5});
    to[1] = __builtin_shuffle(ab_odd, cd_odd, Longs{0, 1, 4, 5});
    to[2] = __builtin_shuffle(ab_even, cd_even, Longs{2, 3, 6, 7});
    to[3] = __builtin_shuffle(ab_odd, cd_odd, Longs{2, 3, 6, 7});
  }
  for (; k < n; ++k) {
    for (int r = 0; r < kTogether; ++r) x[k * kTogether + r] = static_cast<double>(rows[r][k]);
  }
}

// Each number becomes two: its part below the centre, and its part above; one of them is 0.
MITER_DISPATCH
void bend(const double* x, const double* centres, std::size_t n_columns, double* parts) {
  for (std::size_t k = 0; k < n_columns; ++k) {
    const Doubles d = reinterpret_cast<const Doubles*>(x)[k] - centres[k];
    auto* to = reinterpret_cast<Doubles*>(parts) + 2 * k;
    to[0] = d < 0.0 ? d : Doubles{};
    to[1] = d < 0.0 ? Doubles{} : d;  // also what is not a number
  }
}

}  // namespace

MITER_DISPATCH
void side_by_side(const float* const* rows, std::size_t n, double* x) { turn(rows, n, x); }
MITER_DISPATCH
void side_by_side(const double* const* rows, std::size_t n, double* x) { turn(rows, n, x); }

void FastMachine::largest_sums(const double* x, std::int32_t* found) const {
  const std::size_t n = columns.size();
  if (centres.empty()) {
    largest_of_sums(weights.data(), x, n, n_outputs, found);
    return;
  }
  alignas(32) double parts[2 * kMostColumns * kTogether];
  bend(x, centres.data(), n, parts);
  largest_of_sums(weights.data(), parts, 2 * n, n_outputs, found);
}

}  // namespace miter
