// One execution of a scenario: what each operation of a Checked type does.
//
// Every operation on an atomic is a step: another thread may go first, then the operation takes
// effect at once, by the rules of the memory model. Everything is entered in the trace and held
// against the shadow of the memory. A failure writes the report and leaves the execution where it
// stands; none of the functions below returns then.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <string>
#include <string_view>

#include "tests/interleave/choices.h"
#include "tests/interleave/heap.h"
#include "tests/interleave/interleave.h"
#include "tests/interleave/memory_model.h"
#include "tests/interleave/scheduler.h"
#include "tests/interleave/shadow.h"
#include "tests/interleave/trace.h"

namespace postroom::interleave {

/// The largest Options::history.
constexpr int kMaxHistory = 32;

class Execution {
 public:
  using Where = std::source_location;
  using Modification = std::uint64_t (*)(std::uint64_t value, std::uint64_t operand);

  /// The execution that the caller is part of, or null.
  static Execution* running();
  /// The same; outside of an execution std::logic_error.
  static Execution& get();

  Execution(const Options& options, Choices& choices);

  /// Executes the scenario once more. Called again and again until failed().
  void run(const Scenario& scenario);
  Result::Failure failure() const { return failure_; }
  const std::string& report() const { return report_; }

  // The scenario's part.
  void add_thread(std::function<void()> body, const char* name);
  void run_threads();
  /// From here on a report is written: what is deleted is ours, not the scenario's.
  void begin_report();
  [[noreturn]] void fail(Result::Failure failure, const std::string& text);
  void name(Address address, const char* text) { trace_.name_object(address, text); }

  // Atomics. Values are bit patterns, zero beyond the size of the type.
  void construct(Address address, std::size_t bytes, std::uint64_t value, Where where);
  std::uint64_t load(Address address, std::memory_order order, Where where);
  void store(Address address, std::uint64_t value, std::memory_order order, Where where);
  /// Returns the old value.
  std::uint64_t modify(Address address, Modification modification, std::uint64_t operand,
                       std::memory_order order, Where where);
  bool compare_exchange(Address address, std::uint64_t& expected, std::uint64_t desired,
                        std::memory_order success, std::memory_order failure, bool weak,
                        Where where);
  void wait(Address address, std::uint64_t old, std::memory_order order, Where where);
  void notify(Address address, bool all, Where where);
  void fence(std::memory_order order, Where where);
  /// A seq_cst fence in every thread, one after the other, the caller's own first and last.
  void fence_everywhere(Where where);
  void spin(Where where);

  // Plain memory. Typed accesses go to an object that must be alive; others just to addresses.
  void read(Address address, std::size_t bytes, bool typed, Where where);
  void write(Address address, std::size_t bytes, bool typed, Where where);

  /// The end of an atomic or of a typed plain object.
  void destroy(Address address, std::size_t bytes);
  /// operator delete.
  void free(void* memory);

 private:
  void run_scenario(const Scenario& scenario);
  void run_body(const std::function<void()>& body);
  void release_freed();

  int current() const { return scheduler_.current(); }
  const Clock& known() const { return memory_.clock(current()); }
  Shadow::Access access() const;
  /// The atomic that the step is about; fails unless it is alive.
  Location locate(Step& step);
  std::uint64_t load_aged(Step step, int age);
  std::uint64_t exchange_at(Step step, std::uint64_t value);
  /// Enters the step in the trace.
  void note(Step step);
  /// Fails when the step collides with an earlier one.
  void judge(const Shadow::Verdict& verdict, Step step);
  [[noreturn]] void stuck();

  const Options& options_;
  Choices& choices_;
  Scheduler scheduler_;
  MemoryModel memory_;
  Shadow shadow_;
  Trace trace_;
  UntrackedVector<void*> freed_;
  std::array<Location, kMaxThreads> sleeps_on_{};
  int executions_ = 0;
  bool after_was_called_ = false;
  Result::Failure failure_ = Result::Failure::kNone;
  std::string report_;
};

}  // namespace postroom::interleave
