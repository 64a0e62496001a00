#include "runtime/light_machine.h"

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "runtime/errors.h"
#include "runtime/light_processor.h"

namespace postroom {
namespace {

// Of the pairs whose messages were never received.
constexpr std::size_t kMostLines = 32;

int checked(int processors) {
  if (processors >= 1 && processors <= LightMachine::kMostProcessors) return processors;
  throw std::invalid_argument(fmt::format("processors: {} is not allowed; 1 to {}", processors,
                                          LightMachine::kMostProcessors));
}

std::shared_ptr<VirtualClock> checked(std::shared_ptr<VirtualClock> clock) {
  if (clock != nullptr) return clock;
  throw std::invalid_argument("clock: a null one is not allowed");
}

std::string unreceived(const MessagesUnderWay& messages) {
  std::string text = messages.count() == 1
                         ? "1 message was never received:"
                         : fmt::format("{} messages were never received:", messages.count());
  const std::vector<MessagesUnderWay::Pair> pairs = messages.pairs();
  for (std::size_t i = 0; i < pairs.size() && i < kMostLines; ++i) {
    const MessagesUnderWay::Pair& pair = pairs[i];
    text +=
        unreceived_line(pair.source, pair.target, pair.channel, pair.messages, pair.first_bytes);
  }
  if (pairs.size() > kMostLines) text += fmt::format("\n  and {} more", pairs.size() - kMostLines);
  return text;
}

}  // namespace

LightMachine::LightMachine(int processors, std::shared_ptr<VirtualClock> clock, Payload payload)
    : clock_(checked(std::move(clock))),
      payload_(payload),
      scheduler_(std::make_unique<LightScheduler>(checked(processors))) {
  const ClockUse clock_use(clock_.get());
  clock_->start(processors);
}

// During a run, whose program has called exit, this is on one of the stacks: they are left alone.
LightMachine::~LightMachine() {
  if (program_ != nullptr) (void)scheduler_.release();
}

void LightMachine::run(const Program& program) {
  if (!program) throw std::invalid_argument("program: an empty one is not allowed");
  if (program_ != nullptr) {
    throw std::logic_error(
        "LightMachine::run was called from inside a program of the same machine");
  }
  struct Forgotten {
    LightMachine& machine;
    ~Forgotten() {
      machine.program_ = nullptr;
      machine.messages_.clear();
      machine.failure_.clear();
    }
  };
  const Forgotten at_the_end{*this};
  program_ = &program;
  const ClockUse clock_use(clock_.get());
  clock_->start_run(processors());
  scheduler_->run([this](int processor) { run_one(processor); },
                  [this](std::exception_ptr deadlock) {
                    fail({-1, std::move(deadlock)});
                  });
  if (const std::optional<Failure> failure = failure_.get()) failure->raise();
  if (messages_.count() > 0) throw UnreceivedError(unreceived(messages_));
}

void LightMachine::run_one(int processor) noexcept {
  LightProcessor self(processor, *this);
  bool threw = true;
  try {
    (*program_)(self);
    threw = false;
  } catch (const Stopped&) {
    // Another processor failed and is the one to report.
  } catch (...) {
    fail({processor, std::current_exception()});
  }
  self.end(threw);
}

void LightMachine::fail(Failure failure, bool provisional) noexcept {
  failure_.offer(std::move(failure), provisional);
  scheduler_->stop();
}

void LightMachine::post(int source, int target, Channel channel,
                        MessagesUnderWay::Message message) {
  messages_.post(source, target, channel, std::move(message));
  scheduler_->posted(source, target);
}

}  // namespace postroom
