// What the processors of one machine share: the mailboxes between them, the clock, the watch over
// deadlocks and the news that the machine stops.
//
// Who may call: any processor's thread; clear() and the reading of the failure only between runs.
// Cost: mailbox() takes a lock and is called once for each pair and side; everything in the way of
// a message is a plain read.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/channel.h"
#include "runtime/clock.h"
#include "runtime/deadlock.h"
#include "runtime/failure.h"
#include "runtime/mailbox.h"
#include "runtime/mailbox_room.h"
#include "runtime/parker.h"
#include "runtime/pool.h"
#include "runtime/wait.h"

namespace postroom {

class Carrier;
class MailboxProcessor;
struct BoxTree;

class Switchboard {
 public:
  /// `clock` may be null: real time, and messages carry no stamps.
  Switchboard(int processors, WaitPolicy policy, Clock* clock, bool trace);
  ~Switchboard();

  int count() const noexcept { return static_cast<int>(processors_.size()); }
  const WaitPolicy& policy() const noexcept { return policy_; }
  Clock* clock() const noexcept { return clock_; }
  bool traces() const noexcept { return trace_; }
  DeadlockWatch& watch() noexcept { return watch_; }
  /// Of the threads.
  Sleepers<>& sleepers() noexcept { return sleepers_; }
  /// Enters a thread's waiting processors into the watch. False: there is a deadlock, the machine
  /// stops, and they are not entered.
  bool may_sleep(std::span<const std::pair<int, BlockedCall>> waiting) noexcept;

  /// As Processor::box().
  const BoxTree* box() const noexcept { return box_; }

  /// The box, the processors and their threads are announced here before the first run.
  void set_box(const BoxTree* box) noexcept { box_ = box; }
  void set_processor(int id, MailboxProcessor* processor) { processors_[id] = processor; }
  /// Each thread has a core of its own: what one of them writes is in another cache than that of
  /// who reads it.
  void set_cores_apart() noexcept { cores_apart_ = true; }
  /// Where the mailboxes of a receiver lie; else where it is free.
  void set_memory(int receiver, std::pmr::memory_resource* memory) { memories_[receiver] = memory; }
  void add_carrier(Carrier* carrier) { carriers_.push_back(carrier); }
  MailboxProcessor& processor(int id) const noexcept { return *processors_[id]; }
  /// Where a processor puts in its lists for a meeting, Processor::together; two by turns, as in
  /// runtime/put_in.h.
  Pool::Place& place(int id, std::uint32_t epoch) noexcept { return places_[epoch % 2][id]; }
  std::span<const Pool::Place> places(std::uint32_t epoch) const noexcept {
    return places_[epoch % 2];
  }
  int threads() const noexcept { return static_cast<int>(carriers_.size()); }
  Carrier& carrier(int thread) const noexcept { return *carriers_[thread]; }

  /// The mailbox of a pair in that channel; made when first asked for, by either side, which throws
  /// where memory ends (runtime/mailbox_room.h).
  Mailbox<>& mailbox(int source, int target, Channel channel);

  bool stopped() const noexcept {
    return stop_.load(std::memory_order_seq_cst);  // (1) pairs with the store (1) in fail()
  }
  /// Stops the machine; see FirstFailure.
  void fail(Failure failure, bool provisional = false) noexcept;
  const std::optional<Failure>& failure() const noexcept { return failure_.get(); }

  /// The pairs with messages that were never received, in words; empty when there are none.
  std::string unreceived();
  /// Forgets messages and failures, so that the next run starts afresh.
  void clear();

 private:
  /// Rings of 4 KiB for each pair that talks, as long as that is little.
  static constexpr int kMostRoomy = 64;
  static constexpr std::uint32_t kRoomyCells = 64;

  /// Whether each processor has a thread of its own.
  bool all_alone() const noexcept { return threads() == count(); }
  std::uint32_t first_cells() const noexcept;
  Mailbox<>::LineEnds line_ends(int source, int target, Channel channel);

  struct Shelf {
    std::mutex mutex;
    // By channel_key: the mailboxes by source, the lines with those of lower numbers.
    std::unordered_map<std::uint64_t, std::unique_ptr<Mailbox<>>> mailboxes;
    std::unordered_map<std::uint64_t, std::unique_ptr<DuplexLine<>>> lines;
  };

  WaitPolicy policy_;
  Clock* clock_;
  bool trace_;
  const BoxTree* box_ = nullptr;
  std::vector<MailboxProcessor*> processors_;
  std::vector<std::pmr::memory_resource*> memories_;  // by receiver
  bool cores_apart_ = false;
  std::vector<Carrier*> carriers_;
  std::array<std::vector<Pool::Place>, 2> places_;  // by processor
  std::vector<Shelf> shelves_;                      // by target
  MailboxRoom room_;
  DeadlockWatch watch_;
  Sleepers<> sleepers_;
  std::atomic<bool> stop_{false};
  std::mutex failure_mutex_;
  FirstFailure failure_;
};

}  // namespace postroom
