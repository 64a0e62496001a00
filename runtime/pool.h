// What all processors of a machine have put in, for one processor of each thread to work on:
// Processor::together.
//
//   self.together({"gather", root}, {mine, all}, [&](const Pool& pool) {
//     for (int p = pool.first(); p < pool.last(); ++p) copy(pool.in(p), place(pool.out(root), p));
//   }, where);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "numa/cacheline.h"
#include "runtime/rooted_call.h"

namespace postroom {

class Pool {
 public:
  /// What a processor puts in: a list that others read, one that others write.
  struct Lists {
    std::span<const std::byte> in;
    std::span<std::byte> out;
  };
  /// What all agree on. The name is a literal, for reports.
  struct Call {
    const char* name = nullptr;
    int root = kNoRoot;
    /// Lists to be read are copied first (runtime/put_in.h), so that the threads meet once and not
    /// twice. Then `work` may write to lists of its own thread's processors only.
    bool copies = false;

    friend bool operator==(const Call&, const Call&) = default;
  };
  /// The place of a processor, and for which barrier and in which call it was filled.
  struct alignas(kCacheLine) Place {
    Lists lists;
    Call call;
    std::uint32_t epoch = 0;
  };
  static_assert(sizeof(Place) == kCacheLine, "a place is one cache line");

  /// As seen by thread `part` of `parts`, which carries processors first … last - 1.
  Pool(std::span<const Place> places, int first, int last, int part, int parts) noexcept
      : places_(places), first_(first), last_(last), part_(part), parts_(parts) {}

  std::span<const std::byte> in(int processor) const noexcept {
    return places_[static_cast<std::size_t>(processor)].lists.in;
  }
  std::span<std::byte> out(int processor) const noexcept {
    return places_[static_cast<std::size_t>(processor)].lists.out;
  }
  /// The name of the call that all have come with.
  const char* name() const noexcept { return places_[static_cast<std::size_t>(first_)].call.name; }
  int processors() const noexcept { return static_cast<int>(places_.size()); }
  /// The processors of this thread are first() … last() - 1.
  int first() const noexcept { return first_; }
  int last() const noexcept { return last_; }
  /// The number of this thread, and how many there are.
  int part() const noexcept { return part_; }
  int parts() const noexcept { return parts_; }

 private:
  std::span<const Place> places_;
  int first_;
  int last_;
  int part_;
  int parts_;
};

}  // namespace postroom
