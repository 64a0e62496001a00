#include "collectives/scan.h"

#include <array>

#include "collectives/arguments.h"
#include "collectives/round.h"
#include "collectives/scratch.h"
#include "collectives/time_replay.h"

namespace postroom {
namespace {

constexpr std::array kAlgorithms{Algorithm::hillis_steele};

void check_algorithm(std::string_view operation, Algorithm algorithm) {
  if (algorithm == Algorithm::automatic || algorithm == Algorithm::hillis_steele) return;
  throw_unknown_algorithm(operation, algorithm, kAlgorithms);
}

void check_lists(std::string_view operation, ConstBytes in, ConstBytes out) {
  require_bytes(operation, "out", out.size(), in.size(), "as many as in");
  require_same_or_disjoint(operation, "in", in, "out", out);
}

/// One round: the window of this processor goes `distance` up, that of the one `distance` down
/// comes in. Returns whether there is one.
bool shift(Processor& self, int distance, ConstBytes window, Bytes received, Where where) {
  Round round;
  if (self.id() + distance < self.count()) round.send(self.id() + distance, window);
  if (self.id() - distance >= 0) round.receive(self.id() - distance, received);
  round.run(self, where);
  return self.id() - distance >= 0;
}

}  // namespace

std::span<const Algorithm> scan_algorithms() { return kAlgorithms; }

void scan_bytes(Processor& self, ConstBytes in, Bytes out, const Operator& op, Algorithm algorithm,
                Where where) {
  const Operation operation(self, "scan");
  check_lists("scan", in, out);
  check_algorithm("scan", algorithm);
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
  check_algorithm("exscan", algorithm);
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
  const int rounds = doubling_rounds(processors);
  return {rounds, rounds * bytes};
}

double scan_time(int processors, std::int64_t bytes, const Algorithm& algorithm,
                 const TimeModel& model) {
  require_sizes("scan", processors, bytes);
  model.check();
  check_algorithm("scan", algorithm);
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
