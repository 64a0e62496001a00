// Every collective with every one of its algorithms, as values, for tests that hold for all of
// them: what it does with data that tells where each element came from, and what a plain loop says.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "collectives/models/cost.h"
#include "runtime/machine.h"
#include "runtime/processor.h"

namespace postroom {

struct Collective {
  std::string name;  // "gather binomial"
  bool has_root;
  bool has_sizes;
  /// Calls it with blocks, or lists, of `count` elements, and returns the list that was there for
  /// what this processor gets: unset() where it gets nothing. Ignores what it does not have.
  std::function<std::vector<std::int64_t>(Processor& self, int root, std::size_t count)> result;
  /// What result() has to be on processor `id`.
  std::function<std::vector<std::int64_t>(int id, int root, std::size_t count)> expected;
  /// What its cost function says for the same call.
  std::function<Cost(int root, std::size_t count)> cost;

  void call(Processor& self, int root, std::size_t count) const { (void)result(self, root, count); }

  /// Whether it is refused where processors do not share threads, in groups, and where a record is
  /// kept.
  bool needs_shared_threads() const { return name.ends_with(" slots") || name.ends_with(" turns"); }
  /// Whether it reads or writes in place, or goes by the box, which it refuses under the clock of a
  /// model.
  bool needs_shared_memory() const {
    static constexpr std::array kNames{"allreduce shared",      "reduce shared", "scan shared",
                                       "exscan shared",         "gather shared", "gatherv shared",
                                       "reduce_scatter shared", "alltoall tiled"};
    return std::ranges::find(kNames, name) != kNames.end() || name.ends_with(" teams") ||
           needs_shared_threads();
  }
};

/// Whether `machine` does it with so many elements: its processors share threads where they have
/// to, and the lists are not too large.
bool is_allowed(Machine& machine, const Collective& collective, std::size_t count);

/// For a machine of so many processors, so without the algorithms that do not work there.
std::vector<Collective> all_collectives(int processors);

/// How much `source` sends to `target` in the alltoallv of all_collectives.
std::size_t uneven_count(int source, int target, std::size_t count);

}  // namespace postroom
