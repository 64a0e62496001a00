#include "runtime/machine.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "fat_trees/box_tree.h"
#include "numa/available_memory.h"
#include "numa/binding.h"
#include "numa/node_memory.h"
#include "numa/pin.h"
#include "numa/rounding.h"
#include "runtime/carrier.h"
#include "runtime/errors.h"
#include "runtime/forks.h"
#include "runtime/mailbox_processor.h"
#include "runtime/nest.h"
#include "runtime/pinned_leaves.h"
#include "runtime/roll_call.h"
#include "runtime/switchboard.h"
#include "runtime/turn.h"

namespace postroom {
namespace {

std::shared_ptr<const Topology> topology_of(const MachineOptions& options) {
  if (options.topology == nullptr) return Topology::this_machine_once();
  // Asked for before a thread is pinned: afterwards the box would seem to have its core alone.
  if (options.pin && options.topology->is_this_machine()) (void)Topology::this_machine_once();
  return options.topology;
}

// What each of many processors takes once it has run: 2 KiB, 2 more with a few partners, and a page
// of its stack.
std::size_t least_bytes_of_processor() {
  return (std::size_t{4} << 10) + static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Before anything is touched: where they do not fit, the system would end some process.
void check_fits(int processors) {
  constexpr int kFew = 1000;  // not worth a look
  if (processors <= kFew) return;
  const std::uint64_t available = available_memory_bytes();
  const std::size_t each = least_bytes_of_processor();
  const std::uint64_t most = available / each;
  if (static_cast<std::uint64_t>(processors) <= most) return;
  throw std::invalid_argument(fmt::format(
      "processors: {} is not allowed; 1 to {}: each takes {} KiB of memory and more, and {} MiB "
      "are available",
      processors, most, each >> 10, available >> 20));
}

Placement placement_of(const Topology& topology, int processors) {
  if (processors < 0 || processors > kMostProcessors) {
    throw std::invalid_argument(
        fmt::format("processors: {} is not allowed; 1 to {}, or 0 for as many as the box gives",
                    processors, kMostProcessors));
  }
  check_fits(processors);
  return place(topology, processors == 0 ? default_processors(topology) : processors);
}

/// Nothing where no order is better than another: see Processor::box().
std::optional<BoxTree> box_of(const Topology& topology, const Placement& placement,
                              const Clock* clock) {
  if (clock != nullptr && clock->is_model()) return {};
  BoxTree boxed = box_tree_of(topology, placement.leaf_of_processor);
  if (!boxed.has_teams()) return {};
  return boxed;
}

// One thread for each processor as long as all can run at once; else as many as can.
int threads_of(const MachineOptions& options, const Placement& placement) {
  const auto processors = static_cast<int>(placement.leaf_of_processor.size());
  if (options.threads < 0 || options.threads > processors) {
    throw std::invalid_argument(fmt::format(
        "threads: {} is not allowed; 1 to {} (the processors), or 0 for as many as are useful",
        options.threads, processors));
  }
  return options.threads != 0 ? options.threads : placement.at_once;
}

// The first processor that thread `thread` of so many carries: contiguous runs, as even as can be,
// cut where place() cuts those of its leaves.
int first_carried(int thread, int threads, int processors) {
  return static_cast<int>(ceil_divide(std::int64_t{thread} * processors, std::int64_t{threads}));
}

struct Placements {
  Placement processors;
  Placement threads;
};

/// Whether the threads of a machine are pinned: not the caller's own thread, where it is alone.
bool pins(const MachineOptions& options, const Topology& topology, const Placement& threads) {
  return options.pin && threads.may_be_pinned && topology.is_this_machine() &&
         threads.leaf_of_processor.size() > 1;
}

// On this machine each processor is where the thread is that carries it. A made-up box has no
// threads on its leaves: there the processors are placed as if each had its own. Fills `pinned`
// where the threads are pinned.
Placements placements_of(const MachineOptions& options, const Topology& topology,
                         std::optional<PinnedLeaves>& pinned) {
  Placement processors = placement_of(topology, options.processors);
  const int threads = threads_of(options, processors);
  Placement placed = place(topology, threads);
  if (pins(options, topology, placed)) {
    placed.leaf_of_processor = pinned.emplace(topology, placed).leaves();
  }
  if (!topology.is_this_machine()) return {std::move(processors), std::move(placed)};
  std::vector<int>& leaves = processors.leaf_of_processor;
  const auto count = static_cast<int>(leaves.size());
  for (int t = 0; t < threads; ++t) {
    std::fill(leaves.begin() + first_carried(t, threads, count),
              leaves.begin() + first_carried(t + 1, threads, count),
              placed.leaf_of_processor[static_cast<std::size_t>(t)]);
  }
  return {std::move(processors), std::move(placed)};
}

// Where threads share CPUs, whether by this placement or because the box is a made-up one, nobody
// spins.
WaitPolicy wait_policy_of(const Placement& threads, const Binding& allowed) {
  const std::size_t cpus = allowed.cpus().size();
  const bool share_cpus = cpus != 0 && threads.leaf_of_processor.size() > cpus;
  WaitPolicy policy;
  if (threads.oversubscribed || share_cpus) policy.spins = 0;
  return policy;
}

// Not where hardware threads of one core are two of them.
bool are_cores_apart(const Topology& topology, const Placement& threads) {
  std::set<int> cores;
  for (const int leaf : threads.leaf_of_processor) cores.insert(topology.leaf(leaf).core);
  return cores.size() == threads.leaf_of_processor.size();
}

std::size_t stack_bytes_of(const MachineOptions& options, int processors) {
  constexpr std::size_t kLeast = std::size_t{16} << 10;
  constexpr std::size_t kFew = std::size_t{256} << 10;
  constexpr std::size_t kMany = std::size_t{8} << 20;
  constexpr std::size_t kOfAll = std::size_t{1} << 30;  // addresses, not memory
  if (options.stack_bytes == 0) {
    return std::clamp(kOfAll / static_cast<std::size_t>(processors), kFew, kMany);
  }
  if (options.stack_bytes < kLeast) {
    throw std::invalid_argument(fmt::format(
        "stack_bytes: {} is not allowed; at least {}, or 0 for what suits so many processors",
        options.stack_bytes, kLeast));
  }
  return options.stack_bytes;
}

CarrierOptions carrier_options_of(const MachineOptions& options, int processors, int threads) {
  return {.threads = threads,
          .stack_bytes = stack_bytes_of(options, processors),
          .always_stacks = options.stack_bytes != 0,
          .guarded_stacks = processors <= Stacks::kMostGuarded,
          .schedule_seed = options.schedule_seed};
}

std::shared_ptr<Clock> clock_of(const MachineOptions& options) {
  if (options.clock == nullptr && options.trace) return std::make_shared<WallClock>();
  // It has nothing to do where no times are noted.
  if (!options.trace && dynamic_cast<const WallClock*>(options.clock.get())) return nullptr;
  return options.clock;
}

}  // namespace

class Machine::Impl {
 public:
  explicit Impl(const MachineOptions& options)
      : topology_(topology_of(options)),
        placed_(placements_of(options, *topology_, pinned_)),
        clock_(clock_of(options)),
        box_(box_of(*topology_, placed_.processors, clock_.get())),
        board_(count(), wait_policy_of(placed_.threads, unpinned_binding()), clock_.get(),
               options.trace) {
    if (clock_ != nullptr) {
      const ClockUse clock_use(clock_.get());
      clock_->start(count());
    }
    if (box_) board_.set_box(&*box_);
    if (are_cores_apart(*topology_, placed_.threads)) board_.set_cores_apart();
    if (options.pin && !placed_.threads.may_be_pinned) {
      notes_.push_back(
          "Threads are not pinned: the cgroup's CPU quota allows fewer CPUs than there are cores.");
    }
    make_processors();
    place_mailboxes();
    make_carriers(carrier_options_of(options, count(), thread_count()));
    start_threads();
  }

