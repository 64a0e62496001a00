// The two-transpose router: deterministic, two transposes of a fixed block size for any pattern.
//
// Source: [H], section 3 and Algorithm 1 (whose second block size lacks the +1 of its count slot).
// Processor i deals its elements for target j to the bins i+j, i+j+1, … mod p; a transpose takes
// bin b of every processor to processor b; it regroups them by target; a second transpose takes
// them there. The bounds on the bins (route_dealing.h) are checked as facts.
//
// Like the paper's proof, step (1) puts the elements of each target side by side first and deals
// them then. So the elements of a bin lie in runs, of one target each, and no element carries a
// label: a block says how long its runs are (route_blocks.h). Step (3) only copies runs, and what
// is done for each element does not depend on where it goes.
//
// Order at the receiver: by source, and for each source in the order of sending. Bins keep the
// order of their sources, and the k-th element of source i for target j came through processor
// (i + j + k) mod p, so step (5) picks them up by going round again.
//
// Called by all processors with the same relation. Cost: 2 transposes, of blocks with room for the
// largest bin for h1 and for h2. Large blocks in shared memory are not copied but read where they
// lie (route_transposed.h); then the room that nobody fills costs nothing. Each element is moved
// four times. Figures: docs/performance.md, "The routers". Memory: two sets of blocks, which the
// processor keeps for the next call (runtime/kept_memory.h), and the result.
//
// Errors: std::invalid_argument, before any message, when this processor has more elements than the
// relation says, or bins are larger than a block can be; std::logic_error when a bin overflows,
// because a processor receives more than the relation says.
//
//   const Relation relation{.most_sent = block, .most_received = block};
//   auto received = route_two_transpose<Key>(self, keys, targets, relation);
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "collectives/alltoall.h"
#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "collectives/route/route_blocks.h"
#include "collectives/route/route_dealing.h"
#include "collectives/route/route_grouping.h"
#include "collectives/route/route_relation.h"
#include "collectives/route/route_transposed.h"
#include "numa/memory.h"
#include "runtime/copy.h"
#include "runtime/processor.h"

