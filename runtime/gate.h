// Where the processors of one thread wait for the machine's barrier.
//
// They never run at the same time, so they are counted with plain memory. The last one to come
// leads: it meets the other threads, in ⌈log2 t⌉ rounds for t threads (dissemination, as Hensgen,
// Finkel and Manber have it; runtime/meeting.h), and opens the gate for those of its own. In round
// i it sets the flag of the thread 2^i further and waits for its own, which the one 2^i before
// sets. So a barrier of p processors costs each one switch of stacks, and messages between threads
// are as few as if these were the processors.
//
// On machines with a clock they also learn what they know together: a Meeting travels with the
// flags.
//
// Fields, their writer and their line:
//   flag       epoch, what is met there       the one partner of that round; read by the leader
//   the rest                                  the own thread only
// A flag has room for two meetings, used by turns. Who is a barrier ahead writes into the other
// one; nobody can be two ahead. What the processors of a thread met stays until all of them have
// come again.
//
// Two threads are each other's only partner, and may have their flags on one line: then it is not
// fetched back before it is written (runtime/duplex_line.h; what that saves: docs/eight_bytes.md).
//
// Who may call: set: the leader of the partner. works: anyone. Everything else: the thread that
// owns the gate. Progress: nothing here waits; the leader's waits are those of runtime/wait.h.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "numa/cacheline.h"
#include "runtime/atomics.h"
#include "runtime/meeting.h"

namespace postroom {

template <class Atomics = StdAtomics>
class Gate {
 public:
  using Word = typename Atomics::template Atomic<std::uint32_t>;

  /// Of a thread that carries `processors`, one of `threads`.
  Gate(int processors, int threads)
      : processors_(processors),
        flags_(static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(threads - 1)))) {
    if (!flags_.empty()) first_epoch_ = &flags_.front().epoch;
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  /// The flag of this gate moves to the line of `partner`'s, which outlives it. For the second of
  /// two threads that carry a processor each, before either runs.
  void share_line_with(Gate& partner) noexcept {
    first_epoch_ = &partner.flags_.front().epoch_of_partner;
  }

  int rounds() const noexcept { return static_cast<int>(flags_.size()); }

  /// What a processor knows that is about to come.
  void tell(const Meeting& own) noexcept { gathered_ = come_ == 0 ? own : joined(gathered_, own); }
  /// A processor has come. True: all of this thread are there, and this one leads.
  bool come() noexcept {
    if (++come_ < processors_) return false;
    come_ = 0;
    return true;
  }

  // --- Of the leader.

  /// The number of the barrier that is under way, by which flags and gate are moved on.
  std::uint32_t epoch() const noexcept { return epoch_ + 1; }
  /// Tells the thread 2^round further what has been heard so far. Before set().
  void pass_on(Gate& next, int round) const noexcept {
    Meeting& met = next.flags_[static_cast<std::size_t>(round)].met[turn()];
    Atomics::writes(&met, sizeof(met));
    met = gathered_;
  }
  /// Called on the partner's gate: the thread 2^round before has come to barrier `epoch`.
  void set(int round, std::uint32_t epoch) noexcept {
    // (1) What was done before the barrier is seen after it; pairs with the load of who waits for
    // the flag, wait.h (1). The news of Parker::wake.
    epoch_at(round).store(epoch, std::memory_order_release);
  }
  /// Reaches epoch() when that thread has come. (1)
  const Word& flag(int round) const noexcept { return epoch_at(round); }
  /// Takes in what was passed on. Precondition: flag(round) has reached epoch().
  void hear(int round) noexcept {
    const Meeting& met = flags_[static_cast<std::size_t>(round)].met[turn()];
    Atomics::reads(&met, sizeof(met));
    gathered_ = joined(gathered_, met);
  }
  /// Before the gate is opened.
  void agree() noexcept { met_ = gathered_; }
  /// There is work after this meeting.
  void note_work() noexcept { worked_ = epoch(); }
  /// All threads have met, and will meet once more before the gate is opened.
  void go_on() noexcept { ++epoch_; }
  void open() noexcept {
    ++epoch_;
    // Relaxed: moved and looked at by the own thread only.
    opened_.store(epoch_, std::memory_order_relaxed);
  }

  // --- Work of the leader on memory of processors of other threads, who are waiting at their gates
  // and go when the machine stops.

  /// Whether the work may begin; until end_work() nobody's memory goes. `stopped()` loads what was
  /// stored to stop the machine, both of them seq_cst.
  template <class Stopped>
  [[nodiscard]] bool begin_work(Stopped stopped) noexcept {
    // (2) In the one order of all seq_cst operations, either this comes before the look (2) of who
    // has seen the machine stopped, who then waits; or the stop is seen here.
    working_.store(1, std::memory_order_seq_cst);
    if (!stopped()) return true;
    end_work();
    return false;
  }
  void end_work() noexcept {
    // (3) After the last use of that memory; pairs with (2) in works().
    working_.store(0, std::memory_order_release);
  }
  /// Any thread that has seen the machine stopped: false, and what it had to wait for is over.
  bool works() const noexcept {
    return working_.load(std::memory_order_seq_cst) != 0;  // (2) pairs with (2) and (3)
  }

  // --- Of those who wait.

  /// Reaches epoch(), as it was when they came, when the gate is opened.
  const Word& opened() const noexcept { return opened_; }
  /// The last meeting after which there was work.
  std::uint32_t worked() const noexcept { return worked_; }
  /// What all know together.
  const Meeting& met() const noexcept { return met_; }

  /// Forgets everything. Between runs only.
  void clear() noexcept {
    for (int round = 0; round < rounds(); ++round) {
      epoch_at(round).store(0, std::memory_order_relaxed);  // Relaxed: nobody looks.
    }
    opened_.store(0, std::memory_order_relaxed);  // Relaxed: as above.
    come_ = 0;
    epoch_ = 0;
    worked_ = 0;
  }

 private:
  std::size_t turn() const noexcept { return epoch() % 2; }

  Word& epoch_at(int round) noexcept {
    return round == 0 ? *first_epoch_ : flags_[static_cast<std::size_t>(round)].epoch;
  }
  const Word& epoch_at(int round) const noexcept {
    return round == 0 ? *first_epoch_ : flags_[static_cast<std::size_t>(round)].epoch;
  }

  struct alignas(kNoSharing) Flag {
    Word epoch{0};
    Word epoch_of_partner{0};
    std::array<Meeting, 2> met{};
  };
  static_assert(sizeof(Flag) == kNoSharing, "a flag and what is met there: one line");

  // What the owner counts, on a line that others, who look for the flags, do not read.
  alignas(kNoSharing) int processors_;
  int come_ = 0;
  std::uint32_t epoch_ = 0;
  std::uint32_t worked_ = 0;
  Word opened_{0};
  Word working_{0};
  Meeting gathered_{};
  Meeting met_{};
  // What nobody writes.
  alignas(kNoSharing) std::vector<Flag> flags_;
  Word* first_epoch_ = nullptr;  // of round 0
};

static_assert(sizeof(Gate<>) == 2 * kNoSharing && alignof(Gate<>) == kNoSharing,
              "what the owner counts, and what others look at to find the flags");

}  // namespace postroom
