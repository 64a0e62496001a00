// Sorting where memory is short: at most a tenth on top of the records, or 256 KiB; and tables of
// up to 300 KiB for each processor.
//
//   sort_in_place(keys);
//   sort_in_place(people, &Person::age);
//
// Keys alone that differ in few bits are counted and written (sort/engine/count_all.h), those of 8
// and 16 bits always. Others of 32 or 64 bits are moved to both sides of one of them
// (sort/engine/sides_sort.h), or, where they do not fit the third cache and a digit tells them
// apart, in blocks (sort/engine/block_sort.h). Of all else, parts of a fourteenth are sorted as
// sort() does, in one block of scratch; then neighbours are merged where they lie: through the
// scratch where one of them fits, else after a rotation has cut both in two (Dudzinski and Dydek,
// On a Stable Minimum Storage Merging Algorithm, 1981). Stable.
//
// Cost: that of sort() for those keys. Else sorting the blocks, in parallel; merging takes four
// rounds of moves by the calling thread, and up to three more for rotations: several times as long
// as sort(). What fits 256 KiB is sorted by sort(). Counts take 256 KiB for each processor, or a
// tenth of the keys. Of the options algorithm and progress count for nothing. Errors: those of
// sort(); the elements may be in another order, but all are there.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>

#include "numa/cacheline.h"
#include "sort/areas.h"
#include "sort/arguments.h"
#include "sort/engine/team.h"
#include "sort/key_access.h"
#include "sort/options.h"
#include "sort/scratch.h"
#include "sort/sort.h"
#include "sort/whole_keys.h"

namespace postroom {
namespace sorting {

/// Merges neighbours of T in place. Elements are moved as bytes. When a key throws, the elements
/// are a permutation all the same: what is in the scratch is put back first.
template <class T, class KeyOf>
class InPlaceMerge {
 public:
  /// The scratch has room for `room` elements.
  InPlaceMerge(std::byte* elements, const KeyOf& key, std::byte* scratch, std::size_t room)
      : elements_(reinterpret_cast<Raw*>(elements)),
        key_(key),
        scratch_(reinterpret_cast<Raw*>(scratch)),
        room_(room) {}

  /// [begin, middle) and [middle, end) are in order; then [begin, end) is.
  void merge(std::size_t begin, std::size_t middle, std::size_t end) {
    while (begin < middle && middle < end) {
      if (key(middle - 1) <= key(middle)) return;
      if (middle - begin <= room_) return merge_upwards(begin, middle, end);
      if (end - middle <= room_) return merge_downwards(begin, middle, end);
      // Cut the longer one in the middle and the other where that element belongs.
      std::size_t left;
      std::size_t right;
      if (middle - begin >= end - middle) {
        left = begin + (middle - begin) / 2;
        right = first_not(middle, end, [&, cut = key(left)](auto k) { return k < cut; });
      } else {
        right = middle + (end - middle) / 2;
        left = first_not(begin, middle, [&, cut = key(right)](auto k) { return k <= cut; });
      }
      std::rotate(elements_ + left, elements_ + middle, elements_ + right);
      const std::size_t border = left + (right - middle);
      merge(begin, left, border);
      begin = border;
      middle = right;
    }
  }

 private:
  struct alignas(T) Raw {
    std::array<std::byte, sizeof(T)> bytes;
  };
  using Bits = typename KeyOf::Bits;

  Bits key_of(const Raw& raw) const {
    return key_(*std::launder(reinterpret_cast<const T*>(&raw)));
  }
  Bits key(std::size_t i) const { return key_of(elements_[i]); }