  ~Impl() { stop_threads(); }

  int count() const noexcept {
    return static_cast<int>(placed_.processors.leaf_of_processor.size());
  }
  const Topology& topology() const noexcept { return *topology_; }
  const Placement& placement() const noexcept { return placed_.processors; }
  int thread_count() const noexcept {
    return static_cast<int>(placed_.threads.leaf_of_processor.size());
  }
  const Trace& trace() const noexcept { return trace_; }

  std::vector<std::string> notes() const {
    const std::lock_guard lock(notes_mutex_);
    return notes_;
  }

  /// Whether a run would wait for threads of a process from which this one was forked off.
  bool lacks_threads() const noexcept {
    return (!threads_.empty() && forks_ != forks()) || turn_.is_inherited();
  }

  bool is_at_work() const noexcept { return turn_.is_locked(); }

  void run(const Program& program) {
    if (lacks_threads()) {
      throw std::logic_error(
          threads_.empty()
              ? "Machine::run was called in a process that was forked off while the machine was "
                "at work: that run does not end here"
              : "Machine::run was called in a process that was forked off when the machine was "
                "there: its threads are not");
    }
    const Nest nest = nest_.with(this);
    const auto one_at_a_time = await_turn(nest_);
    nest_of_run_ = nest;
    board_.watch().reset();
    for (const auto& processor : processors_) processor->prepare_run();
    const ClockUse clock_use(clock_.get());
    if (clock_ != nullptr) clock_->start_run(count());
    program_ = &program;
    // Nothing from here to the wait throws, or the others would go on with what is gone.
    start_others();
    run_on_callers_thread();
    wait_for_others();
    try {
      collect_trace();
      report_failure();
    } catch (...) {
      board_.clear();  // nothing of this run is left for the next one
      throw;
    }
  }

