// Blocks of one region exchanged for those of another, between all regions at once: what is left
// then is for sort/engine/block_exchange.h.
//
//   list      each processor lists the blocks of its region by the regions where they belong
//   exchange  the i-th block that lies in region r and belongs to s is exchanged for the i-th that
//             lies in s and belongs to r; of all these pairs each processor takes a share
//
// Where no region has more of another's blocks than that one of its own, as with keys in any order,
// hardly any is left, and each has been moved once.
//
// Source: our own; a transpose of blocks, as [H] routes by two of. Cost: two barriers. Memory: p²
// counts, and the list that is handed in. Nothing here throws after the constructor.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sort/engine/block_slots.h"
#include "sort/engine/count.h"
#include "sort/engine/rows_apart.h"
#include "sort/engine/steps.h"
#include "sort/engine/team.h"

namespace postroom::sorting {

template <class Records>
class BlockPairs {
 public:
  using Slots = BlockSlots<Records>;
  using Item = std::uint32_t;  // a slot

  /// `listed` has room for an item of each slot. What is referred to must outlive it. Throws
  /// std::bad_alloc.
  BlockPairs(Slots& slots, Item* listed, std::size_t processors)
      : slots_(slots), listed_(listed), processors_(processors), ends_(processors, processors) {}

  /// Called by all, with the regions of all and the end of the last one.
  void run(Steps& steps, std::span<const BlockRegion> regions) {
    steps.in_any_case([&] { list(regions, steps.id()); });
    steps.in_any_case([&] { exchange(steps, regions); });
  }

 private:
  // ends_ of one region, by where its blocks belong.
  std::size_t* row(std::size_t region) noexcept { return ends_.row(region); }

  void list(std::span<const BlockRegion> regions, std::size_t own) noexcept {
    const auto home_of = [&](std::size_t bucket) {
      const auto behind =
          std::ranges::upper_bound(regions.first(processors_), bucket, {}, &BlockRegion::bucket);
      return static_cast<std::size_t>(behind - regions.begin()) - 1;
    };
    const auto for_blocks = [&](const auto& use) {
      for (std::size_t slot = regions[own].slot; slot < regions[own + 1].slot; ++slot) {
        if (slots_.bucket(slot) != Slots::kEmpty) use(slot, row(own)[home_of(slots_.bucket(slot))]);
      }
    };
    std::fill_n(row(own), processors_, 0);
    for_blocks([](std::size_t, std::size_t& count) { ++count; });
    places_from_counts(row(own), processors_, regions[own].slot);
    for_blocks(
        [&](std::size_t slot, std::size_t& place) { listed_[place++] = static_cast<Item>(slot); });
  }

  // Those that lie in one region and belong to the other.
  std::span<const Item> listed(std::span<const BlockRegion> regions, std::size_t in,
                               std::size_t of) noexcept {
    const std::size_t begin = of == 0 ? regions[in].slot : row(in)[of - 1];
    return {listed_ + begin, row(in)[of] - begin};
  }

  template <class Use>
  void for_pairs(std::span<const BlockRegion> regions, const Use& use) noexcept {
    for (std::size_t r = 0; r < processors_; ++r) {
      for (std::size_t s = r + 1; s < processors_; ++s) {
        const auto in_r = listed(regions, r, s);
        const auto in_s = listed(regions, s, r);
        const std::size_t count = std::min(in_r.size(), in_s.size());
        use(in_r.first(count), in_s.first(count));
      }
    }
  }

  void exchange(const Steps& steps, std::span<const BlockRegion> regions) noexcept {
    using Items = std::span<const Item>;
    std::size_t all = 0;
    for_pairs(regions, [&](Items in_r, Items) { all += in_r.size(); });
    const Range own = steps.share(0, all);
    std::size_t before = 0;
    for_pairs(regions, [&](Items in_r, Items in_s) {
      const std::size_t begin = std::clamp(own.begin, before, before + in_r.size()) - before;
      const std::size_t end = std::clamp(own.end, before, before + in_r.size()) - before;
      std::size_t i = begin;
      slots_.exchange_all(end - begin, [&] {
        const std::array<std::size_t, 2> pair{in_r[i], in_s[i]};
        ++i;
        return pair;
      });
      before += in_r.size();
    });
  }

  Slots& slots_;
  Item* listed_;  // each region's in its part of the slots
  std::size_t processors_;
  RowsApart<std::size_t> ends_;  // a row for each region
};

}  // namespace postroom::sorting
