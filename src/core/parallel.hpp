// Threads: many independent items of work, done in any order, with an answer to Ctrl-C.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace miter {

// Asked now and then by the calling thread; true means: stop, the user wants out.
using Interrupted = std::function<bool()>;

struct Stopped : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

// Asks `interrupted` at most ten times a second, so that asking costs nothing.
class InterruptClock {
 public:
  explicit InterruptClock(const Interrupted& interrupted) : interrupted_(interrupted) {}

  bool stop() {
    if (!interrupted_) return false;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return false;
    last_ = now;
    return interrupted_();
  }

 private:
  const Interrupted& interrupted_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Calls work(item, thread) for every item below n_items. Each item writes to places of its own, so
// the result does not depend on the number of threads. The calling thread works too and is the one
// that asks `interrupted`. Throws Stopped, or the first error that an item threw.
template <class Work>
void parallel_for(std::size_t n_items, int n_threads, const Interrupted& interrupted, Work&& work) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> halt{false};
  std::exception_ptr error;
  std::mutex error_lock;

  auto run = [&](int thread) {
    InterruptClock clock(interrupted);
    try {
      for (std::size_t item; !halt.load(std::memory_order_relaxed) && (item = next++) < n_items;) {
        work(item, thread);
        if (thread == 0 && clock.stop()) throw Stopped();
      }
    } catch (...) {
      const std::lock_guard<std::mutex> guard(error_lock);
      if (!error) error = std::current_exception();
      halt = true;
    }
  };

  std::vector<std::thread> others;
  const int n_others = static_cast<int>(std::min<std::size_t>(n_threads, n_items)) - 1;
  try {
    for (int thread = 1; thread <= n_others; ++thread) others.emplace_back(run, thread);
  } catch (const std::system_error&) {
    // The system gives no more threads; those that are there do the work.
  }
  run(0);
  for (auto& other : others) other.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace miter
