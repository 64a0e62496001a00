// A machine: a pool of pinned threads that carry processors, which run programs.
//
// As long as all can run at once, each processor has a thread of its own. Beyond that (more than
// cores, or than the cgroup's CPU quota keeps busy), the processors of a thread take turns on
// stacks of their own, switched in user space, so that 10,000 processors run on a laptop. The
// threads are started once, in the constructor; a run wakes them and returns when all processors
// have ended. The first thread is the one that calls run(), pinned for the length of the run, so a
// machine of one processor starts no thread at all.
//
// Who may call: run() from any thread, one run at a time (a second caller waits); not from inside a
// program of the same machine. From inside a program of another machine it may, but no two machines
// may wait for each other so, whose programs call each other's run(). Either is std::logic_error.
// Memory: all that the caller wrote before run() is seen by every processor, and all that they
// wrote is seen after it. Cost: a run costs one wake-up of the threads: well under a microsecond
// while they still spin, some tens of microseconds once they are parked. Parked threads use no
// processor time. Errors: see runtime/errors.h. A machine whose run failed may be used again. After
// fork() the child has none of the threads: where the machine had started any, or was at work just
// then, run() throws std::logic_error there at once, and the destructor leaves its memory alone.
// The child may make machines of its own.
//
//   Machine machine({.processors = 4});
//   machine.run([](Processor& self) { std::printf("%d of %d\n", self.id(), self.count()); });
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "numa/placement.h"
#include "numa/topology.h"
#include "runtime/clock.h"
#include "runtime/processor.h"
#include "runtime/trace.h"

namespace postroom {

/// More are refused on any box.
inline constexpr int kMostProcessors = 1 << 20;

struct MachineOptions {
  /// How many processors; 0: as many as this box gives (default_processors). May exceed the cores;
  /// at most kMostProcessors, and no more than fit the available memory.
  int processors = 0;
  /// How many threads carry the processors, in contiguous runs. 0: one for each processor as long
  /// as each has a leaf of its own, and none has to wait for the cgroup's CPU quota; else as many
  /// as can run at once. As many as processors: each has its own thread in any case, which is for
  /// programs that block in other ways than through Processor (on a file, a lock) and cannot call
  /// Processor::yield.
  int threads = 0;
  /// The stack of a processor; at least 16 KiB. Only pages that are used take memory. 0: where it
  /// has a thread of its own, that thread's (ulimit -s), which says nothing when it does not
  /// suffice; else 8 MiB, and with more than 128 processors as much less, down to 256 KiB. A
  /// program that needs more ends the process by a segmentation fault, at a guard below the stack,
  /// after one line on standard error that names the processor. Above 16,384 processors there are
  /// no guards: what was written right below the stack is found when the processor waits next or
  /// ends, and the process is aborted with that line.
  std::size_t stack_bytes = 0;
  /// Draws the order in which processors that share a thread take turns, also whether one that has
  /// sent another of them a message goes on; 0: first come, first served. Every run draws anew:
  /// with one thread, a program does the same in each run of each machine with that seed.
  std::uint64_t schedule_seed = 0;
  /// Whether threads are pinned to the leaves that they were placed on: those that the fewest other
  /// machines of this process are pinned to, the first ones where all are alike. A single thread,
  /// the caller's, is not; nor is any where the cgroup's quota allows fewer CPUs than there are
  /// cores, which is a note. So is a refusal, not a failure. Without, they may run where the thread
  /// that makes the machine may run outside of any run.
  bool pin = true;
  /// Where the processors are placed; pinning happens only where this is the box itself.
  /// Default: Topology::this_machine_once().
  std::shared_ptr<const Topology> topology = nullptr;
  /// The machine's time: a VirtualClock, a PostalClock, one of your own. Default: the wall clock.
  std::shared_ptr<Clock> clock = nullptr;
  /// Whether each run leaves a Trace.
  bool trace = false;
};

class Machine {
 public:
  using Program = std::function<void(Processor&)>;

  explicit Machine(MachineOptions options = {});
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  int processors() const noexcept;
  /// How many threads carry them.
  int threads() const noexcept;
  const Topology& topology() const noexcept;
  const Placement& placement() const noexcept;
  /// What the user should know but that did not stop the machine: refused pinning, p > cores.
  std::vector<std::string> notes() const;

  /// Runs `program` once on every processor and returns when all have ended. Throws
  /// std::invalid_argument where it is empty. A program may end the process by std::exit.
  void run(const Program& program);

  /// The trace of the last run; empty without MachineOptions::trace.
  const Trace& trace() const noexcept;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace postroom
