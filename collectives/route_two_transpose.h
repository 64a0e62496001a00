// The two-transpose router: deterministic, two transposes of a fixed block size for any pattern.
//
// Source: [H], section 3 and Algorithm 1 (whose second block size lacks the +1 of its count slot).
// Processor i deals its elements for target j to the bins i+j, i+j+1, … mod p; a transpose takes
// bin b of every processor to processor b; it regroups them by target; a second transpose takes
// them there. The bounds on the bins (route_dealing.h) are checked as facts.
//
// Order at the receiver: by source, and for each source in the order of sending. It costs no extra
// message: an element travels with one number, its target in the first transpose and its source in
// the second. Bins keep the order of their sources, and the k-th element of source i for target j
// came through processor (i + j + k) mod p, so step (5) picks them up by going round again.
//
// Called by all processors with the same relation. Cost: 2 transposes with blocks of B + 1 letters,
// B = largest bin for h1 and for h2; a letter is the element and an int, padded as in a struct.
// Allocates memory for two such block sets, which take turns, and the result. From 4 MiB on it is
// in huge pages, and so is the result: four sets in fresh small pages took 1.4 (h = n/p) to 3.4
// times as long (h = 8n/p; benchmarks/results/route.…). Errors: std::invalid_argument when this
// processor has more elements than the relation says, before any message; std::logic_error when a
// bin overflows: then a processor receives more than the relation says.
//
//   const Relation relation{.most_sent = block, .most_received = block};
//   auto received = route_two_transpose<Key>(self, keys, targets, relation);
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "collectives/alltoall.h"
#include "collectives/cost.h"
#include "collectives/route_dealing.h"
#include "collectives/route_relation.h"
#include "numa/memory.h"
#include "runtime/processor.h"

namespace postroom {

/// What a router may be asked to note down; this one notes nothing.
struct NoRouteStatistics {
  void first_bin(int /*bin*/, std::size_t /*elements*/) {}
  void second_bin(int /*target*/, std::size_t /*elements*/) {}
};

/// An element on its way. `label` is its target in the first transpose, its source in the second.
template <Routable T>
struct Letter {
  T element;
  int label;
};

[[noreturn]] void throw_too_many_sent(std::size_t elements, std::size_t most_sent);
[[noreturn]] void throw_bin_overflow(const char* transpose, int bin, std::size_t bound);

/// Memory for `blocks` blocks of letters with `room` for each, and their count slots.
template <Routable T>
class LetterMemory {
 public:
  LetterMemory(int blocks, std::size_t room) {
    const std::size_t slots = static_cast<std::size_t>(blocks) * (room + 1);
    if (slots * sizeof(Letter<T>) < kLargeBytes) {
      small_ = std::make_unique_for_overwrite<Letter<T>[]>(slots);
    } else {
      large_ = PlacedBuffer(slots * sizeof(Letter<T>));
    }
  }
  Letter<T>* slots() const noexcept {
    return small_ ? small_.get() : reinterpret_cast<Letter<T>*>(large_.data());
  }

 private:
  static constexpr std::size_t kLargeBytes = std::size_t{4} << 20;  // where huge pages begin

  std::unique_ptr<Letter<T>[]> small_;
  PlacedBuffer large_;
};

/// One block of letters for each processor, all of one size: a count slot, then room for letters.
template <Routable T>
class LetterBlocks {
 public:
  /// Empty; lie in `memory`, which has at least so many and so much.
  LetterBlocks(int blocks, std::size_t room, const LetterMemory<T>& memory)
      : stride_(room + 1), slots_(memory.slots()) {
    for (int block = 0; block < blocks; ++block) ends_.push_back(begin(block));
  }

  /// False when the block is full.
  bool add(int block, const Letter<T>& letter) noexcept {
    Letter<T>*& end = ends_[static_cast<std::size_t>(block)];
    if (end == begin(block) + room()) return false;
    *end++ = letter;
    return true;
  }
  std::size_t room() const noexcept { return stride_ - 1; }
  std::size_t size(int block) const noexcept { return letters(block).size(); }
  std::span<const Letter<T>> letters(int block) const noexcept {
    return {begin(block), ends_[static_cast<std::size_t>(block)]};
  }

  /// Steps (2) and (4): block j of processor i becomes block i of processor j, in `memory`.
  LetterBlocks transposed(Processor& self, const LetterMemory<T>& memory, Where where) const {
    LetterBlocks result(blocks(), room(), memory);
    for (int block = 0; block < blocks(); ++block) {
      const std::uint64_t size = this->size(block);
      std::memcpy(static_cast<void*>(count_slot(block)), &size, sizeof(size));
    }
    const std::size_t slots = ends_.size() * stride_;
    alltoall(self, std::span<const Letter<T>>(slots_, slots),
             std::span<Letter<T>>(result.slots_, slots), Algorithm::automatic, where);
    for (int block = 0; block < blocks(); ++block) {
      std::uint64_t size;
      std::memcpy(&size, result.count_slot(block), sizeof(size));
      result.ends_[static_cast<std::size_t>(block)] += size;
    }
    return result;
  }

