// Threads: many independent items of work, done in any order, with an answer to Ctrl-C.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "interrupt.hpp"

namespace miter {

// Calls work(item, thread) for every item below n_items. Each item writes to places of its own, so
// the result does not depend on the number of threads. The calling thread works too, and when it
// has nothing left to do it goes on asking whether the user wants out. Throws Stopped, or the first
// error that an item threw.
template <class Work>
void parallel_for(std::size_t n_items, int n_threads, Work&& work) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> halt{false};
  std::exception_ptr error;
  std::size_t n_ended = 0;
  std::mutex lock;
  std::condition_variable ended;
  Interrupt* const call = Interrupt::of_thread();

  auto fail = [&] {
    const std::lock_guard<std::mutex> guard(lock);
    if (!error) error = std::current_exception();
    halt = true;
  };
  auto run = [&](int thread) {
    try {
      for (std::size_t item; !halt.load(std::memory_order_relaxed) && (item = next++) < n_items;) {
        Interrupt::check();
        work(item, thread);
      }
    } catch (...) {
      fail();
    }
  };
  auto run_other = [&](int thread) {
    Interrupt::join(call);
    run(thread);
    const std::lock_guard<std::mutex> guard(lock);
    ++n_ended;
    ended.notify_one();
  };

  std::vector<std::thread> others;
  const int n_others = static_cast<int>(std::min<std::size_t>(std::max(n_threads, 1), n_items)) - 1;
  try {
    for (int thread = 1; thread <= n_others; ++thread) others.emplace_back(run_other, thread);
  } catch (const std::system_error&) {
    // The system gives no more threads; those that are there do the work.
  }
  run(0);
  auto all_ended = [&] {
    std::unique_lock<std::mutex> guard(lock);
    return ended.wait_for(guard, std::chrono::milliseconds(50),
                          [&] { return n_ended == others.size(); });
  };
  while (!all_ended()) {
    try {
      Interrupt::check();
    } catch (...) {
      fail();
    }
  }
  for (auto& other : others) other.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace miter
