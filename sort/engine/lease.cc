#include "sort/engine/lease.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <system_error>
#include <vector>

#include "numa/once.h"
#include "numa/placement.h"
#include "numa/topology.h"
#include "runtime/forks.h"
#include "runtime/turn.h"

namespace postroom::sorting {
namespace {

class SharedMachines {
 public:
  /// The machine for these options, to be given back; or nullptr, when one is out, one processor
  /// is enough or starting the first machine for so many records does not pay yet.
  Machine* take(int processors, bool pin, std::size_t records) {
    // A child does not wait for who was at work when it was forked off.
    if (!at_work_.try_lock_anew()) return nullptr;
    std::unique_lock held(at_work_, std::adopt_lock);
    Machine* const machine = choose(processors, pin, records);
    if (machine != nullptr) (void)held.release();
    return machine;
  }

  void give_back() noexcept { at_work_.unlock(); }

 private:
  static constexpr std::size_t kMostMachines = 4;
  static constexpr std::size_t kRecordsThatPay = std::size_t{1} << 19;

  struct Entry {
    int processors;
    bool pin;
    std::unique_ptr<Machine> machine;
  };

  Machine* choose(int processors, bool pin, std::size_t records) {
    forget_after_fork();
    const bool asked_for = processors != 0;
    if (!asked_for) {
      if (machines_.empty() && !pays_to_start(records)) return nullptr;
      processors = all_processors();
    }
    if (processors == 1) return nullptr;
    if (Machine* const found = find(processors, pin)) return found;
    try {
      return add(processors, pin);
    } catch (const std::system_error&) {  // no more threads
      if (asked_for) throw;
      return nullptr;  // by itself, as before: keys may have been moved
    }
  }

  // Looked up once: the box takes milliseconds, the quota of its control group 0.1.
  int all_processors() {
    if (all_processors_ == 0) {
      all_processors_ = default_processors(*Topology::this_machine_once());
    }
    return all_processors_;
  }

  // The threads of a machine do not follow into a forked process, so nothing there can be ended;
  // and the list may have been changing.
  void forget_after_fork() {
    if (forks_ == forks()) return;
    std::construct_at(&machines_);
    waited_ = 0;
    forks_ = forks();
  }

  // To look at the box and to start threads takes as long as one processor sorts some 10^6 keys. So
  // that is done when that many have been sorted without, and at once for as many.
  bool pays_to_start(std::size_t records) {
    if (records >= kRecordsThatPay - waited_) return true;
    waited_ += records;
    return false;
  }

  // The one used last stands last.
  Machine* find(int processors, bool pin) {
    const auto found = std::find_if(machines_.begin(), machines_.end(), [&](const Entry& entry) {
      return entry.processors == processors && entry.pin == pin;
    });
    if (found == machines_.end()) return nullptr;
    std::rotate(found, found + 1, machines_.end());
    return machines_.back().machine.get();
  }

  Machine* add(int processors, bool pin) {
    if (machines_.size() == kMostMachines) machines_.erase(machines_.begin());
    auto machine = std::make_unique<Machine>(MachineOptions{.processors = processors, .pin = pin});
    machines_.push_back({processors, pin, std::move(machine)});
    return machines_.back().machine.get();
  }

  Turn<> at_work_;
  // Only who is at work reads and writes these.
  std::vector<Entry> machines_;
  int all_processors_ = 0;
  std::size_t waited_ = 0;  // records of the calls that did without; below kRecordsThatPay
  std::uint32_t forks_ = forks();
};

// A sort may run while the program ends; the threads are parked.
SharedMachines& shared_machines() {
  static constinit MadeOnce<SharedMachines> instance;
  return instance.get();
}

}  // namespace

Lease::Lease(const SortOptions& options, std::size_t records, std::size_t alone_records) {
  if (records <= alone_records) return;
  if (options.machine != nullptr) {
    machine_ = options.machine;
  } else if (options.processors != 1) {
    const std::size_t counted = alone_records == 0 ? std::size_t{0} - 1 : records;
    machine_ = shared_machines().take(options.processors, options.pin, counted);
    shared_ = machine_ != nullptr;
  }
}

Lease::~Lease() {
  if (shared_) shared_machines().give_back();
}

SortConfig Lease::config() const {
  return machine_ == nullptr ? SortConfig{} : config_for(machine_->topology());
}

void Lease::run(const std::function<void(Team)>& program) {
  if (machine_ == nullptr) return program(Team());
  machine_->run([&](Processor& self) { program(Team(self)); });
}

}  // namespace postroom::sorting
