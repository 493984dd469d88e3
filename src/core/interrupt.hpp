// An answer to Ctrl-C in the middle of any work, by any thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>

namespace miter {

struct Stopped : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

// Stands for one call of the core while it lives. The thread that makes the call is the only one
// that may ask whether the user wants out, and does so at most twenty times a second; the other
// threads of the call hear of it here. So every loop may check as often as it likes.
class Interrupt {
 public:
  explicit Interrupt(bool (*is_wanted)());
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // Throws Stopped if the user wants out of the call that this thread works for.
  static void check();

  // The call that this thread works for, and how another thread joins it.
  static Interrupt* of_thread();
  static void join(Interrupt* call);

 private:
  void look(bool may_ask);

  bool (*is_wanted_)();
  std::atomic<bool> is_stopped_{false};
  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
};

constexpr std::int64_t kPatience = 4096;  // rows that are never worth a check between them

// Calls body(i) for every i below n, and checks now and then.
template <class Body>
void for_rows(std::int64_t n, Body&& body, std::int64_t patience = kPatience) {
  for (std::int64_t begin = 0; begin < n; begin += patience) {
    Interrupt::check();
    const std::int64_t end = std::min(n, begin + patience);
    for (std::int64_t i = begin; i < end; ++i) body(i);
  }
}

}  // namespace miter