  template <class Before>
  std::size_t first_not(std::size_t begin, std::size_t end, const Before& before) const {
    while (begin < end) {
      const std::size_t middle = begin + (end - begin) / 2;
      if (before(key(middle))) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }

  void merge_upwards(std::size_t begin, std::size_t middle, std::size_t end) {
    std::copy(elements_ + begin, elements_ + middle, scratch_);
    const Raw* held = scratch_;
    const Raw* const held_end = scratch_ + (middle - begin);
    std::size_t to = begin;
    const auto put_back = [&] { std::copy(held, held_end, elements_ + to); };
    try {
      while (held < held_end && middle < end) {
        const bool right_first = key(middle) < key_of(*held);
        elements_[to++] = right_first ? elements_[middle++] : *held++;
      }
    } catch (...) {
      put_back();
      throw;
    }
    put_back();
  }

  void merge_downwards(std::size_t begin, std::size_t middle, std::size_t end) {
    std::copy(elements_ + middle, elements_ + end, scratch_);
    const Raw* held_end = scratch_ + (end - middle);
    std::size_t to = end;
    const auto put_back = [&] {
      std::copy_backward(static_cast<const Raw*>(scratch_), held_end, elements_ + to);
    };
    try {
      while (held_end > scratch_ && middle > begin) {
        const bool left_last = key_of(held_end[-1]) < key(middle - 1);
        elements_[--to] = left_last ? elements_[--middle] : *--held_end;
      }
    } catch (...) {
      put_back();
      throw;
    }
    put_back();
  }

  Raw* elements_;
  const KeyOf& key_;
  Raw* scratch_;
  std::size_t room_;
};

/// Less is not worth saving: elements that take no more are sorted by sort().
inline constexpr std::size_t kLeastScratch = std::size_t{1} << 18;

/// How many elements are sorted at a time.
constexpr std::size_t block_for(std::size_t size, std::size_t element_bytes) {
  constexpr std::size_t kBlocks = 14;  // and a 64th for the tables of sort/engine/block_sort.h
  constexpr std::size_t kOfLines = 2 * kCacheLine;  // what whole lines take more
  return std::max(size / kBlocks + 1,
                  (kLeastScratch - kOfLines) / std::max<std::size_t>(element_bytes, 1));
}

/// Sorts blocks of so many elements, and merges them. There is room for one, which is in the
/// scratch of the options, too.
template <class T, class Projection>
void sort_and_merge(std::span<T> elements, std::size_t block, std::byte* room,
                    const Projection& projection, const SortOptions& of_block) {
  const std::size_t size = elements.size();
  for (std::size_t begin = 0; begin < size; begin += block) {
    auto part = elements.subspan(begin, std::min(block, size - begin));
    postroom::sort(part, HeldProjection<Projection>(projection), of_block);
  }
  if (size <= block) return;
  const auto key = element_key<T>(projection, of_block);
  InPlaceMerge<T, std::remove_const_t<decltype(key)>> merge(std::as_writable_bytes(elements).data(),
                                                            key, room, block);
  for (std::size_t width = block; width < size; width *= 2) {
    for (std::size_t begin = 0; begin + width < size; begin += 2 * width) {
      merge.merge(begin, begin + width, std::min(begin + 2 * width, size));
    }
  }
}

}  // namespace sorting

/// How much scratch sort_in_place() takes: less than a tenth of all records, or 256 KiB at most.
inline std::size_t in_place_scratch_bytes(std::size_t records, std::size_t record_bytes) {
  const std::size_t block = std::min(sorting::block_for(records, record_bytes), records);
  return sorting::bytes_for(sorting::row_areas(block, record_bytes));
}

/// options.scratch may be handed in, of in_place_scratch_bytes(). Up to 64 bytes an element.
template <SortableRange R, class Projection = std::identity>
requires SortProjection<Projection, std::ranges::range_value_t<R>>
void sort_in_place(R&& range, Projection projection = {}, const SortOptions& options = {}) {
  using T = std::ranges::range_value_t<R>;
  static_assert(sizeof(T) <= sorting::kMostMovedBytes,
                "larger elements are sorted by their numbers, which takes more than a tenth");
  const std::span<T> elements(std::ranges::data(range), std::ranges::size(range));
  const std::span<std::byte> memory = std::as_writable_bytes(elements);
  sorting::check_apart(memory, options.scratch);
  SortOptions of_block = options;
  of_block.algorithm = SortAlgorithm::automatic;
  of_block.progress = nullptr;
  if (memory.size() <= sorting::kLeastScratch && options.scratch.empty()) {
    return postroom::sort(elements, sorting::HeldProjection<Projection>(projection), of_block);
  }
  const std::size_t block =
      std::min(sorting::block_for(elements.size(), sizeof(T)), elements.size());
  const std::size_t bytes = in_place_scratch_bytes(elements.size(), sizeof(T));
  std::optional<sorting::SortScratch> own;
  if (options.scratch.empty()) {
    own.emplace(options.scratch, sorting::Areas{bytes});
    of_block.scratch = {own->area(0), bytes};
  }
  const sorting::SortScratch room(of_block.scratch, sorting::row_areas(block, sizeof(T)));
  std::vector<sorting::Range> parts{{0, elements.size()}};
  if constexpr (SortKey<T> && std::same_as<Projection, std::identity>) {
    parts = sorting::sort_keys_in_place(memory.data(), elements.size(),
                                        sorting::format_of<T>(options.descending),
                                        {room.area(0), block * sizeof(T)}, of_block);
  }
  for (const auto& part : parts) {
    sorting::sort_and_merge(elements.subspan(part.begin, part.end - part.begin), block,
                            room.area(0), projection, of_block);
  }
}

template <SortableRange R>
requires SortKey<std::ranges::range_value_t<R>>
void sort_in_place(R&& range, const SortOptions& options) {
  postroom::sort_in_place(range, std::identity(), options);
}

void sort_in_place(sorting::Anything, ...) = delete;  // const, a list, no key, a comparator?

}  // namespace postroom
