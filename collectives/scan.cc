#include "collectives/scan.h"

#include <algorithm>
#include <array>
#include <vector>

#include "collectives/arguments.h"
#include "collectives/by_turns.h"
#include "collectives/choice.h"
#include "collectives/crowded.h"
#include "collectives/scan_shared.h"
#include "collectives/scratch.h"
#include "collectives/shared_slices.h"
#include "collectives/shared_times.h"
#include "collectives/time_replay.h"
#include "collectives/variants.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{Algorithm::hillis_steele, Algorithm::shared, Algorithm::turns};

// In shared memory slices are worth their loans from so many bytes for each processor on.
constexpr std::int64_t kSharedSliceBytes = 8192;
constexpr std::int64_t kCrowdedSharedSliceBytes = 4096;

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

void check_lists(std::string_view operation, ConstBytes in, ConstBytes out) {
  require_bytes(operation, "out", out.size(), in.size(), "as many as in");
  require_same_or_disjoint(operation, "in", in, "out", out);
}

/// One round: the window of this processor goes `distance` up, that of the one `distance` down
/// comes in. Returns whether there is one.
bool shift(Processor& self, int distance, ConstBytes window, Bytes received, Where where) {
  const int target = self.id() + distance;
  const int source = self.id() - distance;
  const bool sends = target < self.count();
  const bool receives = source >= 0;
  if (sends && receives) {
    self.exchange(target, window, source, received, where);
  } else if (sends) {
    self.send_bytes(target, window, where);
  } else if (receives) {
    self.receive_bytes(source, received, where);
  }
  return receives;
}

}  // namespace

std::span<const Algorithm> scan_algorithms() { return kAlgorithms; }

Algorithm choose_scan(int processors, std::int64_t bytes, bool shares_memory) {
  const std::int64_t slice = crowded(processors) ? kCrowdedSharedSliceBytes : kSharedSliceBytes;
  if (shares_memory && processors > 1 && bytes >= slice * processors) {
    return Algorithm::shared;
  }
  return Algorithm::hillis_steele;
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
  check_lists("scan", in, out);
  const Algorithm choice = chosen("scan", algorithm, self, in.size());
  if (choice == Algorithm::turns) return scan_by_turns(self, in, out, op, where);
  if (choice == Algorithm::shared) return scan_shared(self, in, out, op, where);
  // `out` is the window: the combination of the last `distance` processors up to this one.
  copy_bytes(in, out);
  Scratch received(in.size());
  for (int distance = 1; distance < self.count(); distance *= 2) {
    if (shift(self, distance, out, received.bytes(), where)) op.prepend(received.bytes(), out);
  }
}

void exscan_bytes(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                  Algorithm algorithm, Where where) {
  const Operation operation(self, "exscan");
  check_lists("exscan", in, out);
  const Algorithm choice = chosen("exscan", algorithm, self, in.size());
  if (choice == Algorithm::turns) return exscan_by_turns(self, in, out, op, where);
  if (choice == Algorithm::shared) return exscan_shared(self, in, out, op, where);
  // `out` is the window without this processor itself, and as yet empty.
  Scratch window(in.size());
  copy_bytes(in, window.bytes());
  Scratch received(in.size());
  for (int distance = 1; distance < self.count(); distance *= 2) {
    if (!shift(self, distance, window.bytes(), received.bytes(), where)) continue;
    if (distance == 1) {
      copy_bytes(received.bytes(), out);
    } else {
      op.prepend(received.bytes(), out);
    }
    const bool asked_for_again = self.id() + 2 * distance < self.count();
    if (asked_for_again) op.prepend(received.bytes(), window.bytes());
  }
}

Cost scan_cost(int processors, std::int64_t bytes, Algorithm algorithm) {
  require_sizes("scan", processors, bytes);
  check_algorithm("scan", algorithm);
  if (algorithm.is_automatic()) algorithm = choose_scan(processors, bytes);
  if (algorithm == Algorithm::turns) return {};
  if (algorithm == Algorithm::shared) return shared_slices_cost(processors, bytes);
  const int rounds = doubling_rounds(processors);
  return {rounds, rounds * bytes};
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
  TimeReplay replay(model, processors, doubling_rounds(processors));
  std::vector<Time> arrivals(static_cast<std::size_t>(processors));
  for (int distance = 1; distance < processors; distance *= 2) {
    for (int i = 0; i + distance < processors; ++i) {
      arrivals[static_cast<std::size_t>(i + distance)] = replay.send(i, bytes);
    }
    for (int i = distance; i < processors; ++i) {
      replay.receive(i, bytes, arrivals[static_cast<std::size_t>(i)]);
    }
  }
  return replay.finish_ns();
}

}  // namespace postroom
