#include "runtime/light_processor.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>

#include "runtime/call_checks.h"
#include "runtime/errors.h"

namespace postroom {
namespace {

std::unique_ptr<std::byte[]> copy_of(ConstBytes data) {
  if (data.empty()) return nullptr;
  auto copy = std::make_unique_for_overwrite<std::byte[]>(data.size());
  std::memcpy(copy.get(), data.data(), data.size());
  return copy;
}

}  // namespace

void LightProcessor::check(const char* call, const char* role, int peer, Where where) const {
  check_peer(call, role, peer, count(), where);
  if (machine_.scheduler_->stopped()) throw Stopped{};
}

// --- Sending.

void LightProcessor::post(int target, ConstBytes data) {
  const Flight flight = machine_.clock_->sent(id(), target, data.size());
  const bool carried = machine_.payload_ == Payload::copy;
  machine_.post(id(), target, channel(),
                {flight.arrival, data.size(), carried ? copy_of(data) : nullptr});
}

void LightProcessor::send_bytes(int target, ConstBytes data, Where where) {
  check("send", "target", target, where);
  post(target, data);
}

Pending LightProcessor::start_send_bytes(int target, ConstBytes data, Where where) {
  check("start_send", "target", target, where);
  post(target, data);
  return {};
}

Pending LightProcessor::lend_bytes(int borrower, ConstBytes data, Where where) {
  check("lend", "borrower", borrower, where);
  post(borrower, data);
  return {};
}

// --- Receiving.

std::size_t LightProcessor::await_message(int source, Channel channel, const char* call,
                                          Where where) {
  for (;;) {
    const MessagesUnderWay::Message* const next = machine_.messages_.front(source, id(), channel);
    if (next != nullptr) return next->bytes;
    if (!machine_.scheduler_->wait(id(), source, call, where)) throw Stopped{};
  }
}

// A message of another size stays where it is.
void LightProcessor::await_message_of(int source, Channel channel, std::size_t bytes,
                                      const char* call, Where where) {
  const std::size_t found = await_message(source, channel, call, where);
  if (found != bytes) throw_size_mismatch(operation_, call, source, found, bytes, where);
}

MessagesUnderWay::Message LightProcessor::take_into(int source, Channel channel, Bytes data,
                                                    const char* call, Where where) {
  await_message_of(source, channel, data.size(), call, where);
  MessagesUnderWay::Message message = *machine_.messages_.take(source, id(), channel);
  if (message.data != nullptr) std::memcpy(data.data(), message.data.get(), data.size());
  return message;
}

Time LightProcessor::receive_next(int source, Channel channel, Bytes data, const char* call,
                                  Where where) {
  return delivered(source, take_into(source, channel, data, call, where));
}

Time LightProcessor::delivered(int source, const MessagesUnderWay::Message& message) {
  return machine_.clock_->delivered(source, id(), message.bytes, message.arrival);
}

void LightProcessor::receive_bytes(int source, Bytes data, Where where) {
  check("receive", "source", source, where);
  fill_all_started(source);
  go_on_at(receive_next(source, channel(), data, "receive", where));
}

Borrowed LightProcessor::borrow_bytes(int lender, Where where) {
  check("borrow", "lender", lender, where);
  fill_all_started(lender);
  (void)await_message(lender, channel(), "borrow", where);
  MessagesUnderWay::Message message = *machine_.messages_.take(lender, id(), channel());
  go_on_at(delivered(lender, message));
  Borrowed borrowed;
  borrowed.size_ = message.bytes;
  borrowed.copy_ = message.data != nullptr ? std::move(message.data)
                                           : std::make_unique<std::byte[]>(message.bytes);
  borrowed.remote_ = borrowed.copy_.get();
  return borrowed;
}

void LightProcessor::read_bytes(int source, std::size_t bytes, Reader reader, Where where) {
  check("read", "source", source, where);
  fill_all_started(source);
  await_message_of(source, channel(), bytes, "read", where);
  Processor::read_bytes(source, bytes, reader, where);
}

void LightProcessor::exchange_bytes(std::span<const Outgoing> out, std::span<const Incoming> in,
                                    Where where) {
  for (const Outgoing& o : out) check("exchange", "target", o.target, where);
  for (const Incoming& i : in) check("exchange", "source", i.source, where);
  for (const Outgoing& o : out) post(o.target, o.data);
  Time all_there = now();
  for (const Incoming& i : in) {
    fill_all_started(i.source);
    all_there = std::max(all_there, receive_next(i.source, channel(), i.data, "exchange", where));
  }
  go_on_at(all_there);
}

// --- Receives that were started.

Pending LightProcessor::start_receive_bytes(int source, Bytes data, Where where) {
  check("start_receive", "source", source, where);
  const std::uint64_t ticket = next_ticket_++;
  started_.emplace(ticket, Started{source, channel(), data, where, false, 0});
  not_done_[channel_key(source, channel())].push_back(ticket);
  return Pending(*this, &pending_, ticket, "wait of start_receive", where);
}

void LightProcessor::fill_next_started(int source, Channel channel) {
  if (machine_.scheduler_->stopped()) throw Stopped{};  // also where the message is there already
  std::deque<std::uint64_t>& tickets = not_done_.at(channel_key(source, channel));
  Started& started = started_.at(tickets.front());
  started.there =
      receive_next(source, channel, started.data, "wait of start_receive", started.where);
  started.done = true;
  tickets.pop_front();
  if (tickets.empty()) not_done_.erase(channel_key(source, channel));
}

void LightProcessor::fill_all_started(int source) {
  if (not_done_.empty()) return;
  while (not_done_.contains(channel_key(source, channel()))) fill_next_started(source, channel());
}

void LightProcessor::finish(std::uint64_t ticket, const char* /*call*/, Where /*where*/) {
  const Started& started = started_.at(ticket);
  while (!started.done) fill_next_started(started.source, started.channel);
  go_on_at(started.there);
  started_.erase(ticket);
}

std::size_t LightProcessor::finish_any(std::span<const std::uint64_t> tickets, Where where) {
  using End = LightScheduler::End;
  peers_.clear();
  for (const std::uint64_t ticket : tickets) peers_.push_back(started_.at(ticket).source);
  const char* const call = operation_ != nullptr ? operation_ : "wait_any";
  for (;;) {
    std::optional<Time> earliest;
    std::size_t first = 0;
    for (std::size_t i = 0; i < tickets.size(); ++i) {
      const std::optional<Time> time = there(started_.at(tickets[i]));
      if (!time || (earliest && *earliest <= *time)) continue;
      earliest = time;
      first = i;
    }
    const End end = machine_.scheduler_->wait_for_any(id(), peers_, earliest, call, where);
    if (end == End::kStopped) throw Stopped{};
    if (end == End::kPosted) continue;
    const Started& started = started_.at(tickets[first]);
    if (!started.done) fill_next_started(started.source, started.channel);
    if (!started.done) continue;  // it was for one that was started before
    finish(tickets[first], call, where);
    return first;
  }
}

/// When a message for it is there, as far as is known; none is under way: none.
std::optional<Time> LightProcessor::there(const Started& started) const {
  if (started.done) return started.there;
  const MessagesUnderWay::Message* const message =
      machine_.messages_.front(started.source, id(), started.channel);
  return message != nullptr ? std::optional(message->arrival) : std::nullopt;
}

bool LightProcessor::finished(std::uint64_t ticket) {
  if (is_finished(ticket)) return true;
  if (++looks_in_vain_ % kLooksInVain != 0) return false;
  yield();
  return is_finished(ticket);
}

bool LightProcessor::is_finished(std::uint64_t ticket) {
  const Started& started = started_.at(ticket);
  while (!started.done && !machine_.scheduler_->stopped() &&
         machine_.messages_.is_under_way(started.source, id(), started.channel)) {
    fill_next_started(started.source, started.channel);
  }
  if (started.done) go_on_at(started.there);
  return started.done;
}

void LightProcessor::abandon(std::uint64_t ticket, bool unwinding, const char* call,
                             Where where) noexcept {
  if (!unwinding) {
    try {
      return finish(ticket, call, where);
    } catch (const Stopped&) {
    } catch (...) {
      machine_.fail({id(), std::current_exception()});
    }
  }
  if (started_.at(ticket).done) {
    started_.erase(ticket);
    return;
  }
  // Its buffer is going away, so nothing may be received any more.
  machine_.fail({id(), unfinished_cause(call, where)}, /*provisional=*/true);
}

// --- The machine around.

void LightProcessor::barrier(Where where) {
  check("barrier", "processor", id(), where);
  const Operation operation(*this, operation_or(*this, "barrier"));
  const Meeting mine{now(), 0};
  go_on_at(meet(count(), id(), mine, [&](int to, int from, const Meeting& meeting) {
             return swap_meetings(to, from, meeting, where);
           }).latest);
}

void LightProcessor::barrier_among(std::span<const int> members, int me, Where where) {
  check("barrier", "processor", id(), where);
  for (const int member : members) check("barrier", "member", member, where);
  const Operation operation(*this, operation_or(*this, "barrier"));
  const Meeting mine{now(), 0};
  go_on_at(meet(static_cast<int>(members.size()), me, mine,
                [&](int to, int from, const Meeting& meeting) {
                  return swap_meetings(members[to], members[from], meeting, where);
                })
               .latest);
}

// Messages that the clock does not see.
Meeting LightProcessor::swap_meetings(int to, int from, const Meeting& mine, Where where) {
  machine_.post(id(), to, channel(),
                {0, sizeof(mine), copy_of(std::as_bytes(std::span(&mine, 1)))});
  fill_all_started(from);
  Meeting theirs;
  (void)take_into(from, channel(), std::as_writable_bytes(std::span(&theirs, 1)), "barrier", where);
  return theirs;
}

void LightProcessor::yield() {
  if (!machine_.scheduler_->stopped()) machine_.scheduler_->yield(id());
  if (machine_.scheduler_->stopped()) throw Stopped{};
}

void LightProcessor::compute(const Rational& units, Where where) {
  check("compute", "processor", id(), where);
  check_computing(units, where);
  go_on_at(machine_.clock_->computed(id(), units));
}

}  // namespace postroom
