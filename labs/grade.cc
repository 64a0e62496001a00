#include "labs/grade.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>

#include "collectives/lower_bounds.h"
#include "collectives/postal_model.h"
#include "labs/heard.h"
#include "runtime/clock.h"
#include "runtime/machine.h"
#include "runtime/virtual_clock.h"

namespace postroom::labs {
namespace {

constexpr std::array kProcessors{1, 2, 3, 5, 8, 14, 33};
constexpr int kPorts = 1;
constexpr int kBlock = 3;  // elements

/// What a processor is given. A sum that has each of them up to twice is like no other.
long value_of(int processor) {
  long value = 1;
  for (int i = 0; i < processor; ++i) value *= 3;
  return value;
}
long sum_of(int processors) {
  long sum = 0;
  for (int i = 0; i < processors; ++i) sum += value_of(i);
  return sum;
}

template <class T>
std::string difference(const T& result, const T& expected) {
  return fmt::format("has {}, but should have {}", result, expected);
}
template <class T>
std::string difference(const std::vector<T>& result, const std::vector<T>& expected) {
  if (result.size() != expected.size()) {
    return fmt::format("has {} elements, but should have {}", result.size(), expected.size());
  }
  const auto at = std::ranges::mismatch(result, expected);
  return fmt::format("at {} {}", at.in1 - result.begin(), difference(*at.in1, *at.in2));
}

template <class T>
void expect(const T& result, const T& expected) {
  if (result != expected) throw std::runtime_error(difference(result, expected));
}

// Each calls a program and throws where its result is not right.

void run_broadcast(Processor& self, const Rational& lambda, const Programs& programs) {
  constexpr int kItem = 1234;
  int item = self.id() == 0 ? kItem : 0;
  programs.broadcast(self, lambda, item);
  expect(item, kItem);
}

void run_allreduce(Processor& self, const Rational& lambda, const Programs& programs) {
  expect(programs.allreduce(self, lambda, value_of(self.id())), sum_of(self.count()));
}

void run_allgather(Processor& self, const Rational&, const Programs& programs) {
  const auto value = [](int processor) { return 1000 + 7 * processor; };
  std::vector<int> all;
  for (int i = 0; i < self.count(); ++i) all.push_back(value(i));
  expect(programs.allgather(self, value(self.id())), all);
}

void run_alltoall(Processor& self, const Rational&, const Programs& programs) {
  const auto block = [](int from, int to) { return std::vector<int>(kBlock, 100 * from + to); };
  std::vector<std::vector<int>> blocks, expected;
  for (int i = 0; i < self.count(); ++i) {
    blocks.push_back(block(self.id(), i));
    expected.push_back(block(i, self.id()));
  }
  expect(programs.alltoall(self, blocks), expected);
}

void run_scan(Processor& self, const Rational&, const Programs& programs) {
  expect(programs.scan(self, value_of(self.id())), sum_of(self.id() + 1));
}

struct Exercise {
  std::string_view name;
  void (*program)(Processor& self, const Rational& lambda, const Programs& programs);
  /// How many processors, from 0 on, one has to hear from.
  int (*heard)(int id, int processors);
  /// Time counts, with each of these; where there is none, rounds.
  std::vector<Rational> lambdas = {};
  /// Bytes count, too, with blocks of so many.
  std::optional<std::int64_t> block_bytes = std::nullopt;
};

const std::vector<Exercise>& all_exercises() {
  constexpr auto root = [](int, int) { return 1; };
  constexpr auto all = [](int, int processors) { return processors; };
  constexpr auto to_itself = [](int id, int) { return id + 1; };
  // The bound of a broadcast holds for an allreduce, too, and is known to be reached for a whole λ.
  static const std::vector<Exercise> list{
      {.name = "broadcast",
       .program = run_broadcast,
       .heard = root,
       .lambdas = {1, 2, Rational(5, 2), 6}},
      {.name = "allreduce", .program = run_allreduce, .heard = all, .lambdas = {1, 2, 6}},
      {.name = "allgather", .program = run_allgather, .heard = all, .block_bytes = sizeof(int)},
      {.name = "alltoall", .program = run_alltoall, .heard = all},
      {.name = "scan", .program = run_scan, .heard = to_itself}};
  return list;
}

const Exercise& exercise_of(std::string_view name) {
  const auto found = std::ranges::find(all_exercises(), name, &Exercise::name);
  if (found != all_exercises().end()) return *found;
  throw std::invalid_argument(
      fmt::format("'{}' is not one of {}", name, fmt::join(exercises(), ", ")));
}

/// Processors share memory, but what they know of others has to come by messages.
std::string unheard(const Exercise& exercise, const Trace& trace) {
  const std::vector<std::uint64_t> heard = heard_from(trace);
  const int processors = trace.processors();
  for (int id = 0; id < processors; ++id) {
    for (int source = 0; source < exercise.heard(id, processors); ++source) {
      if ((heard[static_cast<std::size_t>(id)] >> source & 1U) != 0) continue;
      return fmt::format(
          "processor {} has its result, but no message brought it anything from processor {}", id,
          source);
    }
  }
  return "";
}

Run run(const Exercise& exercise, int processors, const Rational& lambda,
        const Programs& programs) {
  const auto clock = std::make_shared<VirtualClock>(lambda);
  Machine machine({.processors = processors, .threads = 1, .clock = clock, .trace = true});
  std::string problem;
  try {
    machine.run([&](Processor& self) { exercise.program(self, lambda, programs); });
  } catch (const std::exception& error) {
    problem = error.what();
  }
  if (problem.empty()) problem = unheard(exercise, machine.trace());
  return {clock->finish(), machine.trace(), problem};
}

/// The sum, over the times at which any is sent, of the largest message then.
std::int64_t largest_bytes(const Trace& trace) {
  std::map<Time, std::size_t> largest;
  for (const Trace::Message& message : trace.messages()) {
    std::size_t& bytes = largest[message.start];
    bytes = std::max(bytes, message.bytes);
  }
  std::int64_t sum = 0;
  for (const auto& [_, bytes] : largest) sum += static_cast<std::int64_t>(bytes);
  return sum;
}

std::string in_words(int processors) {
  return fmt::format("{} processor{}", processors, processors == 1 ? "" : "s");
}

void add_timed(std::vector<Case>& cases, const Exercise& exercise, int processors,
               const Rational& lambda, const Programs& programs) {
  const Run done = run(exercise, processors, lambda, programs);
  cases.push_back({fmt::format("{}, lambda {}: time", in_words(processors), to_string(lambda)),
                   done.problem, done.time, PostalModel(lambda).time(processors)});
}

/// With λ = 1 a unit of time is a round.
void add_counted(std::vector<Case>& cases, const Exercise& exercise, int processors,
                 const Programs& programs) {
  const Run done = run(exercise, processors, 1, programs);
  cases.push_back({in_words(processors) + ": rounds", done.problem, done.time,
                   least_rounds(processors, kPorts)});
  if (!exercise.block_bytes) return;
  cases.push_back({in_words(processors) + ": bytes", done.problem, largest_bytes(done.trace),
                   least_bytes(processors, *exercise.block_bytes, kPorts)});
}

}  // namespace

std::vector<std::string_view> exercises() {
  std::vector<std::string_view> names;
  for (const Exercise& exercise : all_exercises()) names.push_back(exercise.name);
  return names;
}

void check_exercise(std::string_view exercise) { (void)exercise_of(exercise); }

Grade grade(std::string_view name, const Programs& programs) {
  const Exercise& exercise = exercise_of(name);
  Grade grade{std::string(name), {}};
  for (const Rational& lambda : exercise.lambdas) {
    for (const int p : kProcessors) add_timed(grade.cases, exercise, p, lambda, programs);
  }
  if (!exercise.lambdas.empty()) return grade;
  for (const int p : kProcessors) add_counted(grade.cases, exercise, p, programs);
  return grade;
}

Run run(std::string_view name, int processors, const Rational& lambda, const Programs& programs) {
  const Exercise& exercise = exercise_of(name);
  if (processors < 1 || processors > kProcessors.back()) {
    throw std::invalid_argument(
        fmt::format("processors: {} is not allowed; 1 to {}", processors, kProcessors.back()));
  }
  if (lambda != 1 && exercise.lambdas.empty()) {
    throw std::invalid_argument(
        fmt::format("lambda: {} is not allowed; 1, as {} goes by rounds", to_string(lambda), name));
  }
  return run(exercise, processors, lambda, programs);
}

void write(std::ostream& out, const Grade& grade) {
  out << fmt::format("{:<34} {:>6} {:>6}\n", grade.exercise, "taken", "least");
  bool said_why = false;
  for (const Case& each : grade.cases) {
    if (!each.is_right()) {
      out << fmt::format("  {:<32} not right{}\n", each.what, said_why ? "" : ": " + each.problem);
      said_why = true;
      continue;
    }
    out << fmt::format("  {:<32} {:>6} {:>6}{}\n", each.what, to_string(each.taken),
                       to_string(each.least), each.is_best() ? "  reached" : "");
  }
  out << fmt::format("{}: right in {} of {}, at the bound in {}: {} of {} points\n", grade.exercise,
                     grade.right(), grade.cases.size(), grade.best(), grade.points(), grade.most());
}

void write_csv(std::ostream& out, std::span<const Grade> grades) {
  out << "exercise,cases,right,at the bound,points,most\n";
  for (const Grade& grade : grades) {
    out << fmt::format("{},{},{},{},{},{}\n", grade.exercise, grade.cases.size(), grade.right(),
                       grade.best(), grade.points(), grade.most());
  }
}

}  // namespace postroom::labs
