#include "tests/interleave/execution.h"

#include <malloc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

namespace postroom::interleave {
namespace {

using Failure = Result::Failure;
using What = Step::What;

thread_local Execution* running_execution = nullptr;

Step step_at(What what, Address address, std::size_t bytes, Execution::Where where) {
  Step step{.what = what};
  step.address = address;
  step.bytes = bytes;
  step.where = where;
  return step;
}

Step step_on(What what, Address address, std::memory_order order, Execution::Where where) {
  Step step = step_at(what, address, 0, where);
  step.order = order;
  return step;
}

}  // namespace

Execution* Execution::running() { return running_execution; }

Execution& Execution::get() {
  if (running_execution == nullptr) {
    throw std::logic_error("interleave: Checked types, check() and name() work inside explore()");
  }
  return *running_execution;
}

Execution::Execution(const Options& options, Choices& choices)
    : options_(options),
      choices_(choices),
      scheduler_(choices, options.idle_turns, [this] { stuck(); }) {}

void Execution::run(const Scenario& scenario) {
  ++executions_;
  memory_.reset(options_.history);
  shadow_.reset();
  trace_.reset();
  after_was_called_ = false;
  running_execution = this;
  scheduler_.run([this, &scenario] { run_scenario(scenario); });
  running_execution = nullptr;
  release_freed();
}

void Execution::release_freed() {
  for (void* const memory : freed_) std::free(memory);
  freed_.clear();
}

// --- The scenario's part.

void Execution::run_scenario(const Scenario& scenario) {
  run_body([&scenario] {
    Run run;
    scenario(run);
  });
  if (!after_was_called_) fail(Failure::kMisuse, "the scenario did not call after()");
}

void Execution::run_body(const std::function<void()>& body) {
  std::string text;
  try {
    body();
    return;
  } catch (const std::exception& error) {
    text = error.what();
  } catch (...) {
    text = "not a std::exception";
  }
  begin_report();
  fail(Failure::kException, trace_.thread_name(current()) + " threw: " + text);
}

void Execution::add_thread(std::function<void()> body, const char* name) {
  if (after_was_called_) fail(Failure::kMisuse, "thread() after after()");
  if (scheduler_.threads() == kMaxThreads) fail(Failure::kMisuse, "more than four threads");
  trace_.name_thread(scheduler_.threads(), name);
  scheduler_.add([this, body = std::move(body)] { run_body(body); });
}

void Execution::run_threads() {
  if (std::exchange(after_was_called_, true)) fail(Failure::kMisuse, "after() a second time");
  for (int t = 1; t < scheduler_.threads(); ++t) memory_.start(0, t);
  scheduler_.run_all();
  for (int t = 1; t < scheduler_.threads(); ++t) memory_.join(0, t);
}

void Execution::fail(Failure failure, const std::string& text) {
  begin_report();
  failure_ = failure;
  report_ = std::string(text_of(failure)) + ": " + text + "\nin execution " +
            std::to_string(executions_) + "; replay with .replay = \"" + choices_.replay() +
            "\" and the other options as they are\nthe last steps:\n" + trace_.newest_lines();
  scheduler_.stop();
}

void Execution::begin_report() { running_execution = nullptr; }

void Execution::stuck() {
  begin_report();
  std::string text = "nobody can go on";
  for (int t = scheduler_.threads() == 1 ? 0 : 1; t < scheduler_.threads(); ++t) {
    const Scheduler::State state = scheduler_.state(t);
    const char* const what = state == Scheduler::State::kEnded      ? "has ended: "
                             : state == Scheduler::State::kSleeping ? "sleeps:    "
                                                                    : "spins:     ";
    text += std::string("\n  ") + what + trace_.last_line(t);
  }
  fail(Failure::kDeadlock, text);
}

void Execution::note(Step step) {
  step.thread = current();
  trace_.add(step);
  if (trace_.next() > static_cast<std::uint32_t>(options_.max_steps)) {
    fail(Failure::kNoEnd, "more than " + std::to_string(options_.max_steps) +
                              " steps (a loop that does not call pause() or yield()?)");
  }
}

Shadow::Access Execution::access() const {
  return {.thread = current(), .clock = known()[current()], .step = trace_.next()};
}

void Execution::judge(const Shadow::Verdict& verdict, Step step) {
  if (!verdict) return;
  begin_report();
  step.thread = current();
  const std::string now = "\n  " + trace_.line(trace_.add(step));
  const std::string earlier = "\n  " + trace_.line(verdict->earlier.step);
  switch (verdict->what) {
    case Shadow::Conflict::What::kRace:
      fail(Failure::kRace, "nothing orders these two" + earlier + now);
    case Shadow::Conflict::What::kDestroyed:
      fail(Failure::kDead, "used after its destructor" + earlier + now);
    case Shadow::Conflict::What::kFreed:
      fail(Failure::kDead, "used after delete" + earlier + now);
    case Shadow::Conflict::What::kAtomic:
      fail(Failure::kMisuse, "plain access to the bytes of an atomic" + earlier + now);
  }
}

// --- Atomics.

void Execution::construct(Address address, std::size_t bytes, std::uint64_t value, Where where) {
  Step step = step_at(What::kConstruct, address, bytes, where);
  step.location = memory_.locations();
  step.value = value;
  judge(shadow_.become(Shadow::Kind::kAtomic, address, bytes, step.location, access(), known()),
        step);
  note(step);
  memory_.construct(current(), value);
}

Location Execution::locate(Step& step) {
  const std::optional<Location> location = shadow_.atomic_at(step.address, access());
  if (!location) {
    judge(shadow_.dead_at(step.address), step);
    fail(Failure::kMisuse, "an atomic that was not constructed by this scenario");
  }
  step.location = *location;
  if (!memory_.knows(current(), *location)) {
    begin_report();
    step.thread = current();
    fail(Failure::kDead, "nothing orders the construction of this atomic before its use\n  " +
                             trace_.line(trace_.add(step)));
  }
  return *location;
}

std::uint64_t Execution::load_aged(Step step, int age) {
  step.age = age;
  step.value = memory_.load(current(), step.location, age, step.order);
  note(step);
  return step.value;
}

std::uint64_t Execution::load(Address address, std::memory_order order, Where where) {
  scheduler_.step();
  Step step = step_on(What::kLoad, address, order, where);
  const Location location = locate(step);
  return load_aged(step, choices_.store(memory_.readable(current(), location, order)));
}

void Execution::store(Address address, std::uint64_t value, std::memory_order order, Where where) {
  scheduler_.step();
  Step step = step_on(What::kStore, address, order, where);
  const Location location = locate(step);
  step.value = value;
  step.before = memory_.value(location, 0);
  note(step);
  if (memory_.store(current(), location, value, order)) scheduler_.changed();
}

std::uint64_t Execution::exchange_at(Step step, std::uint64_t value) {
  step.value = value;
  step.before = memory_.value(step.location, 0);
  note(step);
  if (memory_.read_modify_write(current(), step.location, value, step.order)) {
    scheduler_.changed();
  }
  return step.before;
}

std::uint64_t Execution::modify(Address address, Modification modification, std::uint64_t operand,
                                std::memory_order order, Where where) {
  scheduler_.step();
  Step step = step_on(What::kModify, address, order, where);
  const Location location = locate(step);
  return exchange_at(step, modification(memory_.value(location, 0), operand));
}

bool Execution::compare_exchange(Address address, std::uint64_t& expected, std::uint64_t desired,
                                 std::memory_order success, std::memory_order failure, bool weak,
                                 Where where) {
  scheduler_.step();
  Step step = step_on(What::kModify, address, success, where);
  const Location location = locate(step);

  // It may take the newest store; or fail on an older one, provided that the value differs.
  std::array<int, kMaxHistory> ages;
  int count = 0;
  for (int age = 0; age < memory_.readable(current(), location, failure); ++age) {
    if (age == 0 || memory_.value(location, age) != expected) ages[count++] = age;
  }
  const int age = ages[choices_.store(count)];
  const bool matches = memory_.value(location, age) == expected;
  if (matches && !(weak && choices_.fails_spuriously())) {
    exchange_at(step, desired);
    return true;
  }
  step.what = What::kFailedCompare;
  step.order = failure;
  expected = load_aged(step, age);
  return false;
}

// As a futex does: whether to sleep is decided by the newest value, in one step with falling
// asleep.
void Execution::wait(Address address, std::uint64_t old, std::memory_order order, Where where) {
  while (load(address, order, where) == old) {
    Step step = step_on(What::kSleep, address, order, where);
    const Location location = locate(step);
    if (memory_.value(location, 0) != old) {
      memory_.see_newest(current(), location);
      continue;
    }
    step.value = old;
    note(step);
    sleeps_on_[current()] = location;
    scheduler_.sleep();
  }
}

void Execution::notify(Address address, bool all, Where where) {
  scheduler_.step();
  Step step = step_at(What::kNotify, address, 0, where);
  const Location location = locate(step);
  std::array<int, kMaxThreads> sleepers;
  int count = 0;
  for (int t = 0; t < scheduler_.threads(); ++t) {
    const bool sleeps = scheduler_.state(t) == Scheduler::State::kSleeping;
    if (sleeps && sleeps_on_[t] == location) sleepers[count++] = t;
  }
  step.value = all ? count : std::min(count, 1);
  note(step);
  if (all) {
    for (int i = 0; i < count; ++i) scheduler_.wake(sleepers[i]);
  } else if (count > 0) {
    scheduler_.wake(sleepers[choices_.waiter(count)]);
  }
}

void Execution::fence(std::memory_order order, Where where) {
  scheduler_.step();
  note(step_on(What::kFence, 0, order, where));
  memory_.fence(current(), order);
}

void Execution::fence_everywhere(Where where) {
  fence(std::memory_order_seq_cst, where);
  for (int t = 0; t < scheduler_.threads(); ++t) {
    scheduler_.step();
    memory_.fence(t, std::memory_order_seq_cst);
  }
  fence(std::memory_order_seq_cst, where);
}

void Execution::spin(Where where) {
  note(step_at(What::kSpin, 0, 0, where));
  scheduler_.spin(!memory_.catch_up(current()));
}

// --- Plain memory.

void Execution::read(Address address, std::size_t bytes, bool typed, Where where) {
  if (bytes == 0) return;
  const Step step = step_at(What::kRead, address, bytes, where);
  judge(shadow_.read(address, bytes, access(), known(), typed), step);
  note(step);
}

void Execution::write(Address address, std::size_t bytes, bool typed, Where where) {
  if (bytes == 0) return;
  const Step step = step_at(What::kWrite, address, bytes, where);
  judge(shadow_.write(address, bytes, access(), known(), typed), step);
  note(step);
}

void Execution::destroy(Address address, std::size_t bytes) {
  Step step = step_at(What::kDestroy, address, bytes, {});
  step.location = shadow_.atomic_at(address, access()).value_or(-1);
  judge(shadow_.become(Shadow::Kind::kDestroyed, address, bytes, -1, access(), known()), step);
  note(step);
}

void Execution::free(void* memory) {
  const auto address = reinterpret_cast<Address>(memory);
  const std::size_t bytes = malloc_usable_size(memory);
  const Step step = step_at(What::kFree, address, bytes, {});
  judge(shadow_.become(Shadow::Kind::kFreed, address, bytes, -1, access(), known()), step);
  note(step);
  freed_.push_back(memory);
}

}  // namespace postroom::interleave
