// The memory that a sort works in beside the records: the caller's, or its own.
//
// Where the caller hands none in, small ones come from the heap; larger ones are mapped (in huge
// pages, numa/memory.h) and kept for the next sort, because the first touch of fresh memory costs
// as much as half a sort (figures: docs/sort_figures.md, Scratch memory). Beyond a bound what is
// kept is on offer to the system. On boxes with several nodes all but small ones are freed, since
// the next sort may want its pages on other nodes.
//
// Who may call: any thread. Errors: std::bad_alloc; std::invalid_argument when the caller's memory
// is too small.
//
//   SortScratch scratch(options.scratch, column_areas(n, sizeof(Key), sizeof(Value)));
//   std::byte* keys = scratch.area(0);
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "numa/memory.h"
#include "sort/areas.h"
#include "sort/options.h"

namespace postroom {

/// Gives back what the library keeps for the next sort. The next one pays for fresh memory.
void free_kept_scratch();

namespace sorting {

/// Whether so many bytes are kept for the next sort on a box with so many nodes of memory.
constexpr bool is_kept_on(int nodes, std::size_t bytes) noexcept {
  return bytes <= (nodes == 1 ? kOfferedScratchBytes : kKeptOnNodesBytes);
}

/// Throws std::invalid_argument when memory is given and has not that many bytes.
void check_scratch(std::span<const std::byte> given, const Areas& areas);

class SortScratch {
 public:
  /// In `given`, unless that is empty.
  SortScratch(std::span<std::byte> given, const Areas& areas);
  SortScratch(const SortScratch&) = delete;
  SortScratch& operator=(const SortScratch&) = delete;
  ~SortScratch();

  std::byte* area(std::size_t i) const noexcept { return base_ + offsets_[i]; }
  /// What nobody has touched yet, or the system may have taken back; from area `i` on.
  std::span<std::byte> cold() const noexcept { return cold_; }
  std::span<std::byte> cold_from(std::size_t i) const noexcept;

 private:
  std::byte* own(std::size_t bytes);

  Areas offsets_{};
  std::byte* base_ = nullptr;
  std::span<std::byte> cold_;
  std::unique_ptr<std::byte[]> small_;
  PlacedBuffer large_;
  std::size_t used_ = 0;  // bytes of it, where it is to be kept
};

}  // namespace sorting
}  // namespace postroom
