#include "runtime/mailbox_processor.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <stdexcept>

#include "runtime/errors.h"

namespace postroom {
namespace {

// A sender that is this many messages ahead of its receiver waits, so that memory stays bounded.
constexpr std::uint32_t kMostUnderWay = 1u << 16;

// Notes go to so many peers, the first ones, because they take memory; trees need no more.
constexpr int kMostNoted = 16;

}  // namespace

MailboxProcessor::MailboxProcessor(int id, Switchboard& board)
    : Processor(id, board.count(), operation_),
      board_(board),
      outboxes_(board.count()),
      inboxes_(board.count()),
      keeps_record_(board.clock() != nullptr),
      kept_(kKeptBytesOfMachine / static_cast<std::size_t>(board.count())) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"  // it is laid out as any other class
  static_assert(offsetof(MailboxProcessor, outboxes_) == kNoSharing &&
                    offsetof(MailboxProcessor, board_) / kNoSharing ==
                        offsetof(MailboxProcessor, presence_) / kNoSharing,
                "what others look at lies before what the owner writes, and apart from it");
#pragma GCC diagnostic pop
}

MailboxProcessor::~MailboxProcessor() = default;

void MailboxProcessor::clear() {
  outboxes_.clear();
  noted_ = 0;
  inboxes_.clear();
  loans_.clear();
  free_loans_.clear();
  receives_.clear();
  free_receives_.clear();
  started_at_.clear();
  balance_ = 0;
  in_exchange_ = false;
  trace_.clear();
  deliveries_.clear();
  awaits_all_of_ = {};
  awaited_as_root_ = 0;
  member_.clear();
}

// --- Arguments and peers.

void MailboxProcessor::throw_stopped() {
  leave();
  throw Stopped{};
}

void MailboxProcessor::let_others_run() {
  calls_left_ = kCallsInARow;
  if (!carrier_->alone()) carrier_->give_way(*carried_);
}

void MailboxProcessor::open(Outbox& out, int target) {
  Mailbox<>& mailbox = board_.mailbox(id(), target, channel());
  const bool takes_notes = noted_ < kMostNoted;
  noted_ += takes_notes ? 1 : 0;
  out = {target, &mailbox, &board_.processor(target), takes_notes};
}

void MailboxProcessor::open(Inbox& in, int source) {
  Mailbox<>& mailbox = board_.mailbox(source, id(), channel());
  in = {source, channel(), &mailbox, &board_.processor(source), {}};
}

// --- Time and trace.

Time MailboxProcessor::now() const {
  return keeps_record() ? board_.clock()->now(id()) : steady_now_ns();
}

Stamp MailboxProcessor::recorded(int target, std::size_t bytes, Where where) {
  if (!in_exchange_) ++round_;
  const Flight flight = board_.clock()->sent(id(), target, bytes);
  if (board_.traces()) {
    if (round_ >= Mailbox<>::kRounds) {
      throw std::overflow_error(
          fmt::format("a trace has no more than {} rounds", Mailbox<>::kRounds - 1));
    }
    trace_.push_back({id(), target, bytes, static_cast<int>(round_), flight.start, flight.arrival,
                      flight.busy, operation_, where});
  }
  return {flight.arrival, round_};
}

Time MailboxProcessor::delivered(const Inbox& in, std::size_t bytes, Stamp stamp) {
  round_ = std::max(round_, stamp.round);
  const Time there = board_.clock()->delivered(in.source, id(), bytes, stamp.arrival);
  if (board_.traces()) deliveries_.push_back({in.source, in.channel, there});
  return there;
}

void MailboxProcessor::go_on_at(Time time) {
  const std::int64_t instant_ns = board_.clock()->advance(id(), time);
  if (instant_ns == 0 || carrier_->wait_for_instant(*carried_, instant_ns)) return;
  throw_stopped();
}

void MailboxProcessor::compute(const Rational& units, Where where) {
  check("compute", "processor", id(), where);
  check_computing(units, where);
  if (keeps_record()) go_on_at(board_.clock()->computed(id(), units));
}

// --- Waiting.