namespace postroom {

/// What a router may be asked to note down; this one notes nothing.
struct NoRouteStatistics {
  void first_bin(int /*bin*/, std::size_t /*elements*/) {}
  void second_bin(int /*target*/, std::size_t /*elements*/) {}
};

[[noreturn]] void throw_too_many_sent(std::size_t elements, std::size_t most_sent);
/// std::logic_error for a bin of more than `bound` elements.
void check_bins(const char* transpose, std::span<const std::size_t> sizes, std::size_t bound);

inline Spacing route_spacing(const Processor& self, const RouteBlockLayout& layout) {
  return lends_blocks(self, layout.bytes) ? Spacing::kClose : Spacing::kEqual;
}

// --- The steps of the paper.

/// `visit(target, bin, share)` for each bin that gets elements for `target`, in the order of
/// dealing.
template <class Visit>
void for_each_share(const Processor& self, const RouteCounts& counts, const Visit& visit) {
  const auto p = static_cast<std::size_t>(self.count());
  for (std::size_t target = 0; target < p; ++target) {
    auto bin =
        static_cast<std::size_t>(first_bin_of(self.id(), static_cast<int>(target), self.count()));
    for (std::size_t turn = 0; turn < std::min<std::size_t>(p, counts[target]); ++turn) {
      visit(target, bin, dealt_share(counts[target], turn, p));
      bin = bin + 1 == p ? 0 : bin + 1;
    }
  }
}

/// Step (1): the elements of this processor, dealt to bins. `grouped` has room for all of them.
template <Routable T, class Statistics>
RouteBlocks<T> deal_to_bins(const Processor& self, std::span<const T> elements,
                            std::span<const int> targets, const RouteBlockLayout& layout,
                            const BlockMemory<T>& memory, T* grouped, Statistics& statistics) {
  const RouteCounts counts = count_targets(targets, self.count());
  std::vector<T*> begins;
  for (const std::uint64_t count : counts) {
    begins.push_back(std::exchange(grouped, grouped + count));
  }
  place_by_target(elements, targets, counts, begins);

  std::vector<std::size_t> sizes(counts.size());
  for_each_share(self, counts,
                 [&](std::size_t, std::size_t bin, std::size_t share) { sizes[bin] += share; });
  check_bins("first", sizes, layout.room);
  for (std::size_t bin = 0; bin < sizes.size(); ++bin)
    statistics.first_bin(static_cast<int>(bin), sizes[bin]);

  RouteBlocks<T> bins(layout, memory, sizes, route_spacing(self, layout));
  std::vector<T*> places;
  std::size_t left = 0;
  for_each_share(self, counts, [&](std::size_t target, std::size_t bin, std::size_t share) {
    places.push_back(bins.add_run(static_cast<int>(bin), static_cast<int>(target), share));
    left += share;
    if (left < counts[target]) return;
    deal_round<T>(begins[target], counts[target], places);
    places.clear();
    left = 0;
  });
  return bins;
}

/// Step (3): what came in the first transpose, by target; for each target in the order of sources.
template <Routable T, class Statistics>
RouteBlocks<T> regroup_by_target(const Processor& self, const TransposedBlocks& held,
                                 const RouteBlockLayout& came_in, const RouteBlockLayout& layout,
                                 const BlockMemory<T>& memory, Statistics& statistics) {
  const int p = self.count();
  std::vector<std::size_t> sizes(static_cast<std::size_t>(p));
  for (int source = 0; source < p; ++source) {
    check_block(held.from(source), came_in, p, source);
    for (const Run& run : RunsOfBlock<T>(held.from(source), came_in).runs())
      sizes[run.label] += run.count;
  }
  check_bins("second", sizes, layout.room);
  for (std::size_t bin = 0; bin < sizes.size(); ++bin)
    statistics.second_bin(static_cast<int>(bin), sizes[bin]);

  RouteBlocks<T> bins(layout, memory, sizes, route_spacing(self, layout));
  for (int source = 0; source < p; ++source) {
    const RunsOfBlock<T> block(held.from(source), came_in);
    const T* from = block.elements();
    for (const Run& run : block.runs()) {
      T* const to = bins.add_run(static_cast<int>(run.label), source, run.count);
      const std::size_t bytes = run.count * sizeof(T);
      copy_memory(reinterpret_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(from), bytes,
                  bytes);
      from += run.count;
    }
  }
  return bins;
}

/// What has not been collected yet of a bin that arrived.
template <Routable T>
class RestOfBin {
 public:
  explicit RestOfBin(const RunsOfBlock<T>& block)
      : runs_(block.runs()), elements_(block.elements()) {}

  /// The elements of `source`, if they are next.
  std::span<const T> take(int source) noexcept {
    if (runs_.empty() || static_cast<int>(runs_.front().label) != source) return {};
    const std::span<const T> taken(elements_, runs_.front().count);
    runs_ = runs_.subspan(1);
    elements_ += taken.size();
    return taken;
  }

