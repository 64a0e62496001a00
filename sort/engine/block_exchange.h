// Blocks taken to the regions where they belong, by all processors: the second step of
// sort/engine/block_sort.h.
//
// Each processor has a region, a run of slots with room for the blocks of a run of buckets. Of more
// than two, first any two exchange what they have of each other's (sort/engine/block_pairs.h). Then
// blocks of the lower half of the regions are exchanged for those of the upper half, then within
// both halves likewise, and so on. Each time
//   list       each processor lists, of a part of either half, the blocks that belong to the other
//              one and the empty slots
//   exchange   the i-th of one half is exchanged for the i-th of the other, a share of them by each
// Nobody waits for another but at the barriers, and no slot is written by two.
//
// Source: our own; the halving is that of a hypercube. Cost: two barriers a level, ⌈lg p⌉ levels,
// and with more than two processors two more barriers. Blocks that do not lie in their region are
// moved once where keys are in any order; at worst, once in each level. Two processors take 0.11 ns
// a u32 and 0.19 a u64 (AMD Zen 5). Memory: four bytes for each slot, p² counts. Nothing here
// throws after the constructor.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "numa/cacheline.h"
#include "sort/engine/block_pairs.h"
#include "sort/engine/block_slots.h"
#include "sort/engine/digit.h"
#include "sort/engine/steps.h"
#include "sort/engine/team.h"

namespace postroom::sorting {

template <class Records>
class BlockExchange {
 public:
  using Slots = BlockSlots<Records>;

  /// `slots` must outlive it, and have fewer than 2^32. Throws std::bad_alloc.
  BlockExchange(Slots& slots, std::size_t processors)
      : slots_(slots),
        listed_(std::make_unique_for_overwrite<Item[]>(slots.count())),
        pairs_(slots, listed_.get(), processors),
        told_(processors) {}

  /// Called by all, with the regions of all and the end of the last one.
  void run(Steps& steps, std::span<const BlockRegion> regions) {
    if (steps.count() > kSides) pairs_.run(steps, regions);
    Range group{0, steps.count()};
    for (int left = width_of(steps.count() - 1); left > 0; --left) {
      const Halves halves{group, regions};
      const bool idle = group.end - group.begin == 1;
      steps.in_any_case([&] {
        if (!idle) told_[steps.id()] = list(halves, steps.id());
      });
      steps.in_any_case([&] {
        if (!idle) exchange(halves, steps.id());
      });
      (steps.id() < halves.middle ? group.end : group.begin) = halves.middle;
    }
  }

 private:
  using Item = typename BlockPairs<Records>::Item;
  static constexpr std::size_t kSides = 2;

  // The regions of a group of processors, cut in two.
  struct Halves {
    Halves(Range processors, std::span<const BlockRegion> regions)
        : group(processors),
          middle(group.begin + (group.end - group.begin + 1) / 2),
          bucket(regions[middle].bucket),
          slots{Range{regions[group.begin].slot, regions[middle].slot},
                Range{regions[middle].slot, regions[group.end].slot}} {}

    std::size_t processors() const noexcept { return group.end - group.begin; }
    // What the processor lists of a side.
    Range part(std::size_t side, std::size_t processor) const noexcept {
      return share_of(slots[side], processor - group.begin, processors());
    }

    Range group;
    std::size_t middle;  // the first processor of the upper one
    std::size_t bucket;  // and bucket
    std::array<Range, kSides> slots;
  };

  struct Count {
    std::size_t blocks = 0;  // at the beginning of its part of listed_
    std::size_t empty = 0;   // at the end
  };
  struct alignas(kNoSharing) Told {
    std::array<Count, kSides> of;
  };

  // What is to be exchanged of a side: all blocks, and then all empty slots.
  class Items {
   public:
    Items(const BlockExchange& all, const Halves& halves, std::size_t side)
        : all_(all), halves_(halves), side_(side) {}

    std::size_t blocks() const noexcept {
      std::size_t sum = 0;
      for (std::size_t run = 0; run < halves_.processors(); ++run) sum += size(run);
      return sum;
    }
    void skip(std::size_t count) noexcept {
      for (; count > 0 && count >= size(run_); count -= size(run_++)) {
      }
      taken_ = count;
    }
    // Precondition: there is one.
    std::size_t next() noexcept {
      for (; taken_ == size(run_); ++run_) taken_ = 0;
      return all_.listed_[begin(run_) + taken_++];
    }

   private:
    // Runs are numbered: the blocks of each processor, then the empty slots of each.
    std::size_t processor(std::size_t run) const noexcept {
      return halves_.group.begin + run % halves_.processors();
    }
    const Count& count(std::size_t run) const noexcept {
      return all_.told_[processor(run)].of[side_];
    }
    bool empty(std::size_t run) const noexcept { return run >= halves_.processors(); }
    std::size_t size(std::size_t run) const noexcept {
      return empty(run) ? count(run).empty : count(run).blocks;
    }
    std::size_t begin(std::size_t run) const noexcept {
      const Range part = halves_.part(side_, processor(run));
      return empty(run) ? part.end - count(run).empty : part.begin;
    }

    const BlockExchange& all_;
    const Halves& halves_;
    std::size_t side_;
    std::size_t run_ = 0;
    std::size_t taken_ = 0;  // of the run
  };

  Told list(const Halves& halves, std::size_t processor) noexcept {
    Told told;
    for (std::size_t side = 0; side < kSides; ++side) {
      const Range part = halves.part(side, processor);
      std::size_t front = part.begin;
      std::size_t back = part.end;
      for (std::size_t slot = part.begin; slot < part.end; ++slot) {
        const auto bucket = slots_.bucket(slot);
        if (bucket == Slots::kEmpty) {
          listed_[--back] = static_cast<Item>(slot);
        } else if ((bucket >= halves.bucket) == (side == 0)) {
          listed_[front++] = static_cast<Item>(slot);
        }
      }
      told.of[side] = {front - part.begin, part.end - back};
    }
    return told;
  }

  void exchange(const Halves& halves, std::size_t processor) noexcept {
    Items low(*this, halves, 0);
    Items high(*this, halves, 1);
    const std::size_t count = std::max(low.blocks(), high.blocks());
    const Range own = share_of({0, count}, processor - halves.group.begin, halves.processors());
    low.skip(own.begin);
    high.skip(own.begin);
    slots_.exchange_all(own.end - own.begin, [&] {
      return std::array<std::size_t, kSides>{low.next(), high.next()};
    });
  }

  Slots& slots_;
  std::unique_ptr<Item[]> listed_;  // each processor's in its part of the slots
  BlockPairs<Records> pairs_;
  std::vector<Told> told_;
};

}  // namespace postroom::sorting
