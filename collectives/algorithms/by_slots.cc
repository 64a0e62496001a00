#include "collectives/algorithms/by_slots.h"

#include <cstdint>
#include <stdexcept>
#include <string>

#include "collectives/algorithms/by_turns.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/counted_on.h"
#include "collectives/parts/few.h"
#include "collectives/parts/pooled.h"
#include "runtime/slots.h"

namespace postroom {
namespace {

using Kind = RootedCall::Kind;

std::uint32_t size_of(ConstBytes list) { return static_cast<std::uint32_t>(list.size()); }

/// What the lists of a reduce are combined by.
struct Combining {
  const Operator& op;
  Processor& self;
  Where where;
};

void append_all(const void* context, Bytes held, ConstBytes rest) {
  const auto& [op, self, where] = *static_cast<const Combining*>(context);
  CountedOn counted_on(self, where);  // a slot may be left half combined
  for (; !rest.empty(); rest = rest.subspan(held.size())) op.append(held, rest.first(held.size()));
  counted_on.end();
}

/// What the root of a scatterv tells a processor: how long its block is, and where it lies in a
/// slot that takes all of them. If none does, they go by turns.
struct Place {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::uint64_t bytes;
  std::uint32_t begin;
  std::uint32_t total;  // of all blocks, or kNone
};
static_assert(sizeof(Place) == kScattervSizeBytes);

Place place_of(const Blocks& blocks, int processor, bool fits) {
  if (!fits) return {blocks.bytes(processor), 0, Place::kNone};
  return {blocks.bytes(processor), static_cast<std::uint32_t>(blocks.begin(processor)),
          static_cast<std::uint32_t>(blocks.total())};
}

/// Returns that of `self`; `blocks` are used on the root only.
Place hand_out_places(Processor& self, int root, const Blocks& blocks, Where where) {
  const RootedCall call{Kind::kScatterv, root, sizeof(Place)};
  const auto me = static_cast<std::size_t>(self.id());
  Place own;
  if (self.id() != root) {
    self.hand_out(call, {}, static_cast<std::size_t>(self.count()) * sizeof(Place),
                  me * sizeof(Place), std::as_writable_bytes(std::span(&own, 1)), where);
    return own;
  }
  const bool fits = fits_out(self, blocks.total());
  Few<Place> places(self.count());
  for (int p = 0; p < self.count(); ++p) places[p] = place_of(blocks, p, fits);
  const std::span<const std::byte> all = std::as_bytes(places.all());
  self.hand_out(call, all, all.size(), 0, {}, where);
  return places[root];
}

}  // namespace

void throw_does_not_fit(const char* operation, std::size_t bytes, std::size_t limit,
                        const char* whose) {
  if (limit == 0) throw_shares_no_threads(operation, "slots", "threads of one node");
  throw std::invalid_argument(std::string(operation) + ": slots of " + std::to_string(bytes) +
                              " bytes is not allowed; at most " + std::to_string(limit - 1) + ", " +
                              whose);
}

void require_sizes_fit_out(const char* operation, const Processor& self) {
  if (sizes_fit_out(self)) return;
  throw_does_not_fit(operation, static_cast<std::size_t>(self.count()) * sizeof(Place),
                     self.hand_limits().out, "16 for each processor");
}

void broadcast_by_slots(Processor& self, int root, Bytes data, Where where) {
  self.hand_out({Kind::kBroadcast, root, size_of(data)}, data, data.size(), 0, data, where);
}

void scatter_by_slots(Processor& self, int root, const Blocks& blocks, ConstBytes all, Bytes mine,
                      Where where) {
  self.hand_out({Kind::kScatter, root, size_of(mine)}, all, blocks.total(), blocks.begin(self.id()),
                mine, where);
  if (self.id() == root) copy_bytes(blocks.of(all, root), mine);
}

void scatterv_by_slots(Processor& self, int root, const Blocks& blocks, ConstBytes all, Bytes mine,
                       Where where) {
  const Place place = hand_out_places(self, root, blocks, where);
  require_listed_bytes("scatterv", self.id(), mine.size(), place.bytes, where);
  if (place.total == Place::kNone) return scatterv_by_turns(self, root, blocks, all, mine, where);
  self.hand_out({Kind::kScatterv, root, place.total}, all, place.total, place.begin, mine, where);
  if (self.id() == root) copy_bytes(blocks.of(all, root), mine);
}

void gather_by_slots(Processor& self, int root, ConstBytes mine, Bytes all, Where where) {
  self.hand_in({Kind::kGather, root, size_of(mine)}, mine, all, {}, where);
}

void reduce_by_slots(Processor& self, int root, ConstBytes in, Bytes out, const Operator& op,
                     Where where) {
  const Combining combining{op, self, where};
  self.hand_in({Kind::kReduce, root, size_of(in)}, in, out, {&append_all, &combining}, where);
}

SharedWork broadcast_by_slots_work(int processors, std::int64_t bytes) {
  return {.copied_bytes = processors * bytes};
}

SharedWork scatter_by_slots_work(int processors, std::int64_t bytes) {
  return {.copied_bytes = 2 * processors * bytes};
}

SharedWork scatterv_by_slots_work(const Blocks& blocks) {
  const std::int64_t places = (2 * blocks.processors() - 1) * std::int64_t{sizeof(Place)};
  const auto total = static_cast<std::int64_t>(blocks.total());
  return {.copied_bytes = places + (blocks.total() <= Slots<>::kMostBytes ? 2 * total : total)};
}

SharedWork gather_by_slots_work(int processors, std::int64_t bytes) {
  return {.copied_bytes = 2 * processors * bytes};
}

SharedWork reduce_by_slots_work(int processors, std::int64_t bytes) {
  return {.copied_bytes = (processors + 1) * bytes, .combined_bytes = (processors - 1) * bytes};
}

}  // namespace postroom
