// The values that atomics may show to each thread: an operational form of the C++20 memory model.
//
// Every atomic keeps its newest stores in modification order. What a thread knows is two things:
// how far it has come to know of every other thread (a vector clock, for data races), and of each
// atomic the newest store that it knows of. A load may return any store that is not older than the
// one it knows of. Release stores hand the knowledge of their thread on, acquire loads take it in;
// a read-modify-write hands on what the store before it did as well (release sequence). A seq_cst
// operation may not return a store older than one that a seq_cst operation on the same atomic has
// written or read before; a seq_cst fence does the same for all atomics at once.
//
// The modification order, and the single order of the seq_cst operations, are the order of
// execution. So what no interleaving can show is not shown: a load that returns a store of the
// future (load buffering), or two stores that take effect in another order than they were executed
// (the weak outcome of "2+2W").
//
// No thread of the system is involved and nothing here is atomic: a thread is a number.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "tests/interleave/heap.h"

namespace postroom::interleave {

/// The thread that sets up (0) and up to four that run at the same time.
constexpr int kMaxThreads = 5;

/// For each thread, how many of its steps are known. A thread's own entry is at least 1.
using Clock = std::array<std::uint32_t, kMaxThreads>;

/// The atomics of an execution, numbered in the order of their construction.
using Location = int;

class MemoryModel {
 public:
  /// Forgets everything. A load may return one of the `history` newest stores; at least 2.
  void reset(int history);

  Location construct(int thread, std::uint64_t value);
  int locations() const { return locations_; }

  const Clock& clock(int thread) const { return threads_[thread].known.clock; }
  /// Whether the construction of `location` happened before what `thread` does now.
  bool knows(int thread, Location location) const;

  /// The store of this age; 0 is the newest.
  std::uint64_t value(Location location, int age) const;
  /// How many ages a load may choose from; at least 1.
  int readable(int thread, Location location, std::memory_order order) const;

  /// Loads the store of this age, below readable(). Returns its value.
  std::uint64_t load(int thread, Location location, int age, std::memory_order order);
  /// Returns whether the value differs from the one before.
  bool store(int thread, Location location, std::uint64_t value, std::memory_order order);
  /// Loads the newest store and follows it by `value` at once. Returns as store() does.
  bool read_modify_write(int thread, Location location, std::uint64_t value,
                         std::memory_order order);
  void fence(int thread, std::memory_order order);

  /// A thread that spins sees what it waits for in the end: it comes to know the newest store of
  /// each atomic that it has loaded since its last catch_up(). Returns whether that was news.
  bool catch_up(int thread);
  /// The same for one atomic.
  void see_newest(int thread, Location location);

  /// What `parent` did so far happens before all that `child` will do, and the like at its end.
  void start(int parent, int child);
  void join(int parent, int child);

 private:
  using StoreNumber = std::uint32_t;  // in modification order; from 1, 0 is "none known"

  struct Knowledge {
    Clock clock{};
    UntrackedVector<StoreNumber> stores;  // by location; what lies beyond the end is unknown

    void clear();
    StoreNumber of(Location location) const;
    void raise(Location location, StoreNumber store);
    void join_stores(const UntrackedVector<StoreNumber>& others);
    void join(const Knowledge& other);
  };
  struct Store {
    std::uint64_t value = 0;
    Knowledge released;  // what an acquire load of this store takes in; may be nothing
  };
  struct Atomic {
    UntrackedVector<Store> stores;  // store number n lies at n modulo the history
    StoreNumber newest = 0;
  };
  struct Thread {
    Knowledge known;
    Knowledge loaded;    // by loads that did not acquire: an acquire fence takes it in
    Knowledge released;  // by the last release fence: later relaxed stores hand it on
    UntrackedVector<std::uint32_t> spin_of_load;  // by location: in which spin it was last loaded
    std::uint32_t spin = 1;
  };

  const Store& at(Location location, int age) const;
  void take_in(Thread& thread, Location location, int age, std::memory_order order);
  bool append(int thread, Location location, std::uint64_t value, std::memory_order order,
              bool continues_release_sequence);

  int history_ = 8;
  int locations_ = 0;
  UntrackedVector<Atomic>
      atomics_;  // the first locations_ are in use, the others keep their memory
  std::array<Thread, kMaxThreads> threads_;
  Knowledge sequential_;  // newest stores that seq_cst operations have written or read
};

}  // namespace postroom::interleave
