#include "collectives/reduce.h"

#include <array>

#include "collectives/algorithms/by_slots.h"
#include "collectives/algorithms/by_turns.h"
#include "collectives/algorithms/reduce_binomial.h"
#include "collectives/algorithms/reduce_lambda_tree.h"
#include "collectives/algorithms/reduce_shared.h"
#include "collectives/choice.h"
#include "collectives/models/postal_tree.h"
#include "collectives/models/shared_times.h"
#include "collectives/models/tree_times.h"
#include "collectives/models/variants.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/crowded.h"
#include "collectives/parts/reading.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{Algorithm::binomial, Algorithm::shared, Algorithm::lambda_tree(),
                                 Algorithm::slots, Algorithm::turns};

// In shared memory slices are worth their loans from so many bytes for each processor on.
constexpr std::int64_t kSharedSliceBytes = 8192;
constexpr std::int64_t kCrowdedSharedSliceBytes = 16384;

}  // namespace

std::span<const Algorithm> reduce_algorithms() { return kAlgorithms; }

Algorithm choose_reduce(int processors, std::int64_t bytes, bool shares_memory) {
  if (!shares_memory || bytes < kSharedSliceBytes * processors) return Algorithm::binomial;
  const std::int64_t slice = crowded(processors) ? kCrowdedSharedSliceBytes : kSharedSliceBytes;
  const bool pushes = !reads_sooner(processors, bytes);
  return pushes && bytes >= slice * processors ? Algorithm::shared : Algorithm::binomial;
}

Algorithm choose_reduce(int processors, std::int64_t bytes, const TimeModel& model) {
  return fastest_of(kAlgorithms, processors, bytes, model, reduce_time,
                    choose_reduce(processors, bytes, model.shares_memory));
}

Algorithm choose_reduce(const Processor& self, std::int64_t bytes) {
  if (fits_in(self, static_cast<std::size_t>(bytes))) return Algorithm::slots;
  return choice_for(self, bytes, choose_reduce, choose_reduce);
}

void reduce_bytes(Processor& self, int root, ConstBytes in, Bytes out, const Operator& op,
                  Algorithm algorithm, Where where) {
  const Operation operation(self, "reduce");
  require_root("reduce", root, self.count());
  require_whole_elements("reduce", "in", in.size(), op.element_bytes());
  if (self.id() == root) {
    require_bytes("reduce", "out", out.size(), in.size(), "as many as in");
    require_same_or_disjoint("reduce", "in", in, "out", out);
  }
  const Bytes result = self.id() == root ? out : Bytes();
  const Algorithm choice = algorithm.is_automatic()
                               ? choose_reduce(self, static_cast<std::int64_t>(in.size()))
                               : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kBinomial:
      return reduce_binomial(self, root, in, result, op, where);
    case Algorithm::Name::kShared:
      require_shared_memory("reduce", self);
      return reduce_shared(self, root, in, result, op, where);
    case Algorithm::Name::kLambdaTree:
      return reduce_lambda_tree(self, root, in, result, op,
                                SplitRule::bottom_up(choice.latency, self.count()), where);
    case Algorithm::Name::kSlots:
      require_fits_in("reduce", self, in.size());
      return reduce_by_slots(self, root, in, result, op, where);
    case Algorithm::Name::kTurns:
      return reduce_by_turns(self, root, in, result, op, where);
    default:
      throw_unknown_algorithm("reduce", algorithm, kAlgorithms);
  }
}

Cost reduce_cost(int processors, std::int64_t bytes, Algorithm algorithm) {
  require_sizes("reduce", processors, bytes);
  const Algorithm choice = algorithm.is_automatic() ? choose_reduce(processors, bytes) : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kBinomial:
      return reduce_binomial_cost(processors, bytes);
    case Algorithm::Name::kShared:
      return reduce_shared_cost(processors, bytes);
    case Algorithm::Name::kLambdaTree:
      return reduce_lambda_tree_cost(SplitRule::bottom_up(choice.latency, processors), processors,
                                     bytes);
    case Algorithm::Name::kSlots:
    case Algorithm::Name::kTurns:
      return {};
    default:
      throw_unknown_algorithm("reduce", algorithm, kAlgorithms);
  }
}

double reduce_time(int processors, std::int64_t bytes, const Algorithm& algorithm,
                   const TimeModel& model) {
  require_sizes("reduce", processors, bytes);
  model.check();
  const Algorithm choice =
      algorithm.is_automatic() ? choose_reduce(processors, bytes, model) : algorithm;
  switch (choice.name) {
    case Algorithm::Name::kBinomial:
      return halving_reduce_time(processors, bytes, model);
    case Algorithm::Name::kShared:
      return reduce_shared_time(processors, bytes, model);
    case Algorithm::Name::kLambdaTree:
      return split_reduce_time(SplitRule::bottom_up(choice.latency, processors), processors, bytes,
                               model);
    case Algorithm::Name::kSlots:
    case Algorithm::Name::kTurns:
      return kNotPredicted;
    default:
      throw_unknown_algorithm("reduce", algorithm, kAlgorithms);
  }
}

}  // namespace postroom