void MailboxProcessor::wait_long(Awaited awaited, const char* call, int peer, Where where) {
  // Of a collective its own name: `call` is a step of it, which the program has not made.
  if (operation_ != nullptr) call = operation_;
  if (!started_at_.empty() && takes_part()) [[unlikely]]
    return wait_and_take(awaited, call, peer, where);
  if (carrier_->wait(*carried_, {call, peer, awaited, where})) return;
  throw_stopped();
}

// What comes for receives that were started is taken meanwhile: its sender may wait for that before
// it does what this processor waits for.
void MailboxProcessor::wait_and_take(const Awaited& awaited, const char* call, int peer,
                                     Where where) {
  take_started_that_came(awaited);
  while (!awaited.reached()) {
    check_takes_part();  // or what is there would end each wait, and not be taken
    list_started(awaited);
    Awaited any = awaited;
    any.or_any = &may_come_;
    if (!carrier_->wait(*carried_, {call, peer, any, where})) {
      throw_stopped();
    }
    take_started_that_came(awaited);
  }
}

void MailboxProcessor::yield() {
  check_takes_part();
  carrier_->give_way(*carried_);
}

void MailboxProcessor::stop_unwound(Where where) noexcept {
  const char* const call = operation_ != nullptr ? operation_ : "borrow";
  board_.fail({id(), unfinished_cause(call, where)}, /*provisional=*/true);
}

void MailboxProcessor::end(bool threw) noexcept {
  // What outlives the program. First what others may be waiting for.
  Borrowed::give_all_back(borrowed_);
  Pending::end_all(pending_, threw);
  leave();
  if (board_.stopped()) return;
  try {
    const std::optional<std::string> deadlock = board_.watch().end(id());
    if (deadlock) throw DeadlockError(*deadlock);
  } catch (...) {  // a deadlock, or no memory for the report
    board_.fail({-1, std::current_exception()});
  }
}

// --- Sending.

bool MailboxProcessor::is_small(const Outbox& out, std::size_t bytes) noexcept {
  return bytes <= Mailbox<>::kInlineBytes || (out.takes_notes && out.mailbox->has_note(bytes));
}

// Inlined, as what receives is: what stands before the store is a part of each message's time.
[[gnu::always_inline]] inline void MailboxProcessor::post_small(Outbox& out, ConstBytes data,
                                                                Stamp stamp) {
  const std::atomic<std::uint32_t>& word = data.size() <= Mailbox<>::kInlineBytes
                                               ? out.mailbox->post_inline(data, stamp)
                                               : out.mailbox->post_note(data, stamp);
  ++balance_;
  notify_of_message(*out.receiver, word);
}

void MailboxProcessor::send_bytes(int target, ConstBytes data, Where where) {
  check("send", "target", target, where);
  Outbox& out = outbox(target);
  if (is_small(out, data.size())) {
    post_small(out, data, stamp(target, data.size(), where));
    if (out.mailbox->backlog() >= kMostUnderWay && out.mailbox->true_backlog() >= kMostUnderWay) {
      const auto least_taken = static_cast<std::uint32_t>(out.mailbox->posted() - kMostUnderWay);
      wait({&out.mailbox->credit(), least_taken}, "send", target, where);
    }
    return;
  }
  // The Pending withdraws the loan when the wait is cut short.
  post_loan(out, data, nullptr, "send", where).wait();
}

Pending MailboxProcessor::start_send_bytes(int target, ConstBytes data, Where where) {
  check("start_send", "target", target, where);
  Outbox& out = outbox(target);
  if (is_small(out, data.size())) {
    post_small(out, data, stamp(target, data.size(), where));
    return {};
  }
  return post_loan(out, data, &pending_, "wait of start_send", where);
}

Pending MailboxProcessor::lend_bytes(int borrower, ConstBytes data, Where where) {
  check("lend", "borrower", borrower, where);
  return post_loan(outbox(borrower), data, &pending_, "wait of lend", where);
}

Pending MailboxProcessor::lend_both_bytes(int borrower, ConstBytes data, Bytes place, Where where) {
  check("lend", "borrower", borrower, where);
  return post_loan(outbox(borrower), data, &pending_, "wait of lend", where, place);
}

// --- Receiving.

// What stands between a wait and the program is inlined: behind a switch of stacks, the processor's
// guess of where a return goes is wrong each time (5 to 10 ns on an AMD Zen 5).
[[gnu::always_inline]] inline void MailboxProcessor::await_message(Inbox& in, const char* call,
                                                                   Where where) {
  // As wait(). More than once when the next cell turns out to be a jump to a larger ring.
  for (int looks = quick_looks_; !in.mailbox->try_front(); --looks) {
    if (looks <= 0) {
      await_word(in, call, where);
    } else {
      pause();
    }
  }
}

