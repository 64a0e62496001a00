#include "labs/grade.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <numeric>
#include <optional>
#include <ostream>
#include <stdexcept>

#include "collectives/lower_bounds.h"
#include "collectives/postal_model.h"
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

/// What a processor is given; no two are alike, nor are their sums.
int value_of(int processor) { return 1000 + 7 * processor + processor * processor; }

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
std::vector<Case> timed(const Machine::Program& program, const std::vector<Rational>& lambdas) {
  std::vector<Case> cases;
  for (const Rational& lambda : lambdas) {
    for (const int processors : kProcessors) {
      const Run done = run(processors, lambda, program);
      cases.push_back({fmt::format("{} processors, lambda {}: time", processors, to_string(lambda)),
                       done.problem, done.time, PostalModel(lambda).time(processors)});
    }
  }
  return cases;
}

/// In the round model: a case for the rounds and, where they are asked for, one for the bytes.
std::vector<Case> counted(const Machine::Program& program,
                          std::optional<std::int64_t> block_bytes = std::nullopt) {
  std::vector<Case> cases;
  for (const int processors : kProcessors) {
    const Run done = run(processors, 1, program);
    cases.push_back({fmt::format("{} processors: rounds", processors), done.problem,
                     done.trace.rounds(), least_rounds(processors, kPorts)});
    if (!block_bytes) continue;
    cases.push_back({fmt::format("{} processors: bytes", processors), done.problem,
                     static_cast<std::int64_t>(done.trace.volume()),
                     least_bytes(processors, *block_bytes, kPorts)});
  }
  return cases;
}

std::vector<Case> grade_broadcast(const Programs& programs) {
  return timed(
      [&](Processor& self) {
        int item = self.id() == 0 ? value_of(0) : 0;
        programs.broadcast(self, item);
        expect(self, item, value_of(0));
      },
      {1, 2, Rational(5, 2), 6});
}

// The bound of a broadcast holds here, too, and is known to be reached for a whole λ.
std::vector<Case> grade_allreduce(const Programs& programs) {
  return timed(
      [&](Processor& self) {
        long sum = 0;
        for (int i = 0; i < self.count(); ++i) sum += value_of(i);
        expect(self, programs.allreduce(self, value_of(self.id())), sum);
      },
      {1, 2, 6});
}

std::vector<Case> grade_allgather(const Programs& programs) {
  return counted(
      [&](Processor& self) {
        std::vector<int> all;
        for (int i = 0; i < self.count(); ++i) all.push_back(value_of(i));
        expect(self, programs.allgather(self, value_of(self.id())), all);
      },
      sizeof(int));
}

std::vector<Case> grade_alltoall(const Programs& programs) {
  const auto block = [](int from, int to) {
    return std::vector<int>(kBlock, 100 * value_of(from) + to);
  };
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

Grade grade(std::string_view exercise, const Programs& programs) {
  constexpr std::array graders{grade_broadcast, grade_allreduce, grade_allgather, grade_alltoall,
                               grade_scan};
  static_assert(graders.size() == kExercises.size());
  const auto at = std::ranges::find(kExercises, exercise);
  if (at == kExercises.end()) {
    throw std::invalid_argument(
        fmt::format("'{}' is not one of {}", exercise, fmt::join(kExercises, ", ")));
  }
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
