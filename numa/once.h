// What is found, or made, at its first use and stays: without the guard that a static variable of a
// function has. A process that is forked off while another thread is in there would wait at the
// guard for that thread for ever.
//
// Who may call: any thread, also while the program starts or ends. Of several that come first at
// the same time all find it, and the answer of one stays. What `find` or `make` throws is passed
// on, and the next call tries again. Cost: a load.
//
//   bool is_fast() {
//     static constinit FoundOnce<bool> fast;
//     return fast.get(measure_whether_it_is);
//   }
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace postroom {

/// A small number, or a bool: less than 2^64 - 1.
template <class Value>
class FoundOnce {
 public:
  template <class Find>
  Value get(const Find& find) {
    // Relaxed, here and below: it is all that is read, and the same whoever has stored it.
    std::uint64_t known = known_.load(std::memory_order_relaxed);
    if (known == 0) {
      known = static_cast<std::uint64_t>(find()) + 1;
      known_.store(known, std::memory_order_relaxed);  // relaxed: see above
    }
    return static_cast<Value>(known - 1);
  }

 private:
  std::atomic<std::uint64_t> known_{0};  // and one more
};

/// An object. It is never destroyed: threads may go on while the program ends.
template <class Value>
class MadeOnce {
 public:
  /// `make` returns a std::unique_ptr<Value>.
  template <class Make>
  Value& get(const Make& make) {
    Value* value = made_.load(std::memory_order_acquire);  // (1) pairs with (2)
    if (value != nullptr) return *value;
    std::unique_ptr<Value> own = make();
    // (2) publishes what was made, or sees what another thread has published; pairs with (1).
    if (made_.compare_exchange_strong(value, own.get(), std::memory_order_acq_rel)) {
      value = own.release();
    }
    return *value;
  }
  /// By its default constructor.
  Value& get() {
    return get([] { return std::make_unique<Value>(); });
  }

 private:
  std::atomic<Value*> made_{nullptr};
};

}  // namespace postroom