Awaited MailboxProcessor::next_at(const Inbox& in) noexcept {
  Awaited next{&in.mailbox->next_word(), in.mailbox->next_value()};
  if (const auto* line = in.mailbox->line()) {
    next.or_word = &line->next_word();
    next.or_value = line->next_value();
  }
  return next;
}

void MailboxProcessor::await_word(const Inbox& in, const char* call, Where where) {
  wait_long(next_at(in), call, in.source, where);
}

[[gnu::always_inline]] inline void MailboxProcessor::take(Inbox& in) noexcept {
  --balance_;
  if (in.mailbox->take()) notify(*in.sender, in.mailbox->credit());
}

[[gnu::always_inline]] inline Stamp MailboxProcessor::take_next(Inbox& in, Bytes data,
                                                                const char* call, Where where) {
  await_message(in, call, where);
  const Mailbox<>::Message message = in.mailbox->front();
  const std::size_t bytes = message.payload.size();
  if (bytes != data.size()) {
    throw_size_mismatch(operation_, call, in.source, bytes, data.size(), where);
  }
  if (message.loan == nullptr) {
    copy_small(data.data(), message.payload.data(), bytes);
    take(in);
    return message.stamp;
  }
  take(in);  // before the memory is read: from here on the lender waits for the return
  copy_message(message, data, *in.sender);
  return message.stamp;
}

[[gnu::always_inline]] inline Time MailboxProcessor::receive_next(Inbox& in, Bytes data,
                                                                  const char* call, Where where) {
  const Stamp stamp = take_next(in, data, call, where);
  return keeps_record() ? delivered(in, data.size(), stamp) : kUntimed;
}

// --- Receives that were started.

// A clock hears of a message only here, when the program comes to it, so that its times do not
// depend on what was there sooner.
void MailboxProcessor::fill_next_started(Inbox& in) {
  check_takes_part();  // a message that is there already is not taken either: see leave()
  if (in.taken == 0) take_next_started(in);
  StartedReceive& receive = receives_[in.started[in.filled]];
  receive.there = keeps_record() ? delivered(in, receive.data.size(), receive.stamp) : kUntimed;
  receive.done = true;
  --in.taken;
  ++in.filled;
  if (2 * in.filled < in.started.size()) return;
  in.started.erase(in.started.begin(), in.started.begin() + static_cast<std::ptrdiff_t>(in.filled));
  in.filled = 0;
  if (in.started.empty()) {
    started_at_.back()->place = in.place;
    started_at_[in.place] = started_at_.back();
    started_at_.pop_back();
  }
}

void MailboxProcessor::take_next_started(Inbox& in) {
  StartedReceive& receive = receives_[in.started[in.filled + in.taken]];
  receive.stamp = take_next(in, receive.data, "wait of start_receive", receive.where);
  ++in.taken;
}

// Not where `but` is the next message, which its receiver is about to take.
void MailboxProcessor::take_started_that_came(const Awaited& but) {
  // No step of the collective that waits.
  const char* const operation = std::exchange(operation_, nullptr);
  try {
    for (Inbox* const in : started_at_) {
      while (in->filled + in->taken < in->started.size() && next_at(*in).word != but.word &&
             takes_part() && in->mailbox->try_front()) {
        take_next_started(*in);
      }
    }
  } catch (...) {
    // As if another processor had failed: whoever waits expects nothing else.
    board_.fail({id(), std::current_exception()});
    throw_stopped();
  }
  operation_ = operation;
}

void MailboxProcessor::list_started(const Awaited& but) {
  may_come_.clear();
  for (const Inbox* const in : started_at_) {
    const Awaited next = next_at(*in);
    if (in->filled + in->taken < in->started.size() && next.word != but.word)
      may_come_.push_back(next);
  }
}

// --- Receives.

void MailboxProcessor::receive_bytes(int source, Bytes data, Where where) {
  check("receive", "source", source, where);
  may_wait();
  Inbox& in = inbox(source);
  while (!in.started.empty()) fill_next_started(in);
  const Time there = receive_next(in, data, "receive", where);
  if (there != kUntimed) go_on_at(there);
}