 private:
  // So that one run goes on at a time; called from inside the programs of `nest`.
  std::unique_lock<Turn<>> await_turn(const Nest& nest) {
    std::unique_lock turn(turn_, std::try_to_lock);
    if (turn) return turn;
    if (nest.empty()) {
      turn.lock();
      return turn;
    }
    const NestedWait wait(nest, this);
    turn.lock();
    return turn;
  }

  static thread_local Nest nest_;
  // Where the thread might run before a machine has pinned it; null where none has.
  static thread_local const Binding* unpinned_of_thread_;

  void run_program(int thread) noexcept {
    const Nest outside = std::exchange(nest_, nest_of_run_);
    // The std::function allocates nothing for a pointer.
    carriers_[thread]->run([this](MailboxProcessor& processor) { processor.run(*program_); });
    nest_ = outside;
  }

  // --- Processors and the threads that carry them.

  void make_processors() {
    processors_.reserve(static_cast<std::size_t>(count()));
    for (int id = 0; id < count(); ++id) {
      processors_.push_back(std::make_unique<MailboxProcessor>(id, board_));
      board_.set_processor(id, processors_.back().get());
    }
  }

  // Near who receives, also where the sender is the first to need one.
  void place_mailboxes() {
    if (topology_->nodes_near_leaves() == 1) return;
    for (int id = 0; id < count(); ++id) {
      const int leaf = placed_.processors.leaf_of_processor[id];
      std::unique_ptr<NodeMemory>& memory = memories_[topology_->node_of(leaf)];
      if (memory == nullptr) memory = std::make_unique<NodeMemory>(*topology_, leaf);
      board_.set_memory(id, memory.get());
    }
  }

  void make_carriers(const CarrierOptions& options) {
    std::vector<MailboxProcessor*> all;
    for (const auto& processor : processors_) all.push_back(processor.get());
    for (int t = 0; t < options.threads; ++t) {
      const auto first = all.begin() + first_carried(t, options.threads, count());
      const auto last = all.begin() + first_carried(t + 1, options.threads, count());
      carriers_.push_back(std::make_unique<Carrier>(board_, t, std::span(first, last), options));
      board_.add_carrier(carriers_.back().get());
    }
    // With several processors on each it takes 1.1 times as long on one line: who waits looks there
    // between others, and without a pause.
    if (options.threads == 2 && all.size() == 2) {
      carriers_[1]->gate().share_line_with(carriers_[0]->gate());
    }
  }

  void start_threads() {
    threads_.reserve(carriers_.size() - 1);
    try {
      for (int t = 1; t < thread_count(); ++t) threads_.emplace_back([this, t] { serve(t); });
    } catch (...) {
      const std::size_t started = threads_.size();
      wait_for_others();
      stop_threads();
      rethrow_of_thread(started + 1);
    }
    wait_for_others();  // each has pinned itself
  }

  // What starting thread `number` threw.
  [[noreturn]] void rethrow_of_thread(std::size_t number) const {
    try {
      throw;
    } catch (const std::system_error& error) {
      throw std::system_error(error.code(),
                              fmt::format("cannot start thread {} of {} for the processors", number,
                                          thread_count() - 1));
    }
  }

  void stop_threads() {
    quit_ = true;  // published by the start
    start_others();
    for (std::thread& thread : threads_) thread.join();
  }

  void serve(int thread) {
    if (pinned_) {
      unpinned_of_thread_ = &unpinned_;
      pin_to_leaf_of(thread);
    } else {
      restore(unpinned_);
    }
    for (std::uint32_t start = 1;; ++start) {
      roll_call_.arrive();
      carriers_[0]->parker().wake();
      wait_idle(roll_call_.started(start), carriers_[thread]->parker());
      wake_below(thread);
      if (quit_) return;
      run_program(thread);
    }
  }

  void start_others() {
    roll_call_.start();  // program_ and quit_
    wake_below(0);
  }
  void wake_below(int thread) const noexcept {
    RollCall<>::wake_below(thread, thread_count(), [&](int t) { carriers_[t]->parker().wake(); });
  }

  void wait_for_others() {
    wait_idle(roll_call_.all_arrived(threads_.size()), carriers_[0]->parker());
  }

  void wait_idle(Awaited awaited, Parker<>& parker) const {
    const auto never = [] { return false; };
    const auto always = [] { return true; };
    (void)wait_until([&] { return awaited.reached(); }, board_.policy(), parker, never, always,
                     [] {});
  }

