// A thread that carries processors, one at a time.
//
// With one processor, a wait is a wait of the thread (runtime/wait.h), and the program runs on the
// thread's own stack, unless another size is asked for. With more, each has a stack of its own: a
// wait switches to the next processor that can run, and the thread itself waits only when none can.
//
// Who can run is known without any shared state: a processor that waits for one of the same thread
// becomes ready when that one moves its word; the words of those that wait for processors of other
// threads are looked at when nothing is ready, and once in kLookAround switches, or in as many as
// there are such words. So messages within a thread never touch a read-modify-write or a fence, and
// messages between threads cost what they cost without stacks. Who may go on by any of several
// words waits in both ways.
//
// A processor that waits for an instant of real time stands in a heap of its own; it is no part of
// any deadlock, since nobody has to do anything for it to go on.
//
// Who waits at the thread's gate for the others to come to the barrier (runtime/gate.h) waits for
// all of them; the watch over deadlocks is told of one that is still missing. The same holds for a
// wait for all of a thread in a call of runtime/slots.h (MailboxProcessor::narrowed).
//
// Who may call: run: the thread. wait, moved, give_way, rest, has_posted, open_gate: the processor
// that is running on it. parker, alone, number, first, last: anyone; of the gate and the slots,
// what these say. Cost: a switch within the thread takes some nanoseconds, whatever the number of
// processors.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "runtime/deadlock.h"
#include "runtime/gate.h"
#include "runtime/parker.h"
#include "runtime/put_in.h"
#include "runtime/slots.h"
#include "runtime/stack_overflow.h"
#include "runtime/stack_switch.h"
#include "runtime/stacks.h"
#include "runtime/wait.h"

namespace postroom {

class MailboxProcessor;
class Switchboard;

/// A processor and where it stands on its carrier.
struct Carried {
  enum class State { kReady, kRunning, kWaiting, kSleeping, kEnded };

  MailboxProcessor* processor = nullptr;
  State state = State::kEnded;
  bool across = false;  ///< listed as waiting for processors of other threads, or has been
  bool told = false;    ///< that its word was moved, by moved() for all
  BlockedCall call{};   ///< while waiting
  StackContext context;
};

struct CarrierOptions {
  int threads;  ///< of the machine
  std::size_t stack_bytes;
  bool always_stacks;  ///< also where a thread carries one processor only
  bool guarded_stacks;
  /// Draws who of those that are ready runs next, and who gives way after a message, anew in each
  /// run; 0: first come, first served.
  std::uint64_t schedule_seed;
};

class Carrier {
 public:
  using Run = std::function<void(MailboxProcessor&)>;

  /// Thread `number`; carries `processors`, at least one, of consecutive numbers.
  Carrier(Switchboard& board, int number, std::span<MailboxProcessor* const> processors,
          const CarrierOptions& options);

  int number() const noexcept { return number_; }
  /// The number of the first processor.
  int first() const noexcept { return first_; }
  /// The number after that of the last one.
  int last() const noexcept { return last_; }
  /// Whether it carries one processor only.
  bool alone() const noexcept { return carried_.size() == 1; }
  Parker<>& parker() noexcept { return parker_; }
  Gate<>& gate() noexcept { return gate_; }
  Slots<>& slots() noexcept { return slots_; }
  PutIn<>& put_in() noexcept { return put_in_; }
  /// How often a wait of its only processor may look before it calls wait(); 0: there is more to
  /// do.
  int quick_looks() const noexcept;

  /// Calls `run` for each processor, on its stack; returns when all have returned. `run` does not
  /// throw.
  void run(const Run& run);

