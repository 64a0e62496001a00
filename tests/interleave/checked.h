// The checking types that lock-free code is instantiated with: a policy as in runtime/atomics.h.
//
// Atomic<T> has the members of std::atomic that the project uses, with the same meaning, size and
// alignment; Plain<T> stands for a T that atomics guard. Both live inside a scenario only
// (interleave.h). Values of atomics are kept by the checker, not in the object, since different
// threads may see different ones. Calls take their source line as a last, defaulted argument.
//
// T: trivially copyable, at most eight bytes in an Atomic.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <type_traits>

#include "tests/interleave/execution.h"

namespace postroom::interleave {

struct Checked {
  using Where = std::source_location;

  template <class T>
  class Atomic;
  template <class T>
  class Plain;
  class Mutex;
  class Condition;

  /// std::atomic_thread_fence.
  static void fence(std::memory_order order, Where where = Where::current()) {
    Execution::get().fence(order, where);
  }
  /// As in runtime/asymmetric_fence.h: of the first the compiler alone takes notice.
  static void light_fence() noexcept {}
  static void heavy_fence(Where where = Where::current()) noexcept {
    Execution::get().fence_everywhere(where);
  }
  /// In a loop that waits: "I have looked and seen nothing, let others go on".
  static void pause(Where where = Where::current()) noexcept { Execution::get().spin(where); }
  static void yield(Where where = Where::current()) noexcept { Execution::get().spin(where); }
  /// No time passes.
  static std::int64_t now_ns() noexcept { return 0; }

  /// Before plain memory that is no Plain object (a payload, say) is read or written.
  static void reads(const void* memory, std::size_t bytes,
                    Where where = Where::current()) noexcept {
    Execution::get().read(reinterpret_cast<Address>(memory), bytes, false, where);
  }
  static void writes(void* memory, std::size_t bytes, Where where = Where::current()) noexcept {
    Execution::get().write(reinterpret_cast<Address>(memory), bytes, false, where);
  }
};

template <class T>
class Checked::Atomic {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));
  using Order = std::memory_order;
  static constexpr Order kSeqCst = std::memory_order_seq_cst;

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;

  Atomic(T value = T(), Where where = Where::current()) {
    Execution::get().construct(address(), sizeof(*this), bits(value), where);
  }
  ~Atomic() {
    if (Execution* const execution = Execution::running()) {
      execution->destroy(address(), sizeof(*this));
    }
  }
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  T load(Order order = kSeqCst, Where where = Where::current()) const noexcept {
    return value(Execution::get().load(address(), order, where));
  }
  void store(T desired, Order order = kSeqCst, Where where = Where::current()) noexcept {
    Execution::get().store(address(), bits(desired), order, where);
  }
  T exchange(T desired, Order order = kSeqCst, Where where = Where::current()) noexcept {
    return modify([](std::uint64_t, std::uint64_t replacement) { return replacement; },
                  bits(desired), order, where);
  }

  bool compare_exchange_strong(T& expected, T desired, Order success, Order failure,
                               Where where = Where::current()) noexcept {
    return compare_exchange(expected, desired, success, failure, false, where);
  }
  bool compare_exchange_strong(T& expected, T desired, Order order = kSeqCst,
                               Where where = Where::current()) noexcept {
    return compare_exchange(expected, desired, order, without_release(order), false, where);
  }
  bool compare_exchange_weak(T& expected, T desired, Order success, Order failure,
                             Where where = Where::current()) noexcept {
    return compare_exchange(expected, desired, success, failure, true, where);
  }
  bool compare_exchange_weak(T& expected, T desired, Order order = kSeqCst,
                             Where where = Where::current()) noexcept {
    return compare_exchange(expected, desired, order, without_release(order), true, where);
  }

  T fetch_add(T operand, Order order = kSeqCst,
              Where where = Where::current()) noexcept requires std::integral<T> {
    return modify([](std::uint64_t a, std::uint64_t b) { return bits(static_cast<T>(a + b)); },
                  bits(operand), order, where);
  }
  T fetch_sub(T operand, Order order = kSeqCst,
              Where where = Where::current()) noexcept requires std::integral<T> {
    return modify([](std::uint64_t a, std::uint64_t b) { return bits(static_cast<T>(a - b)); },
                  bits(operand), order, where);
  }
  T fetch_or(T operand, Order order = kSeqCst,
             Where where = Where::current()) noexcept requires std::integral<T> {
    return modify([](std::uint64_t a, std::uint64_t b) { return a | b; }, bits(operand), order,
                  where);
  }
  T fetch_and(T operand, Order order = kSeqCst,
              Where where = Where::current()) noexcept requires std::integral<T> {
    return modify([](std::uint64_t a, std::uint64_t b) { return a & b; }, bits(operand), order,
                  where);
  }

  void wait(T old, Order order = kSeqCst, Where where = Where::current()) const noexcept {
    Execution::get().wait(address(), bits(old), order, where);
  }
  void notify_one(Where where = Where::current()) noexcept {
    Execution::get().notify(address(), false, where);
  }
  void notify_all(Where where = Where::current()) noexcept {
    Execution::get().notify(address(), true, where);
  }

 private:
  static std::uint64_t bits(T value) noexcept {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    return bits;
  }
  static T value(std::uint64_t bits) noexcept {
    std::remove_const_t<T> value;
    std::memcpy(&value, &bits, sizeof(T));
    return value;
  }
  static constexpr Order without_release(Order order) {
    if (order == std::memory_order_acq_rel) return std::memory_order_acquire;
    if (order == std::memory_order_release) return std::memory_order_relaxed;
    return order;
  }

  Address address() const noexcept { return reinterpret_cast<Address>(this); }

  T modify(Execution::Modification modification, std::uint64_t operand, Order order,
           Where where) noexcept {
    return value(Execution::get().modify(address(), modification, operand, order, where));
  }
  bool compare_exchange(T& expected, T desired, Order success, Order failure, bool weak,
                        Where where) noexcept {
    std::uint64_t expected_bits = bits(expected);
    const bool done = Execution::get().compare_exchange(address(), expected_bits, bits(desired),
                                                        success, failure, weak, where);
    if (!done) expected = value(expected_bits);
    return done;
  }

  alignas(std::atomic<T>) std::byte storage_[sizeof(std::atomic<T>)];  // as large, never used
};