Borrowed MailboxProcessor::borrow_bytes(int lender, Where where) {
  check("borrow", "lender", lender, where);
  may_wait();
  Inbox& in = inbox(lender);
  while (!in.started.empty()) fill_next_started(in);
  await_message(in, "borrow", where);
  const Mailbox<>::Message message = in.mailbox->front();
  Borrowed borrowed;
  if (message.loan != nullptr) {
    borrowed.enter(borrowed_);
    borrowed.loan_ = message.loan;
    borrowed.use_ = message.use;
    borrowed.lender_ = lender;
    borrowed.remote_ = message.payload.data();
    borrowed.place_ = message.place;
    borrowed.size_ = message.payload.size();
    borrowed.borrower_ = this;
  } else {
    borrowed.hold(message.payload);
  }
  take(in);
  if (keeps_record()) {
    go_on_at(delivered(in, borrowed.size_ + borrowed.place().size(), message.stamp));
  }
  return borrowed;
}

// Where the reader throws, too, the message is taken and what was lent goes back.
void MailboxProcessor::read_bytes(int source, std::size_t bytes, Reader reader, Where where) {
  check("read", "source", source, where);
  may_wait();
  Inbox& in = inbox(source);
  while (!in.started.empty()) fill_next_started(in);
  await_message(in, "read", where);
  const Mailbox<>::Message message = in.mailbox->front();
  if (message.payload.size() != bytes) {
    throw_size_mismatch(operation_, "read", source, message.payload.size(), bytes, where);
  }
  if (keeps_record()) go_on_at(delivered(in, bytes, message.stamp));
  struct End {
    ~End() {
      if (message.loan == nullptr) {
        self.take(in);
      } else {
        self.end_loan(message.loan, message.use, *in.sender);
      }
    }
    MailboxProcessor& self;
    Inbox& in;
    const Mailbox<>::Message& message;
  };
  if (message.loan != nullptr) take(in);  // from here on the lender waits for the return
  const End end{*this, in, message};
  reader.call(reader.context, message.payload);
}

// Messages that neither the clock nor the trace sees.
Meeting MailboxProcessor::swap_meetings(int to, int from, const Meeting& mine, Where where) {
  post_small(outbox(to), std::as_bytes(std::span(&mine, 1)), {});
  Inbox& in = inbox(from);
  while (!in.started.empty()) fill_next_started(in);
  Meeting theirs;
  (void)take_next(in, std::as_writable_bytes(std::span(&theirs, 1)), "barrier", where);
  return theirs;
}

// --- Rounds.

void MailboxProcessor::exchange_bytes(std::span<const Outgoing> out, std::span<const Incoming> in,
                                      Where where) {
  for (const Outgoing& o : out) check("exchange", "target", o.target, where);
  for (const Incoming& i : in) check("exchange", "source", i.source, where);
  may_wait();

  // The sends that wait for their receivers; one, nearly always.
  std::array<Pending, 2> few;
  std::vector<Pending> many(out.size() > few.size() ? out.size() : 0);
  const std::span<Pending> sending =
      many.empty() ? std::span<Pending>(few) : std::span<Pending>(many);

  const bool sits_out = out.empty() && in.empty();
  if (!out.empty() || sits_out) ++round_;
  {
    struct OneRound {
      bool& in_exchange;
      ~OneRound() { in_exchange = false; }
    };
    in_exchange_ = true;
    const OneRound one_round{in_exchange_};
    for (std::size_t k = 0; k < out.size(); ++k) {
      Outbox& box = outbox(out[k].target);
      if (is_small(box, out[k].data.size())) {
        post_small(box, out[k].data, stamp(box.target, out[k].data.size(), where));
      } else {
        sending[k] = post_loan(box, out[k].data, nullptr, "exchange", where);
      }
    }
  }
  Time all_there = kUntimed;
  for (const Incoming& i : in) {
    Inbox& box = inbox(i.source);
    while (!box.started.empty()) fill_next_started(box);
    all_there = std::max(all_there, receive_next(box, i.data, "exchange", where));
  }
  if (all_there != kUntimed) go_on_at(all_there);
  for (Pending& pending : sending) pending.wait();
}

}  // namespace postroom
