#include "runtime/nest.h"

#include <fmt/core.h>
#include <pthread.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "numa/once.h"

namespace postroom {
namespace {

struct Waits {
  std::mutex mutex;
  std::vector<const NestedWait*> all;
};

Waits& waits() {
  static constinit MadeOnce<Waits> instance;
  return instance.get();
}

// A child has one thread, which does not wait. Where there is no memory for that, it goes on with
// what its parent had.
[[maybe_unused]] const int kRegistered =
    pthread_atfork([] { waits().mutex.lock(); }, [] { waits().mutex.unlock(); },
                   [] {
                     waits().all.clear();
                     waits().mutex.unlock();
                   });

}  // namespace

bool Nest::has(Machine machine) const noexcept {
  const auto end = machines_.begin() + depth_;
  return std::find(machines_.begin(), end, machine) != end;
}

Nest Nest::with(Machine machine) const {
  if (has(machine)) {
    throw std::logic_error("Machine::run was called from inside a program of the same machine");
  }
  if (machines_.begin() + depth_ == machines_.end()) {
    throw std::logic_error(
        fmt::format("Machine::run was called from inside {} machines, one in the other; at most {}",
                    depth_, machines_.size() - 1));
  }
  Nest deeper = *this;
  deeper.machines_[static_cast<std::size_t>(deeper.depth_++)] = machine;
  return deeper;
}

NestedWait::NestedWait(const Nest& nest, Nest::Machine wanted) : nest_(nest), wanted_(wanted) {
  const std::lock_guard lock(waits().mutex);
  if (comes_back()) {
    throw std::logic_error(
        "Machine::run was called from inside a program of a machine for which the other one waits: "
        "neither could go on");
  }
  waits().all.push_back(this);
}

NestedWait::~NestedWait() {
  const std::lock_guard lock(waits().mutex);
  std::erase(waits().all, this);
}

// A run is over when all its programs are: so a machine waits for whatever one of these waits for.
// One that is in the list may have got its machine by now; but not one of `nest_`, nor, where that
// could matter, one that is reached on the way.
bool NestedWait::comes_back() const {
  std::vector<Nest::Machine> reached{wanted_};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const NestedWait* wait : waits().all) {
      if (!wait->nest_.has(reached[i])) continue;
      if (nest_.has(wait->wanted_)) return true;
      if (std::ranges::find(reached, wait->wanted_) == reached.end()) {
        reached.push_back(wait->wanted_);
      }
    }
  }
  return false;
}

}  // namespace postroom
