// How Algorithm::automatic chooses.
//
// Where the processors of a machine share threads of one node and keep no record: `slots`, for
// lists that a slot takes (collectives/algorithms/by_slots.h), else `turns`
// (collectives/algorithms/by_turns.h). With neither, and in groups, by messages:
//
//   clock of a model       what takes least in that model (collectives/models/variants.h)
//   wall clock             by measured sizes, choose_<operation>(processors, bytes); where
//                          a profile of the box was saved (collectives/models/profile.h), what it
//                          predicts to be at least twice as fast
//   several NUMA nodes     broadcast, allreduce and allgather go by `teams`
//                          (collectives/parts/teams.h), which ask again for each team
//   several third caches   in a node: broadcast and allgather go by teams where else all would read
//                          from one processor, or from all, at once
//
// The last two are for the wall clock, too.
//
// All processors come to the same choice: it depends on their number, the bytes, the box and the
// model alone.
//
// Cost: where threads are shared, a comparison or two; on the wall clock without a profile two
// calls besides. Otherwise each thread remembers what it chose: some ten nanoseconds, no lock, no
// allocation. The first time takes as long as fastest_of(). With a profile, sizes from 64 bytes on
// are treated alike where they have as many binary digits and the first four are the same; the
// choice is that for the least of them. Under the clock of a model each size has its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "collectives/algorithm.h"
#include "collectives/models/profile.h"
#include "collectives/models/time_model.h"
#include "fat_trees/box_tree.h"
#include "numa/once.h"
#include "runtime/processor.h"

namespace postroom {

/// As choose_broadcast: in a call, by size, and in a model.
using ChooseInCall = Algorithm (*)(const Processor& self, std::int64_t bytes);
using ChooseBySize = Algorithm (*)(int processors, std::int64_t bytes, bool shares_memory);
using ChooseInModel = Algorithm (*)(int processors, std::int64_t bytes, const TimeModel& model);

/// What was chosen before for such sizes, or what `in_model` chooses now.
Algorithm remembered_choice(const Processor& self, std::int64_t bytes, ChooseBySize by_size,
                            ChooseInModel in_model);

/// For operations with a size for each processor; the same counts on all of them.
using ChooseForCounts = Algorithm (*)(std::span<const std::size_t> counts,
                                      std::size_t element_bytes, const TimeModel& model);
/// The same under the clock of a model; where there is none, `otherwise`. What was chosen last for
/// these very counts is remembered.
Algorithm remembered_choice(const Processor& self, std::span<const std::size_t> counts,
                            std::size_t element_bytes, ChooseForCounts in_model,
                            const Algorithm& otherwise);

/// The least of the sizes that are treated alike: what a profile chooses for `bytes` is chosen for
/// it.
std::int64_t size_class(std::int64_t bytes);

/// Whether there is a profile to ask; known without a call, once it has been looked for.
inline bool box_was_measured() {
  static constinit FoundOnce<bool> measured;
  return measured.get([] { return box_profile().measured; });
}

/// Whether calls that no slot takes go by turns. Not on a box of several nodes, where the limits
/// are 0: there every subtree is to be entered once (Processor::box()).
inline bool goes_by_turns(const Processor& self) { return self.hand_limits().pooled > 0; }

/// What Algorithm::automatic stands for in a call of `self`, by messages.
inline Algorithm choice_by_messages(const Processor& self, std::int64_t bytes, ChooseBySize by_size,
                                    ChooseInModel in_model) {
  if ((self.is_flat() || self.shares_memory()) && !box_was_measured()) {
    return by_size(self.count(), bytes, true);
  }
  return remembered_choice(self, bytes, by_size, in_model);
}
/// By turns or by messages.
inline Algorithm choice_for(const Processor& self, std::int64_t bytes, ChooseBySize by_size,
                            ChooseInModel in_model) {
  if (goes_by_turns(self)) return Algorithm::turns;
  return choice_by_messages(self, bytes, by_size, in_model);
}
/// The same for an operation that has teams.
inline Algorithm choice_with_teams(const Processor& self, std::int64_t bytes, ChooseBySize by_size,
                                   ChooseInModel in_model) {
  if (!self.is_flat() && !goes_by_turns(self)) {
    const BoxTree* const box = self.box();
    if (box != nullptr && box->has_order()) return Algorithm::teams;
  }
  return choice_for(self, bytes, by_size, in_model);
}

/// Whether processors of one node go by teams, so that each of its third caches is entered once.
/// Asked where else all would read at once, from one or from all, lists of so many bytes that come
/// to each. Up to kMostBytes, what came in stays in the cache.
// Not measured, for want of such a box. Other algorithms have less to gain: trees follow the order
// of the leaves, so their subtrees are those of the caches; and where each combines a slice of all
// lists, leaders would combine whole ones.
inline bool goes_by_caches(const BoxTree* box, std::int64_t bytes) {
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 20;
  return bytes <= kMostBytes && box != nullptr && box->has_caches();
}
/// `choice`, or teams where it is `at_once` and they go by caches.
inline Algorithm choice_in_node(const Algorithm& choice, const Algorithm& at_once,
                                const Processor& self, std::int64_t bytes) {
  if (self.is_flat() || choice.name != at_once.name) return choice;
  return goes_by_caches(self.box(), bytes) ? Algorithm::teams : choice;
}
/// What Algorithm::teams stands for in a call of `self`: itself, but where all are near each other.
/// There they are one team, and it is what such a team takes, by messages. Throws
/// std::invalid_argument where processors do not share memory.
Algorithm choice_of_teams(std::string_view operation, const Processor& self, std::int64_t bytes,
                          ChooseBySize by_size, ChooseInModel in_model);
/// What `named`, which is not automatic, stands for.
inline Algorithm choice_of_named(std::string_view operation, const Algorithm& named,
                                 const Processor& self, std::int64_t bytes, ChooseBySize by_size,
                                 ChooseInModel in_model) {
  if (named.name != Algorithm::Name::kTeams) return named;
  return choice_of_teams(operation, self, bytes, by_size, in_model);
}
/// Whether it is the choice by size that says what is used where all are near each other.
constexpr bool goes_by_size(const Algorithm& algorithm) {
  return algorithm.is_automatic() || algorithm == Algorithm::teams;
}

}  // namespace postroom