 private:
  static_assert(sizeof(Letter<T>) >= sizeof(std::uint64_t), "a letter's slot holds a count");

  int blocks() const noexcept { return static_cast<int>(ends_.size()); }
  Letter<T>* count_slot(int block) const noexcept {
    return slots_ + static_cast<std::size_t>(block) * stride_;
  }
  Letter<T>* begin(int block) const noexcept { return count_slot(block) + 1; }

  std::size_t stride_;
  Letter<T>* slots_;
  std::vector<Letter<T>*> ends_;  // where the next letter goes, by block
};

// --- The steps of the paper.

/// Step (1): the elements of this processor, dealt to bins.
template <Routable T, class Statistics>
LetterBlocks<T> deal_to_bins(const Processor& self, std::span<const T> elements,
                             std::span<const int> targets, std::size_t h1,
                             const LetterMemory<T>& memory, Statistics& statistics) {
  LetterBlocks<T> bins(self.count(), first_bin_bound(h1, self.count()), memory);
  Dealer dealer(self.id(), self.count());
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const int bin = dealer.next_bin(targets[k]);
    if (!bins.add(bin, {elements[k], targets[k]})) throw_bin_overflow("first", bin, bins.room());
  }
  for (int bin = 0; bin < self.count(); ++bin) statistics.first_bin(bin, bins.size(bin));
  return bins;
}

/// Step (3): what came in the first transpose, by target; for each target in the order of sources.
template <Routable T, class Statistics>
LetterBlocks<T> regroup_by_target(const LetterBlocks<T>& held, int processors, std::size_t h2,
                                  const LetterMemory<T>& memory, Statistics& statistics) {
  LetterBlocks<T> bins(processors, second_bin_bound(h2, processors), memory);
  for (int source = 0; source < processors; ++source) {
    for (const Letter<T>& letter : held.letters(source)) {
      const int target = letter.label;
      if (!bins.add(target, {letter.element, source})) {
        throw_bin_overflow("second", target, bins.room());
      }
    }
  }
  for (int target = 0; target < processors; ++target) {
    statistics.second_bin(target, bins.size(target));
  }
  return bins;
}

/// Step (5): what came in the second transpose, by source and in the order of sending.
template <Routable T>
std::vector<T> collect_in_order(const LetterBlocks<T>& arrived, int processors, int self) {
  std::size_t total = 0;
  for (int bin = 0; bin < processors; ++bin) total += arrived.size(bin);
  std::vector<T> received;
  received.reserve(total);
  prefer_huge_pages({reinterpret_cast<std::byte*>(received.data()), total * sizeof(T)});
  std::vector<std::span<const Letter<T>>> left;
  for (int bin = 0; bin < processors; ++bin) left.push_back(arrived.letters(bin));
  for (int source = 0; source < processors; ++source) {
    auto bin = static_cast<std::size_t>((source + self) % processors);
    while (!left[bin].empty() && left[bin].front().label == source) {
      received.push_back(left[bin].front().element);
      left[bin] = left[bin].subspan(1);
      bin = bin + 1 == left.size() ? 0 : bin + 1;
    }
  }
  return received;
}

/// `targets[k]` is where `elements[k]` goes, 0 … count()-1.
template <Routable T, class Statistics = NoRouteStatistics>
std::vector<T> route_two_transpose(Processor& self, std::span<const T> elements,
                                   std::span<const int> targets, const Relation& relation,
                                   Statistics&& statistics = {}, Where where = Where::current()) {
  if (elements.size() > relation.most_sent) {
    throw_too_many_sent(elements.size(), relation.most_sent);
  }
  const std::size_t room = std::max(first_bin_bound(relation.most_sent, self.count()),
                                    second_bin_bound(relation.most_received, self.count()));
  const LetterMemory<T> here(self.count(), room);
  const LetterMemory<T> there(self.count(), room);
  LetterBlocks<T> blocks =
      deal_to_bins(self, elements, targets, relation.most_sent, here, statistics);
  blocks = blocks.transposed(self, there, where);
  blocks = regroup_by_target(blocks, self.count(), relation.most_received, here, statistics);
  blocks = blocks.transposed(self, there, where);
  return collect_in_order(blocks, self.count(), self.id());
}

/// What the trace counts for elements of type T.
template <Routable T>
Cost route_two_transpose_cost(int processors, const Relation& relation) {
  const auto transpose = [&](std::size_t bound) {
    return alltoall_cost(processors, static_cast<std::int64_t>((bound + 1) * sizeof(Letter<T>)));
  };
  return transpose(first_bin_bound(relation.most_sent, processors)) +
         transpose(second_bin_bound(relation.most_received, processors));
}

}  // namespace postroom
