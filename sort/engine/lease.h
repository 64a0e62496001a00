// Who sorts: the processors that one call of the front door gets.
//
// The library keeps a few machines, one for each number of processors (and pinned or not) that was
// asked for, so that threads are started once. Where a number was asked for, the first call starts
// them. Else they are started when half a million records have come, since to start them takes
// milliseconds.
//
// Only one machine is at work at a time. A second thread that sorts meanwhile, or a program of that
// machine itself, gets one processor, its own thread. So nobody waits for another, nothing can
// deadlock, and however many call at once, no more threads are at work than callers and those of
// one machine. A child after fork() starts machines of its own.
//
// Who may call: any thread. Errors: std::system_error when threads that were asked for cannot be
// started; where no number was asked for, the caller sorts by itself then.
//
//   Lease lease(options, n, config.alone_records);
//   lease.run([&](Team team) { … });   // on lease.processors() processors
#pragma once

#include <cstddef>
#include <functional>

#include "runtime/machine.h"
#include "sort/engine/config.h"
#include "sort/engine/team.h"
#include "sort/options.h"

namespace postroom::sorting {

class Lease {
 public:
  /// For `records`; up to `alone_records` are for the calling thread alone. With 0 a machine is
  /// started at once.
  Lease(const SortOptions& options, std::size_t records, std::size_t alone_records);
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease();

  std::size_t processors() const noexcept {
    return machine_ == nullptr ? 1 : static_cast<std::size_t>(machine_->processors());
  }
  /// nullptr where the calling thread is alone.
  Machine* machine() const noexcept { return machine_; }
  /// The thresholds that suit these processors.
  SortConfig config() const;

  /// Runs `program` once on each processor, the calling thread one of them; returns when all have
  /// ended.
  void run(const std::function<void(Team)>& program);

 private:
  Machine* machine_ = nullptr;
  bool shared_ = false;
};

}  // namespace postroom::sorting
