// An answer to Ctrl-C in the middle of any work, by any thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>

namespace miter {

constexpr std::int64_t kPatience = 4096;  // steps, as of a row, that are not worth a check

struct Stopped : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

// Stands for one call of the core while it lives. The thread that makes the call is the only one
// that may ask whether the user wants out, and does so at most twenty times a second; the other
// threads of the call hear of it here. To check is to look at a clock: small pieces of work are
// added up until they are worth it.
class Interrupt {
 public:
  explicit Interrupt(bool (*is_wanted)()) : is_wanted_(is_wanted) { here_ = {this, true, 0}; }
  ~Interrupt() { here_ = {}; }
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // Throws Stopped if the user wants out of the call that this thread works for.
  static void check() {
    if (here_.call) here_.call->look(here_.may_ask);
  }
  // Checks after every kPatience steps of work, of which this thread is about to do some.
  static void count_steps(std::int64_t n) {
    if ((here_.n_steps += n) < kPatience) return;
    here_.n_steps = 0;
    check();
  }

  // The call that this thread works for, and how another thread joins it.
  static Interrupt* of_thread() { return here_.call; }
  static void join(Interrupt* call) { here_ = {call, false, 0}; }

 private:
  struct Place {
    Interrupt* call;
    bool may_ask;
    std::int64_t n_steps;  // since the last check
  };
  static inline thread_local Place here_{nullptr, false, 0};

  void look(bool may_ask) {
    if (may_ask && !is_stopped_) {
      const auto now = std::chrono::steady_clock::now();
      if (now - asked_ >= std::chrono::milliseconds(50)) {
        asked_ = now;
        is_stopped_ = is_wanted_();
      }
    }
    if (is_stopped_.load(std::memory_order_relaxed)) throw Stopped();
  }

  bool (*is_wanted_)();
  std::atomic<bool> is_stopped_{false};
  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
};

// Calls body(i) for every i below n, and checks now and then.
template <class Body>
void for_rows(std::int64_t n, Body&& body, std::int64_t steps_of_row = 1) {
  const std::int64_t together = std::max<std::int64_t>(kPatience / steps_of_row, 1);
  for (std::int64_t begin = 0; begin < n; begin += together) {
    const std::int64_t end = std::min(n, begin + together);
    Interrupt::count_steps((end - begin) * steps_of_row);
    for (std::int64_t i = begin; i < end; ++i) body(i);
  }
}

}  // namespace miter
