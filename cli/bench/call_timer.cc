#include "cli/bench/call_timer.h"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <stdexcept>

#include "cli/bench/buffer_ring.h"
#include "runtime/errors.h"

namespace postroom::cli {
namespace {

// Nearly always, all have left the barrier by then.
constexpr std::int64_t kMomentNs = 4000;

std::int64_t now_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

std::size_t sets_of(const TimedCalls& calls, int processors) {
  const auto blocks = static_cast<std::uint64_t>(calls.operation->blocks_held(processors));
  return buffer_sets(blocks * calls.block_bytes * static_cast<std::uint64_t>(processors));
}

}  // namespace

CallTimer::CallTimer(const MachineOptions& options)
    : machine_(options),
      adds_words_(options.clock == nullptr),
      own_cores_(options.clock == nullptr && !machine_.placement().oversubscribed &&
                 machine_.threads() == machine_.processors()),
      spans_(static_cast<std::size_t>(machine_.processors())) {}

std::vector<double> CallTimer::time(const TimedCalls& calls) {
  std::vector<double> samples;
  over_ = false;
  try {
    machine_.run([&](Processor& self) { run(self, calls, samples); });
  } catch (const ProcessorError& error) {
    std::rethrow_exception(error.cause());
  }
  turn_ += static_cast<std::uint64_t>(calls.warm_up) + static_cast<std::uint64_t>(calls.iterations);
  return samples;
}

Algorithm CallTimer::chosen(const SimulatedOperation& operation, std::size_t block_bytes) {
  Algorithm choice;
  machine_.run([&](Processor& self) {
    if (self.id() == 0) choice = operation.chosen(self, static_cast<std::int64_t>(block_bytes));
  });
  return choice;
}

std::optional<BoxTree> CallTimer::box() {
  std::optional<BoxTree> box;
  machine_.run([&](Processor& self) {
    if (self.id() == 0 && self.box() != nullptr) box = *self.box();
  });
  return box;
}

void CallTimer::run(Processor& self, const TimedCalls& calls, std::vector<double>& samples) {
  OperationTurn turn{.me = self.id(),
                     .processors = self.count(),
                     .root = calls.root,
                     .block_bytes = calls.block_bytes,
                     .turn = turn_,
                     .words = adds_words_};
  std::vector<OperationData> ring(sets_of(calls, self.count()));
  const std::int64_t last_ns = now_ns() + calls.limit.count();
  Span& mine = spans_[static_cast<std::size_t>(self.id())];
  for (int call = 0;; ++call, ++turn.turn) {
    OperationData& data = ring[static_cast<std::size_t>(call) % ring.size()];
    calls.operation->prepare(turn, data);
    begin_together(self);
    if (over_) return;
    const std::int64_t begin_ns = now_ns();
    calls.operation->call(self, turn, data, calls.algorithm);
    const std::int64_t end_ns = now_ns();
    mine = {begin_ns, end_ns};
    self.barrier();
    if (self.id() == 0) {
      const bool late = end_ns > last_ns;
      if (call >= calls.warm_up || late) samples.push_back(longest());
      over_ = call + 1 == calls.warm_up + calls.iterations || (late && !samples.empty());
    }
    if (calls.check && !calls.operation->right(turn, data)) {
      throw std::logic_error(fmt::format("{} by {}: processor {} got a wrong result",
                                         calls.operation->name, to_string(calls.algorithm),
                                         self.id()));
    }
  }
}

void CallTimer::begin_together(Processor& self) {
  self.barrier();
  if (!own_cores_) return;
  if (self.id() == 0) moment_ns_ = now_ns() + kMomentNs;
  self.barrier();  // nobody has slept in this one, so all leave it at nearly the same time
  while (now_ns() < moment_ns_) {
  }
}

double CallTimer::longest() const {
  std::int64_t begin_ns = spans_.front().begin_ns;
  std::int64_t end_ns = spans_.front().end_ns;
  for (const Span& span : spans_) {
    begin_ns = std::min(begin_ns, span.begin_ns);
    end_ns = std::max(end_ns, span.end_ns);
  }
  return static_cast<double>(end_ns - begin_ns);
}

}  // namespace postroom::cli
