#include "runtime/mailbox_processor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <exception>
#include <limits>
#include <stdexcept>
#include <thread>

#include "runtime/copy.h"
#include "runtime/errors.h"

namespace postroom {
namespace {

// A sender that is this many messages ahead of its receiver waits, so that memory stays bounded.
constexpr std::uint32_t kMostUnderWay = 1u << 16;

// From this size on a waiting sender copies with the receiver.
constexpr std::size_t kTogetherBytes = 32 * 1024;
// How often the receiver then looks whether the sender is through before it gives way.
constexpr int kLooks = 10'000;

// Notes go to so many peers, the first ones, because they take memory; trees need no more.
constexpr int kMostNoted = 16;

// A ticket is an index and, in its lowest bit, what it is an index of.
constexpr std::uint64_t kReceiveBit = 1;
std::uint64_t loan_ticket(std::uint32_t index) { return std::uint64_t{index} << 1; }
std::uint64_t receive_ticket(std::uint32_t index) {
  return std::uint64_t{index} << 1 | kReceiveBit;
}
bool is_receive(std::uint64_t ticket) { return (ticket & kReceiveBit) != 0; }
std::uint32_t index_of(std::uint64_t ticket) { return static_cast<std::uint32_t>(ticket >> 1); }

// Before all times, where nobody keeps time.
constexpr Time kUntimed = std::numeric_limits<Time>::min();

int barrier_rounds(int processors) { return std::bit_width(static_cast<unsigned>(processors - 1)); }

}  // namespace

MailboxProcessor::MailboxProcessor(int id, Switchboard& board)
    : Processor(id, board.count()),
      board_(board),
      outboxes_(board.count()),
      inboxes_(board.count()),
      flags_(static_cast<std::size_t>(barrier_rounds(board.count()))) {}

MailboxProcessor::~MailboxProcessor() = default;

void MailboxProcessor::clear() {
  outboxes_.clear();
  noted_ = 0;
  inboxes_.clear();
  loans_.clear();
  free_loans_.clear();
  receives_.clear();
  free_receives_.clear();
  for (Flag& flag : flags_) {
    flag.epoch.store(0, std::memory_order_relaxed);  // between runs, nobody looks
  }
  barriers_ = 0;
  balance_ = 0;
  in_exchange_ = false;
  trace_.clear();
  deliveries_.clear();
}

// --- Arguments and peers.
// ---------------------------------------------------------------------------

void MailboxProcessor::check(const char* call, const char* role, int peer, Where where) const {
  if (peer < 0 || peer >= count()) {
    throw std::invalid_argument(fmt::format("{} {}: {} is not a processor; 0 to {} are ({}:{})",
                                            call, role, peer, count() - 1, where.file_name(),
                                            where.line()));
  }
  // Relaxed: written by this thread only. Who has left the run takes part in it no more.
  if (left_.load(std::memory_order_relaxed)) throw Stopped{};
}

MailboxProcessor::Outbox& MailboxProcessor::outbox(int target) {
  return outboxes_.get(target, [&] {
    MailboxProcessor& receiver = board_.processor(target);
    const bool takes_notes = noted_ < kMostNoted;
    noted_ += takes_notes ? 1 : 0;
    return Outbox{target, &board_.mailbox(id(), target), &receiver, reach(receiver), takes_notes};
  });
}

MailboxProcessor::Inbox& MailboxProcessor::inbox(int source) {
  return inboxes_.get(source, [&] {
    return Inbox{source, &board_.mailbox(source, id()), &board_.processor(source), {}};
  });
}

// --- Time and trace.
// --------------------------------------------------------------------------------

Time MailboxProcessor::now() const {
  return keeps_record() ? board_.clock()->now(id()) : steady_now_ns();
}

Stamp MailboxProcessor::stamp(int target, std::size_t bytes, Where where) {
  if (!keeps_record()) [[likely]] {
    return {};
  }
  if (!in_exchange_) ++round_;
  const Flight flight = board_.clock()->sent(id(), target, bytes);
  if (board_.traces()) {
    trace_.push_back({id(), target, bytes, static_cast<int>(round_), flight.start, flight.arrival,
                      flight.busy, operation_, where});
  }
  return {flight.arrival, round_};
}

Time MailboxProcessor::delivered(const Inbox& in, std::size_t bytes, Stamp stamp) {
  round_ = std::max(round_, stamp.round);
  const Time there = board_.clock()->delivered(in.source, id(), bytes, stamp.arrival);
  if (board_.traces()) deliveries_.push_back({in.source, there});
  return there;
}

void MailboxProcessor::go_on_at(Time time) {
  const std::int64_t instant_ns = board_.clock()->advance(id(), time);
  if (instant_ns == 0 || carrier_->wait_for_instant(*carried_, instant_ns)) return;
  leave();
  throw Stopped{};
}

void MailboxProcessor::compute(const Rational& units, Where where) {
  check("compute", "processor", id(), where);
  if (units < 0) {
    throw std::invalid_argument(fmt::format("compute: {} is not allowed; at least 0 ({}:{})",
                                            to_string(units), where.file_name(), where.line()));
  }
  if (keeps_record()) go_on_at(board_.clock()->computed(id(), units));
}

// --- Waiting.
// ---------------------------------------------------------------------------------------

void MailboxProcessor::wait(Awaited awaited, const char* call, int peer, Where where) {
  if (awaited.reached() || carrier_->wait(*carried_, {call, peer, awaited, where})) return;
  leave();
  throw Stopped{};
}

void MailboxProcessor::move(std::atomic<std::uint32_t>& word, std::uint32_t value,
                            const MailboxProcessor& other) const noexcept {
  if (reach(other) == Reach::kWithin) {
    word.store(
        value,
        std::memory_order_release);  // (2) one thread: the order only keeps the compiler in line
  } else {
    // (2) release: what this processor did before is seen by who finds the word moved, in
    // Awaited::reached (2). seq_cst: the news of Parker::wake.
    word.store(value, std::memory_order_seq_cst);
  }
  notify(other, word);
}

void MailboxProcessor::yield() {
  if (board_.stopped()) {
    leave();
    throw Stopped{};
  }
  carrier_->give_way(*carried_);
}

void MailboxProcessor::leave() noexcept {
  left_.store(true, std::memory_order_release);  // (1) after the last take(); pairs with has_left()
}

void MailboxProcessor::end() noexcept {
  leave();
  if (board_.stopped()) return;
  if (const std::optional<std::string> deadlock = board_.watch().end(id())) {
    board_.fail({-1, std::make_exception_ptr(DeadlockError(*deadlock))});
  }
}

// --- Sending.
// ---------------------------------------------------------------------------------------

bool MailboxProcessor::is_small(const Outbox& out, std::size_t bytes) noexcept {
  return bytes <= Mailbox<>::kInlineBytes || (out.takes_notes && out.mailbox->has_note(bytes));
}

void MailboxProcessor::post_small(Outbox& out, ConstBytes data, Stamp stamp) {
  const std::atomic<std::uint32_t>& word = data.size() <= Mailbox<>::kInlineBytes
                                               ? out.mailbox->post_inline(data, stamp, out.reach)
                                               : out.mailbox->post_note(data, stamp, out.reach);
  ++balance_;
  notify(*out.receiver, word);
}

MailboxProcessor::Loan& MailboxProcessor::post_loan(Outbox& out, ConstBytes data, Where where) {
  if (free_loans_.empty()) {
    const auto index = static_cast<std::uint32_t>(loans_.size());
    loans_.push_back(std::make_unique<Loan>());
    loans_.back()->index = index;
    free_loans_.push_back(index);
  }
  Loan& loan = *loans_[free_loans_.back()];
  free_loans_.pop_back();
  loan.use += 2;
  loan.out = &out;
  const Stamp stamped = stamp(out.target, data.size(), where);
  const std::atomic<std::uint32_t>& word =
      out.mailbox->post_reference({data.data(), data.size(), &loan, loan.use}, stamped, out.reach);
  loan.posted = out.mailbox->posted();
  ++balance_;
  notify(*out.receiver, word);
  return loan;
}

// See the class comment, "A loan and an exception".
void MailboxProcessor::withdraw(const Loan& loan) noexcept {
  const Awaited returned{&loan.returned, loan.use};
  while (!returned.reached()) {
    if (loan.out->receiver->has_left() && !loan.out->mailbox->has_taken(loan.posted)) return;
    carrier_->give_way(*carried_);
    std::this_thread::yield();
  }
}

void MailboxProcessor::send_bytes(int target, ConstBytes data, Where where) {
  check("send", "target", target, where);
  Outbox& out = outbox(target);
  if (is_small(out, data.size())) {
    post_small(out, data, stamp(target, data.size(), where));
    if (out.mailbox->backlog() >= kMostUnderWay) {
      wait({&out.mailbox->credit(), out.mailbox->posted() - kMostUnderWay}, "send", target, where);
    }
    return;
  }
  // The Pending withdraws the loan when the wait is cut short.
  const Loan& loan = post_loan(out, data, where);
  Pending(*this, loan_ticket(loan.index), "send", where).wait();
}

Pending MailboxProcessor::start_send_bytes(int target, ConstBytes data, Where where) {
  check("start_send", "target", target, where);
  Outbox& out = outbox(target);
  if (is_small(out, data.size())) {
    post_small(out, data, stamp(target, data.size(), where));
    return {};
  }
  return Pending(*this, loan_ticket(post_loan(out, data, where).index), "wait of start_send",
                 where);
}

Pending MailboxProcessor::lend_bytes(int borrower, ConstBytes data, Where where) {
  check("lend", "borrower", borrower, where);
  return Pending(*this, loan_ticket(post_loan(outbox(borrower), data, where).index), "wait of lend",
                 where);
}

// --- Receiving.
// -------------------------------------------------------------------------------------

void MailboxProcessor::await_message(Inbox& in, const char* call, Where where) {
  // More than once when the next cell turns out to be a jump to a larger ring.
  while (!in.mailbox->try_front()) {
    wait({&in.mailbox->next_word(), in.mailbox->next_value()}, call, in.source, where);
  }
}

void MailboxProcessor::end_loan(void* loan, std::uint32_t use, MailboxProcessor& lender) noexcept {
  move(static_cast<Loan*>(loan)->returned, use, lender);
}

void MailboxProcessor::await_return(Loan& loan, const char* call, Where where) {
  const int borrower = loan.out->target;
  wait({&loan.returned, loan.use - 1}, call, borrower, where);
  if (Awaited{&loan.returned, loan.use}.reached()) return;
  loan.copy.help();
  wait({&loan.returned, loan.use}, call, borrower, where);
}

void MailboxProcessor::take(Inbox& in) noexcept {
  --balance_;
  if (in.mailbox->take()) notify(*in.sender, in.mailbox->credit());
}

// What stands between a wait and the program is inlined: behind a switch of stacks, the processor's
// guess of where a return goes is wrong each time (5 to 10 ns on an AMD Zen 5).
[[gnu::always_inline]] inline Stamp MailboxProcessor::take_next(Inbox& in, Bytes data,
                                                                const char* call, Where where) {
  await_message(in, call, where);
  const Mailbox<>::Message message = in.mailbox->front();
  const std::size_t bytes = message.by_reference ? message.reference.bytes : message.payload.size();
  if (bytes != data.size()) {
    throw SizeMismatchError(
        fmt::format("{} from processor {}: the message has {} bytes, but the buffer has {} ({}:{})",
                    call, in.source, bytes, data.size(), where.file_name(), where.line()));
  }
  if (!message.by_reference) {
    if (bytes != 0) std::memcpy(data.data(), message.payload.data(), bytes);
    take(in);
    return message.stamp;
  }
  take(in);  // before the memory is read: from here on the lender waits for the return
  copy_message(message.reference, data, *in.sender);
  return message.stamp;
}

void MailboxProcessor::copy_message(const Mailbox<>::Reference& reference, Bytes data,
                                    MailboxProcessor& lender) noexcept {
  if (data.size() >= kTogetherBytes && reach(lender) == Reach::kAcross) {
    Loan& loan = *static_cast<Loan*>(reference.loan);
    loan.copy.open(data.data(), reference.data, data.size());
    move(loan.returned, reference.use - 1, lender);
    const std::uint32_t own = loan.copy.copy_parts();
    // Whatever happens to the machine: the lender is about to finish the last part.
    for (int looks = 0; !loan.copy.complete(own); ++looks) {
      looks < kLooks ? pause() : std::this_thread::yield();
    }
  } else {
    copy_memory(data.data(), reference.data, data.size(), data.size());
  }
  end_loan(reference.loan, reference.use, lender);
}

[[gnu::always_inline]] inline Time MailboxProcessor::receive_next(Inbox& in, Bytes data,
                                                                  const char* call, Where where) {
  const Stamp stamp = take_next(in, data, call, where);
  return keeps_record() ? delivered(in, data.size(), stamp) : kUntimed;
}

void MailboxProcessor::fill_next_started(Inbox& in) {
  StartedReceive& receive = receives_[in.started.front()];
  receive.there = receive_next(in, receive.data, "wait of start_receive", receive.where);
  receive.done = true;
  in.started.erase(in.started.begin());  // rarely more than one
}

void MailboxProcessor::receive_bytes(int source, Bytes data, Where where) {
  check("receive", "source", source, where);
  Inbox& in = inbox(source);
  while (!in.started.empty()) fill_next_started(in);
  const Time there = receive_next(in, data, "receive", where);
  if (there != kUntimed) go_on_at(there);
}

Pending MailboxProcessor::start_receive_bytes(int source, Bytes data, Where where) {
  check("start_receive", "source", source, where);
  if (free_receives_.empty()) {
    free_receives_.push_back(static_cast<std::uint32_t>(receives_.size()));
    receives_.emplace_back();
  }
  const std::uint32_t index = free_receives_.back();
  free_receives_.pop_back();
  Inbox& in = inbox(source);
  receives_[index] = {data, where, &in};
  in.started.push_back(index);
  return Pending(*this, receive_ticket(index), "wait of start_receive", where);
}

Borrowed MailboxProcessor::borrow_bytes(int lender, Where where) {
  check("borrow", "lender", lender, where);
  Inbox& in = inbox(lender);
  while (!in.started.empty()) fill_next_started(in);
  await_message(in, "borrow", where);
  const Mailbox<>::Message message = in.mailbox->front();
  Borrowed borrowed;
  if (message.by_reference) {
    borrowed.remote_ = message.reference.data;
    borrowed.size_ = message.reference.bytes;
    borrowed.borrower_ = this;
    borrowed.loan_ = message.reference.loan;
    borrowed.loan_use_ = message.reference.use;
    borrowed.lender_ = lender;
  } else {
    borrowed.hold(message.payload);
  }
  take(in);
  if (keeps_record()) go_on_at(delivered(in, borrowed.size_, message.stamp));
  return borrowed;
}

void MailboxProcessor::return_loan(Borrowed& borrowed) noexcept {
  end_loan(borrowed.loan_, borrowed.loan_use_, board_.processor(borrowed.lender_));
}

// --- Rounds.
// ----------------------------------------------------------------------------------------

void MailboxProcessor::exchange_bytes(std::span<const Outgoing> out, std::span<const Incoming> in,
                                      Where where) {
  for (const Outgoing& o : out) check("exchange", "target", o.target, where);
  for (const Incoming& i : in) check("exchange", "source", i.source, where);

  // The sends that wait for their receivers; one, nearly always.
  std::array<Pending, 2> few;
  std::vector<Pending> many(out.size() > few.size() ? out.size() : 0);
  const std::span<Pending> sending =
      many.empty() ? std::span<Pending>(few) : std::span<Pending>(many);

  const bool sits_out = out.empty() && in.empty();
  if (!out.empty() || sits_out) ++round_;
  in_exchange_ = true;
  for (std::size_t k = 0; k < out.size(); ++k) {
    Outbox& box = outbox(out[k].target);
    if (is_small(box, out[k].data.size())) {
      post_small(box, out[k].data, stamp(box.target, out[k].data.size(), where));
    } else {
      sending[k] =
          Pending(*this, loan_ticket(post_loan(box, out[k].data, where).index), "exchange", where);
    }
  }
  in_exchange_ = false;
  Time all_there = kUntimed;
  for (const Incoming& i : in) {
    Inbox& box = inbox(i.source);
    while (!box.started.empty()) fill_next_started(box);
    all_there = std::max(all_there, receive_next(box, i.data, "exchange", where));
  }
  if (all_there != kUntimed) go_on_at(all_there);
  for (Pending& pending : sending) pending.wait();
}

// Lets the processor 2^round further know that this one has come to the barrier, and waits for the
// one so much before.
[[gnu::always_inline]] inline void MailboxProcessor::meet(int round, Meeting* meeting,
                                                          Where where) {
  const int distance = 1 << round;
  MailboxProcessor& partner = board_.processor((id() + distance) % count());
  const int from = (id() - distance + count()) % count();
  const auto flag = static_cast<std::size_t>(round);
  const std::size_t turn = barriers_ % 2;
  if (meeting != nullptr) partner.flags_[flag].met[turn] = *meeting;
  move(partner.flags_[flag].epoch, barriers_, partner);
  wait({&flags_[flag].epoch, barriers_}, "barrier", from, where);
  if (meeting != nullptr) *meeting = joined(*meeting, flags_[flag].met[turn]);
}

void MailboxProcessor::barrier(Where where) {
  check("barrier", "processor", id(), where);
  if (keeps_record()) return barrier_on_record(where);
  ++barriers_;
  for (int round = 0; round < static_cast<int>(flags_.size()); ++round) {
    meet(round, nullptr, where);
  }
}

// A barrier that is not free consists of messages like all others.
void MailboxProcessor::barrier_on_record(Where where) {
  if (!barrier_is_free()) {
    for (int distance = 1; distance < count(); distance *= 2) {
      exchange((id() + distance) % count(), ConstBytes(), (id() - distance + count()) % count(),
               Bytes(), where);
    }
    return;
  }
  ++barriers_;
  Meeting meeting{now(), round_};
  for (int round = 0; round < static_cast<int>(flags_.size()); ++round) {
    meet(round, &meeting, where);
  }
  end_meeting(meeting);
}

void MailboxProcessor::barrier_among(std::span<const int> members, int me, Where where) {
  check("barrier", "processor", id(), where);
  const bool free = barrier_is_free();
  Meeting meeting{free ? now() : 0, round_};
  const auto n = static_cast<int>(members.size());
  for (int distance = 1; distance < n; distance *= 2) {
    const int to = members[(me + distance) % n];
    const int from = members[(me + n - distance) % n];
    if (free) {
      meeting = joined(meeting, swap_meetings(to, from, meeting, where));
    } else {
      exchange(to, ConstBytes(), from, Bytes(), where);
    }
  }
  if (free) end_meeting(meeting);
}

// Messages that neither the clock nor the trace sees.
MailboxProcessor::Meeting MailboxProcessor::swap_meetings(int to, int from, const Meeting& mine,
                                                          Where where) {
  check("barrier", "member", to, where);
  check("barrier", "member", from, where);
  post_small(outbox(to), std::as_bytes(std::span(&mine, 1)), {});
  Inbox& in = inbox(from);
  while (!in.started.empty()) fill_next_started(in);
  Meeting theirs;
  (void)take_next(in, std::as_writable_bytes(std::span(&theirs, 1)), "barrier", where);
  return theirs;
}

MailboxProcessor::Meeting MailboxProcessor::joined(const Meeting& a, const Meeting& b) {
  return {std::max(a.latest, b.latest), std::max(a.round, b.round)};
}

void MailboxProcessor::end_meeting(const Meeting& meeting) {
  round_ = meeting.round;
  go_on_at(meeting.latest);
}

// --- What was started.
// ------------------------------------------------------------------------------

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
  const std::uint32_t index = index_of(ticket);
  if (!is_receive(ticket)) return Awaited{&loans_[index]->returned, loans_[index]->use}.reached();
  StartedReceive& receive = receives_[index];
  while (!receive.done && receive.in->mailbox->try_front()) fill_next_started(*receive.in);
  if (!receive.done || receive.there == kUntimed) return receive.done;
  const std::int64_t instant_ns = board_.clock()->advance(id(), receive.there);
  return instant_ns == 0 || steady_now_ns() >= instant_ns;
}

void MailboxProcessor::abandon(std::uint64_t ticket, const char* call, Where where) noexcept {
  const bool unwinding = std::uncaught_exceptions() > 0;
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
  if (is_receive(ticket) ? receives_[index].done : finished(ticket)) return;
  const auto reason =
      std::runtime_error(fmt::format("an exception left a message unfinished: {} at {}:{}", call,
                                     where.file_name(), where.line()));
  board_.fail({id(), std::make_exception_ptr(reason)}, /*provisional=*/true);
  leave();
  if (!is_receive(ticket)) withdraw(*loans_[index]);
}

}  // namespace postroom