  void run_on_callers_thread() noexcept {
    if (!pinned_) return run_program(0);
    const Binding before = current_binding();
    // What cannot be put back stays.
    if (before.is_empty() ||
        before.is_only(topology_->leaf(placed_.threads.leaf_of_processor[0]).os_index)) {
      return run_program(0);  // or it is there already
    }
    const Binding* const outside = unpinned_of_thread_;
    if (outside == nullptr) unpinned_of_thread_ = &before;
    pin_to_leaf_of(0);
    run_program(0);
    restore(before);
    unpinned_of_thread_ = outside;
  }

  static Binding unpinned_binding() noexcept {
    return unpinned_of_thread_ != nullptr ? *unpinned_of_thread_ : current_binding();
  }

  void pin_to_leaf_of(int thread) noexcept {
    try {
      note(pin_this_thread(*topology_, placed_.threads.leaf_of_processor[thread]));
    } catch (const std::bad_alloc&) {
      // A refusal, which there is no memory to tell.
    }
  }

  // --- After a run.

  void collect_trace() {
    if (!board_.traces()) return;
    trace_ = Trace();
    std::vector<Trace::Message> all;
    std::vector<std::vector<Trace::Delivery>> deliveries;
    for (const auto& processor : processors_) {
      const std::vector<Trace::Message> own = processor->take_trace();
      all.insert(all.end(), own.begin(), own.end());
      deliveries.push_back(processor->take_deliveries());
    }
    settle_arrivals(all, deliveries);
    trace_ = Trace(std::move(all), count(), clock_->ticks_per_unit(), !clock_->is_model());
  }

  void report_failure() {
    if (const std::optional<Failure> failure = board_.failure()) failure->raise();
    check_histories();
    std::int64_t under_way = 0;
    for (const auto& processor : processors_) under_way += processor->balance();
    if (under_way == 0) return;
    throw UnreceivedError(
        fmt::format("{} never received:{}",
                    under_way == 1 ? "1 message was" : fmt::format("{} messages were", under_way),
                    board_.unreceived()));
  }

  // Calls from which somebody went on who did not see that the others were in another one.
  void check_histories() {
    const auto other = std::ranges::find_if(processors_, [&](const auto& processor) {
      return processor->history() != processors_.front()->history();
    });
    if (other == processors_.end()) return;
    throw DisagreementError(
        fmt::format("processors 0 and {} have not called broadcast, scatter, gather and reduce "
                    "in the same order, with the same roots and sizes",
                    (*other)->id()));
  }

  void note(const std::string& text) {
    if (text.empty()) return;
    const std::lock_guard lock(notes_mutex_);
    if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) notes_.push_back(text);
  }

  std::shared_ptr<const Topology> topology_;
  std::optional<PinnedLeaves> pinned_;
  Placements placed_;
  const Binding unpinned_ = unpinned_binding();  // of who makes the machine
  std::shared_ptr<Clock> clock_;
  std::optional<BoxTree> box_;
  std::map<int, std::unique_ptr<NodeMemory>> memories_;  // by node; empty where there is one
  Switchboard board_;
  std::vector<std::unique_ptr<MailboxProcessor>> processors_;
  std::vector<std::unique_ptr<Carrier>> carriers_;
  std::vector<std::thread> threads_;  // of all carriers but the first
  const std::uint32_t forks_ = forks();

  Turn<> turn_;  // to run
  const Program* program_ = nullptr;
  Nest nest_of_run_;
  bool quit_ = false;
  RollCall<> roll_call_;

  Trace trace_;
  mutable std::mutex notes_mutex_;
  std::vector<std::string> notes_ = placed_.processors.notes;
};

constinit thread_local Nest Machine::Impl::nest_;
constinit thread_local const Binding* Machine::Impl::unpinned_of_thread_ = nullptr;

Machine::Machine(MachineOptions options) : impl_(std::make_unique<Impl>(options)) {}
Machine::~Machine() {
  // Nothing can end threads of another process, or let go of what they held: it is left alone. So
  // it is during a run, whose program has called exit: who is to be ended is at work on it.
  if (impl_->lacks_threads() || impl_->is_at_work()) (void)impl_.release();
}

int Machine::processors() const noexcept { return impl_->count(); }
int Machine::threads() const noexcept { return impl_->thread_count(); }
const Topology& Machine::topology() const noexcept { return impl_->topology(); }
const Placement& Machine::placement() const noexcept { return impl_->placement(); }
std::vector<std::string> Machine::notes() const { return impl_->notes(); }
void Machine::run(const Program& program) {
  if (!program) throw std::invalid_argument("program: an empty one is not allowed");
  impl_->run(program);
}
const Trace& Machine::trace() const noexcept { return impl_->trace(); }

}  // namespace postroom
