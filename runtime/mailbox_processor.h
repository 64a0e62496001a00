// A processor whose messages go through mailboxes in shared memory.
//
// A message of some lines is copied into the mailbox (Mailbox::kNoteBytes; more than 48 bytes only
// to the first peers that a processor has, for the sake of memory). A larger one is a loan: the
// mailbox carries where it lies, the receiver copies it (or reads it in place, when it borrows) and
// says on the loan's own word that it is through. So send is lend plus a wait, and receive is
// borrow plus a copy. Who waits for the return of much that is copied, or filled, makes the copy
// together with the other one (runtime/shared_copy.h).
//
// A loan and an exception. When a program is unwound, memory that it lent is about to go. So an
// unfinished loan first stops the machine and then waits until it is certain that nobody reads:
// either the loan was returned, or its receiver has left the run (has_left: it will take no more
// messages) without having taken it. A processor sets has_left before it waits so itself, and an
// unwinding receiver gives back what it borrowed, hence these waits end. Only where processors wait
// so for each other in a circle, each before its program comes to what it borrowed, would they not:
// each tells whom it waits for, and in a circle gives back all that it borrowed.
//
// Fields, their writer and their line: the loan's `returned` is written by the borrower, the rest
// of its line by the lender before it posts; a loan shares its lines with nothing else. `presence_`
// is written by this processor, and by who stops the machine.
// Everything else is private to the processor's own thread, and kept away from the line with the
// pointers that others follow to notify this processor.
//
// Messages and waiting are in mailbox_processor.cc, loans and what else was started in
// mailbox_pending.cc, barriers in mailbox_barrier.cc, working together in mailbox_pool.cc, small
// lists that are handed out and in in mailbox_slots.cc.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "numa/rounding.h"
#include "runtime/call_checks.h"
#include "runtime/carrier.h"
#include "runtime/channel.h"
#include "runtime/errors.h"
#include "runtime/kept_memory.h"
#include "runtime/mailbox.h"
#include "runtime/meeting.h"
#include "runtime/peer_table.h"
#include "runtime/presence.h"
#include "runtime/processor.h"
#include "runtime/shared_copy.h"
#include "runtime/slots.h"
#include "runtime/switchboard.h"
#include "runtime/trace.h"

namespace postroom {

class MailboxProcessor final : public Processor {
 public:
  MailboxProcessor(int id, Switchboard& board);
  ~MailboxProcessor() override;

  // --- The machine's side.

  /// Before any processor starts a run: has_left() of the last one no longer counts.
  void prepare_run() noexcept {
    presence_.enter();
    calls_left_ = kCallsInARow;
    round_ = 0;
    looks_in_vain_ = 0;
    looks_at_ = 0;
    operation_ = nullptr;
    set_hand_limits(limits_of_slots());
    set_flat(shares_memory() && box() == nullptr);
  }
  /// The machine stops. Any thread.
  void stop() noexcept { presence_.stop(); }
  /// Runs `program` on the calling thread; whatever it throws goes to the switchboard.
  template <class Program>
  void run(const Program& program) noexcept;
  /// Forgets everything that a failed run left behind. Between runs only.
  void clear();

  /// The thread that carries this processor, and its place there. Once, before the first run.
  void carried_by(Carrier& carrier, Carried& carried) noexcept {
    carrier_ = &carrier;
    carried_ = &carried;
    quick_looks_ = carrier.quick_looks();
  }
  /// Tells apart who have made different calls of hand_out and hand_in, over all runs.
  std::uint64_t history() const noexcept { return member_.history(); }
  /// A wait for all of a thread as one for a processor of it that has not come yet, so that the
  /// watch over deadlocks knows whom to look at; any other wait as it is. Looks from processor
  /// `from` on first.
  BlockedCall narrowed(BlockedCall call, int from) const noexcept;
  /// Messages posted less messages taken, over all runs; the sum over all processors is what is
  /// under way.
  std::int64_t balance() const noexcept { return balance_; }
  std::vector<Trace::Message> take_trace() noexcept { return std::exchange(trace_, {}); }
  std::vector<Trace::Delivery> take_deliveries() noexcept { return std::exchange(deliveries_, {}); }

  // --- Processor.

