// Settings of a trainer, given from Python by name.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

namespace miter::bind {

template <class Options, class Type>
struct Field {
  const char* name;
  Type Options::* member;
};
template <class Options, class Type>
Field(const char*, Type Options::*) -> Field<Options, Type>;

// Binds a structure whose fields are set by keywords; those not named keep their defaults.
template <class Options, class... Types>
void bind_options(nanobind::module_& m, const char* name, Field<Options, Types>... fields) {
  namespace nb = nanobind;
  nb::class_<Options>(m, name).def("__init__", [name, fields...](Options* self, nb::kwargs given) {
    Options options;
    std::size_t n_known = 0;
    auto take = [&](auto field) {
      if (!given.contains(field.name)) return;
      ++n_known;
      auto& to = options.*field.member;
      using Type = std::remove_reference_t<decltype(to)>;
      try {
        if constexpr (std::is_enum_v<Type>) {
          to = static_cast<Type>(nb::cast<int>(given[field.name]));
        } else {
          to = nb::cast<Type>(given[field.name]);
        }
      } catch (const nb::cast_error&) {
        throw nb::type_error(
            (std::string(field.name) + " of " + name + " is of another type").c_str());
      }
    };
    (take(fields), ...);
    if (n_known != given.size()) {
      throw nb::type_error((std::string(name) + " has no such field").c_str());
    }
    new (self) Options(std::move(options));
  });
}

}  // namespace miter::bind
