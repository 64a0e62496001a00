#include "collectives/by_slots.h"

#include <cstdint>
#include <stdexcept>
#include <string>

#include "collectives/arguments.h"

namespace postroom {
namespace {

using Kind = RootedCall::Kind;

std::uint32_t size_of(ConstBytes list) { return static_cast<std::uint32_t>(list.size()); }

void append_all(const void* context, Bytes held, ConstBytes rest) {
  const Operator& op = *static_cast<const Operator*>(context);
  for (; !rest.empty(); rest = rest.subspan(held.size())) op.append(held, rest.first(held.size()));
}

}  // namespace

void throw_does_not_fit(const char* operation, std::size_t bytes, std::size_t limit,
                        const char* whose) {
  if (limit == 0) throw_shares_no_threads(operation, "slots", "threads of one node");
  throw std::invalid_argument(std::string(operation) + ": slots of " + std::to_string(bytes) +
                              " bytes is not allowed; at most " + std::to_string(limit - 1) + ", " +
                              whose);
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

void gather_by_slots(Processor& self, int root, ConstBytes mine, Bytes all, Where where) {
  self.hand_in({Kind::kGather, root, size_of(mine)}, mine, all, {}, where);
}

void reduce_by_slots(Processor& self, int root, ConstBytes in, Bytes out, const Operator& op,
                     Where where) {
  self.hand_in({Kind::kReduce, root, size_of(in)}, in, out, {&append_all, &op}, where);
}

SharedWork broadcast_by_slots_work(int processors, std::int64_t bytes) {
  return {.copied_bytes = processors * bytes};
}

SharedWork scatter_by_slots_work(int processors, std::int64_t bytes) {
  return {.copied_bytes = 2 * processors * bytes};
}

SharedWork gather_by_slots_work(int processors, std::int64_t bytes) {
  return {.copied_bytes = 2 * processors * bytes};
}

SharedWork reduce_by_slots_work(int processors, std::int64_t bytes) {
  return {.copied_bytes = (processors + 1) * bytes, .combined_bytes = (processors - 1) * bytes};
}

}  // namespace postroom
