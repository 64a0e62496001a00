#include "labs/grade.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <ostream>
#include <stdexcept>

#include "collectives/lower_bounds.h"
#include "collectives/postal_model.h"
#include "runtime/clock.h"
#include "runtime/machine.h"
#include "runtime/trace.h"
#include "runtime/virtual_clock.h"

namespace postroom::labs {
namespace {

constexpr std::array<std::string_view, 5> kExercises{"broadcast", "allreduce", "allgather",
                                                     "alltoall", "scan"};
constexpr std::array kProcessors{1, 2, 3, 5, 8, 14, 33};
constexpr int kPorts = 1;
constexpr int kBlock = 3;  // elements

/// What a processor is given. A sum that has each of them up to twice is like no other.
long value_of(int processor) {
  long value = 1;
  for (int i = 0; i < processor; ++i) value *= 3;
  return value;
}

std::string in_words(int processors) {
  return fmt::format("{} processor{}", processors, processors == 1 ? "" : "s");
}

/// A run on a machine of the postal model. What is not right, `program` throws.
struct Run {
  Rational time;
  Trace trace;
  std::string problem;
};
Run run(int processors, const Rational& lambda, const Machine::Program& program) {
  const auto clock = std::make_shared<VirtualClock>(lambda);
  Machine machine({.processors = processors, .threads = 1, .clock = clock, .trace = true});
  try {
    machine.run(program);
  } catch (const std::exception& error) {
    return {0, {}, error.what()};
  }
  return {clock->finish(), machine.trace(), ""};
}

template <class T>
void expect(const Processor& self, const T& result, const T& expected) {
  if (result == expected) return;
  throw std::runtime_error(fmt::format("a wrong result on processor {}", self.id()));
}

/// In the postal model, with each λ.
std::vector<Case> timed(const std::function<void(Processor&, const Rational&)>& program,
                        const std::vector<Rational>& lambdas) {
  std::vector<Case> cases;
  for (const Rational& lambda : lambdas) {
    for (const int processors : kProcessors) {
      const Run done = run(processors, lambda, [&](Processor& self) { program(self, lambda); });
      cases.push_back({fmt::format("{}, lambda {}: time", in_words(processors), to_string(lambda)),
                       done.problem, done.time, PostalModel(lambda).time(processors)});
    }
  }
  return cases;
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

/// In rounds: a case for them and, where they are asked for, one for the bytes.
std::vector<Case> counted(const Machine::Program& program,
                          std::optional<std::int64_t> block_bytes = std::nullopt) {
  std::vector<Case> cases;
  for (const int processors : kProcessors) {
    const Run done = run(processors, 1, program);
    cases.push_back({in_words(processors) + ": rounds", done.problem, done.time,
                     least_rounds(processors, kPorts)});
    if (!block_bytes) continue;
    cases.push_back({in_words(processors) + ": bytes", done.problem, largest_bytes(done.trace),
                     least_bytes(processors, *block_bytes, kPorts)});
  }
  return cases;
}

std::vector<Case> grade_broadcast(const Programs& programs) {
  return timed(
      [&](Processor& self, const Rational& lambda) {
        constexpr int kItem = 1234;
        int item = self.id() == 0 ? kItem : 0;
        programs.broadcast(self, lambda, item);
        expect(self, item, kItem);
      },
      {1, 2, Rational(5, 2), 6});
}

// The bound of a broadcast holds here, too, and is known to be reached for a whole λ.
std::vector<Case> grade_allreduce(const Programs& programs) {
  return timed(
      [&](Processor& self, const Rational& lambda) {
        long sum = 0;
        for (int i = 0; i < self.count(); ++i) sum += value_of(i);
        expect(self, programs.allreduce(self, lambda, value_of(self.id())), sum);
      },
      {1, 2, 6});
}

std::vector<Case> grade_allgather(const Programs& programs) {
  return counted(
      [&](Processor& self) {
        std::vector<int> all;
        for (int i = 0; i < self.count(); ++i) all.push_back(1000 + 7 * i);
        expect(self, programs.allgather(self, 1000 + 7 * self.id()), all);
      },
      sizeof(int));
}

std::vector<Case> grade_alltoall(const Programs& programs) {
  const auto block = [](int from, int to) { return std::vector<int>(kBlock, 100 * from + to); };
  return counted([&](Processor& self) {
    std::vector<std::vector<int>> blocks, expected;
    for (int i = 0; i < self.count(); ++i) {
      blocks.push_back(block(self.id(), i));
      expected.push_back(block(i, self.id()));
    }
    expect(self, programs.alltoall(self, blocks), expected);
  });
}

std::vector<Case> grade_scan(const Programs& programs) {
  return counted([&](Processor& self) {
    long sum = 0;
    for (int i = 0; i <= self.id(); ++i) sum += value_of(i);
    expect(self, programs.scan(self, value_of(self.id())), sum);
  });
}

}  // namespace

int Grade::points() const {
  return std::accumulate(cases.begin(), cases.end(), 0, [](int sum, const Case& each) {
    return sum + (each.is_right() ? 1 : 0) + (each.is_best() ? 1 : 0);
  });
}

std::span<const std::string_view> exercises() { return kExercises; }

void check_exercise(std::string_view exercise) {
  if (std::ranges::count(kExercises, exercise) > 0) return;
  throw std::invalid_argument(
      fmt::format("'{}' is not one of {}", exercise, fmt::join(kExercises, ", ")));
}

Grade grade(std::string_view exercise, const Programs& programs) {
  check_exercise(exercise);
  constexpr std::array graders{grade_broadcast, grade_allreduce, grade_allgather, grade_alltoall,
                               grade_scan};
  static_assert(graders.size() == kExercises.size());
  const auto at = std::ranges::find(kExercises, exercise);
  return {std::string(exercise),
          graders[static_cast<std::size_t>(at - kExercises.begin())](programs)};
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
  const auto count = [&](bool (Case::*is)() const) {
    return std::ranges::count_if(grade.cases, [&](const Case& each) { return (each.*is)(); });
  };
  out << fmt::format("{}: right in {} of {}, at the bound in {}: {} of {} points\n", grade.exercise,
                     count(&Case::is_right), grade.cases.size(), count(&Case::is_best),
                     grade.points(), grade.most());
}

}  // namespace postroom::labs