 private:
  std::span<const Run> runs_;
  const T* elements_;
};

/// Appends the `elements` that were dealt to `bins`, in the order of dealing. They go by way of
/// `tile`, which stays in the cache: a longer list would have to be set to zero first.
template <Routable T>
void append_dealt(std::span<const T* const> bins, std::size_t elements, std::span<T> tile,
                  std::vector<T>& list) {
  if (elements == 0) return;
  const std::size_t rows = tile.size() / bins.size() / kRowsTogether * kRowsTogether;
  for (std::size_t row = 0; elements > 0; row += rows) {
    const std::size_t count = std::min(elements, rows * bins.size());
    pick_up_round<T>(bins, row, count, tile.data());
    list.insert(list.end(), tile.begin(), tile.begin() + static_cast<std::ptrdiff_t>(count));
    elements -= count;
  }
}

/// Step (5): what came in the second transpose, by source and in the order of sending.
template <Routable T>
std::vector<T> collect_in_order(const Processor& self, const TransposedBlocks& arrived,
                                const RouteBlockLayout& layout) {
  constexpr std::size_t kTileBytes = 4096;
  const int p = self.count();
  std::vector<RestOfBin<T>> bins;
  std::size_t total = 0;
  for (int bin = 0; bin < p; ++bin) {
    check_block(arrived.from(bin), layout, p, bin);
    const RunsOfBlock<T> block(arrived.from(bin), layout);
    bins.emplace_back(block);
    for (const Run& run : block.runs()) total += run.count;
  }
  std::vector<T> received;
  received.reserve(total);
  prefer_huge_pages({reinterpret_cast<std::byte*>(received.data()), total * sizeof(T)});
  std::vector<T> tile(
      std::max(kTileBytes / sizeof(T), kRowsTogether * static_cast<std::size_t>(p)));
  std::vector<const T*> dealt_to;
  for (int source = 0; source < p; ++source) {
    dealt_to.clear();
    std::size_t elements = 0;
    int bin = first_bin_of(source, self.id(), p);
    for (int turn = 0; turn < p; ++turn) {
      const std::span<const T> run = bins[static_cast<std::size_t>(bin)].take(source);
      if (run.empty()) break;
      dealt_to.push_back(run.data());
      elements += run.size();
      bin = bin + 1 == p ? 0 : bin + 1;
    }
    append_dealt<T>(dealt_to, elements, tile, received);
  }
  return received;
}

/// `targets[k]` is where `elements[k]` goes, 0 … count()-1.
template <Routable T, class Statistics = NoRouteStatistics>
std::vector<T> route_two_transpose(Processor& self, std::span<const T> elements,
                                   std::span<const int> targets, const Relation& relation,
                                   Statistics&& statistics = {}, Where where = Where::current()) {
  const Operation operation(self, "route");
  if (elements.size() > relation.most_sent) {
    throw_too_many_sent(elements.size(), relation.most_sent);
  }
  const int p = self.count();
  const auto first = RouteBlockLayout::of<T>(p, first_bin_bound(relation.most_sent, p));
  const auto second = RouteBlockLayout::of<T>(p, second_bin_bound(relation.most_received, p));
  const std::size_t bytes =
      std::max(block_set_bytes(p, first, first, Spacing::kEqual),
               block_set_bytes(p, second, first, route_spacing(self, second)));
  const BlockMemory<T> one(self.kept_memory(), bytes);
  const BlockMemory<T> other(self.kept_memory(), bytes);
  const RouteBlocks<T> dealt = deal_to_bins(self, elements, targets, first, one,
                                            reinterpret_cast<T*>(other.data()), statistics);
  TransposedBlocks held(self, dealt.begins(), first.bytes, other.data(), where);
  const RouteBlocks<T> regrouped =
      regroup_by_target(self, held, first, second, held.lent() ? other : one, statistics);
  std::byte* const copies = held.lent() ? one.data() : other.data();
  held.close();
  TransposedBlocks arrived(self, regrouped.begins(), second.bytes, copies, where);
  std::vector<T> received = collect_in_order<T>(self, arrived, second);
  arrived.close();
  return received;
}

/// What the trace counts for elements of type T. `model` as of transpose_cost.
template <Routable T>
Cost route_two_transpose_cost(int processors, const Relation& relation,
                              const TimeModel* model = nullptr) {
  const auto transpose = [&](std::size_t bound) {
    const std::size_t bytes = RouteBlockLayout::of<T>(processors, bound).bytes;
    return transpose_cost(processors, static_cast<std::int64_t>(bytes), model);
  };
  return transpose(first_bin_bound(relation.most_sent, processors)) +
         transpose(second_bin_bound(relation.most_received, processors));
}

}  // namespace postroom
