#include "cli/simulated_operation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <stdexcept>
#include <vector>

#include "cli/command_line.h"
#include "collectives/allgather.h"
#include "collectives/allreduce.h"
#include "collectives/alltoall.h"
#include "collectives/broadcast.h"
#include "collectives/gather.h"
#include "collectives/reduce.h"
#include "collectives/scan.h"
#include "collectives/scatter.h"

namespace postroom::cli {
namespace {

using List = std::vector<std::uint8_t>;

/// Byte `i` of the block that goes from `source` to `target`.
std::uint8_t letter(int source, int target, std::size_t i) {
  const auto mixed = static_cast<std::uint64_t>(source) * 0x9e3779b97f4a7c15U ^
                     static_cast<std::uint64_t>(target) * 0xc2b2ae3d27d4eb4fU ^
                     static_cast<std::uint64_t>(i) * 0x165667b19e3779f9U;
  return static_cast<std::uint8_t>((mixed * 0xd6e8feb86659fd93U) >> 56U);
}

List block(int source, int target, std::size_t bytes) {
  List list(bytes);
  for (std::size_t i = 0; i < bytes; ++i) list[i] = letter(source, target, i);
  return list;
}

/// One block for each of the processors, as `letter_of(processor, i)` says.
template <class LetterOf>
List blocks(int processors, std::size_t bytes, LetterOf letter_of) {
  List list;
  list.reserve(static_cast<std::size_t>(processors) * bytes);
  for (int processor = 0; processor < processors; ++processor) {
    for (std::size_t i = 0; i < bytes; ++i) list.push_back(letter_of(processor, i));
  }
  return list;
}

/// The sum of the first `processors` lists: byte i is the same on all, with a weight, so that it
/// has a closed form.
std::uint8_t term(int processor, std::size_t i) {
  return static_cast<std::uint8_t>(static_cast<std::size_t>(processor) * 7 + i);
}
std::uint8_t sum_of(std::int64_t processors, std::size_t i) {
  const std::int64_t sum =
      7 * (processors * (processors - 1) / 2) + processors * static_cast<std::int64_t>(i);
  return static_cast<std::uint8_t>(sum);
}
List terms(int processor, std::size_t bytes) {
  List list(bytes);
  for (std::size_t i = 0; i < bytes; ++i) list[i] = term(processor, i);
  return list;
}
List sums(std::int64_t processors, std::size_t bytes) {
  List list(bytes);
  for (std::size_t i = 0; i < bytes; ++i) list[i] = sum_of(processors, i);
  return list;
}

void expect(const Processor& self, const List& found, const List& right) {
  if (found == right) return;
  throw std::logic_error(fmt::format("processor {} got a wrong result", self.id()));
}

void run_broadcast(Processor& self, int root, std::size_t bytes, const Algorithm& algorithm) {
  const List right = block(root, 0, bytes);
  List list = self.id() == root ? right : List(bytes);
  broadcast(self, root, list, algorithm);
  expect(self, list, right);
}

void run_reduce(Processor& self, int root, std::size_t bytes, const Algorithm& algorithm) {
  List out(self.id() == root ? bytes : 0);
  reduce(self, root, terms(self.id(), bytes), out, std::plus<>(), algorithm);
  if (self.id() == root) expect(self, out, sums(self.count(), bytes));
}

void run_allreduce(Processor& self, int, std::size_t bytes, const Algorithm& algorithm) {
  List out(bytes);
  allreduce(self, terms(self.id(), bytes), out, std::plus<>(), algorithm);
  expect(self, out, sums(self.count(), bytes));
}

void run_scan(Processor& self, int, std::size_t bytes, const Algorithm& algorithm) {
  List out(bytes);
  scan(self, terms(self.id(), bytes), out, std::plus<>(), algorithm);
  expect(self, out, sums(self.id() + 1, bytes));
}

void run_scatter(Processor& self, int root, std::size_t bytes, const Algorithm& algorithm) {
  List all;
  if (self.id() == root) {
    all = blocks(self.count(), bytes, [&](int to, std::size_t i) { return letter(root, to, i); });
  }
  List mine(bytes);
  scatter(self, root, all, mine, algorithm);
  expect(self, mine, block(root, self.id(), bytes));
}

void run_gather(Processor& self, int root, std::size_t bytes, const Algorithm& algorithm) {
  List all(self.id() == root ? bytes * static_cast<std::size_t>(self.count()) : 0);
  gather(self, root, block(self.id(), root, bytes), all, algorithm);
  if (self.id() != root) return;
  expect(self, all, blocks(self.count(), bytes, [&](int from, std::size_t i) {
           return letter(from, root, i);
         }));
}

void run_allgather(Processor& self, int, std::size_t bytes, const Algorithm& algorithm) {
  List all(bytes * static_cast<std::size_t>(self.count()));
  allgather(self, block(self.id(), 0, bytes), all, algorithm);
  expect(self, all,
         blocks(self.count(), bytes, [](int from, std::size_t i) { return letter(from, 0, i); }));
}

void run_alltoall(Processor& self, int, std::size_t bytes, const Algorithm& algorithm) {
  const int me = self.id();
  const List out =
      blocks(self.count(), bytes, [&](int to, std::size_t i) { return letter(me, to, i); });
  List in(out.size());
  alltoall(self, out, in, algorithm);
  expect(self, in,
         blocks(self.count(), bytes, [&](int from, std::size_t i) { return letter(from, me, i); }));
}

std::int64_t few(std::int64_t) { return 3; }
std::int64_t one_for_each(std::int64_t processors) { return 2 * processors; }
std::int64_t two_for_each(std::int64_t processors) { return 4 * processors; }
// Only the root holds one for each.
std::int64_t at_root(std::int64_t) { return 6; }

using Bound = SimulatedOperation::Bound;

constexpr std::array kOperations = {
    SimulatedOperation{"broadcast", broadcast_algorithms, run_broadcast, broadcast_cost,
                       broadcast_time, few, true, true, Bound::kOptimal},
    SimulatedOperation{"reduce", reduce_algorithms, run_reduce, reduce_cost, reduce_time, few, true,
                       true, Bound::kOptimal},
    SimulatedOperation{"allreduce", allreduce_algorithms, run_allreduce, allreduce_cost,
                       allreduce_time, few, false, false, Bound::kReachWhole},
    SimulatedOperation{"scan", scan_algorithms, run_scan, scan_cost, scan_time, few, false, false,
                       Bound::kReach},
    SimulatedOperation{"scatter", scatter_algorithms, run_scatter, scatter_cost, scatter_time,
                       at_root, true, true, Bound::kOptimal},
    SimulatedOperation{"gather", gather_algorithms, run_gather, gather_cost, gather_time, at_root,
                       true, true, Bound::kOptimal},
    SimulatedOperation{"allgather", allgather_algorithms, run_allgather, allgather_cost,
                       allgather_time, one_for_each, false, false, Bound::kReachWhole},
    SimulatedOperation{"alltoall", alltoall_algorithms, run_alltoall, alltoall_cost, alltoall_time,
                       two_for_each, false, false, Bound::kReach},
};

}  // namespace

std::span<const SimulatedOperation> simulated_operations() { return kOperations; }

const SimulatedOperation& simulated_operation(std::string_view name) {
  std::vector<std::string_view> names;
  for (const SimulatedOperation& operation : kOperations) {
    if (operation.name == name) return operation;
    names.push_back(operation.name);
  }
  throw_unknown_name("OPERATION", name, names);
}

}  // namespace postroom::cli
