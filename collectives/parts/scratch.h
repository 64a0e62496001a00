// Memory that a collective needs for the length of a call.
//
// Not initialised, aligned to kAlignment. Where it lies depends on its size: up to kInlineBytes in
// the object itself, so that collectives on small data allocate nothing; up to kKeptFromBytes in
// the heap; from there on in what the processor keeps (runtime/kept_memory.h). What is too large to
// be kept, or where nothing is kept, comes from the heap or, in huge pages, from the system.
//
// Source: our own. Cost: nothing inside the object, else that of the heap or of KeptMemory. Errors:
// std::bad_alloc.
#pragma once

#include <cstddef>
#include <memory>

#include "numa/memory.h"
#include "runtime/processor.h"

namespace postroom {

class Scratch {
 public:
  static constexpr std::size_t kInlineBytes = 512;
  static constexpr std::size_t kAlignment = 16;
  // The heap gives back to the system what lies at its end, so its pages were touched anew in each
  // call: an alltoall of Bruck's of 512 KiB took six times as long (Zen 4).
  static constexpr std::size_t kKeptFromBytes = std::size_t{16} << 10;

  /// Of `self`, which makes it and ends it.
  Scratch(Processor& self, std::size_t bytes) : bytes_(bytes) {
    if (bytes > kInlineBytes) allocate(self.kept_memory());
  }
  /// From `kept`, which may be null and else outlives it.
  Scratch(KeptMemory* kept, std::size_t bytes) : bytes_(bytes) {
    if (bytes > kInlineBytes) allocate(kept);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    if (kept_ != nullptr) keep();
  }

  Bytes bytes() noexcept { return {data_, bytes_}; }
  /// `count` bytes from `begin` on.
  Bytes bytes(std::size_t begin, std::size_t count) noexcept {
    return bytes().subspan(begin, count);
  }

 private:
  void allocate(KeptMemory* kept);
  void keep() noexcept;

  std::byte* data_ = inline_;
  std::size_t bytes_;
  std::unique_ptr<std::byte[]> of_heap_;
  PlacedBuffer pages_;
  KeptMemory* kept_ = nullptr;  // where they are from
  alignas(kAlignment) std::byte inline_[kInlineBytes];

  static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= kAlignment);
};

}  // namespace postroom