template <class T>
class Checked::Plain {
 public:
  Plain() : Plain(T()) {}
  Plain(T value) : value_(value) { Execution::get().write(address(), sizeof(T), false, {}); }
  Plain(const Plain& other) : Plain(other.get()) {}
  ~Plain() {
    if (Execution* const execution = Execution::running()) execution->destroy(address(), sizeof(T));
  }

  Plain& operator=(T value) noexcept {
    Execution::get().write(address(), sizeof(T), true, {});
    value_ = value;
    return *this;
  }
  Plain& operator=(const Plain& other) noexcept { return *this = other.get(); }
  operator T() const noexcept { return get(); }
  T operator->() const noexcept requires std::is_pointer_v<T> { return get(); }

  Plain& operator+=(T operand) noexcept { return *this = static_cast<T>(get() + operand); }
  Plain& operator-=(T operand) noexcept { return *this = static_cast<T>(get() - operand); }
  Plain& operator++() noexcept { return *this += T(1); }
  Plain& operator--() noexcept { return *this -= T(1); }

 private:
  T get() const noexcept {
    Execution::get().read(address(), sizeof(T), true, {});
    return value_;
  }
  Address address() const noexcept { return reinterpret_cast<Address>(this); }

  T value_;
};

/// std::mutex, as far as locks need it.
class Checked::Mutex {
 public:
  void lock(Where where = Where::current()) noexcept {
    while (held_.exchange(1, std::memory_order_acquire, where) != 0) {
      held_.wait(1, std::memory_order_relaxed, where);
    }
  }
  void unlock(Where where = Where::current()) noexcept {
    held_.store(0, std::memory_order_release, where);
    held_.notify_one(where);
  }

 private:
  Atomic<std::uint32_t> held_{0};
};

/// std::condition_variable. No time passes: an instant of a clock's epoch or before has come, and
/// any other one never does, so that a wake-up that is lost is a deadlock.
class Checked::Condition {
 public:
  template <class Lock, class Instant, class Ready>
  bool wait_until(Lock& lock, const Instant& end, Ready ready, Where where = Where::current()) {
    while (!ready()) {
      // The newest value, but nothing of what was done before it: a condition variable brings none.
      const std::uint32_t seen = notified_.fetch_add(0, std::memory_order_relaxed, where);
      lock.unlock();
      const bool over = end <= Instant();
      if (!over) notified_.wait(seen, std::memory_order_relaxed, where);
      lock.lock();
      if (over) return ready();
    }
    return true;
  }
  void notify_one(Where where = Where::current()) noexcept {
    notified_.fetch_add(1, std::memory_order_relaxed, where);
    notified_.notify_one(where);
  }

 private:
  Atomic<std::uint32_t> notified_{0};
};

}  // namespace postroom::interleave
