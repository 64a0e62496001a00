// An operation of `postroom simulate`, `bench` and `predict`: how it is run, what must come out,
// what it costs. cli/simulate/simulated_operations.h has them all.
//
// Each one is the library's own collective, with data whose right result every processor knows
// (cli/simulate/operation_data.h), so a run checks itself. Making the data, the call and the check
// are apart, so that the call alone can be timed:
//
//   operation.prepare(turn, data);
//   operation.call(self, turn, data, algorithm);   // nothing but the collective
//   if (!operation.right(turn, data)) …
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "cli/simulate/operation_data.h"
#include "collectives/algorithm.h"
#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "fat_trees/box_tree.h"
#include "runtime/processor.h"

namespace postroom::cli {

/// On a Machine: a stack, mailboxes and records; seen: 20 KiB with a few dozen peers.
inline constexpr std::uint64_t kBytesOfProcessor = 32 * 1024;
/// What the clock of a model keeps for each processor with so many ports (runtime/ports.h).
constexpr std::uint64_t bytes_of_ports(int ports) {
  constexpr std::uint64_t kBytesOfPort = 40;
  return ports == 1 ? 0 : 2 * kBytesOfPort * static_cast<std::uint64_t>(ports);
}

struct SimulatedOperation {
  /// What the clock knows about the least time for it, for messages that cost one unit whatever
  /// their size.
  enum class Bound {
    kNone,        ///< nothing of its own
    kReach,       ///< T_λ(p): one processor must hear of all others, or all of one
    kReachWhole,  ///< the same, and with one port one of its algorithms takes it where λ is whole
    kOptimal,     ///< the same for any λ
  };
  /// What a block is.
  enum class Block {
    kNone,  ///< there is no data
    kList,  ///< the whole list
    kPart,  ///< one processor's part of it
  };

  std::string_view name;
  std::span<const Algorithm> (*algorithms)();
  /// Gives the lists their sizes and what goes in its values.
  void (*prepare)(const OperationTurn& turn, OperationData& data);
  void (*call)(Processor& self, const OperationTurn& turn, OperationData& data,
               const Algorithm& algorithm);
  /// Whether the call left what it should.
  bool (*right)(const OperationTurn& turn, const OperationData& data);
  /// Where messages go by collectives of their own, those that automatic takes: under the clock of
  /// `model`, without one on the wall clock.
  Cost (*cost)(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
               const TimeModel* model);
  /// Its predicted time in nanoseconds: see collectives/models/time_model.h.
  double (*time)(int processors, std::int64_t block_bytes, const Algorithm& algorithm,
                 const TimeModel& model);
  /// How many blocks a processor holds, in, out and on the way.
  std::int64_t (*blocks_held)(std::int64_t processors);
  Block block;
  bool has_root;
  /// Whether no two processors wait for each other in turn, so that a LightMachine needs few
  /// stacks.
  bool one_way;
  Bound bound;
  /// What no algorithm needs less of in the round model with `ports`, each by itself; null: not
  /// known.
  Cost (*least_cost)(int processors, std::int64_t block_bytes, int ports) = nullptr;
  /// What Algorithm::teams costs on a box; null where it does not have it.
  Cost (*cost_by_teams)(const BoxTree& box, std::int64_t block_bytes) = nullptr;
  /// What Algorithm::automatic stands for in a model, or without one on the wall clock; and in a
  /// call of `self`. None where chosen_algorithm() knows it by the name.
  Algorithm (*choose)(int processors, std::int64_t block_bytes, const TimeModel* model) = nullptr;
  Algorithm (*choose_in_call)(const Processor& self, std::int64_t block_bytes) = nullptr;
  /// Whether lists differ in size by processor (cli/simulate/uneven_operations.h).
  bool uneven = false;

  /// Whether it has an algorithm of this name, with whatever parameters.
  bool has(Algorithm::Name algorithm) const;
  /// The one of this name that it lists, with its parameters; `named` where it has none.
  Algorithm listed(const Algorithm& named) const;
  /// Whether the processors of a model run it, who share no memory: it has a time there.
  bool runs_in_model(Algorithm::Name algorithm) const;
  /// UsageError that says why --root is refused. Precondition: !has_root.
  [[noreturn]] void refuse_root() const;
  /// What Algorithm::automatic stands for; without a model, on the wall clock.
  Algorithm chosen(int processors, std::int64_t block_bytes,
                   const TimeModel* model = nullptr) const;
  /// In a call of `self`.
  Algorithm chosen(const Processor& self, std::int64_t block_bytes) const;
  /// All three, on blocks of `block_bytes`; throws std::logic_error for a wrong result.
  void run(Processor& self, int root, std::size_t block_bytes, const Algorithm& algorithm) const;
};

/// The name, such as lambda_tree, for a machine of `processors` with `ports` and latency `lambda`:
/// an algorithm that has these parameters gets them, and one with ports the least radix that uses
/// them all, ports + 1, from 2 to `processors`.
Algorithm for_machine(Algorithm algorithm, int processors, const Rational& lambda, int ports);

/// Whether it is worth a row only where λ depends on the level; otherwise it is the same as
/// another.
bool needs_levels(const Algorithm& algorithm);

/// Throws std::runtime_error where the memory does not suffice for the lists of all processors, of
/// which each takes `bytes_of_processor` besides.
void check_room(const SimulatedOperation& operation, int processors, std::size_t block_bytes,
                std::uint64_t bytes_of_processor);

}  // namespace postroom::cli
