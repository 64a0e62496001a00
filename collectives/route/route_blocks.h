// The blocks of the two-transpose router: bins of one size, whose elements lie in runs.
//
// A run is elements with the same label, side by side: the target in the first transpose, the
// source in the second. A block begins with a directory of its runs; then comes room for the
// elements. Every block of a transpose has the same size, whatever is in it.
//
//   number of runs (8 bytes) | runs (8 bytes each), room for min(p, room) | elements, `room`
//
// Errors: std::invalid_argument where a block would have room for more than 2^32 - 1 elements;
// DisagreementError where what came is no such block.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "collectives/parts/scratch.h"
#include "collectives/route/route_relation.h"

namespace postroom {

struct Run {
  std::uint32_t label;
  std::uint32_t count;
};

/// Where things lie in a block.
struct RouteBlockLayout {
  RouteBlockLayout(int processors, std::size_t room, std::size_t element_bytes,
                   std::size_t element_alignment);

  template <Routable T>
  static RouteBlockLayout of(int processors, std::size_t room) {
    return {processors, room, sizeof(T), alignof(T)};
  }

  /// Of a block with room for so many elements.
  std::size_t bytes_with(std::size_t count) const noexcept;

  std::size_t element_bytes;
  std::size_t alignment;  ///< of the block
  std::size_t room;       ///< elements
  std::size_t elements;   ///< where they begin
  std::size_t bytes;      ///< of the whole block
};

/// Memory for blocks or for elements, aligned for both.
template <Routable T>
class BlockMemory {
 public:
  /// `kept` may be null.
  BlockMemory(KeptMemory* kept, std::size_t bytes) : memory_(kept, bytes + kSlack) {
    void* begin = memory_.bytes().data();
    std::size_t room = bytes + kSlack;
    data_ = static_cast<std::byte*>(std::align(kAlignment, bytes, begin, room));
  }
  std::byte* data() const noexcept { return data_; }

 private:
  static constexpr std::size_t kAlignment = std::max(alignof(T), alignof(std::uint64_t));
  static constexpr std::size_t kSlack = kAlignment > Scratch::kAlignment ? kAlignment : 0;

  Scratch memory_;
  std::byte* data_;
};

/// A block, to be read.
template <Routable T>
class RunsOfBlock {
 public:
  RunsOfBlock(const std::byte* block, const RouteBlockLayout& layout)
      : count_(reinterpret_cast<const std::uint64_t*>(block)),
        elements_(reinterpret_cast<const T*>(block + layout.elements)) {}

  std::span<const Run> runs() const noexcept {
    return {reinterpret_cast<const Run*>(count_ + 1), *count_};
  }
  /// Of all runs, one after another.
  const T* elements() const noexcept { return elements_; }

 private:
  const std::uint64_t* count_;
  const T* elements_;
};

/// Throws DisagreementError unless the block that came from `source` can be read: its runs fit the
/// layout, and have labels below `processors`.
void check_block(const std::byte* block, const RouteBlockLayout& layout, int processors,
                 int source);

/// Whether blocks lie at equal distances, as alltoall wants them, or each right behind what is in
/// the one before. Then only memory that is filled is ever touched: the room of a block that stays
/// empty is where the next ones are.
enum class Spacing { kEqual, kClose };

/// What a set of blocks takes, one for each processor, that are filled with what was in as many
/// blocks of the layout `filled_with`.
std::size_t block_set_bytes(int processors, const RouteBlockLayout& layout,
                            const RouteBlockLayout& filled_with, Spacing spacing) noexcept;

/// One block for each processor, to be filled with runs.
template <Routable T>
class RouteBlocks {
 public:
  /// Empty; sizes[b] elements are to come into block b, at most layout.room. They lie in `memory`,
  /// which has block_set_bytes().
  RouteBlocks(const RouteBlockLayout& layout, const BlockMemory<T>& memory,
              std::span<const std::size_t> sizes, Spacing spacing) {
    std::byte* begin = memory.data();
    for (const std::size_t size : sizes) {
      begins_.push_back(begin);
      ends_.push_back(reinterpret_cast<T*>(begin + layout.elements));
      runs_of(begin) = 0;
      begin += spacing == Spacing::kEqual ? layout.bytes : layout.bytes_with(size);
    }
  }

  /// Where the elements of a new run go, behind what `block` has. At most one run of a label.
  T* add_run(int block, int label, std::size_t count) noexcept {
    const auto b = static_cast<std::size_t>(block);
    std::uint64_t& runs = runs_of(begins_[b]);
    reinterpret_cast<Run*>(&runs + 1)[runs++] = {static_cast<std::uint32_t>(label),
                                                 static_cast<std::uint32_t>(count)};
    return std::exchange(ends_[b], ends_[b] + count);
  }
  /// Where each begins; all are layout.bytes long.
  std::span<std::byte* const> begins() const noexcept { return begins_; }

 private:
  static std::uint64_t& runs_of(std::byte* block) noexcept {
    return *reinterpret_cast<std::uint64_t*>(block);
  }

  std::vector<std::byte*> begins_;
  std::vector<T*> ends_;  // where the next run goes
};

}  // namespace postroom
