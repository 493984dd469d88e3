// The module, and what becomes of Ctrl-C.
#include <exception>

#include "arrays.hpp"

namespace miter::bind {

bool signal_waiting() {
  nb::gil_scoped_acquire gil;
  return PyErr_CheckSignals() != 0;
}

}  // namespace miter::bind

NB_MODULE(core, m) {
  using namespace miter::bind;
  // A model that is still alive when Python ends is no leak that its owner could mend.
  nb::set_leak_warnings(false);
  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const miter::Stopped&) {
      // The signal handler has set its own error, usually KeyboardInterrupt.
      if (!PyErr_Occurred()) PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
  bind_tables(m);
  bind_splits(m);
  bind_attribution(m);
  bind_growing(m);
  bind_whole_trees(m);
  bind_univariate(m);
  bind_machines(m);
  bind_hyperplanes(m);
  bind_units(m);
  bind_delimited(m);
  bind_sparse(m);
}
