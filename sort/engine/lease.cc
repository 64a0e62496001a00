#include "sort/engine/lease.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <system_error>
#include <vector>

#include "numa/once.h"
#include "numa/placement.h"
#include "numa/topology.h"
#include "runtime/forks.h"

namespace postroom::sorting {
namespace {

class SharedMachines {
 public:
  /// The machine for these options, to be given back; or nullptr, when one is out, one processor
  /// is enough or starting the first machine for so many records does not pay yet.
  Machine* take(int processors, bool pin, std::size_t records) {
    if (!try_hold()) return nullptr;
    try {
      if (Machine* machine = choose(processors, pin, records)) return machine;
    } catch (...) {
      give_back();
      throw;
    }
    give_back();
    return nullptr;
  }

  void give_back() noexcept {
    holder_.store(kNobody, std::memory_order_release);  // (1) what the holder did; pairs with (2)
  }

 private:
  static constexpr std::size_t kMostMachines = 4;
  static constexpr std::size_t kRecordsThatPay = std::size_t{1} << 19;
  static constexpr std::uint32_t kNobody = 0;

  struct Entry {
    int processors;
    bool pin;
    std::unique_ptr<Machine> machine;
  };

  // Whether the caller now has everything here to itself. A holder in another process is one that
  // was at work when this process was forked off; it will never give back here.
  bool try_hold() noexcept {
    // Relaxed: only compared.
    std::uint32_t holder = holder_.load(std::memory_order_relaxed);
    const std::uint32_t self = forks() + 1;
    if (holder == self) return false;
    // (2) sees what the last holder did; pairs with (1). Relaxed where it fails: nothing is read.
    return holder_.compare_exchange_strong(holder, self, std::memory_order_acquire,
                                           std::memory_order_relaxed);
  }

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

  // The threads of a machine do not follow into a forked process.
  void forget_after_fork() {
    if (forks_ == forks()) return;
    machines_.clear();
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

  std::atomic<std::uint32_t> holder_{kNobody};  // by its forks() + 1
  // Only the holder reads and writes these.
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
