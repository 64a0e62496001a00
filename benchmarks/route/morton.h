// Not a router but what to compare with: the blocks of a p by p matrix copied in Morton order.
//
// Each processor lays its elements out by target and notes in one matrix where they lie; all know
// it after a barrier, and each copies a stretch of the Z-shaped curve through the matrix. It needs
// that everybody reads and writes everything, and nobody fails meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "collectives/route/route_grouping.h"
#include "runtime/processor.h"

namespace postroom::benchmarks {

/// One object for all processors of a machine. Precondition: p is a power of two.
class MortonCopy {
 public:
  explicit MortonCopy(int p)
      : p_(static_cast<std::size_t>(p)), sources_(p_), results_(p_), blocks_(p_ * p_) {}

  std::vector<std::uint32_t> route(Processor& self, std::span<const std::uint32_t> elements,
                                   std::span<const int> targets) {
    const auto me = static_cast<std::size_t>(self.id());
    lay_out(me, elements, targets);
    self.barrier();
    make_room(me);
    self.barrier();
    for (std::size_t code = me * p_; code < (me + 1) * p_; ++code) copy_block(code);
    self.barrier();
    return std::move(results_[me]);
  }

 private:
  struct Block {
    std::size_t begin = 0;
    std::size_t size = 0;
    std::size_t place = 0;  // in the target's result
  };

  void lay_out(std::size_t me, std::span<const std::uint32_t> elements,
               std::span<const int> targets) {
    Block* const row = &blocks_[me * p_];
    const RouteCounts counts = count_targets(targets, static_cast<int>(p_));
    sources_[me].resize(elements.size());
    std::vector<std::uint32_t*> next;
    std::size_t begin = 0;
    for (std::size_t j = 0; j < p_; ++j) {
      row[j] = {.begin = begin, .size = counts[j]};
      next.push_back(sources_[me].data() + begin);
      begin += counts[j];
    }
    place_by_target(elements, targets, counts, std::move(next));
  }

  void make_room(std::size_t me) {
    std::size_t total = 0;
    for (std::size_t i = 0; i < p_; ++i) {
      Block& block = blocks_[i * p_ + me];
      block.place = total;
      total += block.size;
    }
    results_[me].resize(total);
  }

  // The even bits of the code are the column, the odd ones the row.
  void copy_block(std::size_t code) {
    std::size_t row = 0;
    std::size_t column = 0;
    for (unsigned bit = 0; code >> (2 * bit) != 0; ++bit) {
      column |= (code >> (2 * bit) & 1) << bit;
      row |= (code >> (2 * bit + 1) & 1) << bit;
    }
    const Block& block = blocks_[row * p_ + column];
    if (block.size == 0) return;
    std::memcpy(results_[column].data() + block.place, sources_[row].data() + block.begin,
                block.size * sizeof(std::uint32_t));
  }

  std::size_t p_;
  std::vector<std::vector<std::uint32_t>> sources_;
  std::vector<std::vector<std::uint32_t>> results_;
  std::vector<Block> blocks_;  // row: source, column: target
};

}  // namespace postroom::benchmarks
