// Arrays and structures of Python, as the core reads them; only this folder knows Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../interrupt.hpp"
#include "../level.hpp"
#include "../packed.hpp"
#include "../table.hpp"

namespace miter::bind {

namespace nb = nanobind;
using namespace nb::literals;

using AnyMatrix = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using In2 = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

inline void require(bool condition, const std::string& why) {
  if (!condition) throw std::invalid_argument(why);
}
template <class Array>
auto data_of(const std::optional<Array>& array) {
  return array ? array->data() : nullptr;
}

// Requires an array of some rows and columns, if it is there at all.
template <class T>
void require_shape(const std::optional<In2<T>>& array, std::size_t n_rows, std::size_t n_columns,
                   const char* what) {
  require(!array || (array->shape(0) == n_rows && array->shape(1) == n_columns),
          std::string(what) + " must have " + std::to_string(n_rows) + " rows and " +
              std::to_string(n_columns) + " columns");
}
template <class Array>
void require_length(const Array& array, std::size_t n, const char* what) {
  require(array.shape(0) == n, std::string(what) + " must have " + std::to_string(n) +
                                   " places, not " + std::to_string(array.shape(0)));
}

Matrix view(const AnyMatrix& X);

// A table with the arrays that it reads, which live as long.
struct BoundTable {
  AnyMatrix X;
  In<std::int32_t> y;
  std::optional<In2<double>> costs;
  Table table;
};

// A level with its arrays.
struct BoundLevel {
  In<std::int32_t> rows;
  std::optional<In<double>> weights;
  In<std::int64_t> start;
  In2<double> counts;
  std::optional<In2<std::uint8_t>> allowed;
  Level level;
  std::int64_t largest_row = -1;

  // Requires that the level is one of a table's rows, columns and classes.
  void check_against(const Table& table) const;
};

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
// (kind, int_start, ints, real_start, reals, n_branches)
nb::tuple pack(const std::vector<PackedSplit>& splits);

bool signal_waiting();

// Works without the GIL, and stops if the user wants out.
template <class Work>
auto released(Work&& work) {
  nb::gil_scoped_release release;
  const Interrupt interrupt(signal_waiting);
  return work();
}

// The subjects, a file each.
void bind_tables(nb::module_& m);
void bind_splits(nb::module_& m);
void bind_attribution(nb::module_& m);
void bind_growing(nb::module_& m);
void bind_whole_trees(nb::module_& m);
void bind_univariate(nb::module_& m);
void bind_machines(nb::module_& m);
void bind_hyperplanes(nb::module_& m);
void bind_units(nb::module_& m);
void bind_delimited(nb::module_& m);
void bind_sparse(nb::module_& m);

}  // namespace miter::bind