  /// Waits until the call's word is reached (true) or the machine stops (false).
  bool wait(Carried& self, const BlockedCall& call);
  /// Waits until `instant_ns` of steady_now_ns() (true) or until the machine stops (false).
  bool wait_for_instant(Carried& self, std::int64_t instant_ns);
  /// A word that `other`, of this same carrier, may be waiting for has been moved. True: it waited
  /// for that, and can go on.
  bool moved(Carried& other, const std::atomic<std::uint32_t>& word) {
    const Awaited& awaited = other.call.awaited;
    const bool goes_on = other.state == Carried::State::kWaiting &&
                         (awaited.word == &word || awaited.or_any != nullptr) && awaited.reached();
    if (goes_on) make_ready(other);
    return goes_on;
  }
  /// The same for all of this carrier; how many can go on because of `word`, not because of what
  /// else they wait for, which are told so. None of them waits for `word` as one of another thread.
  int moved(const std::atomic<std::uint32_t>& word) {
    int told = 0;
    for (Carried& carried : carried_) {
      const Awaited& awaited = carried.call.awaited;
      if (!moved(carried, word) || awaited.word != &word || !awaited.word_reached()) continue;
      carried.told = true;
      ++told;
    }
    return told;
  }
  /// Opens the gate: all who wait there can go on.
  void open_gate();
  /// Lets the others that are ready go first.
  void give_way(Carried& self);
  /// After a message to one of this carrier: with a seed, gives way in one of two cases, so that
  /// the others also run between two messages.
  void has_posted(Carried& self) {
    if (draws_) [[unlikely]]
      draw_to_give_way(self);
  }
  /// give_way for a processor that has long looked in vain for `awaited`, and for something else
  /// besides, of which nobody tells it. Where all that are ready on this thread rest so, and each
  /// has looked since the last sleep, the thread sleeps first, until `awaited` is moved, or for
  /// kRest.
  void rest(Carried& self, const Awaited& awaited);

 private:
  static constexpr std::size_t kLookAround = 64;
  static constexpr std::chrono::milliseconds kRest{20};

  bool carries(int processor) const noexcept { return processor >= first_ && processor < last_; }
  bool waits_at_gate(const Carried& carried) const noexcept {
    return carried.state == Carried::State::kWaiting &&
           carried.call.awaited.word == &gate_.opened();
  }
  int missing_at_gate() const noexcept;

  bool wait_alone(const BlockedCall& call);
  bool wait_alone_for_instant(std::int64_t instant_ns);

  void make_ready(Carried& carried);
  Carried& pop_ready();
  void draw_to_give_way(Carried& self);
  /// `across`: at the words of other threads, too.
  void look_around(bool across);
  void look_across();
  void forget_across();
  void look_at_sleepers();
  void make_all_ready();
  /// The processor to run next; waits until there is one.
  Carried& next();
  void wait_for_across();
  void leave(StackContext& from);
  /// Where `self` goes on after others.
  void leave(Carried& self);
  void check_stack_of(const Carried& self) const noexcept;
  StackOwner owner_of(int stack) const noexcept;

  // What others look at, on a line of its own, since both that follow have theirs.
  Switchboard& board_;
  int number_;
  int first_;
  int last_;
  Parker<> parker_;
  Gate<> gate_;
  Slots<> slots_;
  PutIn<> put_in_;
  std::vector<Carried> carried_;
  std::unique_ptr<Stacks> stacks_;
  StackContext thread_;

  // A queue; each processor is in it at most once.
  std::vector<Carried*> ready_;
  std::size_t ready_head_ = 0;
  std::size_t ready_count_ = 0;
  std::size_t resting_ = 0;  // how many are in rest(), where they are ready
  std::size_t rests_ = 0;    // of theirs since the thread slept last
  // Waiting for processors of other threads, or for those and one of this one, who may have moved
  // its word since.
  std::vector<Carried*> across_;
  // Who waits when the thread sleeps. With room for all from the beginning, as the above: where
  // nobody can run, nobody could be told that there is no memory.
  std::vector<std::pair<int, BlockedCall>> waiting_;
  std::vector<int> waiting_ids_;
  struct Sleeper {
    std::int64_t instant_ns;
    Carried* carried;
    bool operator>(const Sleeper& other) const noexcept { return instant_ns > other.instant_ns; }
  };
  std::priority_queue<Sleeper, std::vector<Sleeper>, std::greater<>> sleepers_;
  const Run* run_ = nullptr;  // while it runs
  std::size_t ended_ = 0;
  std::size_t switches_ = 0;
  std::size_t looked_across_ = 0;  // after so many switches
  const bool draws_;
  const std::uint64_t seed_;
  std::mt19937_64 draw_;  // from `seed_` at the start of each run
};

}  // namespace postroom
