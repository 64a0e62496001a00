// What a MailboxProcessor has started and not waited for: loans, of which a large message is one,
// and receives.
#include <cstring>
#include <exception>
#include <thread>
#include <vector>

#include "numa/cpu_model.h"
#include "numa/once.h"
#include "runtime/copy.h"
#include "runtime/errors.h"
#include "runtime/mailbox_processor.h"

namespace postroom {
namespace {

// When and how who waits for a loan copies with the one who has borrowed.
struct Together {
  std::size_t bytes;  // from this size on
  std::size_t least_part;
};
// With two parts, as times as long as the receiver alone takes (Zen 5): 32 KiB 0.85 to 1.0, but 1.1
// where the cores share no third cache; 48 KiB 0.75 to 0.9; 64 KiB 0.75 to 0.85, there 0.87 to
// 0.95. Where the sender receives as much at the same time, 64 KiB take 1.05. Smaller parts: with
// cores that share no third cache, 128 KiB in 16 parts took 1.35 times as long as in two, and 64
// KiB in eight 1.3 times as long as in two; on near cores 64 KiB in four 1.2 times, 128 KiB in four
// 1.1 times.
constexpr Together kTogether{48 * 1024, 64 * 1024};
// On a Granite Rapids 16 KiB take 0.96 to 1.0 and, where both receive, 1.16; 32 KiB 0.73 to 0.80
// and 0.98. Parts of 20 KiB, as times as long as with halves: 48 to 128 KiB 0.9 to 1.05, a scatter,
// whose root comes late because it copies a block of its own before, 0.7 to 0.9 (parts of 16, 24
// and 28 KiB: 1.0 to 1.05 and 0.75, 0.85 to 1.1 and 0.75 to 1.0, 0.9 to 1.05 and 0.77 to 1.0).
// Gathers of 64, 128 and 256 KiB, whose root is the lender and late, too, took 0.70, 0.54 and 0.81
// times as long as without its help.
constexpr Together kTogetherOnIntel{32 * 1024, 20 * 1024};
const Together& how_together() noexcept {
  static constinit FoundOnce<bool> intel;
  return intel.get(is_intel) ? kTogetherOnIntel : kTogether;
}
// How often the borrower then looks whether the lender is through before it gives way.
constexpr int kLooks = 10'000;
// How long an unwound lender gives way before it sleeps: unwinding is over much sooner, but for a
// borrower that computes.
constexpr std::int64_t kGivesWayNs = 10'000'000;

// A ticket is an index and, in its lowest bit, what it is an index of.
constexpr std::uint64_t kReceiveBit = 1;
std::uint64_t loan_ticket(std::uint32_t index) { return std::uint64_t{index} << 1; }
std::uint64_t receive_ticket(std::uint32_t index) {
  return std::uint64_t{index} << 1 | kReceiveBit;
}
bool is_receive(std::uint64_t ticket) { return (ticket & kReceiveBit) != 0; }
std::uint32_t index_of(std::uint64_t ticket) { return static_cast<std::uint32_t>(ticket >> 1); }

/// So that it can have so many without an allocation.
template <class T>
void make_room(std::vector<T>& list, std::size_t all) {
  if (list.capacity() < all) list.reserve(2 * all);
}

}  // namespace

// --- Loans.

Pending MailboxProcessor::post_loan(Outbox& out, ConstBytes data, Pending::List* all,
                                    const char* call, Where where, Bytes place) {
  // Before anything is taken: the clock may refuse.
  const Stamp stamped = stamp(out.target, data.size() + place.size(), where);
  if (free_loans_.empty()) {
    const auto index = static_cast<std::uint32_t>(loans_.size());
    make_room(free_loans_, loans_.size() + 1);
    loans_.push_back(std::make_unique<Loan>());
    loans_.back()->index = index;
    free_loans_.push_back(index);
  }
  Loan& loan = *loans_[free_loans_.back()];
  loan.use += 2;
  loan.out = &out;
  const std::atomic<std::uint32_t>& word = out.mailbox->post_reference(
      {data.data(), data.size(), &loan, loan.use, place.data()}, stamped);
  free_loans_.pop_back();  // only now: a larger ring may not have been had
  loan.posted = out.mailbox->posted();
  ++balance_;
  notify_of_message(*out.receiver, word);
  return Pending(*this, all, loan_ticket(loan.index), call, where);
}

// See the class comment, "A loan and an exception".
void MailboxProcessor::withdraw(const Loan& loan) noexcept {
  struct Lent {
    MailboxProcessor& self;
    const Loan& loan;
    const std::int64_t start = steady_now_ns();

    Awaited end() const noexcept { return {&loan.returned, loan.use}; }
    bool returned() const noexcept { return end().reached(); }
    bool taken() const noexcept { return loan.out->mailbox->has_taken(loan.posted); }
    void give_all_back() const noexcept { Borrowed::give_all_back(self.borrowed_); }
    void rest() const noexcept {
      if (steady_now_ns() - start < kGivesWayNs) {
        self.carrier_->give_way(*self.carried_);
        std::this_thread::yield();
      } else {  // the borrower computes, and will be at it for longer
        self.carrier_->rest(*self.carried_, end());
      }
    }
  };
  const auto of = [this](int i) -> const Presence<>& { return board_.processor(i).presence_; };
  presence_.withdraw(id(), loan.out->target, count(), of, Lent{*this, loan});
}

void MailboxProcessor::end_loan(void* loan, std::uint32_t use, MailboxProcessor& lender) noexcept {
  move(static_cast<Loan*>(loan)->returned, use, lender);
}

void MailboxProcessor::await_return(Loan& loan, const char* call, Where where) {
  const int borrower = loan.out->target;
  wait({&loan.returned, loan.use - 1}, call, borrower, where);
  const Awaited back{&loan.returned, loan.use};
  if (!back.reached()) {
    loan.copy.help();
    wait(back, call, borrower, where);
  }
  // A borrower that an exception has unwound has stopped the machine before it gave back.
  if (board_.stopped()) [[unlikely]] {
    throw_stopped();
  }
}

void MailboxProcessor::copy_message(const Mailbox<>::Message& message, Bytes data,
                                    MailboxProcessor& lender) noexcept {
  copy_lent(message.loan, message.use, data.data(), message.payload, data.size(), Into::kBorrower,
            lender);
  end_loan(message.loan, message.use, lender);
}

void MailboxProcessor::fill_loan(const Borrowed& borrowed, ConstBytes from,
                                 std::size_t whole) noexcept {
  auto* const to = const_cast<std::byte*>(borrowed.remote_);  // so says the lender
  if (to == from.data()) return;
  copy_lent(borrowed.loan_, borrowed.use_, to, from, whole, Into::kLender,
            board_.processor(borrowed.lender_));
}

void MailboxProcessor::copy_lent(void* loan, std::uint32_t use, std::byte* to, ConstBytes from,
                                 std::size_t whole, Into into,
                                 const MailboxProcessor& lender) noexcept {
  // Who has lent a place has things of its own to do, and is not woken for this where threads
  // share cores.
  const bool lender_may_come = into == Into::kBorrower || board_.policy().spins > 0;
  if (from.size() < how_together().bytes || shares_thread(lender) || !lender_may_come) {
    return copy_alone(to, from.data(), from.size(), whole, into == Into::kBorrower);
  }
  Loan& lent = *static_cast<Loan*>(loan);
  lent.copy.open(to, from.data(), from.size(), whole, into, how_together().least_part);
  move(lent.returned, use - 1, lender);
  const std::uint32_t own = lent.copy.copy_parts();
  // Whatever happens to the machine: the lender is about to finish the last part.
  for (int looks = 0; !lent.copy.complete(own); ++looks) {
    looks < kLooks ? pause() : std::this_thread::yield();
  }
}

void MailboxProcessor::return_loan(Borrowed& borrowed) noexcept {
  end_loan(borrowed.loan_, borrowed.use_, board_.processor(borrowed.lender_));
}

// --- Receives.

Pending MailboxProcessor::start_receive_bytes(int source, Bytes data, Where where) {
  check("start_receive", "source", source, where);
  if (free_receives_.empty()) {
    make_room(free_receives_, receives_.size() + 1);
    receives_.emplace_back();
    free_receives_.push_back(static_cast<std::uint32_t>(receives_.size() - 1));
  }
  const std::uint32_t index = free_receives_.back();
  Inbox& in = inbox(source);
  receives_[index] = {data, where, &in};
  if (in.started.empty()) {
    make_room(started_at_, started_at_.size() + 1);
    make_room(may_come_, started_at_.size() + 1);  // a wait allocates nothing
  }
  in.started.push_back(index);
  if (in.started.size() == 1) {
    in.place = started_at_.size();
    started_at_.push_back(&in);  // there is room
  }
  free_receives_.pop_back();  // only now: there may have been no memory
  return Pending(*this, &pending_, receive_ticket(index), "wait of start_receive", where);
}

// --- Both.

void MailboxProcessor::finish(std::uint64_t ticket, const char* call, Where where) {
  const std::uint32_t index = index_of(ticket);
  if (!is_receive(ticket)) {
    await_return(*loans_[index], call, where);
    free_loans_.push_back(index);
    return;
  }
  while (!receives_[index].done) fill_next_started(*receives_[index].in);
  if (receives_[index].there != kUntimed) go_on_at(receives_[index].there);
  free_receives_.push_back(index);
}

bool MailboxProcessor::finished(std::uint64_t ticket) {
  if (is_finished(ticket)) return true;
  take_started_that_came({nullptr, 0});  // as a wait does
  if (++looks_in_vain_ % kLooksInVain != 0) return false;
  if (board_.stopped()) {
    throw_stopped();
  }
  // To other processors of this thread; to other threads where they are more than the cores.
  if (!carrier_->alone() || board_.policy().spins == 0) carrier_->give_way(*carried_);
  return is_finished(ticket);
}

bool MailboxProcessor::is_finished(std::uint64_t ticket) {
  if (!is_receive(ticket)) return awaited_by(ticket).reached();
  StartedReceive& receive = receives_[index_of(ticket)];
  if (!is_filled(receive) || receive.there == kUntimed) return receive.done;
  const std::int64_t instant_ns = board_.clock()->advance(id(), receive.there);
  return instant_ns == 0 || steady_now_ns() >= instant_ns;
}

bool MailboxProcessor::is_filled(StartedReceive& receive) {
  Inbox& in = *receive.in;
  while (!receive.done && takes_part() && (in.taken > 0 || in.mailbox->try_front())) {
    fill_next_started(in);
  }
  return receive.done;
}

std::size_t MailboxProcessor::finish_any(std::span<const std::uint64_t> tickets, Where where) {
  for (;;) {
    check_takes_part();
    may_wait();
    take_started_that_came({nullptr, 0});
    if (const std::optional<std::size_t> first = first_done(tickets)) {
      finish(tickets[*first], "wait_any", where);
      return *first;
    }
    wait_for_any(tickets, where);
  }
}

/// Where a clock is kept, the one that is there first of those that have come.
std::optional<std::size_t> MailboxProcessor::first_done(std::span<const std::uint64_t> tickets) {
  std::optional<std::size_t> first;
  Time first_there = 0;
  ++looks_at_;  // each comes first now and then
  for (std::size_t k = 0; k < tickets.size(); ++k) {
    const std::size_t i = (looks_at_ + k) % tickets.size();
    Time there = kUntimed;
    if (is_receive(tickets[i])) {
      StartedReceive& receive = receives_[index_of(tickets[i])];
      if (!is_filled(receive)) continue;
      there = receive.there;
    } else if (!awaited_by(tickets[i]).reached()) {
      continue;
    }
    if (there == kUntimed) return i;
    if (first && first_there <= there) continue;
    first = i;
    first_there = there;
  }
  return first;
}

// As in wait_and_take, what comes for other receives that were started ends the wait, too.
void MailboxProcessor::wait_for_any(std::span<const std::uint64_t> tickets, Where where) {
  make_room(may_come_, started_at_.size() + tickets.size());
  or_peers_.clear();
  Awaited any = awaited_by(tickets.front());
  list_started(any);
  for (const std::uint64_t ticket : tickets.subspan(1)) {
    if (!is_receive(ticket)) may_come_.push_back(awaited_by(ticket));
    or_peers_.push_back(peer_of(ticket));
  }
  any.or_any = &may_come_;
  const char* const call = operation_ != nullptr ? operation_ : "wait_any";
  if (carrier_->wait(*carried_, {call, peer_of(tickets.front()), any, where, or_peers_})) return;
  throw_stopped();
}

/// Of a receive that is not filled: the next message of its source.
Awaited MailboxProcessor::awaited_by(std::uint64_t ticket) const noexcept {
  const std::uint32_t index = index_of(ticket);
  if (is_receive(ticket)) return next_at(*receives_[index].in);
  return {&loans_[index]->returned, loans_[index]->use};
}

int MailboxProcessor::peer_of(std::uint64_t ticket) const noexcept {
  const std::uint32_t index = index_of(ticket);
  return is_receive(ticket) ? receives_[index].in->source : loans_[index]->out->target;
}

void MailboxProcessor::abandon(std::uint64_t ticket, bool unwinding, const char* call,
                               Where where) noexcept {
  if (!unwinding) {
    try {
      finish(ticket, call, where);
      return;
    } catch (const Stopped&) {
    } catch (...) {
      board_.fail({id(), std::current_exception()});
    }
  }
  const std::uint32_t index = index_of(ticket);
  // Done already: nothing is left behind. A receive's buffer is going away, so nothing may be
  // received any more.
  if (is_receive(ticket) ? receives_[index].done : is_finished(ticket)) {
    (is_receive(ticket) ? free_receives_ : free_loans_).push_back(index);
    return;
  }
  board_.fail({id(), unfinished_cause(call, where)}, /*provisional=*/true);
  leave();
  if (!is_receive(ticket)) withdraw(*loans_[index]);
}

}  // namespace postroom
