#include <algorithm>
#include <atomic>
#include <charconv>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "tests/interleave/choices.h"
#include "tests/interleave/execution.h"
#include "tests/interleave/interleave.h"

namespace postroom::interleave {
namespace {

void require(bool ok, const char* option, long long value, const char* allowed) {
  if (ok) return;
  throw std::invalid_argument(std::string(option) + ": " + std::to_string(value) +
                              " is not allowed; " + allowed);
}

void validate(const Options& options) {
  require(options.executions >= 1, "executions", options.executions, "at least 1");
  require(options.preemptions >= 0, "preemptions", options.preemptions, "at least 0");
  require(options.stale_loads >= 0, "stale_loads", options.stale_loads, "at least 0");
  require(options.history >= 2 && options.history <= kMaxHistory, "history", options.history,
          "2 to 32");
  require(options.max_steps >= 1, "max_steps", options.max_steps, "at least 1");
  require(options.idle_turns >= 1, "idle_turns", options.idle_turns, "at least 1");
}

std::unique_ptr<Choices> replayed_choices(const Options& options) {
  const std::string_view text = options.replay;
  if (text.starts_with(SystematicChoices::kReplayPrefix)) {
    return std::make_unique<SystematicChoices>(text.substr(SystematicChoices::kReplayPrefix.size()),
                                               options.preemptions, options.stale_loads);
  }
  std::uint64_t seed = 0;
  const std::string_view digits =
      text.substr(std::min(text.size(), RandomChoices::kReplayPrefix.size()));
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
  if (!text.starts_with(RandomChoices::kReplayPrefix) || error != std::errc() ||
      end != digits.data() + digits.size()) {
    throw std::invalid_argument("replay: '" + options.replay +
                                "' is not allowed; seed:NUMBER or path:DIGITS from a report");
  }
  return std::make_unique<RandomChoices>(seed, 1);
}

std::unique_ptr<Choices> make_choices(const Options& options) {
  if (!options.replay.empty()) return replayed_choices(options);
  if (options.mode == Options::Mode::kRandom) {
    return std::make_unique<RandomChoices>(options.seed, options.executions);
  }
  return std::make_unique<SystematicChoices>(options.executions, options.preemptions,
                                             options.stale_loads);
}

// The fibers are shared by all explorations, and the heap knows of one only.
class OnlyOne {
 public:
  OnlyOne() {
    if (busy_.test_and_set()) throw std::logic_error("interleave: one exploration at a time");
  }
  ~OnlyOne() { busy_.clear(); }
  OnlyOne(const OnlyOne&) = delete;
  OnlyOne& operator=(const OnlyOne&) = delete;

 private:
  static inline std::atomic_flag busy_;
};

}  // namespace

const char* text_of(Result::Failure failure) {
  switch (failure) {
    case Result::Failure::kNone:
      return "none";
    case Result::Failure::kCheck:
      return "check failed";
    case Result::Failure::kRace:
      return "data race";
    case Result::Failure::kDead:
      return "dead object";
    case Result::Failure::kDeadlock:
      return "deadlock or lost wake-up";
    case Result::Failure::kNoEnd:
      return "no end";
    case Result::Failure::kException:
      return "exception";
    case Result::Failure::kMisuse:
      return "wrong scenario";
  }
  return "?";
}

std::ostream& operator<<(std::ostream& out, Result::Failure failure) {
  return out << text_of(failure);
}

Result explore(const Options& options, const Scenario& scenario) {
  validate(options);
  const OnlyOne only_one;
  const std::unique_ptr<Choices> choices = make_choices(options);
  Execution execution(options, *choices);
  Result result;
  while (result.ok() && choices->next()) {
    execution.run(scenario);
    ++result.executions;
    result.failure = execution.failure();
    result.report = execution.report();
    if (result.ok() && choices->diverged()) {
      result.failure = Result::Failure::kMisuse;
      result.report =
          "wrong scenario: the same choices led elsewhere this time; it may not depend on time, "
          "addresses, randomness or what an earlier execution left";
    }
  }
  if (!result.ok()) result.replay = choices->replay();
  result.complete = result.ok() && choices->complete();
  return result;
}

void Run::thread(std::function<void()> body, const char* name) {
  Execution::get().add_thread(std::move(body), name);
}

void Run::after(const std::function<void()>& invariants) {
  Execution::get().run_threads();
  invariants();
}

void check(bool ok, std::string_view text, std::source_location where) {
  if (ok) return;
  Execution& execution = Execution::get();
  execution.begin_report();
  execution.fail(Result::Failure::kCheck, std::string(text) + "\n  at " + where.file_name() + ":" +
                                              std::to_string(where.line()));
}

void name(const void* object, const char* text) {
  Execution::get().name(reinterpret_cast<Address>(object), text);
}

}  // namespace postroom::interleave
