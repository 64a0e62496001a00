// Blocks taken to their regions by machines of 1 to 9 processors: each ends in its region, whole.
#include "sort/engine/block_exchange.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "runtime/machine.h"
#include "sort/engine/block_slots.h"
#include "sort/engine/failure.h"
#include "sort/engine/layout.h"
#include "sort/engine/steps.h"
#include "sort/engine/team.h"
#include "sort/keys.h"
#include "tests/sort/key_rows.h"
#include "tests/sort/machines.h"

namespace postroom::sorting {
namespace {

using Key = std::uint64_t;
using Slots = BlockSlots<Keys<Key>>;

// Blocks in slots; the keys of each are its number, and the bucket of block i is buckets[i].
class Exchange {
 public:
  static constexpr std::size_t kEmptySlot = static_cast<std::size_t>(-1);

  // slots[i] is the number of the block in it, or kEmptySlot.
  Exchange(const std::vector<std::size_t>& slots, const std::vector<std::size_t>& buckets)
      : buckets_(buckets),
        keys_(slots.size() * Slots::kBlock),
        slots_(rows_of(keys_), keys_.size()) {
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
      slots_.clear(slot);
      if (slots[slot] == kEmptySlot) continue;
      std::vector<Key> block(Slots::kBlock, slots[slot]);
      slots_.put(slot, rows_of(block), buckets[slots[slot]]);
    }
  }

  void run(Machine& machine, const std::vector<BlockRegion>& regions) {
    BlockExchange<Keys<Key>> exchange(slots_, static_cast<std::size_t>(machine.processors()));
    Failure failure;
    machine.run([&](Processor& self) {
      Steps steps(Team(self), failure);
      exchange.run(steps, regions);
    });
    failure.rethrow();
  }

  // Whether every block is in one slot, which its region has, and all its keys are.
  bool all_in_place(const std::vector<BlockRegion>& regions) const {
    std::vector<int> seen(buckets_.size());
    for (std::size_t r = 0; r + 1 < regions.size(); ++r) {
      for (std::size_t slot = regions[r].slot; slot < regions[r + 1].slot; ++slot) {
        if (slots_.bucket(slot) == Slots::kEmpty) continue;
        const auto block = keys_.begin() + static_cast<std::ptrdiff_t>(slot * Slots::kBlock);
        const std::size_t bucket = slots_.bucket(slot);
        if (*block >= seen.size() || bucket != buckets_[*block]) return false;
        if (bucket < regions[r].bucket || bucket >= regions[r + 1].bucket) return false;
        if (std::count(block, block + Slots::kBlock, *block) != Slots::kBlock) return false;
        ++seen[*block];
      }
    }
    return std::ranges::count(seen, 1) == static_cast<std::ptrdiff_t>(seen.size());
  }

 private:
  std::vector<std::size_t> buckets_;
  std::vector<Key> keys_;
  Slots slots_;
};

// Regions of p processors: as many buckets each, and room for their blocks and `spare` more each.
std::vector<BlockRegion> regions_for(const std::vector<std::size_t>& buckets, std::size_t values,
                                     std::size_t p, std::size_t spare) {
  std::vector<BlockRegion> regions;
  for (std::size_t r = 0; r <= p; ++r) {
    const std::size_t bucket = values * r / p;
    const auto before = std::ranges::count_if(buckets, [&](auto b) { return b < bucket; });
    regions.push_back({static_cast<std::size_t>(before) + r * spare, bucket});
  }
  return regions;
}

void expect_in_place(std::vector<std::size_t> slots, const std::vector<std::size_t>& buckets,
                     std::size_t values, std::size_t spare, int p, const std::string& what) {
  Machine& machine = machine_of(static_cast<std::size_t>(p));
  const auto regions = regions_for(buckets, values, static_cast<std::size_t>(p), spare);
  slots.resize(regions.back().slot, Exchange::kEmptySlot);
  Exchange exchange(slots, buckets);
  exchange.run(machine, regions);
  EXPECT_TRUE(exchange.all_in_place(regions)) << what << ", p = " << p << ", spare " << spare;
}

std::vector<std::size_t> numbers(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

TEST(BlockExchange, OfBlocksInAnyOrder) {
  std::mt19937_64 random(1);
  constexpr std::size_t kValues = 40;
  for (const int p : {1, 2, 3, 4, 7, 9}) {
    for (const std::size_t spare : {0, 1, 30}) {
      for (const std::size_t count : {0, 1, 50, 1'000}) {
        std::vector<std::size_t> buckets(count);
        for (auto& bucket : buckets) bucket = random() % kValues;
        std::vector<std::size_t> slots = numbers(count);
        slots.resize(count + spare * static_cast<std::size_t>(p), Exchange::kEmptySlot);
        std::ranges::shuffle(slots, random);
        expect_in_place(slots, buckets, kValues, spare, p, std::to_string(count) + " blocks");
      }
    }
  }
}

// No two regions have blocks of each other, but each has those of the next.
TEST(BlockExchange, OfBlocksTurnedByARegion) {
  for (const int p : {2, 3, 5, 8}) {
    const std::size_t values = 4 * static_cast<std::size_t>(p);
    std::vector<std::size_t> buckets;
    for (std::size_t i = 0; i < 100 * values; ++i) buckets.push_back(i / 100);
    std::vector<std::size_t> slots = numbers(buckets.size());
    std::ranges::rotate(slots, slots.begin() + 400);
    expect_in_place(slots, buckets, values, 3, p, "turned");
  }
}

// All belong to one region, or to the last.
TEST(BlockExchange, OfBlocksOfOneRegion) {
  for (const int p : {2, 3, 8}) {
    const std::size_t values = 2 * static_cast<std::size_t>(p);
    for (const std::size_t bucket : {std::size_t{0}, values / 2, values - 1}) {
      const std::vector<std::size_t> buckets(300, bucket);
      std::vector<std::size_t> slots(40, Exchange::kEmptySlot);
      const auto blocks = numbers(buckets.size());
      slots.insert(slots.end(), blocks.begin(), blocks.end());
      expect_in_place(slots, buckets, values, 40, p, "one region");
    }
  }
}

}  // namespace
}  // namespace postroom::sorting