  void send_bytes(int target, ConstBytes data, Where where) override;
  void receive_bytes(int source, Bytes data, Where where) override;
  Pending start_send_bytes(int target, ConstBytes data, Where where) override;
  Pending start_receive_bytes(int source, Bytes data, Where where) override;
  void exchange_bytes(std::span<const Outgoing> out, std::span<const Incoming> in,
                      Where where) override;
  Pending lend_bytes(int borrower, ConstBytes data, Where where) override;
  Pending lend_both_bytes(int borrower, ConstBytes data, Bytes place, Where where) override;
  Borrowed borrow_bytes(int lender, Where where) override;
  void read_bytes(int source, std::size_t bytes, Reader reader, Where where) override;
  void sit_out(std::int64_t rounds) override { round_ += static_cast<std::uint32_t>(rounds); }
  void barrier(Where where) override;
  void barrier_off_record(Where where) override;
  void barrier_among(std::span<const int> members, int me, Where where) override;
  bool takes_turns() const noexcept override;
  void hand_out(const RootedCall& call, ConstBytes all, std::size_t all_bytes, std::size_t begin,
                Bytes mine, Where where) override;
  void hand_in(const RootedCall& call, ConstBytes mine, Bytes all, Fold fold, Where where) override;
  void yield() override;
  Time now() const override;
  bool shares_memory() const noexcept override {
    return board_.clock() == nullptr || !board_.clock()->is_model();
  }
  const PostalParameters* model() const noexcept override {
    return board_.clock() == nullptr ? nullptr : board_.clock()->model();
  }
  const BoxTree* box() const override { return board_.box(); }
  void stop_unwound(Where where) noexcept override;
  KeptMemory* kept_memory() noexcept override { return &kept_; }
  void compute(const Rational& units, Where where) override;

 private:
  /// So many calls may find at once what they would wait for.
  static constexpr unsigned kCallsInARow = 256;
  /// Before all times, where nobody keeps time.
  static constexpr Time kUntimed = std::numeric_limits<Time>::min();

  struct Outbox {
    int target;
    Mailbox<>* mailbox = nullptr;  // until it is opened
    MailboxProcessor* receiver;
    bool takes_notes;
  };
  using Into = SharedCopy<>::Into;
  struct alignas(kNoSharing) Loan {
    // Written by the borrower: `use` when this use is over, use - 1 while its copy is open to both.
    std::atomic<std::uint32_t> returned{0};
    std::uint32_t use = 0;  // even
    Outbox* out = nullptr;
    std::uint64_t posted = 0;  // the receiver has taken it when it has taken so many
    std::uint32_t index = 0;
    alignas(kCacheLine) SharedCopy<> copy;  // of a large message
  };
  static_assert(sizeof(Loan) == 2 * kNoSharing,
                "a line for a small message, two for a shared copy");
  struct Inbox;
  struct StartedReceive {
    Bytes data;
    Where where;
    Inbox* in = nullptr;
    Stamp stamp{};      // of the message, once it is taken
    bool done = false;  // the data is in place, and the program has come to it
    Time there = 0;     // when the program may have it
  };
  struct Inbox {
    int source;
    Channel channel;
    Mailbox<>* mailbox = nullptr;  // until it is opened
    MailboxProcessor* sender;
    // Receives in the order in which they will be filled; those before `filled` are.
    std::vector<std::uint32_t> started;
    std::size_t filled = 0;
    std::size_t taken = 0;  // behind these, the data of so many is in place
    std::size_t place = 0;  // in started_at_, where there are any
  };

  void check(const char* call, const char* role, int peer, Where where) {
    check_peer(call, role, peer, count(), where);
    check_takes_part();
  }
  /// Where a call may wait. Whose messages are always there never does: now and then the others of
  /// its thread get their turns all the same.
  void may_wait() {
    if (--calls_left_ == 0) [[unlikely]] {
      let_others_run();
    }
  }
  /// Who has left the run, or is to, takes part in it no more. Who never waits sees here that the
  /// machine stops.
  void check_takes_part() {
    if (!takes_part()) [[unlikely]] {
      throw_stopped();
    }
  }
  bool takes_part() const noexcept { return presence_.takes_part(); }
  [[noreturn]] void throw_stopped();
  void let_others_run();
  bool shares_thread(const MailboxProcessor& other) const noexcept {
    return other.carrier_ == carrier_;
  }
  /// `other` may be waiting for `word`, which this processor has just moved.
  void notify(const MailboxProcessor& other,
              const std::atomic<std::uint32_t>& word) const noexcept {
    if (shares_thread(other)) {
      carrier_->moved(*other.carried_, word);
    } else {
      other.carrier_->parker().wake();
    }
  }
  /// The same for a message that it has just posted to `receiver`.
  void notify_of_message(const MailboxProcessor& receiver,
                         const std::atomic<std::uint32_t>& word) const noexcept {
    if (shares_thread(receiver)) {
      carrier_->moved(*receiver.carried_, word);
      carrier_->has_posted(*carried_);
    } else {
      receiver.carrier_->parker().wake();
    }
  }
  /// Moves `word`, which belongs to `other`, to `value`, and lets it know.
  void move(std::atomic<std::uint32_t>& word, std::uint32_t value,
            const MailboxProcessor& other) const noexcept {
    // (2) What this processor did before is seen by who finds the word moved, wait.h (1). The news
    // of Parker::wake.
    word.store(value, std::memory_order_release);  // (2)
    notify(other, word);
  }

