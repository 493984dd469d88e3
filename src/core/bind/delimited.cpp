// Delimited text.
#include "../delimited.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>

#include "arrays.hpp"

namespace miter::bind {
namespace {

std::string_view text_of(const In<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.shape(0)};
}

nb::tuple read(In<std::uint8_t> bytes, char separator, char decimal,
               std::vector<std::int32_t> places, std::int32_t width,
               std::vector<std::string> missing, std::int64_t skip) {
  require(!places.empty() && width >= 0, "there must be columns");
  require(bytes.shape(0) < (std::size_t{1} << 31), "a piece of text has less than 2 GB");
  require(std::all_of(places.begin(), places.end(),
                      [&](auto place) { return place >= DelimitedPlan::kText && place < width; }),
          "there is no such place in the matrix");
  const DelimitedPlan plan{separator, decimal, std::move(places), width, std::move(missing)};
  const std::string_view text = text_of(bytes);
  DelimitedRows rows;
  {
    // Another thread than Python's main one reads, which cannot be interrupted; a piece is short.
    nb::gil_scoped_release release;
    rows = read_delimited(text, plan, skip);
  }
  const std::size_t n = rows.n_rows;
  rows.numbers.resize(n * width);
  nb::list texts;
  for (CodedTexts& own : rows.texts) {
    own.codes.resize(n);
    texts.append(nb::make_tuple(give(std::move(own.codes)), give(std::move(own.offsets)),
                                give(std::move(own.data))));
  }
  return nb::make_tuple(give(std::move(rows.numbers), {n, static_cast<std::size_t>(width)}), texts,
                        give(std::move(rows.has_infinite)), static_cast<int>(rows.trouble));
}

}  // namespace

void bind_delimited(nb::module_& m) {
  m.def("read_delimited", &read, "text"_a, "separator"_a, "decimal"_a, "places"_a, "width"_a,
        "missing"_a, "skip"_a);
  m.def(
      "end_of_records",
      [](In<std::uint8_t> bytes, char separator) {
        return end_of_records(text_of(bytes), separator);
      },
      "text"_a, "separator"_a);
}

}  // namespace miter::bind
