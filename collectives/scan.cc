#include "collectives/scan.h"

#include <algorithm>
#include <array>

#include "collectives/algorithms/by_turns.h"
#include "collectives/algorithms/scan_hillis_steele.h"
#include "collectives/algorithms/scan_shared.h"
#include "collectives/choice.h"
#include "collectives/models/shared_times.h"
#include "collectives/models/variants.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/crowded.h"
#include "collectives/parts/shared_slices.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{Algorithm::hillis_steele, Algorithm::shared, Algorithm::turns};

// In shared memory slices are worth their loans from so many bytes for each processor on.
constexpr std::int64_t kSharedSliceBytes = 8192;
constexpr std::int64_t kCrowdedSharedSliceBytes = 4096;
// Of two, one reads the other's list and nothing is written to another's memory; lists that no
// cache holds are shared all the same.
constexpr std::int64_t kPairSharedBytes = std::int64_t{4} << 20;

// Of fewer processors, shorter lists are faster by messages than by turns.
constexpr int kTurnsProcessors = 8;
constexpr std::size_t kTurnsBytes = 1024;

void check_algorithm(std::string_view operation, Algorithm algorithm) {
  if (algorithm.is_automatic()) return;
  if (std::ranges::count(kAlgorithms, algorithm) > 0) return;
  throw_unknown_algorithm(operation, algorithm, kAlgorithms);
}

/// What a call of `self` does.
Algorithm chosen(std::string_view operation, Algorithm algorithm, const Processor& self,
                 std::size_t bytes) {
  check_algorithm(operation, algorithm);
  if (algorithm == Algorithm::shared) require_shared_memory(operation, self);
  if (!algorithm.is_automatic()) return algorithm;
  const bool turns_pay = self.count() >= kTurnsProcessors || bytes >= kTurnsBytes;
  const auto size = static_cast<std::int64_t>(bytes);
  return turns_pay ? choice_for(self, size, choose_scan, choose_scan)
                   : choice_by_messages(self, size, choose_scan, choose_scan);
}

void check_lists(std::string_view operation, ConstBytes in, ConstBytes out, const Operator& op) {
  require_bytes(operation, "out", out.size(), in.size(), "as many as in");
  require_whole_elements(operation, "in", in.size(), op.element_bytes());
  require_same_or_disjoint(operation, "in", in, "out", out);
}

}  // namespace

std::span<const Algorithm> scan_algorithms() { return kAlgorithms; }

Algorithm choose_scan(int processors, std::int64_t bytes, bool shares_memory) {
  const bool turns = crowded(processors);
  const std::int64_t slice = turns ? kCrowdedSharedSliceBytes : kSharedSliceBytes;
  const std::int64_t least = processors == 2 && !turns ? kPairSharedBytes : slice * processors;
  return shares_memory && processors > 1 && bytes >= least ? Algorithm::shared
                                                           : Algorithm::hillis_steele;
}

Algorithm choose_scan(int processors, std::int64_t bytes, const TimeModel& model) {
  return fastest_of(kAlgorithms, processors, bytes, model, scan_time,
                    choose_scan(processors, bytes, model.shares_memory));
}

Algorithm choose_scan(const Processor& self, std::int64_t bytes) {
  return chosen("scan", Algorithm::automatic, self, static_cast<std::size_t>(bytes));
}

void scan_bytes(Processor& self, ConstBytes in, Bytes out, const Operator& op, Algorithm algorithm,
                Where where) {
  const Operation operation(self, "scan");
  check_lists("scan", in, out, op);
  const Algorithm choice = chosen("scan", algorithm, self, in.size());
  if (choice == Algorithm::turns) return scan_by_turns(self, in, out, op, where);
  if (choice == Algorithm::shared) return scan_shared(self, in, out, op, where);
  scan_hillis_steele(self, in, out, op, where);
}

void exscan_bytes(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                  Algorithm algorithm, Where where) {
  const Operation operation(self, "exscan");
  check_lists("exscan", in, out, op);
  const Algorithm choice = chosen("exscan", algorithm, self, in.size());
  if (choice == Algorithm::turns) return exscan_by_turns(self, in, out, op, where);
  if (choice == Algorithm::shared) return exscan_shared(self, in, out, op, where);
  exscan_hillis_steele(self, in, out, op, where);
}

Cost scan_cost(int processors, std::int64_t bytes, Algorithm algorithm) {
  require_sizes("scan", processors, bytes);
  check_algorithm("scan", algorithm);
  if (algorithm.is_automatic()) algorithm = choose_scan(processors, bytes);
  if (algorithm == Algorithm::turns) return {};
  if (algorithm == Algorithm::shared) return shared_slices_cost(processors, bytes);
  return scan_hillis_steele_cost(processors, bytes);
}

double scan_time(int processors, std::int64_t bytes, const Algorithm& algorithm,
                 const TimeModel& model) {
  require_sizes("scan", processors, bytes);
  model.check();
  check_algorithm("scan", algorithm);
  const Algorithm choice =
      algorithm.is_automatic() ? choose_scan(processors, bytes, model) : algorithm;
  if (choice == Algorithm::turns) return kNotPredicted;
  if (choice == Algorithm::shared) return shared_slices_time(processors, bytes, model);
  return scan_hillis_steele_time(processors, bytes, model);
}

}  // namespace postroom