  Channel channel() const noexcept { return channel_of(operation_); }
  Outbox& outbox(int target) {
    Outbox& out = outboxes_[target][static_cast<std::size_t>(channel())];
    if (out.mailbox == nullptr) [[unlikely]]
      open(out, target);
    return out;
  }
  Inbox& inbox(int source) {
    Inbox& in = inboxes_[source][static_cast<std::size_t>(channel())];
    if (in.mailbox == nullptr) [[unlikely]]
      open(in, source);
    return in;
  }
  void open(Outbox& out, int target);
  void open(Inbox& in, int source);

  bool keeps_record() const noexcept { return keeps_record_; }
  bool barrier_is_free() const { return keeps_record() && board_.clock()->barrier_is_free(); }
  Stamp stamp(int target, std::size_t bytes, Where where) {
    return keeps_record() ? recorded(target, bytes, where) : Stamp{};
  }
  // These for machines that keep a record only.
  Stamp recorded(int target, std::size_t bytes, Where where);
  /// When the message that was taken from `in` is there.
  Time delivered(const Inbox& in, std::size_t bytes, Stamp stamp);
  /// The program goes on at `time`, which delivered() or the clock has said.
  void go_on_at(Time time);

  /// Whether a message travels inside the mailbox.
  static bool is_small(const Outbox& out, std::size_t bytes) noexcept;
  void post_small(Outbox& out, ConstBytes data, Stamp stamp);
  /// `all`: null where the Pending stays within the call.
  Pending post_loan(Outbox& out, ConstBytes data, Pending::List* all, const char* call, Where where,
                    Bytes place = {});
  void withdraw(const Loan& loan) noexcept;

  void await_message(Inbox& in, const char* call, Where where);
  static Awaited next_at(const Inbox& in) noexcept;
  void await_word(const Inbox& in, const char* call, Where where);
  void take(Inbox& in) noexcept;
  Stamp take_next(Inbox& in, Bytes data, const char* call, Where where);
  /// Returns when the message is there, kUntimed where nobody keeps time.
  [[nodiscard]] Time receive_next(Inbox& in, Bytes data, const char* call, Where where);
  void fill_next_started(Inbox& in);
  void take_next_started(Inbox& in);
  void take_started_that_came(const Awaited& but);
  void list_started(const Awaited& but);
  void end_loan(void* loan, std::uint32_t use, MailboxProcessor& lender) noexcept;
  void copy_message(const Mailbox<>::Message& message, Bytes data,
                    MailboxProcessor& lender) noexcept;
  /// In this use of `loan`, whose lender copies as well should it come to wait for the return.
  void copy_lent(void* loan, std::uint32_t use, std::byte* to, ConstBytes from, std::size_t whole,
                 Into into, const MailboxProcessor& lender) noexcept;

  void pass_gate(bool on_record, Where where);
  void meet_threads(const char* call, bool on_record, Where where);
  void lead_work(Pool::Call call, PoolWork work, const void* context, Where where);
  void lead_work_on_copies(Pool::Call call, PoolWork work, const void* context, Where where);
  void work_for_thread(Pool::Call call, PoolWork work, const void* context, Where where);
  [[noreturn]] void throw_disagreement(Pool::Call call, Pool::Call other_call, int other,
                                       Where where) const;
  [[noreturn]] void throw_other_place(Pool::Call call, int other, Where where) const;
  void withdraw_lists(const char* call, Where where) noexcept;

  // --- Slots.

  HandLimits limits_of_slots() const noexcept;
  std::size_t most_carried() const noexcept {
    return static_cast<std::size_t>(ceil_divide(count(), board_.threads()));
  }
  Slots<>::Slot come_to_slot(const RootedCall& call, std::size_t bytes, Where where);
  void turn_page(const RootedCall& call, Where where);
  void leave_slot(const Slots<>::Slot& slot) noexcept;
  void wake_other_threads() const noexcept;
  void await_root(const RootedCall& call, const Slots<>::Slot& slot, MailboxProcessor& root,
                  Where where);
  /// Until `word` reaches `value`, as it does when all of that thread have made so many calls.
  void await_all_of(const Carrier& carrier, std::uint32_t calls,
                    const std::atomic<std::uint32_t>& word, std::uint32_t value,
                    const RootedCall& call, Where where);
  void collect(const RootedCall& call, const Slots<>::Slot& slot, Bytes all, Fold fold,
               Where where);
  void fold_carried(const RootedCall& call, const Slots<>::Slot& slot, Fold fold);
  /// The mark that `other`, or all of its thread, have made must be that of the slot.
  static void check_mark(std::uint64_t mark, const Slots<>::Slot& slot, int other, Where where) {
    if (mark != slot.mark) [[unlikely]] {
      throw_other_mark(mark, slot, other, where);
    }
  }
  [[noreturn]] static void throw_other_mark(std::uint64_t mark, const Slots<>::Slot& slot,
                                            int other, Where where);

