// A task farm: processor 0 hands out tasks, each to whoever is free first. Beside it the same tasks
// dealt out beforehand, both in exact virtual time.
//
//   bazel run //examples:task_farm
#include <cstddef>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "runtime/light_machine.h"
#include "runtime/processor.h"
#include "runtime/rational.h"
#include "runtime/virtual_clock.h"

using namespace postroom;

constexpr int kWorkers = 8;
constexpr int kTasks = 200;
constexpr int kEnd = -1;  // in place of a task

/// How long a task takes: some take a hundred times as long as others.
int units_of(int task) { return 1 + task * task % 101; }
/// What comes out.
int result_of(int task) { return 3 * task; }

/// Does what it is told to until it is told to end.
void work(Processor& self) {
  for (int task = self.receive<int>(0); task != kEnd; task = self.receive<int>(0)) {
    self.compute(units_of(task));
    self.send(0, result_of(task));
  }
}

/// The sum of all results. `next_of(worker)` is its next task, or kEnd.
template <class NextOf>
long farm_out(Processor& self, NextOf next_of) {
  std::vector<int> results(kWorkers);
  std::vector<Pending> pending(kWorkers);
  const auto give = [&](std::size_t worker) {
    const int processor = static_cast<int>(worker) + 1;
    const int task = next_of(worker);
    self.send(processor, task);
    if (task != kEnd) pending[worker] = self.start_receive(processor, results[worker]);
  };
  for (std::size_t worker = 0; worker < kWorkers; ++worker) give(worker);
  long sum = 0;
  while (const std::optional<std::size_t> worker = wait_any(pending)) {  // whoever is through first
    sum += results[*worker];
    give(*worker);
  }
  return sum;
}

/// Runs it with a processor that leads and all the workers; when they are through, in the model.
template <class NextOf>
Rational finish(NextOf next_of) {
  const auto clock = std::make_shared<VirtualClock>(Rational(5, 2));  // λ
  LightMachine machine(1 + kWorkers, clock);
  machine.run([&](Processor& self) {
    if (self.id() != 0) return work(self);
    if (farm_out(self, next_of) != 3L * kTasks * (kTasks - 1) / 2) {
      throw std::logic_error("a result is missing");
    }
  });
  return clock->finish();
}

int main() try {
  int next = 0;
  const Rational farmed = finish([&](std::size_t) { return next < kTasks ? next++ : kEnd; });
  std::vector<int> next_of_worker(kWorkers);
  for (int worker = 0; worker < kWorkers; ++worker) next_of_worker[worker] = worker;
  const Rational dealt = finish([&](std::size_t worker) {
    const int task = next_of_worker[worker];
    next_of_worker[worker] += kWorkers;
    return task < kTasks ? task : kEnd;
  });
  int all = 0;
  for (int task = 0; task < kTasks; ++task) all += units_of(task);
  std::cout << kTasks << " tasks of " << all << " units on " << kWorkers
            << " workers: farmed out, finished at " << to_string(farmed)
            << "; dealt out beforehand, at " << to_string(dealt) << '\n';
} catch (const std::exception& error) {
  std::cerr << "task_farm: " << error.what() << '\n';
  return 2;
}
