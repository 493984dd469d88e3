#include "interrupt.hpp"

namespace miter {
namespace {

struct Place {
  Interrupt* call = nullptr;
  bool may_ask = false;
};
thread_local Place here;

}  // namespace

Interrupt::Interrupt(bool (*is_wanted)()) : is_wanted_(is_wanted) { here = {this, true}; }

Interrupt::~Interrupt() { here = {}; }

Interrupt* Interrupt::of_thread() { return here.call; }

void Interrupt::join(Interrupt* call) { here = {call, false}; }

void Interrupt::check() {
  if (here.call) here.call->look(here.may_ask);
}

void Interrupt::look(bool may_ask) {
  if (may_ask && !is_stopped_) {
    const auto now = std::chrono::steady_clock::now();
    if (now - asked_ >= std::chrono::milliseconds(50)) {
      asked_ = now;
      is_stopped_ = is_wanted_();
    }
  }
  if (is_stopped_.load(std::memory_order_relaxed)) throw Stopped();
}

}  // namespace miter