  Meeting swap_meetings(int to, int from, const Meeting& mine, Where where);
  void end_meeting(const Meeting& meeting);

  void wait(Awaited awaited, const char* call, int peer, Where where) {
    // What is there, or comes soon, is seen here: behind the loop of the carrier there are returns.
    // The pause: see wait.h.
    for (int looks = quick_looks_; !awaited.reached(); --looks) {
      if (looks <= 0) return wait_long(awaited, call, peer, where);
      pause();
    }
  }
  void wait_long(Awaited awaited, const char* call, int peer, Where where);
  void wait_and_take(const Awaited& awaited, const char* call, int peer, Where where);
  void await_return(Loan& loan, const char* call, Where where);
  /// From here on this processor takes no message in this run.
  void leave() noexcept { presence_.leave(); }
  /// After the program, which an exception has ended or not.
  void end(bool threw) noexcept;

  void work_together(Pool::Call call, const Pool::Lists& own, PoolWork work, const void* context,
                     Where where) override;
  void finish(std::uint64_t ticket, const char* call, Where where) override;
  std::size_t finish_any(std::span<const std::uint64_t> tickets, Where where) override;
  bool finished(std::uint64_t ticket) override;
  bool is_finished(std::uint64_t ticket);
  bool is_filled(StartedReceive& receive);
  std::optional<std::size_t> first_done(std::span<const std::uint64_t> tickets);
  void wait_for_any(std::span<const std::uint64_t> tickets, Where where);
  Awaited awaited_by(std::uint64_t ticket) const noexcept;
  int peer_of(std::uint64_t ticket) const noexcept;
  void abandon(std::uint64_t ticket, bool unwinding, const char* call,
               Where where) noexcept override;
  void fill_loan(const Borrowed& borrowed, ConstBytes from, std::size_t whole) noexcept override;
  void return_loan(Borrowed& borrowed) noexcept override;

  // What others look at with each message and each barrier; hardly ever written.
  Switchboard& board_;
  Carrier* carrier_ = nullptr;
  Carried* carried_ = nullptr;
  Presence<> presence_;

  // What is the owner's alone, on lines of its own: parts of it are written with each message.
  alignas(kNoSharing) PeerTable<std::array<Outbox, kChannels>> outboxes_;
  int noted_ = 0;  // how many of them take notes
  PeerTable<std::array<Inbox, kChannels>> inboxes_;
  std::vector<std::unique_ptr<Loan>> loans_;  // stay where they are
  std::vector<std::uint32_t> free_loans_;
  std::vector<StartedReceive> receives_;
  std::vector<std::uint32_t> free_receives_;
  std::vector<Inbox*> started_at_;  // that have receives which were started
  std::vector<Awaited> may_come_;   // while this processor waits: the next messages there
  // What the program holds, none between runs.
  Pending::List pending_;
  Borrowed::List borrowed_;

  const bool keeps_record_;
  int quick_looks_ = 0;         // how often a wait looks before it asks the carrier
  unsigned looks_in_vain_ = 0;  // of finished()
  std::size_t looks_at_ = 0;    // of first_done()
  std::vector<int> or_peers_;   // of wait_for_any()
  std::int64_t balance_ = 0;
  unsigned calls_left_ = kCallsInARow;
  std::uint32_t round_ = 0;
  bool in_exchange_ = false;
  const char* operation_ = nullptr;
  std::vector<Trace::Message> trace_;
  std::vector<Trace::Delivery> deliveries_;

  struct {
    const Carrier* carrier = nullptr;
    std::uint32_t calls = 0;
  } awaits_all_of_;          // what a wait is for
  int awaited_as_root_ = 0;  // by so many of this thread
  Slots<>::Member member_;
  KeptMemory kept_;
};

template <class Program>
void MailboxProcessor::run(const Program& program) noexcept {
  bool threw = true;
  try {
    program(static_cast<Processor&>(*this));
    threw = false;
  } catch (const Stopped&) {
    // Another processor failed and is the one to report.
  } catch (...) {
    board_.fail({id(), std::current_exception()});
  }
  end(threw);
}

}  // namespace postroom
