// A model checker for small pieces of lock-free code.
//
// explore() runs a scenario of up to four virtual threads again and again, each time with another
// interleaving and with other (allowed) values returned by the loads, until something goes wrong:
// a failed check, a data race, an access to a dead object, a deadlock or lost wake-up, a loop that
// does not end, an exception. The code under test takes its atomics as a policy and is instantiated
// with interleave::Checked (checked.h). README.md says what is modelled and how to write scenarios.
//
// Who may call: one exploration at a time in a process; check() and name() inside a scenario.
// Cost: some microseconds for an execution of ten steps.
// Errors: bad options are std::invalid_argument.
//
//   const interleave::Result result = interleave::explore({}, [](interleave::Run& run) {
//     interleave::Checked::Atomic<int> x{0};
//     run.thread([&] { x.fetch_add(1); });
//     run.thread([&] { x.fetch_add(1); });
//     run.after([&] { interleave::check(x.load() == 2, "both have counted"); });
//   });
//   EXPECT_TRUE(result.ok()) << result.report;
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <source_location>
#include <string>
#include <string_view>

namespace postroom::interleave {

struct Options {
  enum class Mode { kRandom, kSystematic };

  /// Random draws every choice from a seed. Systematic goes through all combinations of choices
  /// within the two bounds below, and says whether it came to the end (Result::complete).
  Mode mode = Mode::kRandom;
  /// At most so many executions; at least 1.
  int executions = 20'000;
  /// Random: execution i uses seed + i.
  std::uint64_t seed = 1;
  /// Systematic: at most so many times in an execution a thread that could go on does not.
  int preemptions = 2;
  /// Systematic: at most so many loads of an execution return an older store than the newest.
  int stale_loads = 2;

  /// A load may return one of so many newest stores of an atomic; 2 … 32.
  int history = 8;
  /// An execution of more steps than this does not end, for all one knows.
  int max_steps = 10'000;
  /// When all threads spin or sleep: so many looks in vain before that is a deadlock.
  int idle_turns = 200;

  /// Runs only the execution with this name, which a report gave. The other options as they were.
  std::string replay = "";
};

struct Result {
  enum class Failure {
    kNone,
    kCheck,      ///< check(false)
    kRace,       ///< two accesses to plain memory that nothing orders, at least one a write
    kDead,       ///< an access to an object that is destroyed, freed, or not constructed yet
    kDeadlock,   ///< nobody can go on: also a lost wake-up
    kNoEnd,      ///< more than max_steps steps
    kException,  ///< an exception left a thread
    kMisuse,     ///< the scenario itself is wrong
  };

  Failure failure = Failure::kNone;
  int executions = 0;
  bool complete = false;
  /// What went wrong, how to replay it, and the last steps; "" when nothing did.
  std::string report;
  /// For Options::replay.
  std::string replay;

  bool ok() const { return failure == Failure::kNone; }
};

/// The kind of a failure in words, "none" for kNone.
const char* text_of(Result::Failure failure);
std::ostream& operator<<(std::ostream& out, Result::Failure failure);

/// A scenario's handle on the execution that it is in.
class Run {
 public:
  /// A virtual thread; at most four, before after(). The name is for reports, a string literal.
  void thread(std::function<void()> body, const char* name = nullptr);
  /// Runs the threads to their ends, then `invariants`. Exactly once in a scenario: what its
  /// threads refer to must live until then.
  void after(const std::function<void()>& invariants = [] {});
};

using Scenario = std::function<void(Run&)>;

Result explore(const Options& options, const Scenario& scenario);

/// Ends the exploration with a report unless `ok`.
void check(bool ok, std::string_view text,
           std::source_location where = std::source_location::current());

/// How reports call the object at this address; a string literal.
void name(const void* object, const char* text);

}  // namespace postroom::interleave
