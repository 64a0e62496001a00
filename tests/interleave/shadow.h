// What lies at which address, and who accessed it last: finds data races and dead objects.
//
// The addresses that an execution has touched are kept as disjoint ranges in order. A range of
// plain memory remembers its last write and the last read of each thread; a range that is an atomic
// remembers the last operation of each thread, so that nobody destroys it too early.
// Two accesses race when one is a write and the clock of the later one does not cover the earlier.
//
// The table never looks at the memory itself, so a dead object is recognised without touching it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "tests/interleave/heap.h"
#include "tests/interleave/memory_model.h"

namespace postroom::interleave {

using Address = std::uintptr_t;

class Shadow {
 public:
  /// One access, as the trace knows it. Clock 0 means that there was none.
  struct Access {
    int thread = 0;
    std::uint32_t clock = 0;
    std::uint32_t step = 0;
  };
  /// What an address holds. Destroyed: an object whose lifetime has ended, the memory may be used
  /// again. Freed: memory that was given back.
  enum class Kind : std::uint8_t { kPlain, kAtomic, kDestroyed, kFreed };
  /// Why an access is wrong, and the earlier access that it collides with.
  struct Conflict {
    enum class What : std::uint8_t { kRace, kDestroyed, kFreed, kAtomic } what;
    Access earlier;
  };
  using Verdict = std::optional<Conflict>;

  void reset() { ranges_.clear(); }

  /// Plain accesses to [begin, begin + bytes). `typed` ones may not touch a destroyed object.
  Verdict read(Address begin, std::size_t bytes, Access access, const Clock& known, bool typed);
  Verdict write(Address begin, std::size_t bytes, Access access, const Clock& known, bool typed);

  /// The range becomes an atomic, or an object (kDestroyed) or a piece of the heap (kFreed) that
  /// has ended its life.
  Verdict become(Kind kind, Address begin, std::size_t bytes, Location location, Access access,
                 const Clock& known);
  /// The atomic at `begin` if there is one; for the caller to record its access.
  std::optional<Location> atomic_at(Address begin, Access access);
  /// Why there is no atomic at `begin`, if an object was there.
  Verdict dead_at(Address begin);

 private:
  struct Range {
    Address begin;
    Address end;
    Kind kind = Kind::kPlain;
    Location location = -1;
    Access write{};
    std::array<Access, kMaxThreads> reads{};  // of an atomic: its operations

    /// The access that an exclusive (or a shared) one of a thread that knows `known` races with.
    Verdict race(const Clock& known, bool exclusive) const;
    Verdict misuse(bool typed) const;
  };

  /// The first range that ends after `address`.
  std::size_t find(Address address) const;
  /// Makes `at` a border between two ranges if it lies inside one.
  void split(Address at);
  /// The ranges that make up [begin, begin + bytes), without gaps.
  std::span<Range> cover(Address begin, std::size_t bytes);

  UntrackedVector<Range> ranges_;
};

}  // namespace postroom::interleave
